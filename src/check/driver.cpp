#include <algorithm>
#include <array>

#include "check/driver_facts.hpp"
#include "check/image_gate.hpp"
#include "check/subject.hpp"

namespace envgen::check {
namespace {

/// CarriedBy as bits, in its order.
enum Claim : unsigned { knows = 1, native = 2, minor_compat = 4, forward_compat = 8, image_gate = 16 };
constexpr auto claim_names = Names<CarriedBy>::names;

struct Machine {
  std::string_view driver;  ///< as asked; empty: free
  std::vector<const AskedBoard*> boards;
  bool jit = false;                    ///< the driver has to compile PTX
  bool tegra = false;                  ///< driver numbers of its own
  std::vector<DriverVersion> drivers;  ///< what is asked for: those that know every board, and of a number the first
  std::vector<DriverVersion> usable;   ///< those of them under which the image starts: one driver does that and carries the build
};

class DriverCheck {
 public:
  explicit DriverCheck(const Subject& subject)
      : subject_(subject), facts_(subject.matrix, subject.build.cuda), gate_(gate_of(subject)) {}

  void run() {
    const auto& driver = subject_.environment.driver;
    if (!driver) {
      subject_.wrong("driver: {} needs one, the answer has none", subject_.name());
      return;
    }
    claims_ = read_claims(driver->carried_by);
    if (!same(driver->native, facts_.native_floor()))
      subject_.wrong("driver.native: CUDA {} came with driver {}, the answer says {}", cuda(), shown(facts_.native_floor()),
                     shown(driver->native));
    collect_machines();
    check_asked(*driver);
    check_ranges(*driver);
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      const auto by = check_machine(machines_[i]);
      true_claims_ |= by;
      if (by != 0 && i < driver->machines.size()) check_claims_of(driver->machines[i], by);
    }
    check_claims();
  }

  /// The newest CUDA that every machine reports under the first of its asked drivers that carries the build; none where no driver
  /// was asked for.
  Version reported_by_asked() {
    collect_machines();
    Version least;
    for (const auto& machine : machines_) {
      if (machine.driver.empty() || machine.tegra) continue;
      const auto reported = reported_on(machine);
      if (reported && (!least || reported < least)) least = reported;
    }
    return least;
  }

 private:
  /// cuda-compat brings a driver library of the build's own CUDA, which is what the container sees.
  Version reported_on(const Machine& machine) const {
    for (const auto driver : machine.usable) {
      if (!carries_alone(driver, machine)) continue;
      const auto reported = facts_.reported_by(driver);
      return facts_.native(driver) ? std::max(reported, subject_.build.cuda) : reported;
    }
    return subject_.build.cuda;
  }

  std::string cuda() const { return subject_.build.cuda.to_string(); }

  static unsigned read_claims(const std::vector<CarriedBy>& names) {
    unsigned claims = 0;
    for (const auto name : names) claims |= 1U << static_cast<unsigned>(name);
    return claims;
  }

  void collect_machines() {
    const auto& answers = subject_.environment.gpus;
    for (const auto& asked : subject_.asked.machines) {
      Machine machine{asked.driver, {}, subject_.asked.ptx, false, {}, {}};
      for (const auto index : asked.boards) {
        const auto& board = subject_.asked.boards[index];
        machine.boards.push_back(&board);
        machine.jit = machine.jit || (index < answers.size() && answers[index].runs == CodeKind::ptx);
        machine.tegra = machine.tegra || subject_.matrix.tegra(board.capability);
      }
      if (!machine.driver.empty() && !machine.tegra) {
        machine.drivers = asked_of(machine);
        std::copy_if(machine.drivers.begin(), machine.drivers.end(), std::back_inserter(machine.usable),
                     [&](DriverVersion driver) { return starts_image(driver, machine); });
      }
      machines_.push_back(std::move(machine));
    }
    if (machines_.empty()) machines_.push_back({{}, {}, subject_.asked.ptx, false, {}, {}});
  }

