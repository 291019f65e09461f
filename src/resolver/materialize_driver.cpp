#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "model/add_once.hpp"
#include "resolver/asked_driver.hpp"
#include "resolver/environment_part.hpp"
#include "resolver/judge.hpp"
#include "resolver/maturity.hpp"
#include "resolver/notes.hpp"
#include "resolver/place.hpp"
#include "resolver/predicates.hpp"
#include "resolver/windows_driver.hpp"

namespace envgen::resolver {
namespace {

class DriverPart : Part {
 public:
  explicit DriverPart(const Part& shared) : Part(shared) {}

  Version run() {
    boards();
    driver();
    return reported_by_asked_;
  }

 private:
  /// The board's own capability where nvcc knows it and torch does, too: torch/utils/cpp_extension.py takes every capability up
  /// to the newest that it is compiled for, and refuses others. Else what runs on the board.
  std::optional<std::string> nvcc_target(Capability capability, const CodePath& path) const {
    const auto toolkits = matrix_.toolkits(build_);
    const auto toolkit = std::find_if(toolkits.begin(), toolkits.end(),
                                      [&](const auto& row) { return row.version == solution_.placement.toolkit; });
    if (toolkit == toolkits.end()) return std::nullopt;
    const auto names = [&](const Arch& arch) { return arch.capability == capability; };
    const bool known = std::any_of(toolkit->archs.begin(), toolkit->archs.end(), names);
    const bool to_torch =
        std::any_of(build_.sass.begin(), build_.sass.end(), [&](const Arch& arch) { return arch.capability >= capability; });
    if (known && to_torch) return capability.to_string();
    return path.via.capability.to_string() + (path.runs == Runs::sass ? "" : "+PTX");
  }

  void boards() {
    for (const auto& board : query_.boards) {
      const auto path = code_path(matrix_, build_, board.capability);
      Environment::Board entry{board.name, board.capability, path.runs == Runs::sass ? CodeKind::sass : CodeKind::ptx, path.via,
                               nvcc_target(board.capability, path)};
      const bool exact = path.via.capability == board.capability;
      const auto why = path.runs == Runs::sass
                           ? fmt::format("compute capability {} runs binaries for {}{}", entry.capability, entry.via,
                                         exact         ? ""
                                         : board.tegra ? " (CUDA 13.2 and later on JetPack 7.2 and later)"
                                                       : " (same major version)")
                           : fmt::format("no binaries for compute capability {}: the driver compiles the PTX for {}",
                                         entry.capability, entry.via);
      reason("gpu", entry.name, why,
             {build_.from.of(path.runs == Runs::sass ? "sass" : "ptx"),
              board.gpu != nullptr ? board.gpu->from.of("capability") : build_.from.of("sass")});
      environment_.gpus.push_back(std::move(entry));
      if (board.mig) add_once(environment_.warnings, notes::slice_as_its_board(board.name, !board.open_mig));
      if (board.vgpu) add_once(environment_.warnings, notes::vgpu_as_its_board(board.name, board.gpu->name.view()));
    }
  }

  static std::vector<CarriedBy> named(std::uint8_t carried) {
    std::vector<CarriedBy> result;
    for (std::size_t i = 0; i < Names<CarriedBy>::names.size(); ++i) {
      if ((carried >> i & 1U) != 0) result.push_back(static_cast<CarriedBy>(i));
    }
    return result;
  }

  /// The name of the board of a machine for which `holds`.
  template <class Holds>
  std::string board_with(const AskedMachine& machine, Holds holds) const {
    for (const auto b : machine.boards) {
      const auto& board = query_.boards[b];
      if (holds(board)) return board.name;
    }
    return "GPU";
  }

  /// What the range from its minimum on leaves out: branches that know a board from a later release on, and the boards of a name
  /// that come after the others.
  std::string known_later(const AskedMachine& machine, const Carried& carried, std::uint16_t last_branch) const {
    std::string text;
    if (!carried.minimum || machine.tegra) return text;
    for (const auto first : machine.known.firsts()) {
      const bool in_range = first.branch() > carried.minimum.branch() && (last_branch == 0 || first.branch() <= last_branch);
      if (in_range) text += fmt::format("; in R{} from {}", first.branch(), first);
    }
    for (const auto b : machine.boards) {
      const auto& board = query_.boards[b];
      if (board.rows.size() < 2) continue;
      for (const auto* row : board.rows) {
        const auto known = drivers_that_know(board.driver_row, {row}, board.mig);
        if (!known.knows(carried.minimum)) text += fmt::format("; the {} is supported {}", row->name.view(), known.to_string());
      }
    }
    return text;
  }

