#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "check/asked.hpp"

namespace envgen::check {

/// The driver predicates, each a plain look-up in drivers.json and cuda.json, for one CUDA minor.
class DriverFacts {
 public:
  DriverFacts(const matrix::Matrix& matrix, Version cuda);

  /// The oldest driver of the minor's own, and the oldest of the major's compatibility; none = no such fact.
  DriverVersion native_floor() const { return native_floor_; }
  DriverVersion compat_floor() const { return compat_floor_; }

  bool native(DriverVersion driver) const;
  bool minor_compat(DriverVersion driver) const { return compat_floor_ && driver >= compat_floor_; }
  /// cuda-compat: for this branch by the table, and for data-centre and Jetson boards only.
  bool forward_compat(DriverVersion driver, std::span<const AskedBoard* const> boards) const;

  /// The newest CUDA that a driver reports; none = no such fact.
  Version reported_by(DriverVersion driver) const;

  /// The first release of a driver's branch; the driver itself where the branch is not known.
  DriverVersion first_of_branch(DriverVersion driver) const;
  /// True when some branch that knows every board is said to report this CUDA.
  bool reported_by_some(std::span<const AskedBoard* const> boards) const;

  /// True when a driver knows every board.
  static bool knows_all(DriverVersion driver, std::span<const AskedBoard* const> boards);

  /// The oldest driver from `from` on that knows every board; none: there is none.
  static DriverVersion oldest_that_knows(DriverVersion from, std::span<const AskedBoard* const> boards);

  /// The releases that a request's driver may mean, ascending.
  struct Meant {
    std::vector<DriverVersion> releases;
    bool any_will_do = false;  ///< a range; of a number (`535`, `525.60`) it is the first that knows the boards
  };
  Meant meant_by(std::string_view text) const;
  /// Of a driver of Windows its branch is what counts: the last one that begins at or before it.
  Meant meant_on_windows(std::string_view text) const;

 private:
  const matrix::Matrix& matrix_;
  Version cuda_;
  DriverVersion native_floor_;
  DriverVersion compat_floor_;
};

/// NVIDIA_REQUIRE_CUDA of an image of nvidia/cuda.
class Gate {
 public:
  /// `index`: of its row in the matrix; negative: it was not read, and opens where all do that were read for this CUDA. Where
  /// none was, only CUDA_VERSION is known, which asks for the minor without exceptions.
  Gate(const matrix::Matrix& matrix, Version cuda, int index);

  /// The oldest driver that reports the asked CUDA itself.
  DriverVersion native_floor() const { return facts_.native_floor(); }
  /// The driver reports that CUDA, or one of the image's exceptions names its branch and the brand of every board.
  bool opens(DriverVersion driver, std::span<const AskedBoard* const> boards) const;

 private:
  std::vector<const matrix::Gate*> rows_;
  DriverFacts facts_;
};

}  // namespace envgen::check
