#include "resolver/known_drivers.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace envgen::resolver {

KnownDrivers::KnownDrivers(const matrix::GpuDriver& row) : last_branch_(row.last_branch) {
  if (row.first_driver) firsts_.push_back(row.first_driver);
}

KnownDrivers::KnownDrivers(const matrix::GpuDriver& row, const matrix::Gpu& board) : KnownDrivers(row) {
  KnownDrivers own;
  own.firsts_.assign(board.first_drivers.begin(), board.first_drivers.end());
  keep(own);
}

std::optional<DriverVersion> KnownDrivers::first_in(std::uint16_t branch) const {
  if (branch > whole_after()) return DriverVersion(Version(branch));
  const auto found = std::find_if(firsts_.begin(), firsts_.end(), [&](DriverVersion first) { return first.branch() == branch; });
  return found == firsts_.end() ? std::nullopt : std::optional(*found);
}

bool KnownDrivers::knows_branch(std::uint16_t branch) const {
  return (last_branch_ == 0 || branch <= last_branch_) && first_in(branch);
}

bool KnownDrivers::knows(DriverVersion driver) const {
  return knows_branch(driver.branch()) && driver >= *first_in(driver.branch());
}

DriverVersion KnownDrivers::from(DriverVersion driver) const {
  if (knows(driver)) return driver;
  const auto next = std::find_if(firsts_.begin(), firsts_.end(), [&](DriverVersion first) { return first > driver; });
  return next != firsts_.end() && knows(*next) ? *next : DriverVersion();
}

bool KnownDrivers::begins_at(DriverVersion driver) const {
  return driver && std::find(firsts_.begin(), firsts_.end(), driver) != firsts_.end();
}

std::vector<std::uint16_t> KnownDrivers::branches_of_both(const KnownDrivers& other, std::uint16_t last) const {
  std::set<std::uint16_t> branches;
  for (const auto* firsts : {&firsts_, &other.firsts_}) {
    for (const auto first : *firsts) {
      if (first.branch() <= last) branches.insert(first.branch());
    }
  }
  return {branches.begin(), branches.end()};
}

void KnownDrivers::keep(const KnownDrivers& other) {
  std::vector<DriverVersion> both;
  for (const auto branch : branches_of_both(other, std::max(whole_after(), other.whole_after()))) {
    const auto own = first_in(branch);
    const auto others = other.first_in(branch);
    if (own && others) both.push_back(std::max(*own, *others));
  }
  firsts_ = std::move(both);
  if (last_branch_ == 0 || (other.last_branch_ != 0 && other.last_branch_ < last_branch_)) last_branch_ = other.last_branch_;
}

void KnownDrivers::add(const KnownDrivers& other) {
  std::vector<DriverVersion> either;
  for (const auto branch : branches_of_both(other, std::min(whole_after(), other.whole_after()))) {
    const auto own = first_in(branch);
    const auto others = other.first_in(branch);
    either.push_back(own && others ? std::min(*own, *others) : own ? *own : *others);
  }
  firsts_ = std::move(either);
  last_branch_ = last_branch_ == 0 || other.last_branch_ == 0 ? std::uint16_t{0} : std::max(last_branch_, other.last_branch_);
}

std::string KnownDrivers::to_string() const {
  std::string text;
  for (std::size_t i = 0; i < firsts_.size(); ++i) {
    const auto first = firsts_[i];
    const bool last = i + 1 == firsts_.size();
    text += fmt::format("{}from {}", text.empty() ? "" : last && firsts_.size() == 2 ? " and " : last ? ", and " : ", ", first);
    if (!last) text += fmt::format(" in R{}", first.branch());
    if (last && last_branch_ == 0) text += " on";
  }
  if (last_branch_ != 0) text += fmt::format("{}to {}.xx", text.empty() ? "up " : " ", last_branch_);
  return text;
}

KnownDrivers drivers_that_know(const matrix::GpuDriver* row, const std::vector<const matrix::Gpu*>& boards, bool mig) {
  if (row == nullptr) return {};
  if (boards.empty()) return KnownDrivers(*row);
  const auto of = [&](const matrix::Gpu& board) {
    KnownDrivers known(*row, board);
    if (mig && board.mig_driver) known.keep(KnownDrivers(board.mig_driver));
    return known;
  };
  auto all = of(*boards.front());
  for (const auto* board : boards) all.add(of(*board));
  return all;
}

}  // namespace envgen::resolver
