#pragma once

#include <functional>
#include <string>
#include <string_view>

/// What was written into a log, under all that terminals, loggers and JSON put around it.
namespace envgen::diagnosis {

/// The lines that one line of a file holds: it may be a JSON string with `\n` in it, or a progress bar with carriage returns.
/// Each comes without colour codes, escapes (`\"`, `\u003e`), control characters and box drawing, with plain quotes and single
/// spaces. An empty one says that there was a blank line.
void for_each_readable(std::string_view line, const std::function<void(std::string_view)>& take);

/// The same text as patterns are compared with: small letters, and one kind of quote. It is as long as `readable`.
void fold(std::string_view readable, std::string& folded);

/// How many bytes at the beginning are not the message: a time, `#12 3.45`, `web-1 |`, `[rank0]:`, `stderr F`.
std::size_t prefix_length(std::string_view readable);

}  // namespace envgen::diagnosis
