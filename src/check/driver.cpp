#include "check/checked_answer.hpp"
#include "check/driver_facts.hpp"

namespace envgen::check {
namespace {

/// CarriedBy as bits, in its order.
enum Claim : unsigned { knows = 1, native = 2, minor_compat = 4, forward_compat = 8, image_gate = 16 };

unsigned bits_of(const std::vector<CarriedBy>& names) {
  unsigned bits = 0;
  for (const auto name : names) bits |= 1U << static_cast<unsigned>(name);
  return bits;
}

/// The smaller of two, of which one may be none.
template <class T>
T least(T a, T b) {
  return !a ? b : !b ? a : std::min(a, b);
}

Environment::DriverRange range_of(DriverVersion minimum, std::uint16_t last_branch) {
  Environment::DriverRange range;
  if (minimum) range.minimum = minimum;
  if (last_branch != 0) range.last_branch = DriverVersion(last_branch);
  return range;
}

struct CheckedMachine {
  std::string_view driver;  ///< as asked; empty: free
  std::vector<const AskedBoard*> boards;
  bool jit = false;                    ///< the driver has to compile PTX
  bool tegra = false;                  ///< driver numbers of its own
  std::vector<DriverVersion> drivers;  ///< what is asked for: those that know every board, and of a number the first
  std::vector<DriverVersion> usable;   ///< those of them under which the image starts: one driver does that and carries the build
  DriverVersion lifted;  ///< the first of these that needs cuda-compat, because none carries the build by itself; none: no need
};

class DriverCheck {
 public:
  explicit DriverCheck(const CheckedAnswer& checked) : checked_(checked), facts_(checked.matrix, checked.build.cuda) {
    // NVIDIA's hook alone looks at what an image asks for.
    const auto engine = checked.asked[Field::engine];
    const bool is_checked = checked.asked.image_runs && (engine.empty() || engine == name_of(Engine::docker));
    if (const auto* image = checked.cuda_image; image != nullptr && is_checked)
      gate_.emplace(checked.matrix, image->cuda.at(2), image->gate);
    // Which image of nvidia/cuda an official one is made on was mostly not read.
    const auto* official = checked.official_image;
    inherits_gate_ = is_checked && official != nullptr &&
                     (official->framework == Framework::tensorflow || official->variant == Variant::devel);
    if (inherits_gate_) gate_.emplace(checked.matrix, checked.build.cuda, official->gate);
    for (const auto& asked : checked.asked.machines) machines_.push_back(machine_of(asked));
    if (machines_.empty()) machines_.push_back(machine_of({}));
  }

  void run() {
    const auto& driver = checked_.environment.driver;
    if (!driver) return checked_.wrong("driver: there has to be one");
    claims_ = bits_of(driver->carried_by);
    checked_.expect("driver.native", driver->native, facts_.native_floor());
    check_asked(*driver);
    const auto asked = checked_.asked.machines.size();
    checked_.expect("driver.machines", driver->machines.size(), asked);
    DriverVersion minimum;
    std::uint16_t last = 0;
    unsigned truth = 0;
    bool known = true;
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      const auto& machine = machines_[i];
      const auto own = minimum_of(machine);
      const auto own_last = last_branch_of(machine);
      const auto by = check_carried(machine, own);
      if (driver->machines.size() == asked && i < asked) {
        checked_.expect("driver.machines.range", driver->machines[i].range, said_of(range_of(own, own_last)));
        check_said(driver->machines[i], machine, own, by);
      }
      if (machine.tegra) continue;
      truth |= by | (goes_by_gate(machine, by, own) ? image_gate : 0U);
      known = known && own;
      minimum = std::max(minimum, own);
      last = least(last, own_last);
    }
    // Machines that need different drivers have no range in common.
    const bool common = known && minimum && (last == 0 || minimum.branch() <= last);
    checked_.expect("driver.range", driver->range, common ? said_of(range_of(minimum, last)) : Environment::DriverRange());
    check_claims("driver.carried_by", claims_, truth, truth & (knows | image_gate));
  }

