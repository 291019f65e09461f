#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace envgen::util {

/// Where text goes: how wide it may be, and whether colour is welcome.
struct Terminal {
  std::size_t width = 0;  ///< 0: no limit (not a terminal)
  bool colour = false;    ///< a terminal, TERM is not dumb, NO_COLOR is unset or empty (https://no-color.org)
  /// What stdout is.
  static Terminal of_stdout();
};

/// A table of text that fits a terminal: the widest columns are wrapped first, at spaces where there are any.
class Table {
 public:
  /// Column titles; an empty list makes a table without a title row. `right` marks the columns that align right.
  explicit Table(std::vector<std::string> titles, std::vector<bool> right = {});
  void add(std::vector<std::string> cells);
  std::size_t rows() const { return rows_.size(); }
  std::string text(const Terminal& terminal) const;

 private:
  std::vector<std::string> titles_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

/// Breaks `text` at spaces into lines of at most `width` columns (UTF-8 code points count one each).
std::vector<std::string> wrap(std::string_view text, std::size_t width);
/// `text` in bold / dim, where colour is welcome.
std::string bold(std::string_view text, const Terminal& terminal);
std::string dim(std::string_view text, const Terminal& terminal);

}  // namespace envgen::util
