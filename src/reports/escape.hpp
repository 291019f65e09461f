#pragma once

#include <string>
#include <string_view>

/// Text that others wrote, as the formats take it.
namespace envgen::reports {

/// For XML 1.0 and HTML, in text and in attributes with quotes around: what is markup becomes a reference, and what XML forbids
/// (C0 but tab and line ends, surrogates, U+FFFE and U+FFFF, bytes that are no UTF-8) becomes U+FFFD.
std::string escape_markup(std::string_view text);
/// The message of a workflow command: `%`, CR and LF.
std::string escape_command(std::string_view text);
/// The same of a property of one (`title=`): `:` and `,` too.
std::string escape_property(std::string_view text);
/// One line of GitHub's Markdown, in a table, too: what would be formatting, a link or HTML stands as it is.
std::string escape_markdown(std::string_view text);

}  // namespace envgen::reports
