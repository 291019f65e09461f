#pragma once

#include <string>

#include "project/request_json.hpp"

namespace envgen::project {

/// A commented project file: what `start` fixes is set, every other member stands there as a comment with an example.
std::string project_template(const WrittenRequest& start);

}  // namespace envgen::project
