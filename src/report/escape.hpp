#pragma once

#include <string>
#include <string_view>

/// Text that others wrote, as the formats take it.
namespace envgen::report {

/// For XML 1.0 and HTML, in text and in attributes with quotes around: what is markup becomes a reference, and what XML forbids
/// (C0 but tab and line ends, surrogates, U+FFFE and U+FFFF, bytes that are no UTF-8) becomes U+FFFD.
std::string escape_markup(std::string_view text);
/// The message of a workflow command: `%`, CR and LF.
std::string escape_command(std::string_view text);
/// The same of a property of one (`title=`): `:` and `,` too.
std::string escape_property(std::string_view text);
/// One line of GitHub's Markdown, in a table, too: what would be formatting, a link or HTML stands as it is.
std::string escape_markdown(std::string_view text);

/// How a format writes a character that would otherwise begin a command: `\x3a`, `\u003a`, `&#58;`, which Markdown reads, too.
enum class Notation : unsigned char { text, json, markup };
/// The same text without anything that a CI system obeys when it reads its log. GitHub's runner takes `::NAME::` at the beginning
/// of a line, behind any white space, and `##[NAME]` anywhere (actions/runner, ActionCommand.cs); Azure's agent takes `##vso[`
/// anywhere (azure-pipelines-agent, Command.cs); TeamCity takes `##teamcity[`.
std::string without_commands(std::string_view text, Notation notation);

}  // namespace envgen::report
