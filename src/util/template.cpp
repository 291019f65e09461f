#include "util/template.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kainjow/mustache.hpp>

#include "util/embedded_templates.hpp"

namespace envgen::util {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

data data_of(const View& view) {
  data result{data::type::object};
  for (const auto& entry : view.entries()) {
    if (entry.is_list) {
      data list{data::type::list};
      for (const auto& item : entry.items) list.push_back(data_of(item));
      result.set(entry.name, list);
    } else if (entry.is_flag) {
      result.set(entry.name, entry.on);
    } else {
      result.set(entry.name, entry.text);
    }
  }
  return result;
}

/// The library writes nothing for a name that it does not find; here that is a mistake of the template, and is remembered.
class StrictContext : public kainjow::mustache::context<std::string> {
 public:
  using kainjow::mustache::context<std::string>::context;
  const data* get(const std::string& name) const override {
    const auto* found = kainjow::mustache::context<std::string>::get(name);
    if (found == nullptr) missing_.insert(name);
    return found;
  }
  const std::set<std::string>& missing() const { return missing_; }

 private:
  mutable std::set<std::string> missing_;
};

/// True of a line that holds section tags and blanks alone: `{{#apt}}`, `{{/by_id}}{{^by_id}}`.
bool holds_only_tags(std::string_view line) {
  bool any = false;
  while (!line.empty()) {
    if (line.front() == ' ') {
      line.remove_prefix(1);
      continue;
    }
    const bool section = line.starts_with("{{#") || line.starts_with("{{^") || line.starts_with("{{/");
    const auto end = line.find("}}");
    if (!section || end == std::string_view::npos) return false;
    line.remove_prefix(end + 2);
    any = true;
  }
  return any;
}

/// Such a line is no line of the file. The library holds the same, but not for a section that is not shown, so its own rule is
/// kept off: to it, the whole template is one line.
constexpr char line_end = '\x01';

std::string without_tag_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    result += line;
    text.remove_prefix(line.size());
    if (text.empty()) break;
    if (!holds_only_tags(line)) result += line_end;
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace

View& View::text(std::string name, std::string value) {
  entries_.push_back({.name = std::move(name), .text = std::move(value)});
  return *this;
}

View& View::flag(std::string name, bool value) {
  entries_.push_back({.name = std::move(name), .is_flag = true, .on = value});
  return *this;
}

View& View::list(std::string name, std::vector<View> items) {
  entries_.push_back({.name = std::move(name), .is_list = true, .items = std::move(items)});
  return *this;
}

View& View::texts(std::string name, const std::vector<std::string>& items) {
  std::vector<View> views;
  for (const auto& item : items) views.push_back(View().text("item", item));
  return list(std::move(name), std::move(views));
}

Expected<std::string> fill(std::string_view name, const View& view) {
  const auto found = std::find_if(embedded_templates.begin(), embedded_templates.end(),
                                  [&](const EmbeddedText& one) { return one.name == name; });
  if (found == embedded_templates.end()) return fail(ErrorCode::internal, "no such template", std::string(name));
  mustache filled{without_tag_lines(found->text)};
  filled.set_custom_escape([](const std::string& text) { return text; });
  if (!filled.is_valid()) return fail(ErrorCode::internal, filled.error_message(), std::string(name));
  const auto root = data_of(view);
  StrictContext context(&root);
  auto text = filled.render(context);
  std::replace(text.begin(), text.end(), line_end, '\n');
  if (!context.missing().empty())
    return fail(ErrorCode::internal, fmt::format("the view lacks {}", fmt::join(context.missing(), ", ")), std::string(name));
  return text;
}

}  // namespace envgen::util
