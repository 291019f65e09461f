#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "model/printable.hpp"

namespace envgen::bench {

/// Prints what arguments, libraries and drivers had a hand in: neither a terminal nor a CI system obeys it, and it shows no
/// login. False where it cannot be written.
bool say(std::string_view text, std::FILE* to, Notation notation = Notation::text);

/// A message of one line on stderr, `envgen-bench: ` before it.
void complain(std::string text);

}  // namespace envgen::bench