  /// The newest CUDA that every machine reports under the first of its asked drivers that carries the build, of a range under the
  /// first that the answer may name; none where no driver was asked for.
  Version reported_by_asked() const {
    Version reported;
    for (const auto& machine : machines_) {
      if (!machine.driver.empty() && !machine.tegra) reported = least(reported, reported_on(machine));
    }
    return reported;
  }

 private:
  /// cuda-compat brings a driver library of the build's own CUDA, which is what the container sees.
  Version reported_on(const CheckedMachine& machine) const {
    for (const auto driver : machine.usable) {
      if (!carries_alone(driver, machine)) continue;
      const bool is_range = machine.driver.find_first_of("<>!~") != std::string::npos;
      const auto reported = facts_.reported_by(is_range ? std::max(driver, minimum_of(machine)) : driver);
      return facts_.native(driver) ? std::max(reported, checked_.build.cuda) : reported;
    }
    return checked_.build.cuda;
  }

  /// Under WSL 2 a range is told by the CUDA that its first driver reports.
  Environment::DriverRange said_of(Environment::DriverRange range) const {
    if (checked_.asked.wsl && range.minimum) range.windows_cuda = facts_.reported_by(*range.minimum);
    return range;
  }

  CheckedMachine machine_of(const AskedMachine& asked) const {
    CheckedMachine machine{asked.driver, {}, checked_.asked.ptx, false, {}, {}, {}};
    const auto& answers = checked_.environment.gpus;
    for (const auto index : asked.boards) {
      const auto& board = checked_.asked.boards[index];
      machine.boards.push_back(&board);
      machine.jit = machine.jit || (index < answers.size() && answers[index].runs == CodeKind::ptx);
      machine.tegra = machine.tegra || (board.drivers != nullptr && board.drivers->tegra);
    }
    if (machine.driver.empty() || machine.tegra) return machine;
    const auto [releases, any_will_do] =
        checked_.asked.wsl ? facts_.meant_on_windows(machine.driver) : facts_.meant_by(machine.driver);
    machine.drivers = releases;
    std::erase_if(machine.drivers, [&](DriverVersion driver) { return !DriverFacts::knows_all(driver, machine.boards); });
    if (!any_will_do && !machine.drivers.empty() && first_does(machine)) machine.drivers.resize(1);
    bool alone = false;
    for (const auto driver : machine.drivers) {
      if (!starts_image(driver, machine)) continue;
      machine.usable.push_back(driver);
      alone = alone || carries_alone(driver, machine);
      if (!machine.lifted && is_lifted(driver, machine)) machine.lifted = driver;
    }
    if (alone) machine.lifted = {};
    return machine;
  }

  /// A number means the later of its releases only where the first does not do.
  bool first_does(const CheckedMachine& machine) const {
    const auto first = machine.drivers.front();
    return starts_image(first, machine) && (carries_alone(first, machine) || is_lifted(first, machine));
  }

  void check_asked(const Environment::Driver& driver) const {
    Texts asked;
    for (const auto& machine : machines_) {
      if (!machine.driver.empty() && std::find(asked.begin(), asked.end(), machine.driver) == asked.end())
        asked.emplace_back(machine.driver);
    }
    checked_.expect("driver.asked", driver.asked, fmt::format("{}", fmt::join(asked, ", ")));
  }

  bool carries_alone(DriverVersion driver, const CheckedMachine& machine) const {
    return facts_.native(driver) || (facts_.minor_compat(driver) && !machine.jit);
  }

  bool starts_image(DriverVersion driver, const CheckedMachine& machine) const {
    return !gate_ || gate_->opens(driver, machine.boards);
  }

  /// An inherited gate is named only where it excepts the driver, which is the minimum where none was asked for.
  bool goes_by_gate(const CheckedMachine& machine, unsigned by, DriverVersion minimum) const {
    if (!gate_ || !inherits_gate_) return gate_.has_value();
    return machine.driver.empty() ? minimum && minimum < facts_.native_floor() : (by & native) == 0;
  }

