#include "property/oracle.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace envgen::property {
namespace {

struct AskedCuda {
  bool cpu = false;
  VersionSpec spec;
};

const std::vector<std::string>& known_pythons() {
  static const std::vector<std::string> all{"3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.13t", "3.14t"};
  return all;
}

bool free_threaded(const std::string& python) { return python.back() == 't'; }
Version python_version(const std::string& python) {
  return Version::parse(free_threaded(python) ? python.substr(0, python.size() - 1) : python).value();
}

std::vector<int> newest_first(std::optional<Version> version) {
  if (!version) return {0};
  return {-version->part(0), -version->part(1), -version->part(2), -version->part(3)};
}

/// Whether the release of which only the first parts are stated is one that is asked for: looks at every number near one asked.
Tri some_release_of(Version stated, const VersionSpec& asked) {
  std::vector<int> parts{0, 65535};
  for (const auto& clause : asked.clauses())
    for (int index = 0; index < Version::max_parts; ++index)
      for (const int near : {-1, 0, 1}) parts.push_back(std::clamp(clause.version.part(index) + near, 0, 65535));
  bool some = false;
  bool all = true;
  std::function<void(const std::string&, int)> look = [&](const std::string& text, int count) {
    if (count == Version::max_parts) {
      const bool fits = asked.matches(Version::parse(text).value());
      some |= fits;
      all &= fits;
      return;
    }
    for (const int part : parts) look(text + "." + std::to_string(part), count + 1);
  };
  look(stated.to_string(), stated.count());
  return all ? Tri::yes : some ? Tri::maybe : Tri::no;
}

}  // namespace

struct Oracle::Asked {
  std::string framework = "torch";
  std::optional<VersionSpec> version, torchvision, torchaudio, cudnn;
  std::vector<AskedCuda> cudas;
  bool cpu = false;
  std::vector<std::string> pythons;
  std::vector<AskedMachine> machines;
  std::optional<std::string> os, base;
  std::string platform = "linux-x86_64", variant = "runtime", installer = "pip";
  bool cdi = false;  ///< nothing checks what an image asks of the driver
  bool contained = true;
  bool ptx = false;
  bool inferred = false;
  bool python_said = false;
  bool early_on_windows = false;  ///< a driver from before that which NVIDIA names for WSL 2
  Leaning leaning = Leaning::compat;
};

std::string Place::to_string() const {
  return framework + " " + version + "+" + tag + " (" + channel + ", " + platform + ") on " + base + "/" + os + " with Python " +
         python;
}

Oracle::Rank Oracle::rank(const Place& place) const {
  for (const auto& build : builds_) {
    if (build.framework != place.framework || build.text != place.version || build.tag != place.tag ||
        build.channel != place.channel || build.platform != place.platform)
      continue;
    bool standard = build.framework == "tensorflow";
    for (const auto& release : releases_) {
      const auto found = release.defaults.find(build.platform);
      standard = standard || (build.channel == "wheels" && build.cuda && release.version == build.version &&
                              found != release.defaults.end() && found->second == *build.cuda);
    }
    const bool wheels = build.channel == "wheels";
    return {!wheels,
            wheels && build.side,
            wheels && build.cuda && !build.cudnn,
            newest_first(build.version),
            build.channel == "conda-forge",
            !standard,
            newest_first(build.cuda)};
  }
  throw std::out_of_range("the oracle knows no such build: " + place.to_string());
}

bool Oracle::lts(const std::string& os) const {
  return std::any_of(systems_.begin(), systems_.end(), [&](const Os& row) { return row.id == os && row.lts; });
}

/// Official images are made on Ubuntu, whichever it is.
bool Oracle::is_ubuntu(const std::string& os) const {
  return std::any_of(systems_.begin(), systems_.end(), [&](const Os& row) { return row.id == os && row.family == "ubuntu"; });
}

std::optional<Version> Oracle::os_version(const std::string& os) const {
  for (const auto& row : systems_) {
    if (row.id == os) return row.version;
  }
  return std::nullopt;
}

std::string Oracle::python_of(const std::string& os) const {
  for (const auto& row : systems_) {
    if (row.id == os && !row.pythons.empty()) return row.pythons.front();
  }
  return {};
}

// ---- what was asked

namespace {

/// By what may be assumed of a class of boards, the least first.
std::size_t place_of(const std::string& kind) {
  const std::vector<std::string> kinds{"consumer", "workstation", "datacenter", "jetson"};
  return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
}

}  // namespace

Oracle::Board Oracle::board_of(const std::string& text) const {
  for (const auto& board : boards_) {
    if (board.name == text) return board;
  }
  for (const auto& [name, members] : families_) {
    if (name != text) continue;
    // Whichever member is meant, it has to work: the class that may assume the least stands for all.
    std::vector<Board> all;
    for (const auto& member : members) all.push_back(board_of(member));
    auto board = *std::min_element(all.begin(), all.end(),
                                   [&](const Board& a, const Board& b) { return place_of(a.kind) < place_of(b.kind); });
    board.arm_only = std::any_of(all.begin(), all.end(), [](const Board& one) { return one.arm_only; });
    board.firsts.clear();
    for (const auto& one : all) board.firsts.push_back(one.firsts.front());
    return board;
  }
  // A capability alone sits beside an Arm CPU when all boards that have it do, and is of the least of their classes.
  const auto capability = Capability::parse(text).value();
  bool any = false;
  bool arm = true;
  std::string kind;
  for (const auto& board : boards_) {
    if (board.capability != capability) continue;
    any = true;
    arm = arm && board.arm_only;
    if (kind.empty() || place_of(board.kind) < place_of(kind)) kind = board.kind;
  }
  return {text, kind, capability, any && arm};
}

/// The releases in the tables, of the branches that these have.
std::set<DriverVersion> Oracle::known_drivers() const {
  std::set<DriverVersion> all;
  const auto add = [&](const std::optional<DriverVersion>& driver) {
    for (const auto& branch : branches_) {
      if (driver && branch.number == driver->branch() && branch.first && *branch.first <= *driver) all.insert(*driver);
    }
  };
  for (const auto& branch : branches_) {
    add(branch.first);
    add(branch.latest);
  }
  for (const auto& [minor, native] : natives_) add(native);
  for (const auto& major : majors_) {
    add(major.driver);
    for (const auto& [minor, floor] : major.except) add(floor);
  }
  for (const auto& row : gpu_drivers_) {
    if (!row.tegra) add(row.first);
  }
  for (const auto& board : boards_) {
    for (const auto first : board.firsts.front()) add(first);
  }
  return all;
}

