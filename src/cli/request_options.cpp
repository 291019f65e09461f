#include "cli/request_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "host/require.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {
namespace {

struct Flag {
  Field field;
  const char* name;
  const char* type;
  const char* help;
};
constexpr Flag flags[] = {
    {Field::torch, "--torch", "VERSION", "PyTorch: 2.3, 2.3.1, '>=2.3,<2.5', 2.3.1+cu121"},
    {Field::torchvision, "--torchvision", "VERSION", "torchvision, where it has to be a certain one"},
    {Field::torchaudio, "--torchaudio", "VERSION", "torchaudio, where it has to be a certain one"},
    {Field::tensorflow, "--tensorflow", "VERSION", "TensorFlow in place of PyTorch"},
    {Field::cuda, "--cuda", "VERSION", "CUDA: 12.1, 12.1.1, cu121, '>=12.1,<13', or cpu"},
    {Field::cudnn, "--cudnn", "VERSION", "cuDNN: 8, 8.9, 8.9.2.26"},
    {Field::python, "--python", "VERSION", "Python: 3.11, or 3.13t for the free-threaded one"},
    {Field::driver, "--driver", "VERSION", "NVIDIA driver: 535 (a branch), 535.183.01, '>=535,<580', or auto"},
    {Field::os, "--os", "NAME", "operating system: ubuntu22.04, debian12, rockylinux9, or auto"},
    {Field::platform, "--platform", "NAME", "linux-x86_64 or linux-aarch64, or auto"},
    {Field::variant, "--variant", "NAME", "devel (nvcc and headers) or runtime"},
    {Field::installer, "--installer", "NAME", "pip, uv or conda"},
    {Field::base, "--base", "NAME", "slim (plain system), cuda (nvidia/cuda), pytorch or tensorflow (official images)"},
    {Field::prefer, "--prefer", "NAME", "what best means: stable, newest, smallest or widest"},
};

/// A value that this machine is to give; elsewhere `auto` leaves the choice open.
bool asks_the_machine(const RequestValue& value) {
  const bool probed =
      value.field == Field::gpu || value.field == Field::driver || value.field == Field::os || value.field == Field::platform;
  return probed && value.text == "auto";
}

/// The value that stands for one found GPU: the name where the matrix knows it, else what identifies it.
std::string board_text(const host::Gpu& gpu, const matrix::Matrix& matrix) {
  const bool plain = gpu.name.find_first_of(",=") == std::string::npos;
  if (plain && !matrix.gpus_named(gpu.name).empty()) return gpu.name;
  if (gpu.capability) return gpu.capability->to_string();
  return gpu.pci_id.empty() ? gpu.name : gpu.pci_id;
}

/// Under WSL 2 the number is the Windows driver's; its branch is the newest that does not lie above it.
std::string driver_text(const host::Report& report, DriverVersion driver, const matrix::Matrix& matrix) {
  if (!report.wsl) return driver.to_string();
  std::uint16_t best = 0;
  for (const auto& branch : matrix->branches) {
    if (branch.branch <= driver.branch()) best = std::max(best, branch.branch);
  }
  return fmt::format("{}", best);
}

/// Replaces every `auto` by what this machine has.
Expected<Request> ask_the_machine(Request request, const matrix::Matrix& matrix) {
  if (std::none_of(request.values.begin(), request.values.end(), asks_the_machine)) return request;
  const auto report = host::probe({});
  Request result;
  std::string driver;
  std::string driver_where;
  for (auto& value : request.values) {
    if (value.field != Field::driver || !asks_the_machine(value)) continue;
    auto found = host::require_driver(report);
    if (!found) return tl::unexpected(found.error());
    driver = driver_text(report, *found, matrix);
    driver_where = fmt::format("--driver auto ({})", report.driver_origin);
    value.text = driver;
    value.where = driver_where;
    value.origin = Origin::host;
  }
  const auto* asked_driver = request.find(Field::driver);
  for (auto& value : request.values) {
    if (!asks_the_machine(value)) {
      result.values.push_back(std::move(value));
      continue;
    }
    value.origin = Origin::host;
    switch (value.field) {
      case Field::gpu: {
        const auto gpus = host::require_gpus(report);
        if (!gpus) return tl::unexpected(gpus.error());
        value.where = fmt::format("--gpu auto ({})", gpus->front().origin);
        if (gpus->size() == 1) {
          value.text = board_text(gpus->front(), matrix);
        } else {  // boards of one machine share its driver
          std::vector<std::string> parts;
          for (const auto& gpu : *gpus) parts.push_back("gpu=" + board_text(gpu, matrix));
          if (asked_driver != nullptr) parts.push_back("driver=" + asked_driver->text);
          value.field = Field::host;
          value.text = fmt::format("{}", fmt::join(parts, ","));
        }
        result.values.push_back(std::move(value));
        break;
      }
      case Field::os:
        if (report.os_id.empty())
          return fail(ErrorCode::missing, "this machine does not say which system it runs (/etc/os-release)", "--os auto",
                      {"name it: --os ubuntu22.04"});
        value.text = report.os_id;
        value.where = "--os auto (/etc/os-release)";
        result.values.push_back(std::move(value));
        break;
      case Field::platform:
        if (!report.platform)
          return fail(ErrorCode::missing, "this machine is neither x86_64 nor aarch64", "--platform auto",
                      {"name it: --platform linux-x86_64"});
        value.text = std::string(name_of(*report.platform));
        value.where = "--platform auto (uname -m)";
        result.values.push_back(std::move(value));
        break;
      default:
        break;  // not the machine's to say
    }
  }
  // The driver of a host of several boards stands inside it.
  const bool inside = std::any_of(result.values.begin(), result.values.end(),
                                  [](const auto& value) { return value.field == Field::host && value.origin == Origin::host; });
  if (inside) std::erase_if(result.values, [](const auto& value) { return value.field == Field::driver; });
  return result;
}

Expected<Request> preset_request(const std::string& name, const matrix::Matrix& matrix) {
  const auto* preset = matrix.preset(name);
  if (preset == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& row : matrix->presets) names.push_back(row.name.view());
    std::vector<std::string> hints;
    for (const auto& near : nearest_spellings(name, names, 1)) hints.push_back("did you mean " + near + "?");
    return fail(ErrorCode::usage, fmt::format("{} is not one of {}", in_quotes(name), fmt::join(names, ", ")), "--preset",
                std::move(hints));
  }
  Request request;
  for (const auto& value : preset->request) {
    const auto* found = std::find(field_names.begin(), field_names.end(), value.field.view());
    if (found == field_names.end())
      return fail(ErrorCode::bad_input,
                  fmt::format("the preset {} fixes {}, which is no field of a request", name, in_quotes(value.field.view())),
                  "presets.json");
    request.values.push_back({static_cast<Field>(found - field_names.begin()), std::string(value.text.view()), Origin::preset,
                              fmt::format("--preset {}", name)});
  }
  return request;
}

}  // namespace

