#include "files/quoting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/json_writer.hpp"

namespace envgen::files {
namespace {

bool is_one_of(char c, std::string_view more) { return is_letter(c) || is_digit(c) || more.find(c) != std::string_view::npos; }

}  // namespace

std::string dockerfile_value(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '$') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string yaml_text(std::string_view text) {
  util::JsonWriter json;
  json.value(text);
  return json.take();
}

std::vector<std::string> yaml_texts(std::vector<std::string> texts) {
  for (auto& text : texts) text = yaml_text(text);
  return texts;
}

std::string python_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (is_one_of(c, " @%_+=:,./-()[]{}<>!~*;?#&|^")) {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return result + "\"";
}

}  // namespace envgen::files