/// The driver of Windows by the last branch that begins before it: what a number says there, and all that it says.
std::string Oracle::branch_on_windows(const std::string& number) const {
  const auto begins = std::stoi(number);
  int branch = 0;
  for (const auto& row : branches_) {
    if (row.number <= begins) branch = std::max(branch, static_cast<int>(row.number));
  }
  return std::to_string(branch == 0 ? begins : branch);
}

void Oracle::name_drivers(const std::string& text, AskedMachine& machine) const {
  const auto spec = VersionSpec::parse(text).value();
  machine.driver_named = true;
  machine.by_number = static_cast<bool>(spec.single());
  for (const auto driver : known_drivers()) {
    if (spec.matches(driver.version())) machine.drivers.push_back(driver);
  }
  for (const auto& clause : spec.clauses()) {
    if (clause.version.count() > 1 && spec.matches(clause.version) && (!machine.by_number || machine.drivers.empty()))
      machine.drivers.emplace_back(clause.version);
  }
  if (machine.drivers.empty()) throw std::invalid_argument("no driver " + text);
}

Oracle::Asked Oracle::understand(const Request& request) const {
  Asked asked;
  bool platform_said = false;
  bool torch_said = false;
  std::optional<std::string> python;
  std::optional<std::string> bare_driver;
  std::vector<AskedMachine> bare;
  std::vector<AskedMachine> hosts;
  const auto* windows = request.find(Field::wsl);
  const bool on_windows = windows != nullptr && windows->text == "true";
  const auto driver_of = [&](const std::string& written) {
    constexpr int first_for_wsl = 495;  // https://docs.nvidia.com/cuda/wsl-user-guide/index.html
    asked.early_on_windows = asked.early_on_windows || (on_windows && std::stoi(written) < first_for_wsl);
    return on_windows ? branch_on_windows(written) : written;
  };
  const auto cuda_of = [](const std::string& text) {
    AskedCuda cuda;
    cuda.cpu = text == "cpu";
    if (text.starts_with("cu") && !cuda.cpu) {
      cuda.spec = VersionSpec::parse(text.substr(2, text.size() - 3) + "." + text.back()).value();
    } else if (!cuda.cpu) {
      cuda.spec = VersionSpec::parse(text).value();
    }
    return cuda;
  };
  for (const auto& value : request.values) {
    const auto& text = value.text;
    switch (value.field) {
      case Field::torch:
      case Field::tensorflow: {
        asked.framework = value.field == Field::torch ? "torch" : "tensorflow";
        torch_said = torch_said || value.field == Field::torch;
        const auto plus = text.find('+');
        if (plus != std::string::npos) asked.cudas.push_back(cuda_of(text.substr(plus + 1)));
        asked.version = VersionSpec::parse(text.substr(0, plus)).value();
        break;
      }
      case Field::torchvision:
        torch_said = true;
        asked.torchvision = VersionSpec::parse(text).value();
        break;
      case Field::torchaudio:
        torch_said = true;
        asked.torchaudio = VersionSpec::parse(text).value();
        break;
      case Field::cudnn:
        asked.cudnn = VersionSpec::parse(text).value();
        break;
      case Field::cuda:
        asked.cudas.push_back(cuda_of(text));
        break;
      case Field::python:
        python = text;
        break;
      case Field::driver:
        bare_driver = driver_of(text);
        break;
      case Field::gpu:
        bare.push_back({{board_of(text)}, false, false, {}});
        break;
      case Field::host: {
        AskedMachine machine;
        std::string rest = text + ",";
        for (auto comma = rest.find(','); comma != std::string::npos; rest = rest.substr(comma + 1), comma = rest.find(',')) {
          const auto part = rest.substr(0, comma);
          if (part.starts_with("gpu=")) machine.boards.push_back(board_of(part.substr(4)));
          if (part.starts_with("driver=")) name_drivers(driver_of(part.substr(7)), machine);
        }
        hosts.push_back(std::move(machine));
        break;
      }
      case Field::os:
        asked.os = text;
        break;
      case Field::platform:
        asked.platform = text;
        platform_said = true;
        break;
      case Field::variant:
        asked.variant = text;
        break;
      case Field::installer:
        asked.installer = text;
        break;
      case Field::base:
        asked.base = text;
        break;
      case Field::engine:
        asked.cdi = text != "docker";
        asked.contained = text != "none";
        break;
      case Field::ptx:
        asked.ptx = text == "true";
        break;
      case Field::allow_inferred:
        asked.inferred = text == "true";
        break;
      case Field::wsl:
      case Field::prefer:
        break;
    }
  }
  for (const auto& cuda : asked.cudas) asked.cpu = asked.cpu || cuda.cpu;
  for (const auto& known : known_pythons()) {
    const bool fits =
        !python ||
        (free_threaded(*python) ? known == *python
                                : !free_threaded(known) && VersionSpec::parse(*python).value().matches(python_version(known)));
    if (fits) asked.pythons.push_back(known);
  }
  asked.python_said = python.has_value();
  asked.machines = bare;
  asked.machines.insert(asked.machines.end(), hosts.begin(), hosts.end());
  if (bare_driver) {
    const auto is_free = [](const AskedMachine& machine) { return !machine.driver_named; };
    // A machine of which nothing but its driver is known.
    if (std::none_of(asked.machines.begin(), asked.machines.end(), is_free)) asked.machines.emplace_back();
    for (auto& machine : asked.machines) {
      if (!machine.driver_named) name_drivers(*bare_driver, machine);
    }
  }
  bool arm = false;
  for (const auto& machine : asked.machines) {
    for (const auto& board : machine.boards) {
      arm = arm || board.arm_only;
    }
  }
  if (!platform_said && arm) asked.platform = "linux-aarch64";
  // Only TensorFlow is in an image of TensorFlow.
  if (!torch_said && asked.base == "tensorflow") asked.framework = "tensorflow";
  return asked;
}

