#pragma once

#include <string_view>

namespace envgen::report {

/// The style sheet of the page: dark and light, narrow screens, paper. Colours are those of Okabe and Ito, which people with
/// colour blindness tell apart, and none stands alone: beside each is a word, a mark, a dash or a shape.
extern const std::string_view html_style;

}  // namespace envgen::report
