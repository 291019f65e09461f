#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace envgen::update {

/// A table of a page: what its cells say, row by row, as a reader sees it. A cell that spans rows stands in the first of them.
struct HtmlTable {
  std::vector<std::vector<std::string>> rows;
  bool ended = false;  ///< false: the page ends inside it
};

/// The tables of a page, in the order in which they begin. Footnotes (`<sup>`) are left out. Tags that are not closed, attributes
/// and tables inside tables are understood, and whatever else the page is made of: each byte is passed once.
std::vector<HtmlTable> html_tables(std::string_view page);

/// Text with its character references (`&gt;`) replaced; those that pages of this kind have.
std::string unescaped(std::string_view text);

}  // namespace envgen::update