  /// Where the range of a machine's drivers begins, and why.
  std::string minimum_why(const AskedMachine& machine, const Carried& carried) const {
    const auto cuda = build_.cuda.to_string();
    const auto native = native_floor(matrix_, build_);
    const auto compat = minor_compat_floor(matrix_, build_);
    const bool jit = needs_jit(matrix_, query_, build_, machine);
    if ((carried.by & Carrier::forward_compat) != 0)
      return fmt::format("cuda-compat-{}-{} in the container gives the driver support for CUDA {} (data-centre GPUs only)",
                         build_.cuda.major(), build_.cuda.minor(), cuda);
    if (!carried.minimum) return fmt::format("some driver supports CUDA {}, but the first one is unknown", cuda);
    if (query_.wsl && carried.minimum == first_for_wsl) return "the first branch with CUDA in WSL 2, according to NVIDIA";
    if (machine.known.begins_at(carried.minimum))
      return fmt::format("the first driver that supports the {}",
                         board_with(machine, [&](const Board& board) { return board.known.begins_at(carried.minimum); }));
    if ((carried.by & Carrier::image_gate) != 0 && native && carried.minimum < native)
      return fmt::format("the first driver that the image accepts (NVIDIA_REQUIRE_CUDA), as it lists R{} for these GPUs{}",
                         carried.minimum.branch(), inferred_gate());
    if (gated())
      return fmt::format("the first driver with native CUDA {} support, as the image requires (NVIDIA_REQUIRE_CUDA)", cuda);
    if (!jit && compat && (!native || compat < native))
      return fmt::format("minor-version compatibility: CUDA {}.x binaries run on this driver or newer; PTX needs {}",
                         build_.cuda.major(), native ? native.to_string() : "a newer one");
    return fmt::format("the first driver with native CUDA {} support{}", cuda, jit ? ", which PTX needs" : "");
  }

  /// Where `minimum_why` and `driver_remarks` have their figures from.
  std::vector<std::uint16_t> driver_sources(const AskedMachine& machine, const Carried& carried) const {
    std::vector<std::uint16_t> sources;
    for (const auto b : machine.boards) {
      const auto& board = query_.boards[b];
      const auto& row = *board.driver_row;
      if (machine.tegra || (carried.minimum && row.first_driver == carried.minimum))
        sources.push_back(row.from.of("first_driver"));
      if (machine.tegra) continue;
      for (const auto* gpu : board.rows) {
        const auto& firsts = gpu->first_drivers;
        if (!firsts.empty() && carried.minimum && firsts[firsts.size() - 1] >= carried.minimum)
          sources.push_back(gpu->from.of("first_drivers"));
        if (board.mig && gpu->mig_driver && carried.minimum == gpu->mig_driver) sources.push_back(gpu->from.of("mig_driver"));
      }
      if (row.last_branch != 0 && row.last_branch == machine.known.last_branch()) sources.push_back(row.from.of("last_branch"));
    }
    if (machine.tegra) return sources;
    if (const auto* minor = matrix_.minor(build_)) sources.push_back(minor->from.of("native_driver"));
    if (const auto* major = matrix_.major(build_)) sources.push_back(major->from.of("minor_compat_driver"));
    return sources;
  }

  /// What is to be said of the asked driver, and of the last branch for the boards.
  std::string driver_remarks(const AskedMachine& machine, const Carried& carried) const {
    std::string remarks;
    if (machine.driver_value != no_value && !machine.tegra) {
      const auto how = (carried.by & Carrier::native) != 0         ? fmt::format("supports CUDA {} natively", build_.cuda)
                       : (carried.by & Carrier::minor_compat) != 0 ? std::string("works through minor-version compatibility")
                                                                   : std::string("works with cuda-compat");
      // A range is met by some release in it, and only of that one is this said.
      const bool one_of_many = machine.asked.range ? machine.asked.releases.size() > 1 : machine.drivers.size() > 1;
      const auto* which = stands_after(carried.driver) ? "a release after " : "";
      remarks += one_of_many ? fmt::format("; of the requested {}, {}{} {}", machine.driver_text, which, carried.driver, how)
                             : fmt::format("; the requested {} {}", machine.driver_text, how);
      if ((carried.by & Carrier::image_gate) != 0 && (carried.by & Carrier::native) == 0)
        remarks += fmt::format(", and NVIDIA_REQUIRE_CUDA of the image lists its branch for these GPUs{}", inferred_gate());
      const auto* branch = matrix_.branch(carried.driver.branch());
      if (branch != nullptr && !branch->eol.empty()) {
        constexpr std::string_view a_month = "2026-06";
        const auto eol = branch->eol.view();
        remarks += fmt::format("; support for R{} {} {} {}", branch->branch, is_past(matrix_, eol) ? "ended" : "ends",
                               eol.size() > a_month.size() ? "on" : "in", eol);
      }
    }
    if (const auto last = machine.known.last_branch(); last != 0)
      remarks += fmt::format("; R{} is the last branch supporting the {}", last,
                             board_with(machine, [&](const Board& board) { return board.known.last_branch() == last; }));
    return remarks;
  }

