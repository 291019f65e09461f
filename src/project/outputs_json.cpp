#include "project/outputs_json.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "files/outputs.hpp"
#include "model/spelling.hpp"
#include "project/request_json.hpp"

namespace envgen::project {
namespace {

using Json = util::JsonCell::Json;

class OutputsReader {
 public:
  explicit OutputsReader(util::Problems& problems) : problems_(problems) {}

  void problem(const std::string& where, std::string message, std::vector<std::string> hints = {}) {
    problems_.push_back(Error{ErrorCode::bad_input, std::move(message), where, std::move(hints)});
  }

  files::GivenText text(const Json& value, const std::string& where) {
    const auto written = value.is_string() ? value.get<std::string>() : std::string();
    if (!written.empty()) return {written, where};
    problem(where, value.is_string() ? "must not be empty; omit the field instead" : "must be a string");
    return {{}, where};
  }

  std::vector<files::GivenText> texts(const Json& value, const std::string& where, std::string_view example) {
    std::vector<files::GivenText> result;
    if (!value.is_array()) problem(where, "must be a list", {fmt::format("write it as {}", example)});
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
      result.push_back(text(value[i], fmt::format("{}/{}", where, i)));
    return result;
  }

  bool flag(const Json& value, const std::string& where) {
    if (!value.is_boolean()) problem(where, "must be true or false");
    return value == true;
  }

 private:
  util::Problems& problems_;
};

void check_names(const std::vector<files::GivenText>& files, OutputsReader& reader) {
  std::vector<std::string_view> names;
  for (const auto& one : files::outputs()) names.push_back(one.name);
  std::set<std::string_view> seen;
  for (const auto& file : files) {
    if (!seen.insert(file.value).second) reader.problem(file.where, fmt::format("{} is listed twice", in_quotes(file.value)));
    // As the schema has them: other spellings (`Dockerfile`) are for the command line.
    if (const auto* known = files::find_output(file.value); known != nullptr && known->name == file.value) continue;
    auto hints = did_you_mean(file.value, names, 1);
    if (hints.empty()) hints.push_back(fmt::format("known outputs: {}", fmt::join(names, ", ")));
    reader.problem(file.where, fmt::format("{} is not an output", in_quotes(file.value)), std::move(hints));
  }
}

}  // namespace

std::string_view output_member_of(std::string_view flag) {
  const auto rows = files::option_rows();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.option == flag; });
  return found == rows.end() ? std::string_view() : found->name;
}

std::vector<std::string> names_of(const std::vector<files::GivenText>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.value);
  return names;
}

WrittenOutputs read_outputs(const Json& object, const std::string& where, util::Problems& problems) {
  WrittenOutputs result;
  OutputsReader reader(problems);
  if (!object.is_object()) {
    reader.problem(where, "must be an object");
    return result;
  }
  std::vector<std::string_view> names{files_member};
  for (const auto& member : files::option_rows()) names.push_back(member.name);
  refuse_unknown_members(object, where, names, problems);
  const auto place = [&](std::string_view name) { return fmt::format("{}/{}", where, name); };
  if (const auto found = object.find(std::string(files_member)); found != object.end()) {
    result.files = reader.texts(*found, place(files_member), R"(["dockerfile", "run"])");
    check_names(result.files, reader);
  }
  for (const auto& member : files::option_rows()) {
    const auto found = object.find(std::string(member.name));
    if (found == object.end()) continue;
    const auto at = place(member.name);
    if (const auto* texts = std::get_if<files::Texts>(&member.value))
      result.options.*(*texts) = reader.texts(*found, at, member.example);
    if (const auto* text = std::get_if<files::OneText>(&member.value)) result.options.*(*text) = reader.text(*found, at);
    if (const auto* flag = std::get_if<files::Switch>(&member.value)) result.options.*(*flag) = reader.flag(*found, at);
  }
  if (!problems.empty()) return result;
  if (auto checked = files::check_options(result.options); !checked) {
    auto error = std::move(checked.error());
    error.code = ErrorCode::bad_input;
    const auto member = output_member_of(error.origin);
    if (!member.empty()) error.origin = place(member);
    if (!error.origin.starts_with(where)) error.origin = where;
    problems.push_back(std::move(error));
  }
  return result;
}

}  // namespace envgen::project
