#pragma once

#include <span>
#include <string_view>

#include "answers/usage.hpp"
#include "model/environment.hpp"
#include "model/request.hpp"
#include "resolver/resolver.hpp"

namespace envgen::api {

/// What a person does with the answer to `request`; `environment`: null where there is none, and then `nearest` has those that
/// come near.
answers::Usage usage_of(const Request& request, const Environment* environment, std::span<const resolver::Nearest> nearest);

/// The output that one starts from with this environment, and of which it can be made: `dockerfile`.
std::string_view first_output(const Environment& environment);

/// The request as flags of a command line: `--torch 2.3 --gpu 'RTX 4090'`.
std::string flags_of(const Request& request);

}  // namespace envgen::api