  /// The oldest driver that carries the build on one machine, by cuda-compat only where the asked one needs it; none: no number
  /// can say it.
  DriverVersion floor_of(const CheckedMachine& machine) const {
    if (machine.tegra) return {};
    auto floor = facts_.native_floor();
    if (!machine.jit) floor = least(floor, facts_.compat_floor());
    if (machine.lifted) floor = facts_.first_of_branch(machine.lifted);
    // WSL 2 has CUDA from R495 on. https://docs.nvidia.com/cuda/wsl-user-guide/index.html (2.1)
    constexpr DriverVersion first_for_wsl{Version(495, 29, 5)};
    if (checked_.asked.wsl && floor) floor = std::max(floor, first_for_wsl);
    return floor ? DriverFacts::oldest_that_knows(floor, machine.boards) : floor;
  }

  /// The image's own gate may ask for more than the build does, or for a CUDA whose first driver is not known. Where no driver of
  /// the boards reports that CUDA, the first branch that the gate excepts.
  DriverVersion minimum_of(const CheckedMachine& machine) const {
    const auto floor = floor_of(machine);
    if (!gate_ || machine.tegra || machine.lifted) return floor;
    const auto native = facts_.native_floor();
    if (!native) return {};
    const auto last = last_branch_of(machine);
    if (last == 0 || native.branch() <= last) return DriverFacts::oldest_that_knows(std::max(floor, native), machine.boards);
    for (const auto& branch : checked_.matrix->branches) {
      for (const auto driver : {branch.first, branch.latest}) {
        const bool known = driver && DriverFacts::knows_all(driver, machine.boards);
        if (known && driver >= floor && gate_->opens(driver, machine.boards)) return driver;
      }
    }
    return {};
  }

  std::uint16_t last_branch_of(const CheckedMachine& machine) const {
    if (machine.lifted) return machine.lifted.branch();
    std::uint16_t last = 0;
    for (const auto* board : machine.boards) {
      if (board->drivers != nullptr && !board->drivers->tegra) last = least(last, board->drivers->last_branch);
    }
    return last;
  }

  void check_kernel_module(const CheckedMachine& machine) const {
    bool closed = false;
    bool open = false;
    bool other = false;
    for (const auto* board : machine.boards) {
      const auto* row = board->drivers;
      closed = closed || (row != nullptr && row->kernel_module == matrix::KernelModule::proprietary);
      open = open || (row != nullptr && row->kernel_module == matrix::KernelModule::open);
      other = other || row == nullptr || !row->tegra;
    }
    if (machine.tegra && other) checked_.wrong("host: a Jetson's GPU and another one cannot share a driver");
    // In Windows the split does not exist.
    if (closed && open && !checked_.asked.wsl)
      checked_.wrong("host: its boards need both the proprietary and the open kernel module");
  }

  /// cuda-compat needs a Linux driver.
  bool is_lifted(DriverVersion driver, const CheckedMachine& machine) const {
    return !checked_.asked.wsl && facts_.forward_compat(driver, machine.boards);
  }

  /// Which of these predicates carry the build on a machine under a driver.
  unsigned carries(DriverVersion driver, const CheckedMachine& machine, unsigned predicates) const {
    if (!DriverFacts::knows_all(driver, machine.boards)) return 0;
    unsigned by = 0;
    if (facts_.native(driver)) by |= native;
    if (facts_.minor_compat(driver) && !machine.jit) by |= minor_compat;
    if (is_lifted(driver, machine)) by |= forward_compat;  // cuda-compat brings a PTX compiler of its own
    by &= predicates;
    if ((by & claims_) == 0) return 0;
    return by | (machine.boards.empty() ? 0U : knows);
  }

