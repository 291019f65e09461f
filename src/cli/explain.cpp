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

#include "api/suggestion.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "diagnosis/report.hpp"
#include "model/request.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "util/descriptor.hpp"

namespace envgen::cli {
namespace {

using diagnosis::Finding;

/// Failures, what the log says of the environment that it comes from, and which one fixes them.
struct Told {
  std::vector<Finding> findings;
  diagnosis::Seen seen = {};
  diagnosis::Seen in_commands = {};
  std::optional<api::Suggestion> suggestion = {};
};

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
  if (empty) note(fmt::format("{} is empty; programs write errors to standard error: add 2>&1", name));
  recogniser.feed("\n");  // no line goes on in another log
  return {};
}

/// What a log that was read to its end shows. The facts say which words are a GPU.
Expected<Told> told_by(diagnosis::Recogniser& recogniser, Context& context) {
  const auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  Told told{recogniser.finish(), recogniser.seen([&](std::string_view name) { return api::is_board(*matrix, name); })};
  told.in_commands = api::for_commands(*matrix, told.seen);
  told.suggestion = api::suggestion(*matrix, told.findings, told.seen);
  return told;
}

Expected<Told> read_standard_input(Context& context) {
  if (::isatty(STDIN_FILENO) != 0)
    return fail(ErrorCode::usage, "standard input is a terminal; a log was expected", {}, {how_to_ask, how_to_list});
  diagnosis::Recogniser recogniser;
  if (auto read = read_log(recogniser, STDIN_FILENO, "standard input"); !read) return tl::unexpected(read.error());
  return told_by(recogniser, context);
}

Expected<Told> read_files(const std::vector<std::string>& paths, Context& context) {
  diagnosis::Recogniser recogniser;
  for (const auto& path : paths) {
    const util::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return fail(ErrorCode::bad_input, fmt::format("cannot open the log ({})", std::strerror(errno)), path);
    if (auto read = read_log(recogniser, file.get(), path); !read) return tl::unexpected(read.error());
  }
  return told_by(recogniser, context);
}

/// A word that is neither an id, nor a file, nor a text of which something is known.
Error unknown_word(const std::string& word) {
  std::vector<std::string_view> ids;
  std::vector<std::string_view> holding;  // 209: cuda-209
  std::vector<std::string_view> begun;    // cuda-35: cuda-35-no-driver
  for (const auto& row : diagnosis::all()) {
    ids.push_back(row.id);
    if (!word.empty() && row.id.find(lower(word)) != std::string_view::npos) holding.push_back(row.id);
    if (row.id.starts_with(lower(word) + "-")) begun.push_back(row.id);
  }
  constexpr std::size_t most = 5;
  auto hints = begun.empty() || begun.size() > most ? did_you_mean(word, ids)
                                                    : std::vector{fmt::format("did you mean {}?", fmt::join(begun, ", "))};
  if (hints.empty() && !holding.empty() && holding.size() <= most)
    hints.push_back(fmt::format("did you mean {}?", fmt::join(holding, ", ")));
  hints.emplace_back(how_to_list);
  return {ErrorCode::usage, fmt::format("{} is neither a diagnosis id nor a file", in_quotes(word)), {}, std::move(hints)};
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
Expected<Told> told_of(const std::vector<std::string>& words, Context& context) {
  if (words.empty() || words == std::vector<std::string>{"-"}) return read_standard_input(context);
  const auto text = fmt::format("{}", fmt::join(words, " "));
  if (auto known = by_ids(words); !known.empty()) return Told{std::move(known)};
  const auto is_file = [](const std::string& word) {
    std::error_code ignored;
    return std::filesystem::exists(word, ignored);
  };
  if (std::all_of(words.begin(), words.end(), is_file)) return read_files(words, context);
  // Beside ids and files, the name of a log is no part of a message.
  const auto is_log = [](const std::string& word) {
    const auto ending = std::filesystem::path(word).extension();
    return word.find(' ') == std::string::npos && (ending == ".log" || ending == ".txt" || ending == ".out" || ending == ".err");
  };
  const auto is_known = [&](const std::string& word) { return is_file(word) || diagnosis::find(lower(word)) != nullptr; };
  const auto lost = std::find_if_not(words.begin(), words.end(), is_known);
  if (lost != words.end() && is_log(*lost) &&
      std::all_of(words.begin(), words.end(), [&](const auto& word) { return is_known(word) || is_log(word); }))
    return fail(ErrorCode::bad_input, "there is no such file", *lost);
  diagnosis::Recogniser recogniser;
  recogniser.feed(text);
  auto told = told_by(recogniser, context);
  if (told && told->findings.empty() && text.find(' ') == std::string::npos) return tl::unexpected(unknown_word(text));
  return told;
}

std::string json_of(const Told& told) {
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", 1).key("diagnoses").begin_array();
  for (const auto& finding : told.findings) diagnosis::write_finding(json, finding, told.in_commands);
  json.end_array().key("seen");
  diagnosis::write_seen(json, told.seen);
  json.key("suggestion");
  api::write_suggestion(json, told.suggestion);
  json.end_object();
  return json.take() + "\n";
}

/// Nothing failed in a way that is known, but whether these two fit together is.
std::string question_of(const diagnosis::Seen& seen) {
  const auto& gpu = seen[diagnosis::Named::gpu];
  const auto& torch = seen[diagnosis::Named::torch];
  if (!gpu || !torch || seen[diagnosis::Named::platform]) return {};
  const auto release = torch->text.substr(0, torch->text.find('+'));
  return fmt::format("To see whether these work together: envgen why torch {} gpu '{}'\n", release, gpu->text);
}

/// `torch 2.4 gpu 5090`, which another command answers.
bool is_a_request(const std::vector<std::string>& words) {
  const auto first = words.empty() ? std::string() : words.front().substr(0, words.front().find_first_of(" =<>"));
  return field_named(first).has_value() && (words.size() > 1 || words.front().size() > first.size());
}

std::string text_of(const Told& told, const std::vector<std::string>& words) {
  const auto terminal = util::Terminal::of_stdout();
  const auto platform = api::platform_text(told.findings, told.seen, told.suggestion, terminal);
  const auto question = question_of(told.seen);
  if (told.findings.empty() && question.empty() && is_a_request(words))
    return fmt::format("No known failure was found.\nThis looks like a request: envgen why {}\n", shell_words(words));
  if (told.findings.empty())
    return fmt::format(
        "{}No known failure was found.\n{}If this is an excerpt, pass the whole log. All ids: envgen list diagnoses\n", question,
        platform);
  auto text = diagnosis::findings_text(told.findings, terminal, told.in_commands);
  if (!platform.empty()) text += "\n" + platform;
  if (told.suggestion) text += "\n" + api::suggestion_text(*told.suggestion, told.seen, terminal);
  return text;
}

Expected<Exit> run_explain(const std::vector<std::string>& words, Context& context) {
  const auto told = told_of(words, context);
  if (!told) return tl::unexpected(told.error());
  const bool good = print(context.json ? json_of(*told) : text_of(*told, words));
  return ended(good, told->findings.empty() ? Exit::validation : Exit::ok);
}

}  // namespace

Action setup_explain(CLI::App& app, Context& context) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("words", *words, "ids (cuda-209), log files, or a message; default: the log on standard input")
      ->type_name("ID|FILE|TEXT");
  add_format(app, context);
  app.footer(
      "The most likely failure comes first. If the log names the GPU, driver or torch version, a working environment is "
      "shown last. 'envgen list diagnoses' lists all ids. Exit status: 0 on success; 5 if nothing is recognised; 4 if a log "
      "cannot be read.");
  return [words, &context] { return run_explain(*words, context); };
}

}  // namespace envgen::cli
