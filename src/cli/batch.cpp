#include "cli/batch.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "project/request_json.hpp"
#include "render/answer_json.hpp"
#include "resolver/resolver.hpp"

namespace envgen::cli {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr int deepest_nesting = 8;
constexpr std::size_t buffered_bytes = std::size_t{1} << 16;

Expected<Request> read_line(const std::string& line, const std::string& where) {
  if (line.size() > longest_line) return fail(ErrorCode::usage, fmt::format("the line is longer than {} MiB", longest_line >> 20), where);
  bool too_deep = false;
  const auto guard = [&](int depth, matrix::Json::parse_event_t, matrix::Json&) {
    too_deep = too_deep || depth > deepest_nesting;
    return !too_deep;
  };
  matrix::Json json;
  try {
    json = matrix::Json::parse(line, guard);
  } catch (const matrix::Json::parse_error& error) {
    return fail(ErrorCode::usage, fmt::format("not JSON (column {})", error.byte), where);
  }
  if (too_deep) return fail(ErrorCode::usage, fmt::format("nested deeper than {} levels", deepest_nesting), where);
  if (!json.is_object()) return fail(ErrorCode::usage, "not a request: an object is needed", where);
  matrix::Problems problems;
  auto written = project::read_request(json, where + "#", problems);
  if (!problems.empty()) {
    auto problem = problems.front();
    problem.code = ErrorCode::usage;
    return tl::unexpected(std::move(problem));
  }
  if (!written.preset.empty()) return fail(ErrorCode::usage, "a preset is for the command line: a line of a batch holds the values themselves", where + "#/preset");
  for (const auto& value : written.request.values) {
    if (value.text == "auto" && (value.field == Field::gpu || value.field == Field::driver || value.field == Field::os || value.field == Field::platform))
      return fail(ErrorCode::usage, "auto asks this machine: a line of a batch names the value", value.where);
  }
  return std::move(written.request);
}

Expected<std::string> answer_line(const std::string& line, const std::string& where, const matrix::Matrix& matrix) {
  const auto request = read_line(line, where);
  if (!request) return tl::unexpected(request.error());
  const auto query = resolver::interpret(matrix, *request);
  if (!query) return tl::unexpected(query.error());
  return render::answer_json(matrix, *request, *query, resolver::resolve(matrix, *query), 0);
}

}  // namespace

Expected<Exit> answer_batch(const std::string& file, const matrix::Matrix& matrix) {
  std::ifstream opened;
  if (file != "-") {
    opened.open(file);
    if (!opened) return fail(ErrorCode::bad_input, fmt::format("cannot open the file ({})", std::strerror(errno)), file);
  }
  std::istream& input = file == "-" ? std::cin : opened;
  const std::string name = file == "-" ? "standard input" : file;
  bool all_read = true;
  std::string line;
  std::string output;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    auto answer = answer_line(line, fmt::format("{}:{}", name, number), matrix);
    all_read = all_read && answer.has_value();
    output += answer ? *answer : render::error_json(answer.error(), 0);
    output += '\n';
    if (output.size() < buffered_bytes) continue;
    if (!print(output)) return fail(ErrorCode::internal, "cannot write to standard output");
    output.clear();
  }
  if (!print(output)) return fail(ErrorCode::internal, "cannot write to standard output");
  if (input.bad()) return fail(ErrorCode::bad_input, "cannot read on", name);
  return all_read ? Exit::ok : Exit::usage;
}

}  // namespace envgen::cli
