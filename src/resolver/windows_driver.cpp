#include "resolver/windows_driver.hpp"

#include <algorithm>

namespace envgen::resolver {

bool is_before_wsl(const AskedMachine& machine) {
  // By what was written: data that lack R495 take 496.76 for a driver of the branch before it.
  const auto written = DriverVersion::parse(machine.driver_text);
  return written && written->branch() < first_for_wsl.branch();
}

bool leaves_board_open(const AskedMachine& machine, const Board& board) {
  const auto& asked = machine.asked.releases;
  if (asked.empty() || board.driver_row == nullptr) return false;
  const auto of_architecture = KnownDrivers(*board.driver_row);
  const auto knows = [](const KnownDrivers& known) { return [&](DriverVersion driver) { return known.knows(driver); }; };
  if (std::none_of(asked.begin(), asked.end(), knows(of_architecture))) return false;
  if (std::none_of(asked.begin(), asked.end(), knows(board.known))) return true;
  const bool is_release = machine.driver_text.find('.') != std::string::npos;
  const auto& firsts = board.known.firsts();
  return is_release && std::any_of(firsts.begin(), firsts.end(), [&](DriverVersion first) {
           return first.branch() == asked.front().branch() && !of_architecture.begins_at(first);
         });
}

}  // namespace envgen::resolver