void add_request_options(CLI::App& app, RequestOptions& options) {
  constexpr const char* group = "Request";
  for (const auto& flag : flags) {
    app.add_option_function<std::string>(
           flag.name, [&options, field = flag.field](const std::string& text) { options.singles.emplace_back(field, text); },
           flag.help)
        ->type_name(flag.type)
        ->group(group);
  }
  app.add_option("--gpu", options.gpus, "a GPU to serve (repeatable): 4090, A100, 10de:2684, 8.6, sm_120, or auto")
      ->type_name("NAME")
      ->group(group)
      ->allow_extra_args(false);
  app.add_option("--host", options.hosts, "one machine (repeatable): gpu=V100,gpu=T4,driver=535.183.01")
      ->type_name("PARTS")
      ->group(group)
      ->allow_extra_args(false);
  app.add_flag("--ptx", options.ptx, "the driver must compile PTX too: it has to report the CUDA itself")->group(group);
  app.add_flag("--allow-inferred", options.allow_inferred, "offer image tags that were only inferred, marked as such")
      ->group(group);
  app.add_option("--preset", options.preset, "a request of the field: see 'envgen list presets'")
      ->check(refuse_empty)
      ->type_name("NAME")
      ->group(group);
}

std::string refuse_empty(const std::string& text) { return text.empty() ? "the value is empty" : std::string(); }

Expected<Request> make_request(const RequestOptions& options, const Request& file, const matrix::Matrix& matrix) {
  Request request;
  for (const auto& [field, text] : options.singles)
    request.values.push_back({field, text, Origin::flag, fmt::format("--{}", name_of(field))});
  for (const auto& text : options.gpus) request.values.push_back({Field::gpu, text, Origin::flag, "--gpu"});
  for (const auto& text : options.hosts) request.values.push_back({Field::host, text, Origin::flag, "--host"});
  if (options.ptx) request.values.push_back({Field::ptx, "true", Origin::flag, "--ptx"});
  if (options.allow_inferred) request.values.push_back({Field::allow_inferred, "true", Origin::flag, "--allow-inferred"});
  request.fill_from(file);
  if (!options.preset.empty()) {
    auto preset = preset_request(options.preset, matrix);
    if (!preset) return preset;
    request.fill_from(*preset);
  }
  return ask_the_machine(std::move(request), matrix);
}

}  // namespace envgen::cli