  void check_asked(const Environment::Driver& driver) const {
    std::string asked;
    std::vector<std::string_view> seen;
    for (const auto& machine : machines_) {
      if (machine.driver.empty() || std::find(seen.begin(), seen.end(), machine.driver) != seen.end()) continue;
      seen.push_back(machine.driver);
      asked += asked.empty() ? "" : ", ";
      asked += machine.driver;
    }
    if (!same(driver.asked, asked))
      subject_.wrong("driver.asked: {} was asked for, the answer says {}", shown(asked), shown(driver.asked));
  }

  bool carries_alone(DriverVersion driver, const Machine& machine) const {
    return facts_.native(driver) || (facts_.minor_compat(driver) && !machine.jit);
  }

  /// An image that is made on an official one of nvidia/cuda has a gate that nobody read: what reports its CUDA passes.
  bool inherits_gate() const {
    const auto* official = official_image(subject_);
    return official != nullptr && (official->framework == Framework::tensorflow || official->variant == Variant::devel);
  }

  bool starts_image(DriverVersion driver, const Machine& machine) const {
    return (!gate_ || gate_->opens(driver, machine.boards)) && (!inherits_gate() || facts_.native(driver));
  }

  /// The asked drivers that know every board; of those that a number may mean, the first.
  std::vector<DriverVersion> asked_of(const Machine& machine) const {
    auto [drivers, any_will_do] = facts_.meant_by(machine.driver);
    const auto knows_all = [&](DriverVersion driver) {
      return std::all_of(machine.boards.begin(), machine.boards.end(),
                         [&](const AskedBoard* board) { return facts_.unknown_to(driver, board->capability).empty(); });
    };
    std::vector<DriverVersion> known;
    std::copy_if(drivers.begin(), drivers.end(), std::back_inserter(known), knows_all);
    auto& left = known.empty() ? drivers : known;
    if (!any_will_do && !left.empty()) left.resize(1);
    return left;
  }

  /// The asked driver that needs cuda-compat, because none of those that may be meant carries the build by itself; none: no need.
  DriverVersion lifted_driver(const Machine& machine) const {
    DriverVersion lifted;
    for (const auto driver : machine.usable) {
      if (carries_alone(driver, machine)) return {};
      if (!lifted && facts_.forward_compat(driver, machine.boards)) lifted = driver;
    }
    return lifted;
  }

  /// The oldest driver that carries the build on one machine, by cuda-compat only where the asked one needs it; none: no number
  /// can say it.
  DriverVersion floor_of(const Machine& machine) const {
    if (machine.tegra) return {};
    auto floor = facts_.native_floor();
    if (!machine.jit && facts_.compat_floor() && (!floor || facts_.compat_floor() < floor)) floor = facts_.compat_floor();
    if (const auto lifted = lifted_driver(machine)) floor = facts_.first_of_branch(lifted);
    if (!floor) return {};
    for (const auto* board : machine.boards) {
      const auto* row = subject_.matrix.gpu_driver(board->capability);
      if (row != nullptr) floor = std::max(floor, row->first_driver);
    }
    return floor;
  }

  /// The image's own gate may ask for more than the build does, or for a CUDA whose first driver is not known. Where no driver of
  /// the boards reports that CUDA, the first branch that the gate excepts.
  DriverVersion minimum_of(const Machine& machine) const {
    const auto floor = floor_of(machine);
    if ((!gate_ && !inherits_gate()) || machine.tegra) return floor;
    if (gate_ && lifted_driver(machine)) return floor;
    const auto native = facts_.native_floor();
    if (!native) return {};
    const auto last = last_branch_of(machine);
    if (!gate_ || last == 0 || native.branch() <= last) return std::max(floor, native);
    for (const auto& branch : subject_.matrix->branches) {
      for (const auto driver : {branch.first, branch.latest}) {
        if (driver && driver >= floor && branch.branch <= last && gate_->opens(driver, machine.boards)) return driver;
      }
    }
    return {};
  }

  std::uint16_t last_branch_of(const Machine& machine) const {
    if (const auto lifted = lifted_driver(machine)) return lifted.branch();
    std::uint16_t last = 0;
    for (const auto* board : machine.boards) {
      const auto* row = subject_.matrix.gpu_driver(board->capability);
      if (row != nullptr && row->last_branch != 0 && !row->tegra)
        last = last == 0 ? row->last_branch : std::min(last, row->last_branch);
    }
    return last;
  }

