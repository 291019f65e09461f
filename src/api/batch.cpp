#include "api/batch.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <span>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "answers/answer_json.hpp"
#include "api/answer.hpp"
#include "project/request_json.hpp"

namespace envgen::api {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::size_t most_lines = 2048;
constexpr std::size_t most_bytes = std::size_t{16} << 20;  // of lines that are held at a time
constexpr std::size_t least_share = 64;                    // fewer lines are not worth a thread

struct Line {
  std::size_t number = 0;
  std::string text;  ///< empty where it is too long
  bool too_long = false;
};

LineAnswer refused(const Error& error) { return {answers::error_json(error, 0), false}; }

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

LineAnswer too_long(std::string where) {
  return refused({ErrorCode::usage, fmt::format("the line is longer than {} MiB", longest_line >> 20), std::move(where), {}});
}

struct Answers {
  std::string text;
  bool all_understood = true;
};

Answers answer_lines(std::span<const Line> lines, const std::string& name, const matrix::Matrix& matrix) {
  Answers answers;
  for (const auto& line : lines) {
    const auto where = fmt::format("{}:{}", name, line.number);
    const auto answer = line.too_long ? too_long(where) : answer_line(line.text, where, matrix);
    answers.all_understood = answers.all_understood && answer.understood;
    answers.text.append(answer.json).append("\n");
  }
  return answers;
}

/// The lines in equal parts, one a core; the matrix is read-only and every answer is made of its own line alone.
Expected<bool> answer_in_parallel(std::span<const Line> lines, const std::string& name, const matrix::Matrix& matrix,
                                  const std::function<Expected<void>(const std::string&)>& write) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const auto share = std::max(least_share, (lines.size() + cores - 1) / cores);
  std::vector<std::future<Answers>> parts;
  for (std::size_t from = share; from < lines.size(); from += share) {
    const auto part = lines.subspan(from, std::min(share, lines.size() - from));
    parts.push_back(std::async(std::launch::async, [part, &name, &matrix] { return answer_lines(part, name, matrix); }));
  }
  bool all_understood = true;
  const auto take = [&](const Answers& answers) {
    all_understood = all_understood && answers.all_understood;
    return write(answers.text);
  };
  auto written = take(answer_lines(lines.first(std::min(share, lines.size())), name, matrix));
  for (auto& part : parts) {
    const auto answers = part.get();
    if (written) written = take(answers);
  }
  return written.map([&] { return all_understood; });
}

}  // namespace

LineAnswer answer_line(const std::string& line, const std::string& where, const matrix::Matrix& matrix) {
  std::string id;
  const auto answered =
      project::parse_request_line(line, where, id).and_then([&](Request request) { return answer(matrix, std::move(request)); });
  auto result = answered ? LineAnswer{json(matrix, *answered, 0), true} : refused(answered.error());
  result.json.insert(1, id);
  return result;
}

Expected<bool> answer_stream(std::istream& input, const std::string& name, const matrix::Matrix& matrix,
                             const std::function<Expected<void>(const std::string&)>& write) {
  bool all_understood = true;
  for (Lines waiting(input);;) {
    const auto lines = waiting.next();
    if (lines.empty()) break;
    const auto understood = answer_in_parallel(lines, name, matrix, write);
    if (!understood) return understood;
    all_understood = all_understood && *understood;
  }
  if (input.bad()) return fail(ErrorCode::bad_input, "cannot read further", name);
  return all_understood;
}

}  // namespace envgen::api
