#pragma once

#include <string>
#include <string_view>

#include "model/request.hpp"

namespace envgen::test {

/// A request from a compact text: `torch=2.3 gpu=4090 host=gpu=V100,driver=535 ptx`. Values hold no spaces, except that
/// a `_` stands for one (`gpu=RTX_A6000`). A field that no request has is a mistake of the test: it throws.
Request request_of(std::string_view text);

/// The same text back, for messages.
std::string text_of(const Request& request);

}  // namespace envgen::test
