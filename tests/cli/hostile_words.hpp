#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command_tree.hpp"
#include "matrix/embedded/embedded.hpp"
#include "model/utf8.hpp"
#include "project/outputs_json.hpp"
#include "project/project_file.hpp"
#include "project/request_json.hpp"
#include "support/thorough.hpp"

/// Every place in which a person can say something to envgen, with words that are not to come out again as they went in.
namespace envgen::test {

using Words = std::vector<std::string>;

/// What stands in every secret of these tests, and in no output.
inline const std::string marker = "S3CRET-MARK";

/// Addresses that hold a secret, as people paste them.
inline Words secret_texts() {
  return {
      "https://user:" + marker + "@host.example/x",
      "https://" + marker + "@host.example/x",
      "foo @ https://user:" + marker + "@host.example/foo.whl",
      "https://user:" + marker + "/with@slash@host.example/x",
      "https://user:" + marker + std::string(100, 'x') + "@host.example",  // messages cut what is long
      "tcp://user:" + marker + " and@blank@host.example:2375",
      "https://host.example/simple?token=" + marker,
  };
}

/// What a terminal would obey, and what a CI system would.
inline Words hostile_texts() {
  return {"a\x1b[2J",
          "a\rb",
          "a\x9b"
          "2J",
          "a\xc2\x9b"
          "2J",
          "\xe2\x80\xae"
          "a",
          "a\x7f",
          "a\nb\x1b[31m",
          "::stop-commands::x",
          "  ::stop-commands::x",
          "##[group]x",
          "a\n::stop-commands::x"};
}

/// A sixth of them, chosen so that no text and no place is left out, finds what is wrong with a text or a place.
template <class Places, class Try>
void each_due(const Words& texts, Places places_saying, Try one) {
  const auto turns = one_of(6);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const auto places = places_saying(texts[t]);
    for (std::size_t p = t % turns; p < places.size(); p += turns) one(places[p]);
  }
}

/// The first character that is not of UTF-8, or that a terminal obeys; the end of a line is fine.
inline std::string unprintable(std::string_view text) {
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length == 0) return testing::PrintToString(text.substr(0, 1));
    const auto character = text.substr(0, length);
    if (character != "\n" && is_control(character)) return testing::PrintToString(character);
    text.remove_prefix(length);
  }
  return {};
}

namespace detail {

/// What a command needs beside the option that is tried, to come as far as using it.
inline Words needed_by(const std::string& command) {
  if (command == "resolve" || command == "why" || command == "lock" || command == "init") return {"--cuda=12.6"};
  if (command == "render") return {"dockerfile", "--cuda=12.6"};
  if (command == "diff") return {"envgen.lock"};
  if (command == "validate") return {"mine"};
  if (command == "html" || command == "junit" || command == "markdown" || command == "github" || command == "text")
    return {"report.json"};
  return {};
}

inline void add_lines(const cli::CommandNode& node, const Words& path, const std::string& text, std::vector<Words>& lines) {
  const auto with = [&](Words more) {
    auto line = path;
    line.insert(line.end(), more.begin(), more.end());
    lines.push_back(std::move(line));
  };
  for (const auto& option : node.options) {
    const auto& name = option.names.back();
    with({name + "=" + text});  // a flag takes none: that is an error of its own
    if (option.argument.empty()) continue;
    auto needed = needed_by(node.name);
    if (needed.empty()) continue;
    needed.push_back(name + "=" + text);
    with(std::move(needed));
  }
  with({text});
  with({"--no-such-option=" + text});
  for (const auto& child : node.children) {
    auto below = path;
    below.push_back(child.name);
    add_lines(child, below, text, lines);
  }
}

}  // namespace detail

/// Command lines with `text` as the value of every option of every command, and as every other word. Not those of bench, which
/// would become another program.
inline std::vector<Words> lines_saying(const std::string& text) {
  auto tree = cli::command_tree(matrix::embedded());
  std::erase_if(tree.children, [](const cli::CommandNode& node) { return node.name == "bench"; });
  std::vector<Words> lines;
  detail::add_lines(tree, {}, text, lines);
  return lines;
}

/// Project files with `text` as every member, and as the name of one.
inline std::vector<nlohmann::json> projects_saying(const std::string& text) {
  using nlohmann::json;
  std::vector<json> projects{{{text, 1}}, {{"request", {{text, 1}}}}, {{"outputs", {{text, 1}}}}, {{"$schema", text}}};
  const auto add = [&](const char* object, std::string_view member) {
    for (const auto& value : {json(text), json({text}), json({{{text, text}}})}) {
      json project{{"request", {{"cuda", "12.6"}}}, {"outputs", {{"files", {"dockerfile", "run", "setup", "ci"}}}}};
      project[object][std::string(member)] = value;
      projects.push_back(std::move(project));
    }
  };
  for (const auto& member : field_rows) add("request", member.name);
  for (const auto& member : files::option_rows()) add("outputs", member.name);
  add("outputs", project::files_member);
  return projects;
}

}  // namespace envgen::test
