#pragma once

#include <vector>

#include "resolver/query.hpp"

namespace envgen::resolver {

/// How far a build is from what was asked.
class Distance {
 public:
  Distance(const matrix::Matrix& matrix, const Query& query);

  int of(const matrix::Build& build) const;

 private:
  /// In minor releases. Within a minor the order of the builds decides, and that puts the newest patch first.
  int release(const matrix::Build& build) const;
  /// In minors of CUDA; another major is farther than any minor, for libraries are built for one.
  int cuda(const matrix::Build& build) const;

  const matrix::Matrix& matrix_;
  const Query& query_;
  std::vector<Version> minors_;
  std::vector<Version> wanted_;
};

}  // namespace envgen::resolver
