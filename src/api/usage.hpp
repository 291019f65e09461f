#pragma once

#include "answers/usage.hpp"
#include "model/environment.hpp"
#include "model/request.hpp"

namespace envgen::api {

/// What a person does with the answer to `request`; `environment`: null where there is none.
answers::Usage usage_of(const Request& request, const Environment* environment);

/// The request as flags of a command line: `--torch 2.3 --gpu 'RTX 4090'`.
std::string flags_of(const Request& request);

}  // namespace envgen::api
