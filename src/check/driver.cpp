#include <algorithm>
#include <array>

#include "check/driver_facts.hpp"
#include "check/image_gate.hpp"
#include "check/subject.hpp"

namespace envgen::check {
namespace {

enum Claim : unsigned { knows = 1, native = 2, minor_compat = 4, forward_compat = 8, image_gate = 16 };
constexpr std::array<std::string_view, 5> claim_names{"gpu_driver", "native", "minor_compat", "forward_compat", "image_gate"};

struct Machine {
  std::string_view driver;  ///< as asked; empty: free
  std::vector<const AskedBoard*> boards;
  bool jit = false;    ///< the driver has to compile PTX
  bool tegra = false;  ///< driver numbers of its own
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
    const auto native_text = facts_.native_floor() ? facts_.native_floor().to_string() : std::string();
    if (!same(driver->native, native_text))
      subject_.wrong("driver.native: CUDA {} came with driver {}, the answer says {}", cuda(), shown(native_text),
                     shown(driver->native));
    collect_machines();
    check_asked(*driver);
    check_minimum(*driver);
    for (const auto& machine : machines_) check_machine(machine);
    check_claims();
  }

 private:
  std::string cuda() const { return subject_.build.cuda.to_string(); }

  unsigned read_claims(const std::vector<std::string>& names) const {
    unsigned claims = 0;
    for (const auto& name : names) {
      const auto found = std::find(claim_names.begin(), claim_names.end(), name);
      if (found == claim_names.end())
        subject_.wrong("driver.carried_by: there is no predicate {}", name);
      else
        claims |= 1U << (found - claim_names.begin());
    }
    return claims;
  }

