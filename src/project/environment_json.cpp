#include "project/environment_json.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::project {
namespace {

using Cell = util::JsonCell;
using Build = Environment::FrameworkBuild;

std::string line(const Cell& cell) { return std::string(cell.text()); }

/// A name is no cell, so nobody looked at it yet: what it is made of could end a line in some output.
std::string checked_name(std::string_view name, const Cell& cell) {
  if (holds_control(name)) cell.problem(fmt::format("{} holds a control character", in_quotes(name)));
  return std::string(name);
}

std::optional<std::string> maybe_line(const Cell& cell) { return cell.is_null() ? std::nullopt : std::optional(line(cell)); }

/// A list that must be there; null is not one.
std::vector<std::string> lines(const Cell& cell) {
  std::vector<std::string> result;
  if (cell.is_null()) cell.problem("a list is needed here");
  for (const auto& item : cell.items()) result.push_back(line(item));
  return result;
}
std::optional<std::vector<std::string>> maybe_lines(const Cell& cell) {
  return cell.is_null() ? std::nullopt : std::optional(lines(cell));
}

std::vector<std::pair<std::string, std::string>> named_lines(const Cell& cell) {
  std::vector<std::pair<std::string, std::string>> result;
  if (cell.is_null()) cell.problem("an object is needed here");
  for (const auto& [name, value] : cell.members()) result.emplace_back(checked_name(name, cell), line(value));
  return result;
}

/// Calls `read` with each item of a list that must be there.
template <class Read>
void each(const Cell& cell, Read read) {
  if (cell.is_null()) cell.problem("a list is needed here");
  for (const auto& item : cell.items()) read(item);
}

Build read_build(const Cell& cell, bool torch) {
  Build build;
  build.version = line(cell.at("version"));
  build.cuda = maybe_line(cell.at("cuda"));
  build.tag = line(cell.at("tag"));
  if (torch) {
    build.torchvision = maybe_line(cell.at("torchvision"));
    build.torchaudio = maybe_line(cell.at("torchaudio"));
  }
  build.index_url = maybe_line(cell.at("index_url"));
  build.on_package_index = cell.at("on_package_index").flag();
  if (const auto official = cell.at("official"); !official.is_null()) build.official = official.flag();
  build.toolkit = maybe_line(cell.at("toolkit"));
  build.archs = maybe_lines(cell.at("archs"));
  build.ptx = maybe_lines(cell.at("ptx"));
  build.pythons = lines(cell.at("pythons"));
  build.triton = maybe_line(cell.at("triton"));
  build.nccl = maybe_line(cell.at("nccl"));
  build.glibc = maybe_line(cell.at("glibc"));
  build.conda_spec = maybe_line(cell.at("conda_spec"));
  build.conda_channels = lines(cell.at("conda_channels"));
  if (!torch) build.cuda_pins = named_lines(cell.at("cuda_pins"));
  return build;
}

std::optional<int> maybe_major(const Cell& cell) {
  if (cell.is_null()) return std::nullopt;
  const auto count = cell.count_or_zero();
  if (count > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) cell.problem("the number is too large");
  return static_cast<int>(std::min<std::uint64_t>(count, std::numeric_limits<int>::max()));
}

Environment::DriverRange read_range(const Cell& cell) {
  return {maybe_line(cell.at("minimum")), maybe_line(cell.at("last_branch"))};
}

Environment::Driver read_driver(const Cell& cell) {
  Environment::Driver driver;
  driver.asked = maybe_line(cell.maybe("asked"));
  driver.range = read_range(cell);
  each(cell.at("machines"), [&](const Cell& machine) {
    driver.machines.push_back(
        {lines(machine.at("gpus")), maybe_line(machine.maybe("asked")), read_range(machine), lines(machine.at("carried_by")),
         maybe_line(machine.maybe("compat"))});  // only where some machine needs cuda-compat; an older envgen did not write it
  });
  driver.compat_image = maybe_line(cell.maybe("compat_image"));
  driver.native = maybe_line(cell.at("native"));
  driver.carried_by = lines(cell.at("carried_by"));
  return driver;
}

Environment::System read_system(const Cell& cell) {
  Environment::System system{line(cell.at("family")), line(cell.at("version")), maybe_line(cell.at("image")),
                             maybe_major(cell.at("gcc")), std::nullopt};
  if (const auto pep668 = cell.at("pep668"); !pep668.is_null()) system.pep668 = pep668.flag();
  return system;
}

Environment::Images read_images(const Cell& cell) {
  Environment::Images images;
  images.devel = maybe_line(cell.at("devel"));
  images.devel_cudnn = maybe_line(cell.at("devel_cudnn"));
  images.runtime = maybe_line(cell.at("runtime"));
  images.runtime_cudnn = maybe_line(cell.at("runtime_cudnn"));
  images.official_devel = maybe_line(cell.at("official_devel"));
  images.official_runtime = maybe_line(cell.at("official_runtime"));
  return images;
}

Environment::Frozen read_frozen(const Cell& cell) {
  Environment::Frozen frozen;
  frozen.by = line(cell.at("by"));
  frozen.requirements = lines(cell.at("requirements"));
  each(cell.at("packages"), [&](const Cell& package) {
    frozen.packages.push_back({line(package.at("name")), line(package.at("version")), lines(package.at("hashes"))});
  });
  if (const auto images = cell.maybe("images"); !images.is_null())
    each(images, [&](const Cell& image) { frozen.images.push_back({line(image.at("image")), maybe_line(image.at("digest"))}); });
  return frozen;
}

}  // namespace

