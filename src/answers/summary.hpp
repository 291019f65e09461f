#pragma once

#include <string>
#include <vector>

#include "answers/usage.hpp"
#include "model/environment.hpp"

namespace envgen::answers {

/// A row of the short answer: `Driver   525.60.13 or newer`.
struct SummaryRow {
  std::string label;
  std::string text;
};

/// What a person looks for in an environment, at most a dozen rows: the GPUs and how they are served, the driver, the libraries,
/// Python, the system. The reasons have everything.
std::vector<SummaryRow> summary_rows(const Environment& environment, const Usage& usage);

}  // namespace envgen::answers