// ---- GPUs, drivers, cuDNN

const Oracle::GpuDriver& Oracle::facts_of(const Board& board) const {
  for (const auto& row : gpu_drivers_) {
    if (row.capability == board.capability) return row;
  }
  throw std::out_of_range("no driver facts for " + board.capability.to_string());
}

bool Oracle::is_tegra(Capability capability) const {
  return std::any_of(gpu_drivers_.begin(), gpu_drivers_.end(),
                     [&](const GpuDriver& row) { return row.capability == capability && row.tegra; });
}

bool Oracle::knows(DriverVersion driver, const Board& board) const {
  const auto& facts = facts_of(board);
  if (facts.first && driver < *facts.first) return false;
  if (facts.last && driver.branch() > *facts.last) return false;
  return board.firsts.empty() || std::any_of(board.firsts.begin(), board.firsts.end(), [&](const auto& firsts) {
           bool later = true;
           for (const auto first : firsts) {
             if (first.branch() == driver.branch()) return first <= driver;
             later = later && first.branch() < driver.branch();
           }
           return later;
         });
}

std::vector<DriverVersion> Oracle::that_know_all(std::vector<DriverVersion> drivers, const AskedMachine& machine,
                                                 bool more) const {
  for (const auto& board : machine.boards) {
    if (!more) break;
    if (const auto& facts = facts_of(board); facts.first) drivers.push_back(*facts.first);
    for (const auto& firsts : board.firsts) drivers.insert(drivers.end(), firsts.begin(), firsts.end());
  }
  std::erase_if(drivers, [&](DriverVersion driver) {
    return std::any_of(machine.boards.begin(), machine.boards.end(),
                       [&](const Board& board) { return !facts_of(board).tegra && !knows(driver, board); });
  });
  return drivers;
}

/// A board that sits beside an Arm CPU only, on x86_64. Of a release that is not known, envgen does not say so.
bool Oracle::on_wrong_platform(const Asked& asked) {
  return asked.platform == "linux-x86_64" &&
         std::any_of(asked.machines.begin(), asked.machines.end(), [](const AskedMachine& machine) {
           return std::any_of(machine.boards.begin(), machine.boards.end(), [](const Board& board) { return board.arm_only; });
         });
}

/// What no build can mend: two kernel modules in one machine, no driver for all boards.
bool Oracle::hopeless(const Asked& asked) const {
  for (const auto& machine : asked.machines) {
    bool open = false;
    bool proprietary = false;
    bool jetson = false;
    bool other = false;
    for (const auto& board : machine.boards) {
      const auto& facts = facts_of(board);
      (facts.tegra ? jetson : other) = true;
      if (facts.tegra) continue;
      open = open || facts.module == "open";
      proprietary = proprietary || facts.module == "proprietary";
    }
    if ((open && proprietary) || (jetson && other)) return true;
    if (machine.driver_named && that_know_all(machine.drivers, machine, false).empty()) return true;
    // Boards that no driver ends know the oldest driver there is, or one at which some board begins.
    if (that_know_all({DriverVersion(Version(1))}, machine, true).empty()) return true;
  }
  return false;
}

bool Oracle::sass_runs(Arch target, Capability capability) const {
  if (is_tegra(target.capability) != is_tegra(capability)) return false;
  if (target.suffix == 'a') return target.capability == capability;
  return target.capability.major == capability.major && target.capability.minor <= capability.minor;
}

bool Oracle::fails(const Build& build, const Board& board) {
  return std::find(build.fails_on.begin(), build.fails_on.end(), board.capability) != build.fails_on.end();
}

Tri Oracle::has_sass(const Build& build, const Board& board) const {
  if (fails(build, board) || (build.tegra && !is_tegra(board.capability))) return Tri::no;
  const auto runs = [&](Arch target) { return sass_runs(target, board.capability); };
  if (build.sass) return tri(std::any_of(build.sass->begin(), build.sass->end(), runs));
  // A list that nobody read holds at most what the toolkits of its CUDA can compile for.
  bool known = false;
  for (const auto& toolkit : toolkits_) {
    if (toolkit.minor != build.cuda) continue;
    known = true;
    if (!toolkit.archs) return Tri::maybe;
    if (std::any_of(toolkit.archs->begin(), toolkit.archs->end(), runs) ||
        std::any_of(toolkit.specific.begin(), toolkit.specific.end(), runs))
      return Tri::maybe;
  }
  return known ? Tri::no : Tri::maybe;
}

Tri Oracle::has_ptx(const Build& build, const Board& board) const {
  if (fails(build, board) || (build.tegra && !is_tegra(board.capability))) return Tri::no;
  const auto runs = [&](Arch target) {
    if (target.suffix != 0) return sass_runs(target, board.capability);  // `a` and `f` bind PTX as they bind machine code
    return target.capability <= board.capability;
  };
  if (build.ptx) return tri(std::any_of(build.ptx->begin(), build.ptx->end(), runs));
  // What PyTorch compiles PTX for it compiles machine code for.
  if (build.framework == "torch" && build.sass) {
    if (std::none_of(build.sass->begin(), build.sass->end(), runs)) return Tri::no;
    return Tri::maybe;
  }
  bool known = false;
  for (const auto& toolkit : toolkits_) {
    if (toolkit.minor != build.cuda) continue;
    known = true;
    if (!toolkit.archs) return Tri::maybe;
    if (std::any_of(toolkit.archs->begin(), toolkit.archs->end(), runs)) return Tri::maybe;
  }
  return known ? Tri::no : Tri::maybe;
}

/// What conda's solver takes where the build leaves the release of cuDNN open, on the system that was asked for or on any.
const Oracle::OfferedCudnn* Oracle::offered_cudnn(const Asked& asked, const Build& build) const {
  for (const auto& offered : offered_) {
    if (!build.cudnn || offered.channel != build.channel || build.cuda != offered.cuda) continue;
    const auto stated = Version::parse(*build.cudnn).value();
    if (offered.cudnn == stated || !offered.cudnn.under(stated)) continue;
    const bool loads = std::all_of(systems_.begin(), systems_.end(),
                                   [&](const Os& os) { return asked.os != os.id || (os.glibc && offered.glibc <= *os.glibc); });
    return loads ? &offered : nullptr;
  }
  return nullptr;
}

