#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace envgen::util {

/// Writes JSON as it goes, compact or indented. nlohmann_json builds the whole document first, which costs three times as
/// long for a full answer (bench/host); `--batch` writes tens of thousands a second. Invalid UTF-8 becomes U+FFFD.
class JsonWriter {
 public:
  /// `indent`: spaces a level; 0 writes everything on one line.
  explicit JsonWriter(int indent = 0) : indent_(indent) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag);
  JsonWriter& value(long long number);
  JsonWriter& value(int number) { return value(static_cast<long long>(number)); }
  JsonWriter& value(std::size_t number) { return value(static_cast<long long>(number)); }
  /// NaN, the mark of an unknown figure, is written as null.
  JsonWriter& value(double number);
  JsonWriter& null();
  JsonWriter& value(const std::optional<std::string>& text) { return text ? value(std::string_view(*text)) : null(); }
  JsonWriter& value(const std::vector<std::string>& texts);
  JsonWriter& value(const std::optional<std::vector<std::string>>& texts) { return texts ? value(*texts) : null(); }

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void before_value();
  void new_line();

  std::string text_;
  int indent_;
  int depth_ = 0;
  bool first_ = true;
  bool after_key_ = false;
};

}  // namespace envgen::util
