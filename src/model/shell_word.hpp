#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace envgen {

/// One word of a POSIX shell: as it is where that is safe, else in single quotes.
std::string shell_word(std::string_view text);

/// Words of a command, quoted each.
std::string shell_words(const std::vector<std::string>& texts);

}  // namespace envgen
