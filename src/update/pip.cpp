#include "update/pip.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::update {
namespace {

using Command = std::vector<std::string>;

/// A value as `pip config list` prints it, a literal of Python: 'a\nb'.
std::string unquoted(std::string_view text) {
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.back() != text.front()) return std::string(text);
  text = text.substr(1, text.size() - 2);
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      value += text[i];
      continue;
    }
    ++i;
    value += text[i] == 'n' ? '\n' : text[i] == 't' ? ' ' : text[i];
  }
  return value;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

/// `name='value'` lines. A variable of the environment stands over what is for `install`, and that over what is for all commands.
std::map<std::string, std::string> settings_in(const std::string& listed) {
  constexpr std::array<std::string_view, 3> sections{"global.", "install.", ":env:."};
  std::map<std::string, std::string> settings;
  for (const auto section : sections) {
    std::istringstream lines(listed);
    for (std::string line; std::getline(lines, line);) {
      const auto equals = line.find('=');
      if (!line.starts_with(section) || equals == std::string::npos) continue;
      auto& value = settings[line.substr(section.size(), equals - section.size())];
      value = unquoted(std::string_view(line).substr(equals + 1));
    }
  }
  return settings;
}

/// What `pip install --help` says of --index-url: `(default https://...)`, over several lines.
std::string default_index(const std::string& help) {
  std::string text;
  for (const auto& word : words_of(help)) text += word + " ";
  const auto option = text.find("--index-url <url>");
  constexpr std::string_view before = "(default ";
  const auto begin = option == std::string::npos ? option : text.find(before, option);
  const auto end = begin == std::string::npos ? begin : text.find(')', begin);
  return end == std::string::npos ? std::string() : text.substr(begin + before.size(), end - begin - before.size());
}

Expected<util::ProcessResult> run_pip(const RunProgram& run, const Command& pip, std::initializer_list<const char*> words) {
  auto argv = pip;
  argv.insert(argv.end(), words.begin(), words.end());
  return run(argv);
}

void add_index(PipSettings& settings, std::string url) {
  while (url.ends_with('/')) url.pop_back();
  if (!url.starts_with("https://") && !url.starts_with("http://")) {
    settings.notes.push_back(fmt::format("pip's index {} is not read: it is not an http or https URL", in_quotes(url)));
  } else if (std::find(settings.indexes.begin(), settings.indexes.end(), url) == settings.indexes.end()) {
    settings.indexes.push_back(std::move(url));
  }
}

}  // namespace

Expected<PipSettings> pip_settings(const RunProgram& run) {
  const std::array<Command, 2> pips{Command{"pip"}, Command{"python3", "-m", "pip"}};
  for (const auto& pip : pips) {
    const auto listed = run_pip(run, pip, {"config", "list"});
    if (!listed && listed.error().code != ErrorCode::missing) return tl::unexpected(listed.error());
    if (!listed || !listed->ok()) continue;
    auto values = settings_in(listed->out);
    PipSettings settings;
    settings.ca_bundle = values["cert"];
    settings.proxy = values["proxy"];
    if (!values["no-index"].empty() && values["no-index"] != "false" && values["no-index"] != "0")
      settings.notes.emplace_back("pip is configured with no-index; envgen reads the index anyway");
    auto index = values["index-url"];
    if (index.empty()) {
      const auto help = run_pip(run, pip, {"install", "--help"});
      if (!help) return tl::unexpected(help.error());
      index = default_index(help->out);
    }
    if (index.empty())
      return fail(ErrorCode::bad_input, "pip does not say which index it uses if none is configured", "pip install --help",
                  {"pip config set global.index-url URL"});
    add_index(settings, index);
    for (const auto& url : words_of(values["extra-index-url"])) add_index(settings, url);
    if (settings.indexes.empty())
      return fail(ErrorCode::bad_input, "pip is configured with no http or https index", "package-index",
                  {"pip config set global.index-url URL"});
    return settings;
  }
  return fail(ErrorCode::missing, "pip does not run here, so its configured index is unknown", "package-index",
              {"install pip, or name the other sources with --source"});
}

Expected<PipSettings> pip_settings() {
  constexpr std::chrono::seconds patience{60};
  return pip_settings([&](const Command& argv) {
    util::ProcessLimits limits;
    limits.timeout = patience;
    return util::run_process(argv, limits);
  });
}

}  // namespace envgen::update