Tri Oracle::release_serves(const Cudnn& cudnn, const Build& build, const Board& board) const {
  const bool by_ptx = has_sass(build, board) != Tri::yes && has_ptx(build, board) == Tri::yes;
  auto one = Tri::maybe;  // nothing was printed for this CUDA
  if (!cudnn.gpus) return one;
  for (const auto& range : *cudnn.gpus) {
    if (range.cuda && !(build.cuda && build.cuda->under(*range.cuda))) continue;
    const bool above = range.max ? *range.max < board.capability : by_ptx;
    const bool beyond = range.max && range.ends && *range.max < board.capability;
    one = board.capability < range.min || beyond ? Tri::no : above ? Tri::maybe : Tri::yes;
    break;
  }
  // No cuDNN serves a GPU that a later one is known not to serve by any CUDA.
  for (const auto& later : cudnns_) {
    const bool without =
        later.gpus && !later.gpus->empty() && std::all_of(later.gpus->begin(), later.gpus->end(), [&](const CudnnRange& range) {
          return range.ends && range.max && *range.max < board.capability;
        });
    if (one == Tri::maybe && without && cudnn.version < later.version) one = Tri::no;
  }
  return one;
}

/// Whether pip may take a cuDNN that is what was asked for, loads on the system and serves every board.
Tri Oracle::some_choice_fits(const Asked& asked, const Build& build, const std::string& system) const {
  auto any = Tri::no;
  for (const auto choice : build.cudnn_choices) {
    const auto& cudnn = cudnns_[choice];
    auto fits = tri(!asked.cudnn || asked.cudnn->matches(cudnn.version));
    for (const auto& os : systems_) {
      if (os.id == system) fits = both(fits, os.glibc ? tri(*cudnn.glibc <= *os.glibc) : Tri::maybe);
    }
    for (const auto& machine : asked.machines) {
      for (const auto& board : machine.boards) fits = both(fits, release_serves(cudnn, build, board));
    }
    any = either(any, fits);
  }
  return any;
}

Tri Oracle::cudnn_serves(const Asked& asked, const Build& build, const Board& board) const {
  // A version in part (8.9) may be any release of that name: they have to agree.
  std::set<Tri> said;
  const auto* offered = offered_cudnn(asked, build);
  for (const auto& cudnn : cudnns_) {
    if (!build.cudnn || !cudnn.version.under(Version::parse(*build.cudnn).value()) || !cudnn.gpus || cudnn.gpus->empty())
      continue;
    const auto one = release_serves(cudnn, build, board);
    if (offered != nullptr && cudnn.version == offered->cudnn && one == Tri::yes) return Tri::yes;
    said.insert(one);
  }
  if (!said.empty()) return said.size() == 1 ? *said.begin() : Tri::maybe;
  // src/resolver/README.md: a cuDNN that was not read serves every GPU above all floors of those that were made for its CUDA.
  for (const auto& cudnn : cudnns_) {
    if (build.cuda && !cudnn.majors.empty() && cudnn.majors.count(build.cuda->major()) == 0) continue;
    for (const auto& range : cudnn.gpus.value_or(std::vector<CudnnRange>())) {
      const bool of_another = range.cuda && build.cuda && !build.cuda->under(*range.cuda);
      if (!of_another && board.capability < range.min) return Tri::maybe;
    }
  }
  return Tri::yes;
}

Tri Oracle::reports(DriverVersion driver, Version cuda) const {
  for (const auto& [minor, native] : natives_) {
    if (minor == cuda && native) return tri(*native <= driver);
  }
  for (const auto& major : majors_) {  // the first driver of a major reports its first minor
    if (major.cuda == cuda.major() && major.driver && driver < *major.driver) return Tri::no;
  }
  // What a branch reports, every newer one does; what it does not, no older one does.
  for (const auto& branch : branches_) {
    if (branch.cuda && cuda <= *branch.cuda && branch.number <= driver.branch()) return Tri::yes;
    if (branch.cuda && *branch.cuda < cuda && branch.number >= driver.branch()) return Tri::no;
  }
  return Tri::maybe;
}

Tri Oracle::minor_compatible(DriverVersion driver, Version cuda) const {
  for (const auto& major : majors_) {
    if (major.cuda != cuda.major()) continue;
    for (const auto& [minor, floor] : major.except) {
      if (minor == cuda) return tri(floor <= driver);
    }
    if (!major.driver) return Tri::no;
    return tri(*major.driver <= driver);
  }
  return Tri::maybe;
}

Tri Oracle::forward_compatible(DriverVersion driver, Version cuda, const AskedMachine& machine) const {
  Tri boards = tri(!machine.boards.empty());
  for (const auto& board : machine.boards) {
    boards = both(boards, board.kind.empty() ? Tri::maybe : tri(board.kind == "datacenter" || board.kind == "jetson"));
    // The package brings a driver of its own, and that one must know the board too.
    const auto& facts = facts_of(board);
    if (facts.last && reports(DriverVersion({static_cast<std::uint16_t>(*facts.last), 9999}), cuda) == Tri::no) return Tri::no;
  }
  for (const auto& branch : branches_) {
    if (branch.number == driver.branch() && branch.first && driver < *branch.first) return both(boards, Tri::maybe);
  }
  for (const auto& cell : forward_compat_) {
    if (cell.cuda == cuda && cell.branch == driver.branch()) return both(boards, tri(cell.works));
  }
  // A package that refuses a branch as too old, and not as one that reports its CUDA, speaks for those after it.
  for (const auto& branch : branches_) {
    if (branch.number != driver.branch() || !branch.cuda) continue;
    // ... unless a later one takes it in again.
    std::optional<std::pair<Version, bool>> last;
    for (const auto& cell : forward_compat_) {
      const bool before = cell.branch == branch.number && cell.cuda < cuda && *branch.cuda < cell.cuda;
      if (before && (!last || last->first < cell.cuda)) last = {cell.cuda, cell.works};
    }
    if (last && !last->second) return Tri::no;
  }
  return both(boards, Tri::maybe);
}