  std::optional<int> gated() const { return gate_of(matrix_, query_, build_, solution_.placement); }

  /// What is added where the image's own gate was not read.
  std::string inferred_gate() const {
    if (*gated() < 0) return fmt::format(" (inferred: every nvidia/cuda image of CUDA {} that was read does)", build_.cuda);
    const auto* official = solution_.placement.official;
    return official != nullptr && is_inferred_gate(matrix_, *official)
               ? " (inferred: the nvidia/cuda image that it is made on does)"
               : "";
  }

  /// An image that starts from nvidia/cuda opens for a driver that reports its CUDA itself; others pass only as exceptions. That
  /// of an official image is named only where it excepts the driver, which is the minimum where none was asked for.
  void apply_gate(const AskedMachine& machine, Carried& carried) const {
    const auto gate = gated();
    if (!gate) return;
    const bool lifted = (carried.by & Carrier::forward_compat) != 0;
    if (!lifted) carried.minimum = admitted_by(matrix_, *gate, build_, query_, machine).minimum;
    const bool excepted = machine.driver_value != no_value
                              ? (carried.by & Carrier::native) == 0
                              : !lifted && carried.minimum && carried.minimum < native_floor(matrix_, build_);
    if (solution_.placement.base == Base::cuda || excepted) carried.by |= Carrier::image_gate;
  }

  /// The CUDA that a machine reports under the first of its asked drivers that carries the build: of a range, the first that the
  /// answer names. cuda-compat brings a driver library of the build's own CUDA, which is what the container sees.
  Version reported_under(const AskedMachine& machine, const Carried& carried) const {
    if ((carried.by & Carrier::forward_compat) != 0) return build_.cuda;
    const auto reported =
        reported_cuda(matrix_, machine.asked.range ? std::max(carried.driver, carried.minimum) : carried.driver);
    return (carried.by & Carrier::native) != 0 ? std::max(reported, build_.cuda) : reported;
  }

  /// What a branch reports is the same on both systems, unlike the numbers of its releases.
  void name_for_windows(Environment::DriverRange& range) const {
    if (query_.wsl && range.minimum) range.windows_cuda = reported_cuda(matrix_, *range.minimum);
  }

  /// Who repeats --gpu for the boards of one machine would not learn otherwise that there is no such machine.
  void note_separate_machines() {
    KnownDrivers known;
    std::set<matrix::KernelModule> modules;
    std::vector<std::string> names;
    for (const auto& board : query_.boards) {
      if (query_.values[static_cast<std::size_t>(board.value)].field != Field::gpu || board.driver_row == nullptr || board.tegra)
        continue;
      known.keep(board.known);
      if (!query_.wsl) modules.insert(board.driver_row->kernel_module);
      add_once(names, board.name);
    }
    const bool both = modules.contains(matrix::KernelModule::open) && modules.contains(matrix::KernelModule::proprietary);
    // The first of all: without it the rest is of no use.
    if (names.size() > 1 && (both || !known.any()))
      environment_.warnings.insert(environment_.warnings.begin(), notes::separate_machines(names));
  }

