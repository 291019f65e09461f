#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "matrix/matrix.hpp"

namespace envgen::resolver {

/// The drivers that know a board, or every board of a machine. A board that came after its architecture is added to branches that
/// are already out, in each by another release: an RTX 5060 is known from 570.158.01 in R570 and from 575.57.08 in R575, so that
/// 575.51.03 does not know it.
class KnownDrivers {
 public:
  /// All drivers.
  KnownDrivers() = default;
  /// It and all that are newer.
  explicit KnownDrivers(DriverVersion first) : firsts_{first} {}
  /// Those of a row of drivers.json.
  explicit KnownDrivers(const matrix::GpuDriver& row);
  /// Those of such a row that know the board, too.
  KnownDrivers(const matrix::GpuDriver& row, const matrix::Gpu& board);

  bool knows(DriverVersion driver) const;
  /// True where some release of a branch is among them.
  bool knows_branch(std::uint16_t branch) const;
  /// The oldest of them from `driver` on; none: there is none.
  DriverVersion from(DriverVersion driver) const;
  /// False where there is no such driver.
  bool any() const { return firsts_.empty() || from(firsts_.front()); }

  /// The first release of each branch, ascending; later branches are known whole. Empty: so is every branch.
  const std::vector<DriverVersion>& firsts() const { return firsts_; }
  /// The newest branch that knows them, 0 = it is still supported.
  std::uint16_t last_branch() const { return last_branch_; }
  /// True where `driver` is the first of its branch to know them.
  bool begins_at(DriverVersion driver) const;

  /// Only those that `other` has, too.
  void keep(const KnownDrivers& other);
  /// And those that `other` has.
  void add(const KnownDrivers& other);

  /// `from 570.158.01 in R570, from 575.57.08 on`, `from 410.48 to branch 580`; empty: every driver.
  std::string to_string() const;

 private:
  std::optional<DriverVersion> first_in(std::uint16_t branch) const;
  std::uint16_t whole_after() const { return firsts_.empty() ? std::uint16_t{0} : firsts_.back().branch(); }
  /// The branches that either names, up to `last`, ascending.
  std::vector<std::uint16_t> branches_of_both(const KnownDrivers& other, std::uint16_t last) const;

  std::vector<DriverVersion> firsts_;
  std::uint16_t last_branch_ = 0;
};

/// Those that know a board by its rows: a name that stands for several boards is known where one of them is. All where no fact
/// says which know the capability. `mig`: those that can also divide it by MIG, as far as that was read.
KnownDrivers drivers_that_know(const matrix::GpuDriver* row, const std::vector<const matrix::Gpu*>& boards, bool mig = false);

}  // namespace envgen::resolver
