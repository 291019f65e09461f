#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "resolver/place.hpp"
#include "resolver/predicates.hpp"

/// What an image asks of the driver beside CUDA (NVIDIA_REQUIRE_CUDA), and which drivers pass.
namespace envgen::resolver {

using matrix::Brand;
using matrix::Build;
using matrix::Matrix;
using matrix::Tribool;

namespace {

/// True when a gate lets some boards pass under this driver's branch, so that the boards decide.
bool gate_knows(const matrix::Gate& gate, DriverVersion driver) {
  return std::any_of(gate.exceptions.begin(), gate.exceptions.end(),
                     [&](const matrix::GateException& row) { return row.branch == driver.branch(); });
}

constexpr std::array of_consumers{Brand::geforce, Brand::geforcertx, Brand::titan, Brand::titanrtx};

bool is_of_consumers(const matrix::GateException& row) {
  return std::find(of_consumers.begin(), of_consumers.end(), row.brand) != of_consumers.end();
}

/// The classes that the boards of a machine may be of; without any board, all that an image may meet.
std::vector<std::optional<matrix::GpuClass>> classes_of(const Query& query, const AskedMachine& machine) {
  using matrix::GpuClass;
  if (machine.boards.empty()) return {GpuClass::consumer, GpuClass::workstation, GpuClass::datacenter};
  std::vector<std::optional<GpuClass>> classes;
  for (const auto index : machine.boards) classes.push_back(query.boards[index].gpu_class);
  return classes;
}

bool may_have_consumer_board(const Query& query, const AskedMachine& machine) {
  const auto classes = classes_of(query, machine);
  return std::find(classes.begin(), classes.end(), matrix::GpuClass::consumer) != classes.end();
}

/// What a gate says of a driver that is not known to report its CUDA (`native`).
Tribool gate_excepts(const matrix::Gate& gate, const Query& query, const AskedMachine& machine, DriverVersion driver,
                     Tribool native) {
  if (!gate_knows(gate, driver)) return native;
  auto all = Tribool::yes;
  for (const auto& gpu_class : classes_of(query, machine)) {
    const auto passes = gpu_class ? gate_lets(gate, *gpu_class, driver.branch()) : Tribool::unknown;
    if (passes == Tribool::no || all == Tribool::yes) all = passes;
  }
  return all == Tribool::no && native == Tribool::unknown ? Tribool::unknown : all;
}

}  // namespace

/// No gate that was read names a brand of consumers from some CUDA on, and this one is past it.
bool is_past_consumers(const Matrix& matrix, Version cuda) {
  Version last;
  Version newest;
  for (const auto& gate : matrix->gates) {
    newest = std::max(newest, gate.cuda);
    if (std::any_of(gate.exceptions.begin(), gate.exceptions.end(), is_of_consumers)) last = std::max(last, gate.cuda);
  }
  return last && newest > last && cuda > last;
}

Tribool gate_lets(const matrix::Gate& gate, matrix::GpuClass gpu_class, std::uint16_t branch) {
  const auto named = [&](Brand brand) {
    return std::any_of(gate.exceptions.begin(), gate.exceptions.end(),
                       [&](const matrix::GateException& row) { return row.branch == branch && row.brand == brand; });
  };
  const auto names = [&](std::span<const Brand> brands) {
    const auto count = std::count_if(brands.begin(), brands.end(), named);
    return count == 0 ? Tribool::no : static_cast<std::size_t>(count) == brands.size() ? Tribool::yes : Tribool::unknown;
  };
  switch (gpu_class) {
    case matrix::GpuClass::consumer:
      return names(of_consumers);
    case matrix::GpuClass::workstation:
      return names(std::array{Brand::quadro, Brand::quadrortx, Brand::nvidiartx});
    case matrix::GpuClass::datacenter:
      return names(std::array{Brand::tesla});
    case matrix::GpuClass::jetson:
      break;
  }
  return Tribool::unknown;
}

Tribool gate_opens(const Matrix& matrix, int gate, const Build& build, const Query& query, const AskedMachine& machine,
                   DriverVersion driver) {
  const auto native = is_native(matrix, build, driver);
  if (native == Tribool::yes) return Tribool::yes;  // no gate asks for more than its own CUDA
  if (gate >= 0) return gate_excepts(matrix->gates[static_cast<std::size_t>(gate)], query, machine, driver, native);
  // Gates of one CUDA differ by system and update at most, so what all that were read say holds for this one, too (inferred).
  std::optional<Tribool> common;
  for (const auto& read : matrix->gates) {
    if (read.cuda != build.cuda) continue;
    const auto answer = gate_excepts(read, query, machine, driver, native);
    if (common && *common != answer) return Tribool::unknown;
    common = answer;
  }
  if (common) return *common;
  const bool closed = native == Tribool::no && may_have_consumer_board(query, machine) && is_past_consumers(matrix, build.cuda);
  return closed ? Tribool::no : Tribool::unknown;
}

std::vector<DriverVersion> past_gate(const Matrix& matrix, int gate, const Build& build, const Query& query,
                                     const AskedMachine& machine, Tribool at_least) {
  std::vector<DriverVersion> result;
  std::copy_if(machine.drivers.begin(), machine.drivers.end(), std::back_inserter(result), [&](DriverVersion driver) {
    const auto opens = gate_opens(matrix, gate, build, query, machine, driver);
    return opens == Tribool::yes || opens == at_least;
  });
  return result;
}

Admitted admitted_by(const Matrix& matrix, int gate, const Build& build, const Query& query, const AskedMachine& machine) {
  const auto native = native_floor(matrix, build);
  Admitted best;
  if (native) {
    if (const auto driver = machine.known.from(native)) return {Tribool::yes, driver};
  } else {
    best.answer = some_branch_reports(matrix, build, machine);
    if (best.answer == Tribool::yes) return best;
  }
  // No driver of these boards is known to report that CUDA: another one can only pass as an exception.
  for (const auto& branch : matrix->branches) {
    for (const auto driver : {branch.first, branch.latest}) {
      if (!driver || !machine.known.knows(driver) || !is_minor_compatible(matrix, build, driver)) continue;
      const auto answer = gate_opens(matrix, gate, build, query, machine, driver);
      // Where no floor was read, an older one may do as well: there is no minimum to name.
      if (answer == Tribool::yes) return {Tribool::yes, native ? driver : DriverVersion()};
      if (answer == Tribool::unknown) best.answer = Tribool::unknown;
    }
  }
  return best;
}

AskedMachine at_gate(const Matrix& matrix, const Query& query, const Build& build, const Placement& placement,
                     const AskedMachine& machine) {
  auto left = machine;
  const auto gate = machine.tegra ? std::nullopt : gate_of(matrix, query, build, placement);
  if (gate) left.drivers = past_gate(matrix, *gate, build, query, machine, Tribool::yes);
  return left;
}

}  // namespace envgen::resolver
