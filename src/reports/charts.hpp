#pragma once

#include <string>
#include <vector>

#include "reports/speeds.hpp"

/// Charts of the page, as SVG within HTML. Every text in them is escaped.
namespace envgen::reports {

/// Speeds of one test and size, one bar a GPU: the reference is a line, what is warned of and what fails are dashed ones.
std::string bars(const std::vector<Speed>& speeds);

/// One line of a chart, and what the legend calls it.
struct Series {
  std::string name;
  const Curve* curve = nullptr;
};
/// Speed by size, which is on a logarithmic axis. `most` is where the other axis ends at least, so that charts can be compared.
std::string curve_chart(const std::vector<Series>& series, double most);
/// The largest speed of them.
double largest(const std::vector<Series>& series);

/// Copies from each GPU (rows) to each other (columns): a table for one way and one for both, darker where it is faster.
std::string copy_matrix(const std::vector<PeerCopy>& copies);

}  // namespace envgen::reports