Environment read_environment(const Cell& answer) {
  Environment result;
  const auto cell = answer.at("environment");
  const auto torch = cell.at("torch");
  const auto tensorflow = cell.at("tensorflow");
  if (torch.is_null() == tensorflow.is_null()) cell.problem("one of torch and tensorflow is needed here, the other is null");
  if (!torch.is_null()) result.torch = read_build(torch, true);
  if (!tensorflow.is_null()) result.tensorflow = read_build(tensorflow, false);
  if (const auto cuda = cell.at("cuda"); !cuda.is_null()) {
    result.cuda_toolkit = maybe_line(cuda.at("toolkit"));
    result.gcc_max = maybe_major(cuda.at("gcc_max"));
    result.conda_label = maybe_line(cuda.maybe("conda_label"));  // an older envgen did not write it
  }
  if (const auto cudnn = cell.at("cudnn"); !cudnn.is_null())
    result.cudnn = Environment::Cudnn{maybe_line(cudnn.at("version")), maybe_major(cudnn.at("major")), line(cudnn.at("from"))};
  result.python = line(cell.at("python"));
  result.python_provider = cell.at("python_provider").choice<PythonProvider>();
  result.pythons = lines(cell.at("pythons"));
  if (const auto driver = cell.at("driver"); !driver.is_null()) result.driver = read_driver(driver);
  each(cell.at("gpus"), [&](const Cell& gpu) {
    result.gpus.push_back({line(gpu.at("name")), line(gpu.at("capability")), line(gpu.at("runs")), line(gpu.at("via")),
                           maybe_line(gpu.maybe("nvcc"))});  // an older envgen did not write it
  });
  result.os = maybe_line(cell.at("os"));
  if (const auto system = cell.at("system"); !system.is_null()) result.system = read_system(system);
  result.platform = cell.at("platform").choice<Platform>();
  result.variant = cell.at("variant").choice<Variant>();
  result.installer = cell.at("installer").choice<Installer>();
  result.base = cell.at("base").choice<Base>();
  result.images = read_images(cell.at("images"));
  result.image_layout = maybe_line(cell.at("image_layout"));

  each(answer.at("pins"), [&](const Cell& pin) {
    result.pins.push_back({line(pin.at("package")), line(pin.at("spec")), line(pin.at("why")), line(pin.at("source"))});
  });
  result.env = named_lines(answer.at("env"));
  result.warnings = lines(answer.at("warnings"));
  each(answer.at("reasons"), [&](const Cell& reason) {
    result.reasons.push_back(
        {line(reason.at("field")), line(reason.at("value")), line(reason.at("why")), lines(reason.at("sources"))});
  });
  if (const auto frozen = answer.maybe("frozen"); !frozen.is_null()) result.frozen = read_frozen(frozen);
  return result;
}

}  // namespace envgen::project