Tri Oracle::gate_opens(const Image& image, const AskedMachine& machine, DriverVersion driver) const {
  const Tri result = reports(driver, image.cuda.at(2));  // no gate asks for more than its own CUDA
  // What every gate of a CUDA says, one that was not read says, too.
  std::optional<Tri> answer;
  for (const auto& [id, row] : gates_) {
    if (image.gate ? id != *image.gate : row.cuda != image.cuda.at(2)) continue;
    const auto here = gate_excepts(row, machine, driver, result);
    answer = answer && *answer != here ? Tri::maybe : here;
    if (answer == Tri::maybe) break;
  }
  if (answer) return *answer;
  // Where the newest gates name no consumers, an unread one does not either.
  std::optional<Version> last, newest;
  for (const auto& [id, row] : gates_) {
    if (!newest || *newest < row.cuda) newest = row.cuda;
    const bool names_consumers = std::any_of(row.exceptions.begin(), row.exceptions.end(), [](const auto& exception) {
      return exception.first.starts_with("geforce") || exception.first.starts_with("titan");
    });
    if (names_consumers && (!last || *last < row.cuda)) last = row.cuda;
  }
  const bool past = last && *last < *newest && *last < image.cuda.at(2);
  const bool consumer = machine.boards.empty() || std::any_of(machine.boards.begin(), machine.boards.end(),
                                                              [](const Board& board) { return board.kind == "consumer"; });
  return past && consumer ? result : either(result, Tri::maybe);
}

Tri Oracle::gate_excepts(const Gate& gate, const AskedMachine& machine, DriverVersion driver, Tri reported) {
  const std::map<std::string, std::vector<std::string>> brands{{"consumer", {"geforce", "geforcertx", "titan", "titanrtx"}},
                                                               {"workstation", {"quadro", "quadrortx", "nvidiartx"}},
                                                               {"datacenter", {"tesla"}}};
  std::set<std::string> named;
  for (const auto& [brand, branch] : gate.exceptions) {
    if (driver.branch() == branch) named.insert(brand);
  }
  if (named.empty()) return reported;
  // Where no board was named it may be any.
  std::vector<std::string> kinds;
  for (const auto& board : machine.boards) kinds.push_back(board.kind);
  if (kinds.empty()) kinds = {"consumer", "workstation", "datacenter"};
  Tri boards = Tri::yes;
  for (const auto& kind : kinds) {
    const auto own = brands.find(kind);
    Tri passes = Tri::maybe;
    if (own != brands.end()) {
      const auto count = std::count_if(own->second.begin(), own->second.end(),
                                       [&](const std::string& brand) { return named.count(brand) != 0; });
      passes = count == 0 ? Tri::no : static_cast<std::size_t>(count) == own->second.size() ? Tri::yes : Tri::maybe;
    }
    boards = both(boards, passes);
  }
  return either(reported, boards);
}

/// Where no driver was named, any release may be installed: the interesting ones are those in the tables, each bound that a
/// predicate looks at, and one newer than all.
std::vector<DriverVersion> Oracle::possible_drivers(const AskedMachine& machine) const {
  std::vector<DriverVersion> drivers = machine.drivers;
  if (!machine.driver_named) {
    for (const auto& branch : branches_) {
      for (const auto& driver : {branch.first, branch.latest}) {
        if (driver) drivers.push_back(*driver);
      }
    }
    for (const auto& [minor, native] : natives_) {
      if (native) drivers.push_back(*native);
    }
    for (const auto& major : majors_) {
      if (major.driver) drivers.push_back(*major.driver);
      for (const auto& [minor, floor] : major.except) drivers.push_back(floor);
    }
    drivers.emplace_back(Version(60000, 1));
  }
  return that_know_all(std::move(drivers), machine, !machine.driver_named);
}

Tri Oracle::served(const Asked& asked, const Build& build, const AskedMachine& machine, const Image* image) const {
  if (build.cpu) return tri(machine.boards.empty());  // src/resolver/README.md: a CPU build serves no GPU
  const bool tegra =
      std::any_of(machine.boards.begin(), machine.boards.end(), [&](const Board& board) { return is_tegra(board.capability); });
  Tri sass = Tri::yes;
  Tri any_code = Tri::yes;
  Tri libraries = Tri::yes;
  for (const auto& board : machine.boards) {
    sass = both(sass, has_sass(build, board));
    any_code = both(any_code, either(has_sass(build, board), has_ptx(build, board)));
    const bool by_image = asked.base == "tensorflow";
    if (build.cudnn_choices.empty() || by_image) libraries = both(libraries, cudnn_serves(asked, build, board));
  }
  if (asked.leaning == Leaning::nothing && sass != Tri::yes) return Tri::no;
  const auto code = both(any_code, libraries);
  if (code == Tri::no) return Tri::no;
  // Tegra driver numbers compare only among themselves, and the matrix has none of them.
  if (tegra) return both(code, machine.driver_named ? Tri::maybe : Tri::yes);
  if (!build.cuda) return both(code, machine.driver_named ? Tri::maybe : Tri::yes);
  Tri carried = Tri::no;
  bool first = true;
  for (const auto driver : possible_drivers(machine)) {
    auto here = reports(driver, *build.cuda);
    if (!asked.ptx) here = either(here, both(minor_compatible(driver, *build.cuda), sass));
    if (asked.leaning == Leaning::compat && machine.driver_named)
      here = either(here, forward_compatible(driver, *build.cuda, machine));
    if (image != nullptr && !asked.cdi) here = both(here, gate_opens(*image, machine, driver));
    // A number must hold for the first release that it may mean, and which one it is was not said.
    if (machine.by_number && !first) here = both(here, Tri::maybe);
    first = false;
    carried = either(carried, here);
  }
  return both(code, carried);
}

Tri Oracle::all_served(const Asked& asked, const Build& build, const Image* image) const {
  Tri result = Tri::yes;
  for (const auto& machine : asked.machines) result = both(result, served(asked, build, machine, image));
  return result;
}

// ---- builds and places

