#pragma once

#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace envgen::test {

/// JSON files of one folder, by name.
using JsonFiles = std::map<std::string, nlohmann::ordered_json>;

/// `torch.json#/builds/0/tag="cu118"`; the last step `-` adds to a list, and without `=` the member is left out.
void change(JsonFiles& files, std::string_view line);

}  // namespace envgen::test
