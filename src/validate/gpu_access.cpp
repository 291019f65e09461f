#include "validate/gpu_access.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/diagnosis.hpp"
#include "model/version_spec.hpp"
#include "validate/gpu_ways.hpp"

namespace envgen::validate {
namespace {

bool is_gpu_node(const std::string& path) {
  const auto name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view prefix = "nvidia";
  return name == "dxg" || (name.size() > prefix.size() && name.starts_with(prefix) &&
                           name.find_first_not_of("0123456789", prefix.size()) == std::string::npos);
}

Result judge_nodes(const DriverFacts& driver, bool works) {
  const auto& nodes = driver.nodes;
  const auto there = [&](std::string_view path) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const DeviceNode& node) { return node.path == path; });
  };
  std::vector<std::string> missing;
  std::vector<std::string> closed;
  std::vector<std::string> open;
  // WSL 2 has /dev/dxg in place of all of them.
  if (!there("/dev/dxg")) {
    for (const auto* path : {"/dev/nvidiactl", "/dev/nvidia-uvm"}) {
      if (!there(path)) missing.emplace_back(path);
    }
    if (std::none_of(nodes.begin(), nodes.end(), [](const DeviceNode& node) { return is_gpu_node(node.path); }))
      missing.emplace_back("/dev/nvidia0 or higher");
  }
  bool forbidden = false;
  for (const auto& node : nodes) {
    if (node.error.empty()) {
      open.push_back(node.path);
    } else if (node.path == "/dev/nvidiactl" || node.path == "/dev/nvidia-uvm" || is_gpu_node(node.path)) {
      closed.push_back(fmt::format("{}: {}", node.path, node.error));
      forbidden = forbidden || node.error.find("not permitted") != std::string::npos;  // EPERM: what a rule of the cgroup says
    }
  }
  Result result;
  if (!closed.empty()) {
    result = made("device-nodes", Status::fail, fmt::format("cannot be opened: {}", fmt::join(closed, ", ")),
                  forbidden ? "nvml-unknown" : "");
  } else if (!missing.empty()) {
    // Only nvidia-uvm: its kernel module was not loaded. All: the container was given no GPU.
    const bool only_uvm = missing.size() == 1 && missing.front() == "/dev/nvidia-uvm";
    result = made("device-nodes", works ? Status::warn : Status::fail, fmt::format("missing: {}", fmt::join(missing, ", ")),
                  works           ? ""
                  : only_uvm      ? "cuda-999"
                  : nodes.empty() ? "cuda-35-no-driver"
                                  : "");
    if (works) result.message += "; CUDA sees GPUs nevertheless";
  } else {
    result = made("device-nodes", Status::pass, fmt::format("opened: {}", fmt::join(open, ", ")));
  }
  Json list = Json::array();
  for (const auto& node : nodes) list.push_back({{"path", node.path}, {"error", node.error.empty() ? Json() : Json(node.error)}});
  result.evidence = {{"nodes", std::move(list)}};
  return result;
}

Result judge_libcuda(const DriverFacts& driver, const Result& probe) {
  const bool stub =
      driver.libcuda.find("/stubs/") != std::string::npos || (probe.diagnosis != nullptr && probe.diagnosis->id == "cuda-34");
  Result result;
  if (driver.libcuda.empty()) {
    result = made("libcuda", Status::fail, driver.problem.empty() ? "not found" : driver.problem,
                  probe.diagnosis != nullptr ? probe.diagnosis->id : "cuda-35-no-driver");
  } else if (stub) {
    result = made("libcuda", Status::fail, fmt::format("{} is a toolkit's stub", driver.libcuda), "cuda-34");
  } else if (driver.compat) {
    result = made("libcuda", Status::pass, fmt::format("{}: from cuda-compat, for an older kernel module", driver.libcuda));
  } else {
    result = made("libcuda", Status::pass, driver.libcuda);
  }
  result.evidence = {{"path", driver.libcuda.empty() ? Json() : Json(driver.libcuda)}, {"compat", driver.compat}, {"stub", stub}};
  return result;
}

