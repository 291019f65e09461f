#pragma once

#include <cstdint>
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

/// What of it there is room for; each leaves out what the one before does, too.
enum class Shown : std::uint8_t {
  everything,
  no_asides,  ///< of a driver what does not decide: the one that compiles PTX, the CUDA that nvidia-smi shows, where not to
              ///< install it
  no_system,  ///< the headline has it
  no_python,  ///< likewise
};

/// What a person looks for in an environment, at most a dozen rows: the GPUs and how they are served, the driver, the libraries,
/// Python, the system. The reasons have everything.
std::vector<SummaryRow> summary_rows(const Environment& environment, const Usage& usage, Shown shown = Shown::everything);

}  // namespace envgen::answers
