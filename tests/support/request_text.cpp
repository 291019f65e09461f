#include "support/request_text.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace envgen::test {

Request request_of(std::string_view text) {
  Request request;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    auto value = equals == std::string::npos ? std::string("true") : word.substr(equals + 1);
    const auto field = field_named(name);
    if (!field) throw std::invalid_argument("no field of a request: " + name);
    if (!value.starts_with("linux-")) std::replace(value.begin(), value.end(), '_', ' ');  // linux-x86_64 has its own
    request.values.push_back({*field, value, Origin::flag, "--" + name});
  }
  return request;
}

std::string text_of(const Request& request) {
  std::string text;
  for (const auto& value : request.values) {
    auto spelled = value.text;
    std::replace(spelled.begin(), spelled.end(), ' ', '_');
    if (!text.empty()) text += ' ';
    text += std::string(name_of(value.field)) + "=" + spelled;
  }
  return text;
}

}  // namespace envgen::test