bool Oracle::cuda_fits(const Asked& asked, const Build& build, std::optional<Version> update) const {
  if (build.cpu) return std::all_of(asked.cudas.begin(), asked.cudas.end(), [](const AskedCuda& cuda) { return cuda.cpu; });
  const auto fits = [&](Version version) {
    return std::all_of(asked.cudas.begin(), asked.cudas.end(),
                       [&](const AskedCuda& cuda) { return !cuda.cpu && cuda.spec.matches_at_own_precision(version, 2); });
  };
  if (update) return fits(*update);
  bool any = false;
  for (const auto& toolkit : toolkits_) {
    if (toolkit.minor != build.cuda) continue;
    any = true;
    if (fits(toolkit.version)) return true;
  }
  return !any && build.cuda && fits(*build.cuda);
}

/// The listed builds, and for each release whose list is open the builds that it may have besides.
std::vector<Oracle::Build> Oracle::all_builds(const Asked& asked) const {
  auto all = builds_;
  for (const auto& release : releases_) {
    if (release.complete) continue;
    // No release goes back behind the oldest CUDA of the last one before it whose list is complete.
    const Release* before = nullptr;
    for (const auto& other : releases_) {
      const bool counts = other.complete && other.version < release.version;
      if (counts && (before == nullptr || before->version < other.version)) before = &other;
    }
    std::optional<Version> first;
    for (const auto& build : builds_) {
      const bool counts = before != nullptr && build.framework == "torch" && build.channel == "wheels" &&
                          build.version == before->version && build.cuda;
      if (counts && (!first || *build.cuda < *first)) first = build.cuda;
    }
    // Nor to a glibc that is older than all of that one's on the platform, where each of them was read.
    std::optional<Version> glibc;
    bool all_read = true;
    for (const auto& build : builds_) {
      if (before == nullptr || build.framework != "torch" || build.channel != "wheels" || build.version != before->version ||
          build.platform != asked.platform)
        continue;
      all_read = all_read && build.glibc;
      if (build.glibc && (!glibc || *build.glibc < *glibc)) glibc = build.glibc;
    }
    std::vector<std::optional<Version>> tags{std::nullopt};
    for (const auto& [minor, native] : natives_) {
      const bool said = release.open && std::find(release.open->begin(), release.open->end(), minor) != release.open->end();
      if (release.open ? said : !first || *first <= minor) tags.emplace_back(minor);
    }
    for (const auto& tag : tags) {
      const bool listed = std::any_of(builds_.begin(), builds_.end(), [&](const Build& build) {
        return build.framework == "torch" && build.channel == "wheels" && build.version == release.version &&
               build.platform == asked.platform && build.cuda == tag;
      });
      if (listed) continue;
      Build build;
      build.framework = "torch";
      build.version = release.version;
      build.text = release.version.to_string();
      build.channel = "wheels";
      build.platform = asked.platform;
      build.cuda = tag;
      build.cpu = !tag;
      build.listed = false;
      if (all_read) build.glibc = glibc;
      build.tag = tag ? "cu" + std::to_string(tag->major()) + std::to_string(tag->minor()) : "cpu";
      all.push_back(std::move(build));
    }
  }
  return all;
}

/// What the build itself says to the request, wherever it is put.
Tri Oracle::of_build(const Asked& asked, const Build& build) const {
  if (build.framework != asked.framework || build.platform != asked.platform || build.cpu != asked.cpu) return Tri::no;
  if ((build.channel == "wheels") != (asked.installer != "conda")) return Tri::no;
  // What is built for Jetson is no candidate where none is named.
  const auto of_jetson = [this](const AskedMachine& machine) {
    return std::any_of(machine.boards.begin(), machine.boards.end(),
                       [this](const Board& board) { return is_tegra(board.capability); });
  };
  if (build.tegra && std::none_of(asked.machines.begin(), asked.machines.end(), of_jetson)) return Tri::no;
  if (asked.version && !asked.version->matches(build.version)) return Tri::no;
  if (!build.cpu && !build.cuda && !asked.cudas.empty()) return Tri::maybe;
  const bool cuda_known = build.cpu || build.cuda;
  if (cuda_known && !cuda_fits(asked, build, std::nullopt)) return Tri::no;
  Tri result = build.listed && cuda_known ? Tri::yes : Tri::maybe;
  if (asked.cudnn && (build.cudnn_choices.empty() || asked.base == "tensorflow")) {
    if (build.cpu) return Tri::no;
    const auto* offered = offered_cudnn(asked, build);
    if (offered == nullptr || !asked.cudnn->matches(offered->cudnn))
      result = both(result, build.cudnn ? some_release_of(Version::parse(*build.cudnn).value(), *asked.cudnn) : Tri::maybe);
  }
  return result;
}

Tri Oracle::companion_fits(const std::optional<VersionSpec>& asked, const Build& build, bool vision,
                           const std::string& python) const {
  if (!asked) return Tri::yes;
  for (const auto& release : releases_) {
    if (release.version != build.version) continue;
    const auto& paired = vision ? release.torchvision : release.torchaudio;
    if (!paired || !asked->matches(*paired)) return Tri::no;
    if (build.channel != "wheels") return build.channel == "pytorch" ? Tri::yes : Tri::maybe;
    for (const auto& companion : vision ? torchvision_ : torchaudio_) {
      if (companion.version != *paired || companion.platform != build.platform) continue;
      if (!companion.pythons) return tri(companion.floor <= python_version(python));
      return tri(companion.pythons->count(python) != 0);
    }
    return Tri::maybe;
  }
  return Tri::no;
}

Tri Oracle::python_fits(const Asked& asked, const Build& build, const std::string& python) const {
  auto own = build.pythons ? tri(build.pythons->count(python) != 0) : Tri::maybe;
  for (const auto& release : releases_) {
    const bool is_its = !build.pythons && build.framework == "torch" && release.version == build.version;
    if (is_its && release.python_floor && python_version(python) < *release.python_floor) own = Tri::no;
  }
  if (!asked.python_said &&
      free_threaded(python)) {  // a free-threaded Python only where it is asked for, or where there is no other
    const bool regular = !build.pythons || std::any_of(build.pythons->begin(), build.pythons->end(),
                                                       [](const std::string& other) { return !free_threaded(other); });
    if (regular) own = Tri::no;
  }
  return both(
      own, both(companion_fits(asked.torchvision, build, true, python), companion_fits(asked.torchaudio, build, false, python)));
}

