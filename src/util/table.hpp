#pragma once

#include <optional>
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
  static Terminal of_stderr();
  /// How wide prose is: as the terminal, but at most 100 columns; 80 where there is none, which fits everywhere.
  std::size_t prose_width() const;
};

/// A table of text that fits a terminal: the widest columns are wrapped first, at spaces, and the gaps between columns give way
/// before a word is broken at a joint (see `wrap`). Where no table fits, every row is a block of `title: cell` lines.
class Table {
 public:
  /// Column titles; an empty list makes a table without a title row. `right` marks the columns that align right.
  explicit Table(std::vector<std::string> titles, std::vector<bool> right = {});
  void add(std::vector<std::string> cells);
  std::size_t rows() const { return rows_.size(); }
  std::string text(const Terminal& terminal) const;
  /// It fits without a word that is broken.
  bool fits(const Terminal& terminal) const;

 private:
  using Row = std::vector<std::string>;
  struct Layout {
    std::vector<std::size_t> widths;  ///< of the columns
    std::size_t gap = 0;              ///< between two of them
  };
  /// The table that fits `width`, if one does without breaking a word, or breaking it at joints alone.
  std::optional<Layout> layout(std::size_t width, bool at_joints) const;
  std::string aligned(const Layout& layout, const Terminal& terminal) const;
  std::string blocks(const Terminal& terminal) const;

  Row titles_;
  std::vector<bool> right_;
  std::vector<Row> rows_;
};

/// Breaks `text` at spaces into lines of at most `width` columns (UTF-8 code points count one each; 0: no limit); those after the
/// first start with `indent` spaces, which must be fewer. A longer word is broken at a joint, after '/', ',', ':' or '-'
/// (`nvidia/|cuda:|12.1.1-|devel`, `>=2.3,|<2.5`), and cut where it has none.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent = 0);
/// `text` in bold / dim, where colour is welcome.
std::string bold(std::string_view text, const Terminal& terminal);
std::string dim(std::string_view text, const Terminal& terminal);

}  // namespace envgen::util