bool in_range(const DriverVersion& driver, const Environment::DriverRange& range) {
  return (!range.minimum || driver >= *range.minimum) && (!range.last_branch || driver.branch() <= range.last_branch->branch());
}

/// The drivers of the lock, each range that some machine of it has.
std::vector<Environment::DriverRange> ranges_of(const Environment* lock) {
  std::vector<Environment::DriverRange> ranges;
  if (lock == nullptr || !lock->driver) return ranges;
  for (const auto& machine : lock->driver->machines) ranges.push_back(machine.range);
  if (ranges.empty()) ranges.push_back(lock->driver->range);
  std::erase_if(ranges, [](const auto& range) { return !range.minimum && !range.last_branch; });
  return ranges;
}

std::string texts_of(const std::vector<Environment::DriverRange>& ranges) {
  std::vector<std::string> texts;
  for (const auto& range : ranges) {
    auto text = range.to_string();
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, " or "));
}

/// How a driver outside of the locked ranges may be one that was asked for.
enum class Asked { no, perhaps, yes };

/// An asked driver below a machine's range works as an exception: the image's gate names its branch. A range of them says only
/// that some release of it does, and where it reaches into the machine's own range not even that.
Asked as_asked(const DriverVersion& driver, const std::string& text, const Environment::DriverRange& range) {
  // R535, nvidia-driver-535
  const auto spec =
      VersionSpec::parse(std::string_view(text).substr(std::min(text.find_first_of("0123456789<>=!~"), text.size())));
  if (!spec || !spec->matches(driver.version())) return Asked::no;
  if (spec->single()) return Asked::yes;
  return range.minimum && spec->is_below(range.minimum->version()) ? Asked::perhaps : Asked::no;
}

/// Each machine has its own; what the lock says of all is their texts in one.
Asked as_asked(const DriverVersion& driver, const Environment::Driver& locked) {
  auto result = Asked::no;
  for (const auto& machine : locked.machines) {
    if (machine.asked) result = std::max(result, as_asked(driver, *machine.asked, machine.range));
  }
  const bool any =
      std::any_of(locked.machines.begin(), locked.machines.end(), [](const auto& machine) { return machine.asked.has_value(); });
  return any || !locked.asked ? result : as_asked(driver, *locked.asked, locked.range);
}

/// Whether the driver reports the CUDA of the lock, or runs it by minor-version compatibility.
std::string reports(const DriverFacts& driver, const Environment* lock) {
  if (!driver.cuda) return {};
  auto text = fmt::format("; it reports CUDA {}", *driver.cuda);
  const auto& cuda = lock == nullptr ? std::nullopt : lock->build().cuda;
  if (!cuda) return text;
  if (*driver.cuda >= *cuda) return text + fmt::format(", native for {}", *cuda);
  return text + fmt::format(", and {} runs only through minor-version compatibility", *cuda);
}

/// A driver that is in none of the locked ranges.
Result outside_of(const std::vector<Environment::DriverRange>& ranges, const DriverVersion& release, Asked asked) {
  if (asked == Asked::yes) return made("driver", Status::pass, fmt::format("{}, as locked", release));
  const auto text = fmt::format("{}, but {} is locked", release, texts_of(ranges));
  if (asked == Asked::perhaps)
    return made("driver", Status::warn,
                text + "; it is in the requested range, where the image's NVIDIA_REQUIRE_CUDA allows only some branches");
  const bool too_new =
      std::all_of(ranges.begin(), ranges.end(), [&](const auto& range) { return range.minimum && release >= *range.minimum; });
  return made("driver", Status::fail, text, too_new ? "" : "cuda-35-old-driver");  // a branch that no longer knows the boards
}

/// A Windows driver leaves no number in WSL 2, but the CUDA that it reports.
Result judge_windows_driver(const DriverFacts& driver, const std::vector<Environment::DriverRange>& ranges) {
  if (!driver.cuda) return made("driver", Status::unknown, "it does not report its CUDA version");
  const bool fits =
      std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) { return *driver.cuda >= *range.windows_cuda; });
  if (fits)
    return made("driver", Status::pass, fmt::format("it reports CUDA {}, as locked ({})", *driver.cuda, texts_of(ranges)));
  return made("driver", Status::fail,
              fmt::format("it reports CUDA {}, but a driver {} is locked", *driver.cuda, texts_of(ranges)), "cuda-35-old-driver");
}