void Oracle::judge_places(const Asked& asked, const Build& build, Opinion& opinion) const {
  const auto of_itself = of_build(asked, build);
  if (of_itself == Tri::no) return;
  const auto offered = [&](const std::string& evidence) {
    return evidence != "used-doubtful" && (asked.inferred || evidence != "inferred");
  };
  const auto put = [&](const std::string& base, const std::string& os, Tri fits, const std::optional<std::string>& fixed_python,
                       bool python_unknown) {
    if (!build.cudnn_choices.empty() && base != "tensorflow") fits = both(fits, some_choice_fits(asked, build, os));
    if (fits == Tri::no) return;
    for (const auto& python : asked.pythons) {
      if (fixed_python && *fixed_python != python) continue;
      const auto whole =
          both(both(of_itself, fits), both(python_fits(asked, build, python), python_unknown ? Tri::maybe : Tri::yes));
      if (whole == Tri::no) continue;
      opinion.exists = either(opinion.exists, whole);
      const Place place{build.framework, build.text, build.tag, build.channel, build.platform, os, base, python};
      if (whole == Tri::yes) opinion.environments.insert(place);
      if (whole == Tri::maybe && build.listed) opinion.perhaps.insert(place);
    }
  };
  const auto* cudnn = asked.os ? nullptr : offered_cudnn(asked, build);
  const auto glibc = [&](const Os& os) {
    if (build.glibc_below && os.glibc && *os.glibc >= *build.glibc_below) return Tri::no;
    if (!build.glibc || !os.glibc) return Tri::maybe;
    return tri(*build.glibc <= *os.glibc && (cudnn == nullptr || cudnn->glibc <= *os.glibc));
  };
  // Without a word on the base: the plain system, and for devel (nvcc, headers), or where the wheel brings no CUDA, the images.
  const auto wants = [&](const std::string& base) {
    return asked.base ? *asked.base == base
                      : base == "slim" || (base == "cuda" && asked.contained && (asked.variant == "devel" || !build.brings_cuda));
  };
  // The image of a plain system has no CUDA and no nvcc, a machine without containers may have both; some channel of conda has
  // them.
  const auto plain_system_does = [&] {
    if (build.cpu || !asked.contained) return true;
    if (!build.brings_cuda) return false;
    if (asked.variant != "devel") return true;
    if (build.channel == "conda-forge") return build.cuda && build.cuda->major() >= 12;
    if (build.channel != "pytorch") return false;
    const auto labelled = [&](Version toolkit) { return toolkit.at(2) == build.cuda && labels_.count(toolkit) != 0; };
    return std::any_of(toolkits_.begin(), toolkits_.end(), [&](const Toolkit& toolkit) { return labelled(toolkit.version); }) ||
           std::any_of(images_.begin(), images_.end(), [&](const Image& image) { return labelled(image.cuda); });
  };

  if (wants("slim") && plain_system_does()) {
    const auto served_here = all_served(asked, build, nullptr);
    for (const auto& os : systems_) {
      if (!asked.os || *asked.os == os.id) put("slim", os.id, both(served_here, glibc(os)), std::nullopt, false);
    }
  }
  if (wants("cuda") && build.cuda) {
    for (const auto& image : images_) {
      if (image.with_cudnn == build.brings_cuda || image.cuda.at(2) != *build.cuda || image.variant != asked.variant ||
          !offered(image.evidence) || !cuda_fits(asked, build, image.cuda))
        continue;
      for (const auto& os : systems_) {
        if (os.id != image.os || (asked.os && *asked.os != os.id)) continue;
        put("cuda", os.id, both(all_served(asked, build, &image), glibc(os)), std::nullopt, false);
      }
    }
  }
  if (wants(asked.framework == "torch" ? "pytorch" : "tensorflow") && build.channel == "wheels" &&
      build.platform == "linux-x86_64") {
    for (const auto& image : officials_) {
      // TensorFlow's and the devel ones are made on an nvidia/cuda image: where its gate was not read, any of its CUDA may be it.
      Image start;
      start.gate = image.gate;
      start.cuda = build.cuda.value_or(Version());
      const bool inherits = build.cuda && !(build.framework == "torch" && image.variant == "runtime");
      // Of a free driver only the number is asked that reports this CUDA, where that was read.
      const bool read =
          std::any_of(natives_.begin(), natives_.end(), [&](const auto& row) { return row.first == build.cuda && row.second; });
      Tri served_here = Tri::yes;
      for (const auto& machine : asked.machines) {
        const bool gated = inherits && (machine.driver_named || read);
        served_here = both(served_here, served(asked, build, machine, gated ? &start : nullptr));
      }
      if (image.framework != build.framework || image.version != build.version || image.cuda != build.cuda ||
          !offered(image.evidence))
        continue;
      // TensorFlow finds no other major of cuDNN than its own.
      if (image.cudnn && build.cudnn && !(*build.cudnn + ".").starts_with(*image.cudnn + ".")) continue;
      // Official TensorFlow images are runtime images: they have no nvcc.
      if ((build.framework == "torch" ? image.variant : std::string("runtime")) != asked.variant) continue;
      if (image.variant == "gpu-jupyter") continue;
      // A tag names the CUDA minor; which update is inside was not read.
      bool every = true;
      for (const auto& toolkit : toolkits_)
        every = every && (toolkit.minor != build.cuda || cuda_fits(asked, build, toolkit.version));
      const auto update = every ? Tri::yes : Tri::maybe;
      for (const auto& os : systems_) {
        if (os.id != image.os || !os.glibc || !build.glibc) continue;
        if (*os.glibc < *build.glibc || (build.glibc_below && *os.glibc >= *build.glibc_below)) served_here = Tri::no;
      }
      const auto os = !asked.os ? Tri::yes : image.os ? tri(*asked.os == *image.os) : is_ubuntu(*asked.os) ? Tri::maybe : Tri::no;
      put(build.framework == "torch" ? "pytorch" : "tensorflow", image.os.value_or(""), both(both(served_here, update), os),
          image.python, !image.python);
    }
  }
}