  void check_range(std::string_view field, const Environment::DriverRange& answer, DriverVersion minimum,
                   std::uint16_t last_branch) const {
    const auto last = last_branch == 0 ? DriverVersion() : DriverVersion(last_branch);
    if (!same(answer.minimum, minimum))
      subject_.wrong("{}.minimum: CUDA {} on the asked boards needs {}, the answer says {}", field, cuda(),
                     minimum ? minimum.to_string() : "no number", shown(answer.minimum));
    if (!same(answer.last_branch, last))
      subject_.wrong("{}.last_branch: the last branch for the asked boards is {}, the answer says {}", field, shown(last),
                     shown(answer.last_branch));
  }

  void check_ranges(const Environment::Driver& driver) const {
    const auto& asked = subject_.asked.machines;
    if (driver.machines.size() != asked.size()) {
      subject_.wrong("driver.machines: {} were asked for, the answer has {}", asked.size(), driver.machines.size());
      return;
    }
    DriverVersion minimum;
    std::uint16_t last = 0;
    bool known = true;
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      const auto& machine = machines_[i];
      const auto own = minimum_of(machine);
      const auto own_last = last_branch_of(machine);
      if (i < driver.machines.size()) {
        const auto& answer = driver.machines[i];
        check_range("driver.machines", answer.range, own, own_last);
        if (!same(answer.asked, machine.driver))
          subject_.wrong("driver.machines.asked: {} was asked for, the answer says {}", shown(machine.driver),
                         shown(answer.asked));
        if (answer.gpus.size() != machine.boards.size())
          subject_.wrong("driver.machines.gpus: {} boards were asked for, the answer has {}", machine.boards.size(),
                         answer.gpus.size());
      }
      if (machine.tegra) continue;
      known = known && own;
      minimum = std::max(minimum, own);
      if (own_last != 0) last = last == 0 ? own_last : std::min(last, own_last);
    }
    // Machines that need different drivers have no range in common.
    if (!known || !minimum || (last != 0 && minimum.branch() > last)) {
      minimum = {};
      last = 0;
    }
    check_range("driver", driver.range, minimum, last);
  }

  /// Which of these predicates carry the build on a machine under a driver; `why` says what stands in the way when none does.
  unsigned carries(DriverVersion driver, const Machine& machine, unsigned predicates, std::string& why) const {
    for (const auto* board : machine.boards) {
      why = facts_.unknown_to(driver, board->capability);
      if (!why.empty()) return 0;
    }
    unsigned by = 0;
    if (facts_.native(driver)) by |= native;
    if (facts_.minor_compat(driver) && !machine.jit) by |= minor_compat;
    if (facts_.forward_compat(driver, machine.boards)) by |= forward_compat;  // cuda-compat brings a PTX compiler of its own
    by &= predicates;
    if ((by & claims_) == 0) {
      why = fmt::format("driver {} carries CUDA {}{} by none of the named predicates", driver.to_string(), cuda(),
                        machine.jit ? " with PTX" : "");
      return 0;
    }
    return by | (machine.boards.empty() ? 0U : static_cast<unsigned>(knows));
  }

  void check_kernel_module(const Machine& machine) const {
    const AskedBoard* closed = nullptr;
    const AskedBoard* open = nullptr;
    for (const auto* board : machine.boards) {
      const auto* row = subject_.matrix.gpu_driver(board->capability);
      if (row != nullptr && row->kernel_module == matrix::KernelModule::proprietary) closed = board;
      if (row != nullptr && row->kernel_module == matrix::KernelModule::open) open = board;
    }
    const auto is_tegra = [&](const AskedBoard* board) {
      const auto* row = subject_.matrix.gpu_driver(board->capability);
      return row != nullptr && row->tegra;
    };
    if (!std::all_of(machine.boards.begin(), machine.boards.end(), is_tegra) &&
        std::any_of(machine.boards.begin(), machine.boards.end(), is_tegra))
      subject_.wrong("host: a Jetson's GPU and another one cannot share a driver");
    if (closed != nullptr && open != nullptr)
      subject_.wrong("host: the {} needs the proprietary kernel module and the {} the open one, and a host has one", closed->text,
                     open->text);
  }