Result judge_driver(const DriverFacts& driver, const Result& probe, const Environment* lock) {
  const auto& release = driver.kernel_module ? driver.kernel_module : driver.compat ? std::nullopt : driver.release;
  Result result;
  const bool misfit = probe.diagnosis != nullptr && probe.diagnosis->id == "cuda-803";
  const bool differ = driver.kernel_module && driver.release && *driver.kernel_module != *driver.release;
  const auto ranges = ranges_of(lock);
  if (misfit || (differ && !driver.compat)) {
    const auto text = [](const std::optional<DriverVersion>& version) { return version ? version->to_string() : "unknown"; };
    result = made(
        "driver", Status::fail,
        fmt::format("libcuda belongs to driver {}, the kernel module to {}", text(driver.release), text(driver.kernel_module)),
        misfit ? "cuda-803" : "driver-library-mismatch");
  } else if (!ranges.empty() && ranges.front().windows_cuda) {
    result = judge_windows_driver(driver, ranges);
  } else if (!release) {
    result = made("driver", Status::unknown,
                  "unknown version: neither /proc/driver/nvidia/version nor the file name of libcuda shows it");
  } else if (ranges.empty()) {
    result = made("driver", Status::pass, fmt::format("{}{}", *release, reports(driver, lock)));
  } else if (std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) { return in_range(*release, range); })) {
    result = made("driver", Status::pass,
                  fmt::format("{}, within the locked range ({}){}", *release, texts_of(ranges), reports(driver, lock)));
  } else {
    result = outside_of(ranges, *release, as_asked(*release, *lock->driver));
  }
  const auto json = [](const auto& version) { return version ? Json(version->to_string()) : Json(); };
  result.evidence = {
      {"kernel_module", json(driver.kernel_module)}, {"libcuda_release", json(driver.release)}, {"cuda", json(driver.cuda)}};
  return result;
}

bool opens(const BenchReport& bench, std::string_view path) {
  return bench.driver && std::any_of(bench.driver->nodes.begin(), bench.driver->nodes.end(),
                                     [&](const DeviceNode& node) { return node.path == path && node.error.empty(); });
}

Result judge_count(const Result& probe, const BenchReport& bench, const AskedGpus& asked) {
  auto result = probe;
  result.check = "gpu";
  const auto way = injected_by(result.evidence, bench.gpu_present);
  result.evidence["injected_by"] = way ? Json(name_of(*way)) : Json();
  const auto& selection = asked.selection;
  const auto wanted = selection.count ? static_cast<std::size_t>(*selection.count) : selection.devices.size();
  if (!bench.gpu_present) {
    result.status = Status::fail;
    result.message = fmt::format("--gpus {} was requested, but CUDA sees no GPU: {}", asked.text, probe.message);
    if (probe.diagnosis != nullptr && probe.diagnosis->id == "cuda-999" && opens(bench, "/dev/nvidia-uvm"))
      result.message += "; /dev/nvidia-uvm can be opened, so see also 'envgen explain cuinit-unknown'";
  } else if (!selection.all && result.status == Status::pass && bench.gpus.size() != wanted) {
    result.status = Status::fail;
    result.message = fmt::format("--gpus {} was requested, but CUDA sees {}", asked.text, bench.gpus.size());
  }
  return result;
}

}  // namespace

std::vector<Result> judge_gpu_access(const Result& probe, const BenchReport& bench, const AskedGpus& asked,
                                     const Environment* lock) {
  std::vector<Result> results;
  if (bench.driver) {
    results.push_back(judge_nodes(*bench.driver, bench.gpu_present));
    results.push_back(judge_libcuda(*bench.driver, probe));
    if (!bench.driver->libcuda.empty() || bench.driver->kernel_module)
      results.push_back(judge_driver(*bench.driver, probe, lock));
    else
      results.push_back(made("driver", Status::skip, "there is no driver"));
  }
  results.push_back(judge_count(probe, bench, asked));
  return results;
}

}  // namespace envgen::validate
