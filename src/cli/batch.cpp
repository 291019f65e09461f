#include "cli/batch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <future>
#include <iostream>
#include <limits>
#include <span>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/this_machine.hpp"
#include "cli/verified.hpp"
#include "project/request_json.hpp"
#include "render/answer_json.hpp"
#include "resolver/resolver.hpp"
#include "util/json_text.hpp"

namespace envgen::cli {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr int deepest_nesting = 8;
constexpr std::size_t most_lines = 2048;
constexpr std::size_t most_bytes = std::size_t{16} << 20;  // of lines that are held at a time
constexpr std::size_t least_share = 64;                    // fewer lines are not worth a thread

struct Line {
  std::size_t number = 0;
  std::string text;  ///< empty where it is too long
  bool too_long = false;
};

/// `id`: becomes `"id":7,` of a line that has one, as soon as it is known, for an answer or an error to begin with.
Expected<Request> read_line(const Line& line, const std::string& where, std::string& id) {
  if (line.too_long) return fail(ErrorCode::usage, fmt::format("the line is longer than {} MiB", longest_line >> 20), where);
  auto json = util::parse_json(line.text, where, {.deepest = deepest_nesting, .what = "line"});
  if (!json) {
    auto error = json.error();
    error.code = ErrorCode::usage;
    return tl::unexpected(std::move(error));
  }
  if (!json->is_object()) return fail(ErrorCode::usage, "not a request: an object is needed", where);
  if (const auto given = json->find("id"); given != json->end()) {
    if (!given->is_string() && !given->is_number_integer() && !given->is_null())
      return fail(ErrorCode::usage, "an id is a text or a whole number of at most 64 bits", where + "#/id");
    id = fmt::format("\"id\":{},", given->dump());
    json->erase(given);
  }
  matrix::Problems problems;
  auto written = project::read_request(*json, where + "#", problems);
  if (!problems.empty()) {
    auto problem = problems.front();
    problem.code = ErrorCode::usage;
    return tl::unexpected(std::move(problem));
  }
  if (!written.preset.empty())
    return fail(ErrorCode::usage, "a preset is for the command line: a line of a batch holds the values themselves",
                where + "#/preset");
  for (const auto& value : written.request.values) {
    if (asks_the_machine(value))
      return fail(ErrorCode::usage, "auto asks this machine: a line of a batch names the value", value.where);
  }
  return std::move(written.request);
}

Expected<std::string> answer_line(const Line& line, const std::string& where, const matrix::Matrix& matrix, std::string& id) {
  const auto request = read_line(line, where, id);
  if (!request) return tl::unexpected(request.error());
  const auto query = resolver::interpret(matrix, *request);
  if (!query) return tl::unexpected(query.error());
  const auto answer = resolver::resolve(matrix, *query);
  const auto* solution = std::get_if<resolver::Solution>(&answer);
  if (solution == nullptr) return render::refusal_json(matrix, *request, *query, answer, 0);
  return verified(matrix, *request, *query, *solution).map([&](const Environment& environment) {
    return render::environment_json(matrix, *request, environment, 0);
  });
}

/// The lines of a stream, of which none is held beyond the longest that is read.
class Lines {
 public:
  explicit Lines(std::istream& input)
      : input_(input), buffer_(longest_line + 3) {}  // with \r, what shows more, and the final NUL

  /// The next ones: as many as wait there, at most `most_lines`, so that a partner at the other end of a pipe has its answer
  /// before it writes on.
  std::vector<Line> next() {
    std::vector<Line> lines;
    std::size_t bytes = 0;
    while (lines.size() < most_lines && bytes < most_bytes && (lines.empty() || input_.rdbuf()->in_avail() > 0)) {
      Line line;
      if (!read(line)) break;
      bytes += line.text.size();
      if (line.too_long || line.text.find_first_not_of(" \t") != std::string::npos) lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  /// False at the end, and where the stream cannot be read.
  bool read(Line& line) {
    input_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const auto got = static_cast<std::size_t>(input_.gcount());
    bool cut = false;
    if (input_.fail()) {
      if (input_.bad() || got == 0) return false;
      cut = true;
      input_.clear();
      input_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    // A line that ends with the input has no delimiter, which is counted too.
    std::string_view text(buffer_.data(), cut || input_.eof() ? got : got - 1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    line = {++number_, {}, cut || text.size() > longest_line};
    if (!line.too_long) line.text = text;
    return true;
  }

  std::istream& input_;
  std::vector<char> buffer_;
  std::size_t number_ = 0;
};

struct Answers {
  std::string text;
  bool all_read = true;
};

Answers answer_lines(std::span<const Line> lines, const std::string& name, const matrix::Matrix& matrix) {
  Answers answers;
  for (const auto& line : lines) {
    std::string id;
    auto answer = answer_line(line, fmt::format("{}:{}", name, line.number), matrix, id);
    answers.all_read = answers.all_read && answer.has_value();
    const std::string_view brace = "{";
    const auto text = answer ? std::move(*answer) : render::error_json(answer.error(), 0);
    answers.text.append(brace).append(id).append(text, brace.size()).append("\n");
  }
  return answers;
}

/// The lines in equal parts, one a core; the matrix is read-only and every answer is made of its own line alone.
bool answer_in_parallel(std::span<const Line> lines, const std::string& name, const matrix::Matrix& matrix, bool& all_read) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const auto share = std::max(least_share, (lines.size() + cores - 1) / cores);
  std::vector<std::future<Answers>> parts;
  for (std::size_t from = share; from < lines.size(); from += share) {
    const auto part = lines.subspan(from, std::min(share, lines.size() - from));
    parts.push_back(std::async(std::launch::async, [part, &name, &matrix] { return answer_lines(part, name, matrix); }));
  }
  const auto take = [&](const Answers& answers) {
    all_read = all_read && answers.all_read;
    return print(answers.text);
  };
  bool printed = take(answer_lines(lines.first(std::min(share, lines.size())), name, matrix));
  for (auto& part : parts) {
    const auto answers = part.get();
    printed = printed && take(answers);
  }
  return printed;
}

}  // namespace

Expected<Exit> answer_batch(const std::string& file, const matrix::Matrix& matrix) {
  std::ifstream opened;
  if (file == "-") {
    std::ios::sync_with_stdio(false);  // so that what waits in the pipe can be seen
  } else {
    opened.open(file);
    if (!opened) return fail(ErrorCode::bad_input, fmt::format("cannot open the file ({})", std::strerror(errno)), file);
  }
  std::istream& input = file == "-" ? std::cin : opened;
  const std::string name = file == "-" ? "standard input" : file;
  bool all_read = true;
  for (Lines waiting(input);;) {
    const auto lines = waiting.next();
    if (lines.empty()) break;
    if (!answer_in_parallel(lines, name, matrix, all_read)) return fail(ErrorCode::internal, "cannot write to standard output");
  }
  if (input.bad()) return fail(ErrorCode::bad_input, "cannot read on", name);
  return all_read ? Exit::ok : Exit::usage;
}

}  // namespace envgen::cli
