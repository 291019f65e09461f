#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "diagnosis/report.hpp"
#include "model/spelling.hpp"
#include "util/descriptor.hpp"

namespace envgen::cli {
namespace {

using diagnosis::Finding;

const char* const how_to_ask = "give an id, a file, or a log: 'envgen explain cuda-209', 'docker run ... 2>&1 | envgen explain'";
const char* const how_to_list = "see 'envgen list diagnoses'";

/// A log is read as it comes: it may be larger than the memory.
Expected<void> read_log(diagnosis::Recogniser& recogniser, int descriptor, const std::string& name) {
  std::array<char, std::size_t{1} << 16> chunk;
  bool empty = true;
  for (;;) {
    const auto got = ::read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::bad_input, fmt::format("cannot read the log ({})", std::strerror(errno)), name);
    if (got == 0) break;
    empty = false;
    recogniser.feed({chunk.data(), static_cast<std::size_t>(got)});
  }
  if (empty) note(fmt::format("{} is empty; what a program complains of goes to standard error: add 2>&1", name));
  recogniser.feed("\n");  // no line goes on in another log
  return {};
}

Expected<std::vector<Finding>> read_standard_input() {
  if (::isatty(STDIN_FILENO) != 0)
    return fail(ErrorCode::usage, "standard input is a terminal, and a log was expected there", {}, {how_to_ask, how_to_list});
  diagnosis::Recogniser recogniser;
  if (auto read = read_log(recogniser, STDIN_FILENO, "standard input"); !read) return tl::unexpected(read.error());
  return recogniser.finish();
}

Expected<std::vector<Finding>> read_files(const std::vector<std::string>& paths) {
  diagnosis::Recogniser recogniser;
  for (const auto& path : paths) {
    const util::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return fail(ErrorCode::bad_input, fmt::format("cannot open the log ({})", std::strerror(errno)), path);
    if (auto read = read_log(recogniser, file.get(), path); !read) return tl::unexpected(read.error());
  }
  return recogniser.finish();
}

/// A word that is neither an id, nor a file, nor a text of which something is known.
Error unknown_word(const std::string& word) {
  std::vector<std::string_view> ids;
  std::vector<std::string_view> holding;  // 209: cuda-209
  for (const auto& row : diagnosis::all()) {
    ids.push_back(row.id);
    if (!word.empty() && row.id.find(lower(word)) != std::string_view::npos) holding.push_back(row.id);
  }
  auto hints = did_you_mean(word, ids);
  constexpr std::size_t most = 5;
  if (hints.empty() && !holding.empty() && holding.size() <= most)
    hints.push_back(fmt::format("did you mean {}?", fmt::join(holding, ", ")));
  hints.emplace_back(how_to_list);
  return {ErrorCode::usage, fmt::format("{} is no diagnosis and no file", in_quotes(word)), {}, std::move(hints)};
}

/// The diagnoses of these ids; none where one of them is no id.
std::vector<Finding> by_ids(const std::vector<std::string>& ids) {
  std::vector<Finding> findings;
  for (const auto& id : ids) {
    const auto* known = diagnosis::find(lower(id));
    if (known == nullptr) return {};
    findings.push_back({known, {}});
  }
  return findings;
}

/// Ids, files, or a message that was pasted as it is.
Expected<std::vector<Finding>> findings_of(const std::vector<std::string>& words) {
  if (words.empty() || words == std::vector<std::string>{"-"}) return read_standard_input();
  const auto text = fmt::format("{}", fmt::join(words, " "));
  if (auto known = by_ids(words); !known.empty()) return known;
  const auto is_file = [](const std::string& word) {
    std::error_code ignored;
    return std::filesystem::exists(word, ignored);
  };
  if (std::all_of(words.begin(), words.end(), is_file)) return read_files(words);
  auto findings = diagnosis::recognise(text);
  if (findings.empty() && text.find(' ') == std::string::npos) return tl::unexpected(unknown_word(text));
  return findings;
}

std::string json_of(const std::vector<Finding>& findings) {
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", 1).key("diagnoses").begin_array();
  for (const auto& finding : findings) diagnosis::write_finding(json, finding);
  json.end_array().end_object();
  return json.take() + "\n";
}

std::string text_of(const std::vector<Finding>& findings) {
  const auto terminal = util::Terminal::of_stdout();
  if (findings.empty()) return "No failure that envgen knows is in this text.\n";
  return diagnosis::findings_text(findings, terminal);
}

Expected<Exit> run_explain(const std::vector<std::string>& words, const Context& context) {
  const auto findings = findings_of(words);
  if (!findings) return tl::unexpected(findings.error());
  return written(context.json ? json_of(*findings) : text_of(*findings));
}

}  // namespace

Action setup_explain(CLI::App& app, Context& context) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("words", *words, "ids (cuda-209), files with logs, or a message; without them, the log on standard input")
      ->type_name("ID|FILE|TEXT");
  add_format(app, context);
  app.footer(
      "The most likely failure comes first. 'envgen list diagnoses' names all ids. Exit status: 0, also when nothing in the "
      "text is known.");
  return [words, &context] { return run_explain(*words, context); };
}

}  // namespace envgen::cli
