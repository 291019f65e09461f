#include "project/project_file.hpp"

#include <fmt/format.h>

#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "project/lock.hpp"
#include "util/files.hpp"
#include "util/json_text.hpp"

namespace envgen::project {
namespace {

/// A lock has a request, too, so what is unknown in it would not say what it is.
bool is_lock(const nlohmann::ordered_json& document) {
  return document.contains("environment") && document.contains("integrity");
}

}  // namespace

Expected<WrittenProject> parse_project(const std::string& text, const std::string& name) {
  util::JsonRules rules;
  rules.commented = true;
  const auto document = util::parse_json(text, name, rules);
  if (!document) return tl::unexpected(document.error());
  const auto root = name + "#";
  if (!document->is_object())
    return fail(ErrorCode::bad_input, "must be an object", root, {"'envgen init' writes a file to start from"});
  if (is_lock(*document))
    return fail(ErrorCode::bad_input, "this is a lock, not a project file", name,
                {fmt::format("name the file that it was made from; '{}' writes it again", lock_command(name))});
  util::Problems problems;
  refuse_unknown_members(*document, root, project_members, problems);
  WrittenProject project;
  for (const auto& [member, value] : document->items()) {
    const auto where = root + "/" + member;
    if (member == "request") {
      auto written = read_request(value, where, problems);
      project.request = std::move(written.request);
      project.preset = std::move(written.preset);
    }
    if (member == "outputs") project.outputs = read_outputs(value, where, problems);
    if (member == "$schema" && !value.is_string()) problems.push_back(Error{ErrorCode::bad_input, "must be a string", where, {}});
  }
  if (!problems.empty()) return tl::unexpected(std::move(problems.front()));
  return project;
}

Expected<WrittenProject> read_project(const std::filesystem::path& path) {
  constexpr std::size_t largest = std::size_t{1} << 20;
  const auto text = util::read_file(path, largest);
  if (!text) {
    auto error = text.error();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      error.hints.push_back(path == project_file_name ? std::string("'envgen init' writes a project file")
                                                      : fmt::format("'envgen init -o {}' writes a project file",
                                                                    shell_word(in_one_line(path.string()))));
    return tl::unexpected(std::move(error));
  }
  return parse_project(*text, path.string());
}

}  // namespace envgen::project
