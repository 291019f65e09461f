#include "project/project_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/outputs.hpp"
#include "project/outputs_json.hpp"
#include "util/json_writer.hpp"

namespace envgen::project {
namespace {

constexpr std::string_view head = R"(// What the environment of this project must provide. After a change, run 'envgen lock'.
// envgen chooses every value you omit: 'envgen resolve --project envgen.json' shows what, and why.
// A version is exact ("2.3.1"), partial ("2.3") or a range (">=2.3,<2.5").
// Comments and trailing commas are allowed.
{
  // For completion in your editor (works offline), run 'envgen schema envgen > envgen.schema.json'.
  // "$schema": "envgen.schema.json",

  "request": {
)";
constexpr std::string_view outputs_head = R"(  },

  // What 'envgen generate' makes from the lock.
  "outputs": {
)";
constexpr std::string_view tail = R"(  },
}
)";

/// The explanation of a member, and the member itself: commented out with an example where nothing is said of it.
std::string member_lines(std::string_view what, std::string_view name, std::string_view value, std::string_view example) {
  return fmt::format("    // {}\n    {}\"{}\": {},\n", what, value.empty() ? "// " : "", name, value.empty() ? example : value);
}

std::string list_of(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ", ")); }

std::string quoted(const std::string& text) {
  util::JsonWriter json;
  json.value(text);
  return json.take();
}

/// The value of a member as JSON; empty when the start leaves it open.
std::string value_of(std::size_t row, const WrittenRequest& start) {
  const auto& member = field_rows.at(row);
  if (member.shape == Shape::preset) return start.preset.empty() ? std::string() : quoted(start.preset);
  std::vector<std::string> items;
  for (const auto& value : start.request.values) {
    if (value.field == static_cast<Field>(row)) items.push_back(member.shape == Shape::flag ? value.text : quoted(value.text));
  }
  if (items.empty() || (member.shape != Shape::boards && member.shape != Shape::hosts))
    return items.empty() ? std::string() : items.front();
  return list_of(items);
}

std::vector<std::string> all_quoted(const std::vector<files::GivenText>& texts) {
  std::vector<std::string> items;
  for (const auto& text : texts) items.push_back(quoted(text.value));
  return items;
}

/// The value of an option as JSON; empty where it is the one that it has by itself.
std::string value_of(const files::OptionRow& row, const files::Options& options) {
  if (const auto* texts = std::get_if<files::Texts>(&row.value)) {
    const auto items = all_quoted(options.*(*texts));
    return items.empty() ? std::string() : list_of(items);
  }
  if (const auto* one = std::get_if<files::OneText>(&row.value)) {
    const auto& text = (options.*(*one)).value;
    return text == (files::Options().*(*one)).value ? std::string() : quoted(text);
  }
  return options.*std::get<files::Switch>(row.value) ? "true" : "";
}

}  // namespace

std::string project_template(const WrittenRequest& start, const WrittenOutputs& outputs) {
  std::string text(head);
  for (std::size_t i = 0; i < field_rows.size(); ++i) {
    const auto& member = field_rows.at(i);
    if (i != 0) text += '\n';
    text += member_lines(member.what, member.name, value_of(i, start), member.example);
  }
  text += outputs_head;
  std::vector<std::string_view> names;
  for (const auto& one : files::outputs()) names.push_back(one.name);
  text += member_lines(fmt::format("The files to generate: {}.", fmt::join(names, ", ")), files_member,
                       outputs.files.empty() ? R"(["dockerfile", "run"])" : list_of(all_quoted(outputs.files)), {});
  for (const auto& member : files::option_rows())
    text += '\n' + member_lines(member.what, member.name, value_of(member, outputs.options), member.example);
  return text + std::string(tail);
}

}  // namespace envgen::project
