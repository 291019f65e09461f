#include "resolver/asked_driver.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "model/usual_spelling.hpp"
#include "resolver/predicates.hpp"
#include "resolver/windows_driver.hpp"

namespace envgen::resolver {
namespace {

using matrix::Matrix;
using Op = VersionSpec::Op;

constexpr int parts_of_release = 3;

/// The releases of the branches in the matrix that its facts name, ascending.
std::vector<DriverVersion> known_releases(const Matrix& matrix) {
  std::vector<DriverVersion> known;
  for (const auto& branch : matrix->branches) {
    for (const auto driver : {branch.first, branch.latest}) {
      if (driver) known.push_back(driver);
    }
  }
  const auto add = [&](DriverVersion driver) {
    const auto* branch = driver ? matrix.branch(driver.branch()) : nullptr;
    if (branch != nullptr && branch->first && branch->first <= driver) known.push_back(driver);
  };
  for (const auto& minor : matrix->cuda_minors) add(minor.native_driver);
  for (const auto& major : matrix->cuda_majors) {
    add(major.minor_compat_driver);
    for (const auto& exception : major.except) add(exception.driver);
  }
  for (const auto& row : matrix->gpu_drivers) {
    if (!row.tegra) add(row.first_driver);
  }
  for (const auto& gpu : matrix->gpus) {
    for (const auto driver : gpu.first_drivers) add(driver);
    add(gpu.mig_driver);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

std::uint16_t newest_branch(const Matrix& matrix) {
  std::uint16_t newest = 0;
  for (const auto& row : matrix->branches) newest = std::max(newest, row.branch);
  return newest;
}

/// Branches rise by some forty a year (580 in August 2025, 620 in November 2026): a driver that is two years ahead of the facts
/// is a slip.
std::uint16_t last_plausible_branch(const Matrix& matrix) { return static_cast<std::uint16_t>(newest_branch(matrix) + 80); }

}  // namespace

bool is_number_of_windows(const Matrix& matrix, std::uint16_t number) {
  constexpr int first_of_three_parts = 525;
  return number > first_of_three_parts && number < newest_branch(matrix) && matrix.branch(number) == nullptr;
}

const matrix::DriverBranch* last_branch_until(const Matrix& matrix, std::uint16_t number) {
  const matrix::DriverBranch* last = nullptr;
  for (const auto& row : matrix->branches) {
    if (row.branch <= number && (last == nullptr || row.branch > last->branch)) last = &row;
  }
  return last;
}

namespace {

tl::unexpected<Error> unknown_branch(const Matrix& matrix, std::uint16_t branch) {
  std::vector<std::string> texts;
  for (const auto& row : matrix->branches) texts.push_back(fmt::format("{}", row.branch));
  const auto is_older = [&](const auto& row) { return branch < row.branch; };
  std::vector<std::string> hints;
  constexpr int first_of_unix = 300;  // below it a digit is missing
  if (branch >= first_of_unix && std::all_of(matrix->branches.begin(), matrix->branches.end(), is_older)) {
    hints.emplace_back("for an older driver, give its whole version, such as 390.157");
  } else {
    hints = did_you_mean(fmt::format("{}", branch), std::vector<std::string_view>(texts.begin(), texts.end()), 2);
  }
  if (is_number_of_windows(matrix, branch))
    hints.insert(hints.begin(), fmt::format("Windows has drivers of that number, and {} is their branch; for WSL 2, add --wsl",
                                            last_branch_until(matrix, branch)->branch));
  hints.push_back(fmt::format("known branches: {}", fmt::join(texts, ", ")));
  return fail(ErrorCode::usage, fmt::format("unknown driver branch {}", branch), {}, std::move(hints));
}

/// `prefix`: the number was written with `.*`.
Expected<AskedDriver> number(const Matrix& matrix, Version number, bool prefix = false) {
  AskedDriver asked;
  for (const auto driver : known_releases(matrix)) {
    if (driver.version().under(number)) asked.releases.push_back(driver);
  }
  // Some releases have two parts, and are not what others begin with: 575.64, and 575.64.03 after it.
  const auto exact = std::find(asked.releases.begin(), asked.releases.end(), DriverVersion(number));
  if (!prefix && number.count() > 1 && exact != asked.releases.end()) asked.releases = {*exact};
  if (!asked.releases.empty()) return asked;
  // A branch after the newest one reports at least what that does; of one that is known, no release may be.
  const bool plausible = number.major() <= last_plausible_branch(matrix);
  const bool understood = number.major() > newest_branch(matrix) || matrix.branch(number.major()) != nullptr;
  if (!plausible || (number.count() == 1 && !understood)) return unknown_branch(matrix, number.major());
  asked.releases.emplace_back(number);
  return asked;
}

/// What stands for the releases of a range right after a bound that its clause excludes; none where the range has none there.
DriverVersion after(const VersionSpec& spec, const VersionSpec::Clause& clause) {
  const bool one_release = clause.op == Op::greater || clause.op == Op::not_equal;
  if (!one_release && clause.op != Op::not_prefix) return {};
  const auto& bound = clause.version;
  const int last = one_release ? parts_of_release - 1 : bound.count() - 1;
  const auto part = [&](int index) { return static_cast<std::uint16_t>(bound.part(index) + (index == last ? 1 : 0)); };
  const Version next(part(0), part(1), part(2));
  if (!spec.matches(next)) return {};
  return DriverVersion(one_release ? Version(bound.part(0), bound.part(1), bound.part(2), 1) : next);
}

AskedDriver range(const Matrix& matrix, const VersionSpec& spec) {
  AskedDriver asked;
  asked.range = true;
  auto& releases = asked.releases;
  for (const auto driver : known_releases(matrix)) {
    if (spec.matches(driver.version())) releases.push_back(driver);
  }
  const auto newest = newest_branch(matrix);
  std::vector<DriverVersion> excluded;
  for (const auto& clause : spec.clauses()) {
    const auto bound = clause.version;
    // A bound of one part is a branch and no release; only at the end of the facts nothing else stands for the releases.
    const auto of_its_branch = [&](DriverVersion one) { return one.branch() == bound.major(); };
    if (bound.major() > last_plausible_branch(matrix)) continue;
    if (bound.count() == 1 && (bound.major() < newest || std::any_of(releases.begin(), releases.end(), of_its_branch))) continue;
    if (spec.matches(bound)) {
      releases.emplace_back(bound);
    } else if (const auto driver = after(spec, clause)) {
      excluded.push_back(driver);
    }
  }
  // A later release of the same branch that is known can do whatever one right after the bound can.
  for (const auto driver : excluded) {
    const bool covered = std::any_of(releases.begin(), releases.end(),
                                     [&](DriverVersion one) { return one.branch() == driver.branch() && one > driver; });
    if (!covered) releases.push_back(driver);
  }
  std::sort(releases.begin(), releases.end());
  releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
  return asked;
}

bool is_a_cuda(const Matrix& matrix, Version version) {
  const auto& minors = matrix->cuda_minors;
  return std::any_of(minors.begin(), minors.end(), [&](const auto& minor) { return version.under(minor.cuda); });
}

}  // namespace

bool looks_like_windows(const Matrix& matrix, Version number) {
  return number.count() == 2 && is_number_of_windows(matrix, number.major());
}

DriverVersion latest_known(const Matrix& matrix, std::uint16_t branch) {
  DriverVersion latest;
  const auto take = [&](DriverVersion driver) {
    if (driver.branch() == branch) latest = std::max(latest, driver);
  };
  for (const auto driver : known_releases(matrix)) take(driver);
  for (const auto& toolkit : matrix->toolkits) take(toolkit.driver);
  return latest;
}

namespace {

/// `CUDA 12.2` -> `12.2`; what does not begin so, as it is.
std::string_view without_cuda(std::string_view text) {
  constexpr std::string_view cuda = "cuda";
  if (lower(text.substr(0, cuda.size())) == cuda) text.remove_prefix(cuda.size());
  return without_spaces_around(text);
}

std::vector<std::string> windows_hint(std::string_view text) {
  const auto driver = driver_of_windows_file(text);
  if (driver.empty()) return {};
  return {fmt::format("this is the file version of Windows driver {}; for WSL 2, add --wsl", driver)};
}

/// How the drivers of a system are written.
struct Writing {
  std::string_view release;
  std::string_view forms;
};
constexpr Writing of_linux{"535.183.01", "535 (a branch), 535.183.01 or '>=535,<580'"};
constexpr Writing of_windows{"536.23", "536.23, or 535 for its branch"};

tl::unexpected<Error> a_cuda(const std::string& as_written, const Writing& writing) {
  return fail(ErrorCode::usage, fmt::format("{} is a CUDA version, not a driver version", as_written), {},
              {fmt::format("nvidia-smi shows the newest CUDA that the driver supports as \"CUDA Version\"; the driver's own "
                           "version is shown as \"Driver Version\", such as {}",
                           writing.release)});
}

bool means_the_newest(std::string_view text) {
  const auto word = lower(text);
  return word == "latest" || word == "newest" || word == "stable";
}

Expected<AskedDriver> parsed(const Matrix& matrix, std::string_view text, const Writing& writing) {
  const auto as_written = in_quotes(text);
  if (means_the_newest(text))
    return fail(ErrorCode::usage, fmt::format("{} is not a driver version: give the one that the machine has", as_written), {},
                {"leave it out, and the answer names the driver that is needed",
                 "'envgen list drivers' shows the latest release of each branch"});
  const bool marked = text.size() > 1 && std::string_view("RrVv").find(text.front()) != std::string_view::npos;
  if (marked && is_digit(text[1])) text.remove_prefix(1);  // R535
  constexpr std::string_view any_release = ".xx";          // 535.xx, as manuals write a branch
  if (lower(text).ends_with(any_release)) text.remove_suffix(any_release.size());
  if (const auto cuda = Version::parse(without_cuda(text)); cuda && is_a_cuda(matrix, *cuda)) return a_cuda(as_written, writing);
  const auto spec = VersionSpec::parse(text);
  if (!spec) {
    auto hints = spec.error().hints;
    hints.push_back(fmt::format("write a driver as {}", writing.forms));
    return fail(ErrorCode::usage, fmt::format("{} is {}", as_written, spec.error().message), {}, std::move(hints));
  }
  const auto& clauses = spec->clauses();
  if (std::any_of(clauses.begin(), clauses.end(), [](const auto& clause) { return clause.version.count() > parts_of_release; }))
    return fail(ErrorCode::usage, fmt::format("{} is not a driver version", as_written), {}, windows_hint(text));
  if (const auto one = spec->single()) {
    if (is_a_cuda(matrix, one)) return a_cuda(as_written, writing);  // ==12.2
    constexpr int least_branch = 100;
    if (one.count() > 1 && one.major() < least_branch) {
      const bool is_torch = matrix.has_release(Framework::torch, one);
      auto hint = is_torch ? fmt::format("did you mean --torch {}?", one) : fmt::format("write a driver as {}", writing.forms);
      return fail(ErrorCode::usage, fmt::format("{} is not a driver version", as_written), {}, {std::move(hint)});
    }
    return number(matrix, one, text.ends_with(".*"));
  }
  auto asked = range(matrix, *spec);
  if (asked.releases.empty())
    return fail(ErrorCode::usage, fmt::format("no known driver satisfies {}", as_written), {}, {"see 'envgen list drivers'"});
  return asked;
}

}  // namespace

Expected<AskedDriver> parse_driver(const Matrix& matrix, std::string_view text) { return parsed(matrix, text, of_linux); }

Expected<AskedDriver> parse_windows_driver(const Matrix& matrix, std::string_view text) {
  const auto release = DriverVersion::parse(text);
  if (!release || is_a_cuda(matrix, release->version())) {
    auto asked = parsed(matrix, text, of_windows);
    if (asked && asked->range)
      return fail(ErrorCode::usage, fmt::format("{} is a range; for WSL 2, name the Windows driver itself", in_quotes(text)));
    return asked;
  }
  const auto* branch = last_branch_until(matrix, release->branch());
  if (branch == nullptr || release->branch() > last_plausible_branch(matrix))
    return fail(ErrorCode::usage, fmt::format("unknown Windows driver {}", text), {},
                {fmt::format("write a driver as {}", of_windows.forms)});
  return number(matrix, Version(branch->branch));
}

namespace {

/// Puts a machine under those of its asked drivers that are left: a range under all of them, a number under the first.
void drive(AskedMachine& machine, std::vector<DriverVersion> left) {
  machine.drivers = std::move(left);
  machine.later.clear();
  if (machine.asked.range || machine.drivers.empty()) return;
  machine.later.assign(machine.drivers.begin() + 1, machine.drivers.end());
  machine.drivers.resize(1);
}

}  // namespace

void drive_machines(Query& query) {
  for (std::size_t m = 0; m < query.machines.size(); ++m) {
    auto& machine = query.machines[m];
    const auto subject = static_cast<std::int16_t>(m);
    bool proprietary = false;
    bool open = false;
    bool others = false;
    // cuda-compat needs a Linux driver.
    if (!machine.boards.empty() && !query.wsl) machine.datacenter = matrix::Tribool::yes;
    if (query.wsl && is_before_wsl(machine))
      machine.doubts.push_back({Reason::windows_driver, true, set_of(machine.driver_value), subject});
    for (const auto b : machine.boards) {
      const auto& board = query.boards[b];
      machine.tegra = machine.tegra || board.tegra;
      others = others || !board.tegra;
      if (!board.gpu_class) {
        if (machine.datacenter == matrix::Tribool::yes) machine.datacenter = matrix::Tribool::unknown;
      } else if (!is_for_cuda_compat(*board.gpu_class)) {
        machine.datacenter = matrix::Tribool::no;
      }
      if (board.driver_row == nullptr || board.tegra) continue;
      const auto& row = *board.driver_row;
      machine.known.keep(board.known);
      proprietary = proprietary || row.kernel_module == matrix::KernelModule::proprietary;
      open = open || row.kernel_module == matrix::KernelModule::open;
      const auto knows = [&](DriverVersion driver) { return board.known.knows(driver); };
      const auto& asked = machine.asked.releases;
      if (asked.empty()) continue;
      const bool left_open = query.wsl && leaves_board_open(machine, board);
      const bool refused = !left_open && std::none_of(asked.begin(), asked.end(), knows);
      const Objection objection{Reason::gpu_driver, !refused, set_of(machine.driver_value) | set_of(board.value),
                                static_cast<std::int16_t>(b)};
      if (refused) {
        query.always.push_back(objection);
      } else if (left_open || board.open_mig) {
        machine.doubts.push_back(objection);
      }
    }
    // These the boards say, whichever driver was asked for.
    ValueSet boards = 0;
    for (const auto b : machine.boards) boards |= set_of(query.boards[b].value);
    // Windows has one driver for both, and WSL 2 takes no Jetson.
    if (((proprietary && open) || (machine.tegra && others)) && !query.wsl)
      query.always.push_back({Reason::kernel_module, false, boards, subject});
    if (!machine.known.any()) query.always.push_back({Reason::host_drivers, false, boards, subject});
    // Only drivers that know every board are worth asking further.
    auto known = machine.asked.releases;
    std::erase_if(known, [&](DriverVersion driver) { return !machine.known.knows(driver); });
    // Each board may have drivers among them, and yet no driver has all boards.
    if (known.empty() && machine.boards.size() > 1 && machine.asked.releases.size() > 1)
      query.always.push_back({Reason::host_drivers, false, machine.values, subject});
    drive(machine, known.empty() ? machine.asked.releases : known);
    if (query.wsl && !is_before_wsl(machine)) machine.known.keep(KnownDrivers(first_for_wsl));
  }
}

AskedMachine with_free_driver(AskedMachine machine) {
  machine.drivers.clear();
  machine.later.clear();
  return machine;
}

AskedMachine without_boards(const AskedMachine& machine) {
  AskedMachine bare;
  bare.asked = machine.asked;
  drive(bare, machine.asked.releases);
  return bare;
}

AskedMachine under_later(AskedMachine machine) {
  machine.drivers = std::move(machine.later);
  machine.later.clear();
  return machine;
}

}  // namespace envgen::resolver