  /// The predicates that carry the build on a machine; none: nothing was said of its driver, or it is wrong.
  unsigned check_carried(const CheckedMachine& machine, DriverVersion minimum) const {
    check_kernel_module(machine);
    const bool free = machine.driver.empty();
    if (machine.tegra) {
      if (!free) checked_.wrong("driver: no fact says what {} carries on a Jetson", machine.driver);
      return 0;
    }
    auto drivers = machine.drivers;
    if (free) {
      const auto floor = floor_of(machine);
      // Nothing was asked of the driver, and which is the first that would do is not known.
      if (!floor && (machine.boards.empty() || facts_.reported_by_some(machine.boards)))
        return native | (machine.boards.empty() ? 0U : knows);
      if (floor) drivers.push_back(floor);
    }
    // What the gate of a free driver's image asks for has no number where that of its CUDA was not read.
    const bool any_opens = free && !(gate_ ? gate_->native_floor() : facts_.native_floor());
    // cuda-compat counts only where no driver does without it.
    for (const unsigned predicates : {native | minor_compat, claims_ & forward_compat}) {
      for (const auto driver : drivers) {
        const auto by = carries(driver, machine, predicates);
        // A free driver may as well be the minimum that the answer names.
        if (by != 0 && (any_opens || starts_image(free ? std::max(driver, minimum) : driver, machine))) return by;
      }
    }
    checked_.wrong("driver: {} does not carry CUDA {} as it is said, or does not start the image",
                   free ? "the first" : machine.driver, checked_.build.cuda);
    return 0;
  }

  /// What the answer says of one machine, of which these predicates are true.
  void check_said(const Environment::Machine& said, const CheckedMachine& machine, DriverVersion minimum, unsigned by) const {
    const auto claims = bits_of(said.carried_by);
    checked_.expect("driver.machines.asked", said.asked, machine.driver);
    checked_.expect("driver.machines.gpus", said.gpus.size(), machine.boards.size());
    checked_.expect("driver.machines.compat", said.compat, compat_of(machine, claims, minimum));
    if (by == 0) return;
    check_claims("driver.machines.carried_by", claims, by | (goes_by_gate(machine, by, minimum) ? image_gate : 0U), 0);
    if ((claims & (native | minor_compat | forward_compat)) == 0)
      checked_.wrong("driver.machines.carried_by: what carries the build is missing");
  }

  /// What becomes of cuda-compat on a machine: harmless where no driver that it may have would use it without being known to.
  std::optional<Compat> compat_of(const CheckedMachine& machine, unsigned claims, DriverVersion minimum) const {
    if ((claims_ & forward_compat) == 0) return std::nullopt;
    if ((claims & forward_compat) != 0) return Compat::needed;
    const auto is_harmless = [&](DriverVersion driver) {
      return facts_.native(driver) || machine.jit || !facts_.minor_compat(driver) || is_lifted(driver, machine);
    };
    const bool harmless =
        machine.driver.empty() ? facts_.native(minimum) : std::all_of(machine.usable.begin(), machine.usable.end(), is_harmless);
    return harmless ? Compat::harmless : Compat::unproven;
  }

  /// What is said to carry the build does, and what is needed is said.
  void check_claims(std::string_view member, unsigned said, unsigned truth, unsigned needed) const {
    for (std::size_t i = 0; i < Names<CarriedBy>::names.size(); ++i) {
      const auto name = Names<CarriedBy>::names.at(i);
      if ((said & ~truth & (1U << i)) != 0) checked_.wrong("{}: {} does not hold", member, name);
      if ((needed & ~said & (1U << i)) != 0) checked_.wrong("{}: {} is missing", member, name);
    }
  }

  const CheckedAnswer& checked_;
  DriverFacts facts_;
  std::optional<Gate> gate_;
  bool inherits_gate_ = false;
  std::vector<CheckedMachine> machines_;
  unsigned claims_ = 0;
};

}  // namespace

Version cuda_of_asked_drivers(const CheckedAnswer& checked) { return DriverCheck(checked).reported_by_asked(); }

void check_driver(const CheckedAnswer& checked) {
  if (!checked.build.cpu) DriverCheck(checked).run();
}

}  // namespace envgen::check
