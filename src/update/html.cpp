#include "update/html.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "model/spelling.hpp"

namespace envgen::update {
namespace {

constexpr auto none = std::string_view::npos;

struct Tag {
  std::string name;  ///< in lower case; `/td` closes
  std::size_t end = 0;
};

/// The tag that begins here; nullopt: the page ends inside it.
std::optional<Tag> tag_at(std::string_view page, std::size_t begin) {
  Tag tag;
  auto at = begin + 1;
  if (at < page.size() && page[at] == '/') tag.name += page[at++];
  while (at < page.size() && (is_letter(page[at]) || is_digit(page[at]))) tag.name += page[at++];
  tag.name = lower(tag.name);
  while (at < page.size() && page[at] != '>') {
    if (page[at] == '"' || page[at] == '\'') at = page.find(page[at], at + 1);
    if (at == none) return std::nullopt;
    ++at;
  }
  if (at >= page.size()) return std::nullopt;
  tag.end = at + 1;
  return tag;
}

bool begins_tag(std::string_view page, std::size_t at) {
  return at + 1 < page.size() && (is_letter(page[at + 1]) || page[at + 1] == '/' || page[at + 1] == '!');
}

/// What a reader sees: one space between words, none around them.
std::string shown(std::string_view text) {
  const auto characters = unescaped(text);
  std::string result;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const bool no_break = characters.compare(i, 2, "\xc2\xa0") == 0;
    if (no_break) ++i;
    if (no_break || std::string_view(" \t\r\n\f").find(characters[i]) != none) {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += characters[i];
    }
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

/// Goes through a page once.
class Scan {
 public:
  explicit Scan(std::string_view page) : page_(page) {}

  std::vector<HtmlTable> tables() {
    std::size_t at = 0;
    while (at < page_.size()) {
      const auto next = page_.find('<', at);
      say(page_.substr(at, next == none ? none : next - at));
      if (next == none) break;
      if (page_.substr(next).starts_with("<!--")) {
        const auto end = page_.find("-->", next);
        if (end == none) break;
        at = end + 3;
      } else if (!begins_tag(page_, next)) {
        say("<");
        at = next + 1;
      } else {
        const auto tag = tag_at(page_, next);
        if (!tag) break;
        at = tag->end;
        // What stands in these is no HTML.
        if (tag->name == "script" || tag->name == "style") at = page_.find("</" + tag->name, at);
        pass(tag->name);
      }
    }
    return std::move(tables_);
  }

 private:
  struct Open {
    std::size_t table;
    bool in_cell;
    std::string text;
  };

  void say(std::string_view text) {
    if (!in_footnote_ && !open_.empty() && open_.back().in_cell) open_.back().text += text;
  }

  void end_cell() {
    auto& open = open_.back();
    if (!open.in_cell) return;
    auto& rows = tables_[open.table].rows;
    if (rows.empty()) rows.emplace_back();
    rows.back().push_back(shown(open.text));
    open.text.clear();
    open.in_cell = false;
    in_footnote_ = false;
  }

  void pass(const std::string& name) {
    if (name == "sup" || name == "/sup") in_footnote_ = name == "sup";
    if (name == "table") {
      open_.push_back({tables_.size(), false, {}});
      tables_.emplace_back();
    }
    if (open_.empty()) return;
    if (name == "tr" || name == "td" || name == "th" || name == "/tr" || name == "/td" || name == "/th" || name == "/table")
      end_cell();
    if (name == "tr") tables_[open_.back().table].rows.emplace_back();
    if (name == "td" || name == "th") open_.back().in_cell = true;
    if (name == "br" || name == "p" || name == "li" || name == "div") say(" ");
    if (name == "/table") {
      tables_[open_.back().table].ended = true;
      open_.pop_back();
    }
  }

  std::string_view page_;
  std::vector<HtmlTable> tables_;
  std::vector<Open> open_;
  bool in_footnote_ = false;
};

}  // namespace

std::vector<HtmlTable> html_tables(std::string_view page) { return Scan(page).tables(); }

std::string unescaped(std::string_view text) {
  struct Reference {
    std::string_view name;
    std::string_view character;
  };
  constexpr std::array<Reference, 11> references{{{"&amp;", "&"},
                                                  {"&lt;", "<"},
                                                  {"&gt;", ">"},
                                                  {"&ge;", "\u2265"},
                                                  {"&nbsp;", " "},
                                                  {"&quot;", "\""},
                                                  {"&#34;", "\""},
                                                  {"&#39;", "'"},
                                                  {"&#62;", ">"},
                                                  {"&#160;", " "},
                                                  {"&#8805;", "\u2265"}}};
  std::string result;
  while (true) {
    const auto next = std::min(text.find('&'), text.size());
    result += text.substr(0, next);
    text.remove_prefix(next);
    if (text.empty()) return result;
    const auto reference =
        std::find_if(references.begin(), references.end(), [&](const Reference& each) { return text.starts_with(each.name); });
    result += reference == references.end() ? text.substr(0, 1) : reference->character;
    text.remove_prefix(reference == references.end() ? 1 : reference->name.size());
  }
}

}  // namespace envgen::update