  /// The predicates that carry the build on a machine; none: nothing was said of its driver, or it is wrong.
  unsigned check_machine(const Machine& machine) const {
    check_kernel_module(machine);
    if (machine.tegra) {
      if (!machine.driver.empty())
        subject_.wrong("driver: Jetson drivers have numbers of their own, no fact says what {} carries", machine.driver);
      return 0;
    }
    const bool free = machine.driver.empty();
    std::vector<DriverVersion> drivers;
    if (!free) {
      drivers = machine.drivers;
    } else if (const auto floor = floor_of(machine)) {
      drivers.push_back(floor);
    } else if (machine.boards.empty() || facts_.reported_by_some(machine.boards)) {
      return native | (machine.boards.empty()
                           ? 0U
                           : static_cast<unsigned>(
                                 knows));  // nothing was asked of the driver, and which is the first that would do is not known
    }
    std::string why =
        fmt::format("no fact says which driver CUDA {} needs{}{}", cuda(), free ? "" : ", for that of ", machine.driver);
    // What the gate of a free driver's image asks for has no number where that of its CUDA was not read.
    const bool any_opens = free && !(gate_ ? gate_->native_floor() : facts_.native_floor());
    // cuda-compat counts only where no driver does without it.
    for (const unsigned predicates : {static_cast<unsigned>(native | minor_compat), static_cast<unsigned>(forward_compat)}) {
      if (predicates == forward_compat && (claims_ & forward_compat) == 0) continue;
      for (const auto candidate : drivers) {
        const auto by = carries(candidate, machine, predicates, why);
        if (by == 0) continue;
        // A free driver may as well be the minimum that the answer names.
        const auto driver = free ? std::max(candidate, minimum_of(machine)) : candidate;
        if (any_opens || starts_image(driver, machine)) return by;
        why = fmt::format("driver {} does not open {}", driver.to_string(),
                          gate_ ? gate_->prose() : fmt::format("the gate that the image inherits (CUDA {})", cuda()));
      }
    }
    subject_.wrong("driver: {}", why);
    return 0;
  }

  /// What the answer says of one machine, of which these predicates are true.
  void check_claims_of(const Environment::Machine& answer, unsigned by) const {
    const auto truth = by | (gate_ ? image_gate : 0U);
    const auto claims = read_claims(answer.carried_by);
    for (std::size_t i = 0; i < claim_names.size(); ++i) {
      if ((claims & ~truth & (1U << i)) != 0)
        subject_.wrong("driver.machines.carried_by: {} does not hold for {}", claim_names[i], shown(answer.asked));
    }
    if ((claims & (native | minor_compat | forward_compat)) == 0)
      subject_.wrong("driver.machines.carried_by: what carries CUDA {} is not named for {}", cuda(), shown(answer.asked));
  }

  void check_claims() const {
    const bool any_gated = std::any_of(machines_.begin(), machines_.end(), [](const Machine& machine) { return !machine.tegra; });
    const unsigned gate = gate_ && any_gated ? image_gate : 0U;
    const auto truth = true_claims_ | gate;
    for (std::size_t i = 0; i < claim_names.size(); ++i) {
      const unsigned bit = 1U << i;
      if ((claims_ & bit) != 0 && (truth & bit) == 0)
        subject_.wrong("driver.carried_by: {} holds for no machine of the request", claim_names[i]);
    }
    if ((true_claims_ & knows) != 0 && (claims_ & knows) == 0)
      subject_.wrong("driver.carried_by: gpu_driver decides for every board and is not named");
    if (gate != 0 && (claims_ & image_gate) == 0)
      subject_.wrong("driver.carried_by: image_gate decides for {} and is not named", gate_->prose());
  }

  const Subject& subject_;
  DriverFacts facts_;
  std::optional<Gate> gate_;
  std::vector<Machine> machines_;
  unsigned claims_ = 0;
  unsigned true_claims_ = 0;
};

}  // namespace

Version cuda_of_asked_drivers(const Subject& subject) { return DriverCheck(subject).reported_by_asked(); }

void check_driver(const Subject& subject) {
  if (!subject.build.cpu) DriverCheck(subject).run();
}

}  // namespace envgen::check
