#include "diagnosis/pack/pack.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::diagnosis::pack {
namespace {

/// Control characters were refused when it was read, so that the line ends that join a list are the only ones.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string literal(const std::vector<std::string>& texts, std::string_view separator) {
  return literal(fmt::format("{}", fmt::join(texts, separator)));
}

std::string enumerator(Proof proof) {
  std::string name(proof_names[static_cast<std::size_t>(proof)]);
  std::replace(name.begin(), name.end(), ' ', '_');
  return "Proof::" + name;
}

}  // namespace

std::string cpp_of(const std::vector<Row>& rows) {
  auto text = fmt::format(
      "// Made by src/diagnosis/pack from diagnoses/.\n"
      "#include <array>\n\n"
      "#include \"diagnosis/diagnosis.hpp\"\n\n"
      "namespace envgen::diagnosis {{\n"
      "namespace {{\n\n"
      "constexpr std::array<Diagnosis, {}> table{{\n",
      rows.size());
  for (const auto& row : rows)
    text += fmt::format(
        "    Diagnosis{{\n"
        "        .id = {},\n"
        "        .title = {},\n"
        "        .cause = {},\n"
        "        .fix = {},\n"
        "        .commands = {},\n"
        "        .source = {},\n"
        "        .proof = {},\n"
        "        .patterns = {},\n"
        "        .numbers = {},\n"
        "        .hides = {},\n"
        "        .resolves = {},\n"
        "        .remark = {},\n"
        "    }},\n",
        literal(row.id), literal(row.title), literal(row.cause), literal(row.fix), literal(row.commands, "\n"),
        literal(row.source), enumerator(row.proof), literal(row.patterns, "\n"), literal(row.numbers, " "),
        literal(row.hides, " "), literal(row.resolves, " "), row.remark);
  return text +
         "};\n\n"
         "}  // namespace\n\n"
         "std::span<const Diagnosis> all() { return table; }\n\n"
         "}  // namespace envgen::diagnosis\n";
}

}  // namespace envgen::diagnosis::pack