namespace {

/// What the releases name, in their order, and between which of it nobody looked.
struct Named {
  std::vector<Version> known;
  std::vector<std::pair<Version, Version>> gaps;
  void add(Version one, bool after_gap) {
    if (after_gap && !known.empty()) gaps.emplace_back(known.back(), one);
    known.push_back(one);
  }
};

/// True when no known version is meant, and one could be that is newer than all of them, older, or in a gap.
bool only_outside(const VersionSpec& spec, const Named& named, const std::function<bool(Version)>& means,
                  bool newer_alone = false) {
  const auto& known = named.known;
  if (known.empty() || std::any_of(known.begin(), known.end(), means)) return false;
  const auto newest = *std::max_element(known.begin(), known.end());
  const auto oldest = *std::min_element(known.begin(), known.end());
  const auto step = [](int value) { return static_cast<std::uint16_t>(value); };
  std::vector<Version> probes{Version(newest.major(), newest.minor(), step(newest.part(2) + 1)),
                              Version(newest.major(), step(newest.minor() + 1)), Version(step(newest.major() + 1)),
                              Version(0, 1)};
  for (const auto& clause : spec.clauses()) {
    const auto v = clause.version;
    probes.push_back(v);
    probes.emplace_back(v.major(), v.minor(), step(v.part(2) + 1));
  }
  return std::any_of(probes.begin(), probes.end(), [&](Version probe) {
    const bool in_gap = std::any_of(named.gaps.begin(), named.gaps.end(),
                                    [&](const auto& gap) { return gap.first < probe && probe < gap.second; });
    return (probe > newest || (!newer_alone && (probe < oldest || in_gap))) && means(probe);
  });
}

}  // namespace

/// A release, a CUDA or a companion that the matrix does not reach: what is known says nothing of it. A release that was asked
/// for and is known has no such companion, and no such CUDA where the list of its builds is complete.
bool Oracle::outside(const Asked& asked) const {
  Named frameworks;
  Named visions;
  Named audios;
  bool open = !asked.version;
  for (const auto& release : releases_) {
    if (asked.framework != "torch") break;
    frameworks.add(release.version, release.after_gap);
    if (release.torchvision) visions.add(*release.torchvision, release.after_gap);
    if (release.torchaudio) audios.add(*release.torchaudio, release.after_gap);
    open = open || (!release.complete && !release.open && asked.version->matches(release.version));
  }
  for (const auto& build : builds_) {
    if (build.framework == asked.framework) frameworks.known.push_back(build.version);
  }
  if (asked.installer == "conda") {  // which has releases of its own
    Named on_channels;
    for (const auto& build : builds_) {
      if (build.framework == asked.framework && build.channel != "wheels") on_channels.known.push_back(build.version);
    }
    for (const auto& gap : frameworks.gaps) {
      const auto has = [&](Version one) {
        return std::find(on_channels.known.begin(), on_channels.known.end(), one) != on_channels.known.end();
      };
      if (has(gap.first) && has(gap.second)) on_channels.gaps.push_back(gap);
    }
    frameworks = on_channels;
  }
  if (asked.version && only_outside(*asked.version, frameworks, [&](Version one) { return asked.version->matches(one); }))
    return true;
  Named toolkits;
  for (const auto& [minor, native] : natives_) toolkits.known.push_back(minor);
  for (const auto& toolkit : toolkits_) toolkits.known.push_back(toolkit.version);
  for (const auto& cuda : asked.cudas) {
    if (open && !cuda.cpu &&
        only_outside(cuda.spec, toolkits, [&](Version one) { return cuda.spec.matches_at_own_precision(one, 2); }))
      return true;
  }
  // A named release may have a newer companion: an update of the newest, which is its own, or one that works with it as the
  // newest does.
  const auto companion = [&](const std::optional<VersionSpec>& spec, Named& known, const std::vector<Companion>& rows,
                             std::optional<Version> Release::*own) {
    const Companion* newest = nullptr;
    for (const auto& row : rows) {
      known.known.push_back(row.version);
      if (newest == nullptr || newest->version < row.version) newest = &row;
    }
    if (!spec) return false;
    const auto means = [&](Version one) { return spec->matches(one); };
    if (!asked.version) return only_outside(*spec, known, means);
    const auto may_have_it = [&](const Release& release) {
      if (newest == nullptr || asked.framework != "torch" || !asked.version->matches(release.version)) return false;
      if (!(release.*own)) return newest->requires_torch && newest->requires_torch->matches(release.version);
      const auto v = newest->version;
      const Version update(v.part(0), v.part(1), static_cast<std::uint16_t>(v.part(2) + 1));
      return *(release.*own) == v && means(update);
    };
    return std::any_of(releases_.begin(), releases_.end(), may_have_it) && only_outside(*spec, known, means, true);
  };
  return companion(asked.torchvision, visions, torchvision_, &Release::torchvision) ||
         companion(asked.torchaudio, audios, torchaudio_, &Release::torchaudio);
}

Opinion Oracle::judge(const Request& request, Leaning leaning) const {
  auto asked = understand(request);
  // Where nothing runs under the first release that a number may mean, it means the later ones, if something runs under those.
  const auto numbers = [](const AskedMachine& machine) { return machine.by_number; };
  if (std::any_of(asked.machines.begin(), asked.machines.end(), numbers) && opinion_of(asked).exists != Tri::yes) {
    auto later = asked;
    for (auto& machine : later.machines) machine.by_number = false;
    if (opinion_of(later).exists == Tri::yes) asked = later;
  }
  asked.leaning = leaning;
  return opinion_of(asked);
}

Opinion Oracle::opinion_of(const Asked& asked) const {
  Opinion opinion;
  if (hopeless(asked)) return opinion;
  if (outside(asked)) {
    opinion.exists = Tri::maybe;
    return opinion;
  }
  if (on_wrong_platform(asked)) return opinion;
  for (const auto& build : all_builds(asked)) judge_places(asked, build, opinion);
  if (asked.early_on_windows && !asked.cpu) {
    opinion.perhaps.merge(opinion.environments);
    opinion.environments.clear();
    if (opinion.exists == Tri::yes) opinion.exists = Tri::maybe;
  }
  return opinion;
}

}  // namespace envgen::property
