#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/speeds.hpp"
#include "util/table.hpp"

namespace envgen::reports {

/// What two reports say differently: of two machines, or of two days.
struct Diff {
  struct Property {
    std::string name;  ///< `driver`, `GPU 0`, a check
    std::string a;     ///< empty: only the other has it
    std::string b;
  };
  struct Verdict {
    std::string name;  ///< of the check
    validate::Status a;
    validate::Status b;
    std::string why_a;  ///< its message, with the id of what was recognised in it
    std::string why_b;
  };
  struct Ratio {
    Speed a;
    Speed b;
    double ratio = 0;        ///< b / a
    std::string not_judged;  ///< why the ratio is no difference: throttled, test doubles; empty: it counts
    bool beyond = false;     ///< the tolerance, in either direction
  };
  std::vector<Property> identity;   ///< GPU, driver, image, versions
  std::vector<Verdict> verdicts;    ///< checks that both have, with other statuses
  std::vector<Ratio> speeds;        ///< every one that both have
  std::vector<std::string> only_a;  ///< checks and speeds that one alone has; checks that were not made are none
  std::vector<std::string> only_b;

  /// Other verdicts, or speeds beyond the tolerance. What differs in identity alone is no difference of what was proven.
  bool differs() const;
};

/// `tolerance` in percent. Speeds are matched by test, size and CUDA's number of the GPU, whatever its model.
Diff diff(const validate::Report& a, const validate::Report& b, double tolerance);

/// In 100 columns, or fewer on a narrower terminal. `a` and `b` are the files.
std::string diff_text(const Diff& diff, const std::string& a, const std::string& b, const util::Terminal& terminal);
std::string diff_json(const Diff& diff, const std::string& a, const std::string& b);

}  // namespace envgen::reports
