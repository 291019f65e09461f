#include "diagnosis/pack/pack.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/pattern.hpp"

namespace envgen::diagnosis::pack {
namespace {

bool is_blank(std::string_view text) { return without_spaces_around(text).empty(); }

/// Those that are empty, too.
std::vector<std::string_view> all_parts(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (auto end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

/// Empty: it has the form of diagnosis/pattern.hpp.
std::string_view why_no_pattern(std::string_view text) {
  if (text.starts_with('?') || text.starts_with('&') || text.starts_with("- ") || text.starts_with('+')) {
    if (!text.substr(1).starts_with(' ')) return "a space belongs behind the mark at its beginning";
    text.remove_prefix(2);
  }
  const auto parts = all_parts(text, " !! ");
  for (const auto part : parts) {
    if (is_blank(part) || part.find("!!") != std::string_view::npos) return "a text belongs on both sides of ' !! '";
  }
  const auto fragments = all_parts(parts.front(), "*");
  if (std::any_of(fragments.begin(), fragments.end(), is_blank)) return "a text belongs on both sides of '*'";
  if (parts.front().substr(0, parts.front().size() - 1).find('#') != std::string_view::npos) return "'#' belongs at its end";
  return {};
}

using ById = std::map<std::string_view, const Row*>;

class Lint {
 public:
  Lint(const std::vector<Row>& rows, util::Problems& problems) : rows_(rows), problems_(problems) {
    for (const auto& row : rows) {
      if (const auto [first, fresh] = by_id_.emplace(row.id, &row); !fresh)
        problem(row.where + "/id", fmt::format("the id {} stands twice: {} has it", in_quotes(row.id), first->second->where));
    }
  }

  void all() const {
    for (const auto& row : rows_) {
      id(row);
      texts(row);
      hides(row);
      patterns(row);
      numbers(row);
    }
  }

 private:
  void id(const Row& row) const {
    static const util::Pattern form("[a-z0-9]+(-[a-z0-9]+)*");
    if (!form.matches(row.id))
      problem(row.where + "/id",
              fmt::format("{} is not an id: small letters and digits, in words with a hyphen between them", in_quotes(row.id)));
  }

  void texts(const Row& row) const {
    if (row.title.ends_with('.')) problem(row.where + "/title", "a full stop stands at the end of the title");
    sentences(row.cause, row.where + "/cause");
    sentences(row.fix, row.where + "/fix");
  }

  void sentences(std::string_view text, const std::string& where) const {
    if (!text.ends_with('.')) problem(where, "the full stop at the end is missing");
    constexpr std::string_view mention = "envgen explain ";
    for (auto at = text.find(mention); at != std::string_view::npos; at = text.find(mention, at + 1)) {
      const auto rest = text.substr(at + mention.size());
      known(rest.substr(0, rest.find_first_of("'.,; ")), where);
    }
  }

  void known(std::string_view id, const std::string& where) const {
    if (by_id_.contains(id)) return;
    std::vector<std::string_view> ids;
    for (const auto& [each, row] : by_id_) ids.push_back(each);
    problem(where, fmt::format("there is no diagnosis {}", in_quotes(id)), did_you_mean(id, ids, 1));
  }

  void hides(const Row& row) const {
    for (std::size_t i = 0; i < row.hides.size(); ++i) {
      const auto where = fmt::format("{}/hides/{}", row.where, i);
      const bool always = !row.hides[i].starts_with('?');
      const auto id = std::string_view(row.hides[i]).substr(always ? 0 : 1);
      known(id, where);
      const auto hidden = by_id_.find(id);
      if (hidden == by_id_.end()) continue;
      const auto& back = hidden->second->hides;
      if (id == row.id) {
        problem(where, "a failure does not hide itself");
      } else if (always && row.id < id && std::find(back.begin(), back.end(), row.id) != back.end()) {
        problem(where, fmt::format("{} and {} hide each other", in_quotes(row.id), in_quotes(id)));
      }
    }
  }

  void patterns(const Row& row) const {
    for (std::size_t i = 0; i < row.patterns.size(); ++i) {
      const auto why = why_no_pattern(row.patterns[i]);
      if (!why.empty())
        problem(fmt::format("{}/patterns/{}", row.where, i),
                fmt::format("{} is not a pattern: {}", in_quotes(row.patterns[i]), why));
    }
  }

  void numbers(const Row& row) const {
    static const util::Pattern form("[?]?[1-9][0-9]*");
    for (std::size_t i = 0; i < row.numbers.size(); ++i) {
      if (!form.matches(row.numbers[i]))
        problem(fmt::format("{}/numbers/{}", row.where, i),
                fmt::format("{} is not a number: digits, and a '?' before them where it may mean another failure",
                            in_quotes(row.numbers[i])));
    }
  }

  void problem(std::string where, std::string message, std::vector<std::string> hints = {}) const {
    problems_.push_back({ErrorCode::bad_input, std::move(message), std::move(where), std::move(hints)});
  }

  const std::vector<Row>& rows_;
  util::Problems& problems_;
  ById by_id_;
};

}  // namespace

void lint(const std::vector<Row>& rows, util::Problems& problems) { Lint(rows, problems).all(); }

}  // namespace envgen::diagnosis::pack