  void driver() {
    Environment::Driver driver;
    const auto native = native_floor(matrix_, build_);
    driver.native = maybe(native);
    DriverVersion minimum;
    std::uint16_t last = 0;
    std::uint8_t carried_by = 0;
    bool known = true;
    std::vector<std::string> askeds;
    // Machines of which the same is to be said share a line.
    struct Line {
      std::string range, why, boards;
      std::vector<std::uint16_t> sources;
    };
    std::vector<Line> lines;
    std::vector<AskedMachine> nobody(1);
    if (query_.wsl) nobody.front().known = KnownDrivers(first_for_wsl);
    for (const auto& machine : query_.machines.empty() ? nobody : query_.machines) {
      const auto at_image = at_gate(matrix_, query_, build_, solution_.placement, machine);
      const bool jit = needs_jit(matrix_, query_, build_, machine);
      auto carried = carried_on(matrix_, build_, at_image, jit, solution_.forward);
      if (!machine.tegra) apply_gate(machine, carried);
      Environment::Machine entry;
      for (const auto b : machine.boards) entry.gpus.push_back(query_.boards[b].name);
      if (machine.driver_value != no_value) entry.asked = machine.driver_text;
      entry.range.minimum = maybe(carried.minimum);
      // cuda-compat lifts branches one by one, so the asked one alone is known to do.
      const bool lifted = (carried.by & Carrier::forward_compat) != 0;
      const auto last_branch = lifted ? carried.driver.branch() : machine.known.last_branch();
      if (last_branch != 0) entry.range.last_branch = DriverVersion(last_branch);
      name_for_windows(entry.range);
      entry.carried_by = named(carried.by);
      if (solution_.forward)
        entry.compat = lifted                                                        ? Compat::needed
                       : compat_is_harmless(matrix_, build_, at_image, carried, jit) ? Compat::harmless
                                                                                     : Compat::unproven;
      auto why = machine.tegra ? std::string("Jetson drivers have their own version numbers")
                               : minimum_why(machine, carried) + known_later(machine, carried, last_branch) +
                                     driver_remarks(machine, carried);
      if (query_.wsl && entry.range.minimum)
        why += fmt::format("; {} is a Linux version; the Windows releases of a branch have other numbers", *entry.range.minimum);
      const auto boards =
          entry.gpus.empty() ? std::string("a host with unnamed GPUs") : fmt::format("{}", fmt::join(entry.gpus, ", "));
      const auto same = std::find_if(lines.begin(), lines.end(),
                                     [&](const Line& line) { return line.range == entry.range.to_string() && line.why == why; });
      if (same == lines.end()) {
        lines.push_back({entry.range.to_string(), std::move(why), boards, driver_sources(machine, carried)});
      } else {
        same->boards += ", " + boards;
      }

      if (!machine.tegra) {
        known = known && carried.minimum;
        minimum = std::max(minimum, carried.minimum);
        if (last_branch != 0) last = last == 0 ? last_branch : std::min(last, last_branch);
      }
      if (entry.asked && !machine.tegra) {
        const auto reported = reported_under(machine, carried);
        if (reported && (!reported_by_asked_ || reported < reported_by_asked_)) reported_by_asked_ = reported;
      }
      carried_by = static_cast<std::uint8_t>(carried_by | carried.by);
      if (entry.asked) add_once(askeds, *entry.asked);
      if (!query_.machines.empty()) driver.machines.push_back(std::move(entry));
    }
    note_separate_machines();
    const bool one_for_all = known && minimum && (last == 0 || minimum.branch() <= last);
    if (one_for_all) driver.range.minimum = minimum;
    if (one_for_all && last != 0) driver.range.last_branch = DriverVersion(last);
    name_for_windows(driver.range);
    if (!askeds.empty()) driver.asked = fmt::format("{}", fmt::join(askeds, ", "));
    driver.carried_by = named(carried_by);
    if ((carried_by & Carrier::forward_compat) != 0) {
      environment_.warnings.push_back(notes::needs_compat(build_.cuda, query_.engine != Engine::none));
      if (const auto* image = compat_image(matrix_, query_, build_)) driver.compat_image = reference_of("nvidia/cuda", *image);
    }
    for (const auto& asked : askeds) {
      const auto release = DriverVersion::parse(asked);
      if (!query_.wsl && release && looks_like_windows(matrix_, release->version()))
        environment_.warnings.push_back(notes::windows_number(asked));
      if (query_.wsl && release && looks_like_linux(release->version()))
        environment_.warnings.push_back(notes::linux_number(asked));
    }
    if (const auto* newer = solution_.newer_with_compat)
      environment_.warnings.push_back(
          notes::newer_with_compat(name_of(newer->framework), newer->version_text.view(), newer->cuda));
    if (const auto& older = solution_.under_first_driver) {
      std::vector<std::string> boards;
      for (const auto& board : query_.boards) add_once(boards, board.name);
      environment_.warnings.push_back(
          notes::under_first_driver(boards, older->driver, name_of(older->build->framework), older->build->version_text.view()));
    }
    for (auto& line : lines)
      reason("driver", line.range, lines.size() == 1 ? std::move(line.why) : fmt::format("{}: {}", line.boards, line.why),
             line.sources);
    environment_.driver = std::move(driver);
  }

  Version reported_by_asked_;
};

}  // namespace

Version make_driver(const Part& shared) { return DriverPart(shared).run(); }

}  // namespace envgen::resolver
