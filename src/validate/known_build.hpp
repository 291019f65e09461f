#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/matrix.hpp"
#include "validate/self_report.hpp"

namespace envgen::validate {

/// What the facts say of the very build that an image reports: the framework's release for that CUDA, of any channel.
class KnownBuild {
 public:
  /// `matrix`: null where nothing is to be compared with it.
  KnownBuild(const SelfReport& report, const matrix::Matrix* matrix);

  /// `value_of`: what a build has; empty: not known. Another value is a warning and no failure, for the build need be none of
  /// those that are known.
  Result compared(std::string_view check, std::string_view what, const std::string& found,
                  const std::function<std::string(const matrix::Build&)>& value_of) const;

 private:
  std::string name_;
  bool asked_ = false;
  std::vector<const matrix::Build*> builds_;
};

}  // namespace envgen::validate
