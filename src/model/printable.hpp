#pragma once

#include <string>
#include <string_view>

/// What others had a hand in (an argument, a file, a log, another program's words), as it may be shown. envgen-bench is built
/// with this, too, so it uses the standard library alone.
namespace envgen {

/// How a text is written, and so how a character in it is spelled that must not stand there as itself: `\x3a`, `\u003a`, `&#58;`,
/// which Markdown reads, too.
enum class Notation : unsigned char { text, json, markup };

/// The same text with `***` for what is secret in a URL: the whole login, `https://***@host`, for a token may be its user as well
/// as its password; and the value of a parameter that is called token, signature, password or so. Best before a text is cut or
/// wrapped: of half a URL nobody can tell.
std::string without_secrets(std::string_view text, Notation notation = Notation::text);

/// The same text without anything that a CI system obeys when it reads its log. GitHub's runner takes `::NAME::` at the beginning
/// of a line, behind any white space, and `##[NAME]` anywhere (actions/runner, ActionCommand.cs); Azure's agent takes `##vso[`
/// anywhere (azure-pipelines-agent, Command.cs); TeamCity takes `##teamcity[`.
std::string without_commands(std::string_view text, Notation notation);

/// The same text without what a terminal obeys (`is_control`), but line ends and tabs, and without what is no UTF-8. `coloured`:
/// bold, dim and their end stay, as util::bold and util::dim write them.
std::string without_controls(std::string_view text, Notation notation, bool coloured = false);

/// All three: what is shown or goes into a report passes here last.
std::string printable(std::string_view text, Notation notation, bool coloured = false);

}  // namespace envgen
