#include "support/json_files.hpp"

namespace envgen::test {

void change(JsonFiles& files, std::string_view line) {
  const auto equals = line.find('=');
  const auto place = line.substr(0, equals);
  const auto hash = place.find('#');
  auto& json = files[std::string(place.substr(0, hash))];
  const nlohmann::ordered_json::json_pointer pointer(std::string(place.substr(hash + 1)));
  if (equals == std::string_view::npos) {
    json.at(pointer.parent_pointer()).erase(pointer.back());
  } else {
    json[pointer] = nlohmann::ordered_json::parse(line.substr(equals + 1));
  }
}

}  // namespace envgen::test