  void collect_machines() {
    const auto& answers = subject_.environment.gpus;
    for (const auto& asked : subject_.asked.machines) {
      Machine machine{asked.driver, {}, subject_.asked.ptx, false};
      for (const auto index : asked.boards) {
        const auto& board = subject_.asked.boards[index];
        machine.boards.push_back(&board);
        machine.jit = machine.jit || (index < answers.size() && answers[index].runs == "ptx");
        machine.tegra = machine.tegra || subject_.matrix.tegra(board.capability);
      }
      machines_.push_back(std::move(machine));
    }
    if (machines_.empty()) machines_.push_back({{}, {}, subject_.asked.ptx, false});
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

  /// True when none of the drivers that may be meant carries the build by itself.
  bool only_by_compat(const Machine& machine) const {
    const auto drivers = facts_.meant_by(machine.driver);
    return !machine.driver.empty() && std::none_of(drivers.begin(), drivers.end(), [&](DriverVersion driver) {
      return facts_.native(driver) || (facts_.minor_compat(driver) && !machine.jit);
    });
  }

  /// The oldest driver that carries the build on one machine, by cuda-compat only where the asked one needs it; none: no number
  /// can say it.
  DriverVersion floor_of(const Machine& machine) const {
    if (machine.tegra) return {};
    auto floor = facts_.native_floor();
    if (!machine.jit && facts_.compat_floor() && (!floor || facts_.compat_floor() < floor)) floor = facts_.compat_floor();
    if (only_by_compat(machine)) floor = facts_.first_lifted();
    if (!floor) return {};
    for (const auto* board : machine.boards) {
      const auto* row = subject_.matrix.gpu_driver(board->capability);
      if (row != nullptr) floor = std::max(floor, row->first_driver);
    }
    return floor;
  }

  void check_minimum(const Environment::Driver& driver) {
    for (const auto& machine : machines_) floor_ = std::max(floor_, floor_of(machine));
    const auto minimum = driver.minimum ? DriverVersion::parse(*driver.minimum) : Expected<DriverVersion>(DriverVersion());
    if (!minimum || (driver.minimum && minimum->to_string() != *driver.minimum)) {
      subject_.wrong("driver.minimum: there is no driver {}", shown(driver.minimum));
      return;
    }
    minimum_ = *minimum;
    if (minimum_ == floor_) return;
    // The image's own gate may ask for more than the build does, or for a CUDA whose first driver is not known.
    if (gate_ && minimum_ == (gate_->native_floor() ? std::max(floor_, gate_->native_floor()) : DriverVersion())) return;
    subject_.wrong("driver.minimum: CUDA {} on the asked boards needs {}, the answer says {}", cuda(),
                   floor_ ? floor_.to_string() : "no number", shown(driver.minimum));
  }

  /// The claims under which a driver carries the build on a machine; `why` says what stands in the way when it does not.
  unsigned carries(DriverVersion driver, const Machine& machine, std::string& why) const {
    unsigned by = 0;
    for (const auto* board : machine.boards) {
      why = facts_.unknown_to(driver, board->capability);
      if (!why.empty()) return 0;
      by |= knows;
    }
    if (facts_.native(driver)) by |= native;
    if (facts_.minor_compat(driver) && !machine.jit) by |= minor_compat;
    if (facts_.forward_compat(driver, machine.boards)) by |= forward_compat;  // cuda-compat brings a PTX compiler of its own
    if ((by & claims_ & (native | minor_compat | forward_compat)) == 0) {
      why = fmt::format("driver {} carries CUDA {}{} by none of the named predicates", driver.to_string(), cuda(),
                        machine.jit ? " with PTX" : "");
      return 0;
    }
    return by;
  }

  void check_kernel_module(const Machine& machine) const {
    const AskedBoard* closed = nullptr;
    const AskedBoard* open = nullptr;
    for (const auto* board : machine.boards) {
      const auto* row = subject_.matrix.gpu_driver(board->capability);
      if (row != nullptr && row->kernel_module == matrix::KernelModule::proprietary) closed = board;
      if (row != nullptr && row->kernel_module == matrix::KernelModule::open) open = board;
    }
    if (closed != nullptr && open != nullptr)
      subject_.wrong("host: the {} needs the proprietary kernel module and the {} the open one, and a host has one", closed->text,
                     open->text);
  }

  void check_machine(const Machine& machine) {
    check_kernel_module(machine);
    if (machine.tegra) {
      if (!machine.driver.empty())
        subject_.wrong("driver: Jetson drivers have numbers of their own, no fact says what {} carries", machine.driver);
      return;
    }
    std::vector<DriverVersion> drivers;
    if (!machine.driver.empty()) {
      drivers = facts_.meant_by(machine.driver);
    } else if (const auto floor = floor_of(machine)) {
      drivers.push_back(floor);
    } else if (machine.boards.empty() || facts_.reported_by_some(machine.boards)) {
      true_claims_ |= native | (machine.boards.empty() ? 0U : static_cast<unsigned>(knows));
      return;  // nothing was asked of the driver, and which is the first that would do is not known
    }
    std::string why = fmt::format("no fact says which driver CUDA {} needs{}{}", cuda(),
                                  machine.driver.empty() ? "" : ", for that of ", machine.driver);
    // What the gate of a free driver's image asks for has no number either.
    if (gate_ && machine.driver.empty() && !drivers.empty() && !gate_->native_floor() && !minimum_) {
      true_claims_ |= carries(drivers.front(), machine, why);
      return;
    }
    for (const auto candidate : drivers) {
      const auto by = carries(candidate, machine, why);
      if (by == 0) continue;
      // A free driver may as well be the minimum that the answer names.
      if (gate_ && !gate_->opens(machine.driver.empty() ? std::max(candidate, minimum_) : candidate, machine.boards)) {
        why = fmt::format("driver {} does not open {}", candidate.to_string(), gate_->prose());
        continue;
      }
      true_claims_ |= by;
      return;
    }
    subject_.wrong("driver: {}", why);
  }

  void check_claims() const {
    const unsigned gate = gate_ ? image_gate : 0U;
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
  DriverVersion floor_;
  DriverVersion minimum_;
};

}  // namespace

void check_driver(const Subject& subject) {
  if (!subject.build.cpu) DriverCheck(subject).run();
}

}  // namespace envgen::check
