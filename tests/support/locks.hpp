#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "project/lock.hpp"
#include "support/error_text.hpp"

namespace envgen::test {

/// The lock of the best environment for a request such as `torch=2.3 gpu=4090`, by the embedded matrix. It must have one.
project::Lock lock_of(std::string_view request);

/// Requests whose locks differ in shape: pip, conda, CPU, TensorFlow, hosts, official images.
const std::vector<std::string>& varied_requests();

nlohmann::ordered_json json_of(const project::Lock& lock);
/// The text of a changed document with an integrity that fits it: what only a wrong writer could have left.
std::string sealed(nlohmann::ordered_json document);

}  // namespace envgen::test
