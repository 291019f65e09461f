#include "util/json_text.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "model/utf8.hpp"

namespace envgen::util {
namespace {

using Json = nlohmann::ordered_json;

/// `line 3, column 5` of a byte offset.
std::string position(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n');
  return fmt::format("line {}, column {}", line, start == std::string_view::npos ? before.size() + 1 : before.size() - start);
}

/// The offset of the first byte that is not UTF-8, if it is before `end`.
std::optional<std::size_t> not_utf8(std::string_view text, std::size_t end) {
  for (std::size_t at = 0; at < end;) {
    const auto length = utf8_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

Error not_utf8_error(const std::string& file, std::string_view text, std::size_t at) {
  return {ErrorCode::bad_input, fmt::format("not UTF-8 (byte {}: {})", at + 1, position(text, at)), file, {"save it as UTF-8"}};
}

/// The offset behind a comment that starts at `at`, or `at` when none starts there.
std::size_t behind_comment(std::string_view text, std::size_t at) {
  const auto rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.size(), text.find('\n', at));
  if (!rest.starts_with("/*")) return at;
  const auto end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

/// Replaces each comma between a value and a closing bracket by a space, so that places in the text stay where they are.
std::string without_last_commas(std::string text) {
  constexpr auto none = std::string::npos;
  auto comma = none;
  char before = '[';  // the last character that says something
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    if (const auto end = behind_comment(text, i); end != i) {
      i = end - 1;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if ((c == '}' || c == ']') && comma != none) text[comma] = ' ';
    const bool behind_value = before != '{' && before != '[' && before != ',';
    comma = c == ',' && behind_value ? i : none;
    quoted = c == '"';
    before = c;
  }
  return text;
}

/// Builds the document from the events of the parser, and ends it at the first thing that the rules refuse.
class Builder {
 public:
  Builder(std::string_view text, const std::string& file, const JsonRules& rules) : text_(text), file_(file), rules_(rules) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // text holds none
  bool start_object(std::size_t) { return open(Json::object()); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (!names_.back().insert(name).second) {
      error_ = Error{ErrorCode::bad_input,
                     "the name appears twice in one object",
                     pointer() + "/" + pointer_step(name),
                     {"keep one of the two"}};
      return false;
    }
    name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t read, const std::string&, const Json::exception&) {
    // `read` counts the characters up to and with the one in the way; at the end of the text there is none.
    const auto offset = std::min(std::max(read, std::size_t{1}) - 1, text_.size());
    const bool ended = read > text_.size() || text_.empty();
    if (const auto at = not_utf8(text_, ended ? text_.size() : offset + 1)) {
      error_ = not_utf8_error(file_, text_, *at);
      return false;
    }
    const auto where = position(text_, offset);
    error_ = Error{ErrorCode::bad_input,
                   ended ? fmt::format("the {} is truncated ({})", rules_.what, where) : fmt::format("not JSON ({})", where),
                   file_,
                   {}};
    return false;
  }

  Error error() { return std::move(error_); }
  Json document() { return std::move(document_); }

 private:
  Json* add(Json&& value) {
    if (open_.empty()) {
      document_ = std::move(value);
      return &document_;
    }
    auto& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    // Its own insertion looks every name up first, one by one; `key` has done that already, and faster.
    auto& members = parent.get_ref<Json::object_t&>();
    members.emplace_back(name_, std::move(value));
    return &members.back().second;
  }

  bool open(Json&& container) {
    if (static_cast<int>(open_.size()) == rules_.deepest) {
      error_ = Error{ErrorCode::bad_input, fmt::format("nested deeper than {} levels", rules_.deepest), file_, {}};
      return false;
    }
    steps_.push_back(name_);
    names_.emplace_back();
    open_.push_back(add(std::move(container)));
    return true;
  }

  bool close() {
    name_ = std::move(steps_.back());
    steps_.pop_back();
    names_.pop_back();
    open_.pop_back();
    return true;
  }

  /// Of the container that is open.
  std::string pointer() const {
    auto text = file_ + "#";
    for (std::size_t i = 1; i < open_.size(); ++i) {
      const auto& parent = *open_[i - 1];
      text += "/" + (parent.is_array() ? fmt::format("{}", parent.size() - 1) : pointer_step(steps_[i]));
    }
    return text;
  }

  std::string_view text_;
  const std::string& file_;
  const JsonRules& rules_;
  Json document_;
  std::vector<Json*> open_;         ///< the containers from the outermost in; only the last one grows, so these stay valid
  std::vector<std::string> steps_;  ///< the name under which each was opened
  std::vector<std::set<std::string>> names_;  ///< the names that each holds so far
  std::string name_;
  Error error_;
};

}  // namespace

Expected<Json> parse_json(const std::string& text, const std::string& file, const JsonRules& rules) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorCode::bad_input, fmt::format("the {} is empty", rules.what), file);
  // The parser takes a NUL byte for the end of the text and would not see what stands behind it.
  if (const auto nul = text.find('\0'); nul != std::string::npos) {
    if (const auto at = not_utf8(text, nul)) return tl::unexpected(not_utf8_error(file, text, *at));  // UTF-16
    return fail(ErrorCode::bad_input, fmt::format("the text contains a NUL byte ({})", position(text, nul)), file);
  }
  Builder builder(text, file, rules);
  const bool good = rules.commented ? Json::sax_parse(without_last_commas(text), &builder, Json::input_format_t::json, true, true)
                                    : Json::sax_parse(text, &builder);
  if (!good) return tl::unexpected(builder.error());
  return Expected<Json>(tl::in_place, builder.document());
}

std::string pointer_step(std::string_view name) {
  constexpr std::size_t most = 60;
  std::string step;
  for (const char c : visible(name, most)) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return name.size() > most ? step + "..." : step;
}

}  // namespace envgen::util
