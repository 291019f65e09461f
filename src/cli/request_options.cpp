#include "cli/request_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/this_machine.hpp"
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
    {Field::driver, "--driver", "VERSION",
     "NVIDIA driver of every --gpu, and of every --host that names none: 535 (a branch), 535.183.01, '>=535,<580', or auto"},
    {Field::os, "--os", "NAME", "operating system in the container: ubuntu22.04, debian12, rockylinux9, or auto"},
    {Field::platform, "--platform", "NAME", "linux-x86_64 or linux-aarch64, or auto"},
    {Field::variant, "--variant", "NAME", "devel (nvcc and headers) or runtime"},
    {Field::installer, "--installer", "NAME", "pip, uv or conda"},
    {Field::base, "--base", "NAME", "slim (plain system), cuda (nvidia/cuda), pytorch or tensorflow (official images)"},
    {Field::prefer, "--prefer", "NAME", "what best means: stable, newest, smallest or widest"},
};

Expected<Request> preset_request(const std::string& name, const matrix::Matrix& matrix) {
  const auto* preset = matrix.preset(name);
  if (preset == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& row : matrix->presets) names.push_back(row.name.view());
    return fail(ErrorCode::usage, fmt::format("{} is not one of {}", in_quotes(name), fmt::join(names, ", ")), "--preset",
                did_you_mean(name, names, 1));
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

void add_single(CLI::App& app, RequestOptions& options, const Flag& flag, const char* group) {
  app.add_option_function<std::string>(
         flag.name, [&options, field = flag.field](const std::string& text) { options.singles.emplace_back(field, text); },
         flag.help)
      ->type_name(flag.type)
      ->group(group);
}

void add_gpu(CLI::App& app, RequestOptions& options, const char* help, const char* group) {
  app.add_option("--gpu", options.gpus, help)->type_name("NAME")->group(group)->allow_extra_args(false);
}

}  // namespace

bool asks_for_anything(const RequestOptions& options) {
  return !options.singles.empty() || !options.gpus.empty() || !options.hosts.empty() || !options.preset.empty() || options.ptx ||
         options.allow_inferred;
}

void add_request_options(CLI::App& app, RequestOptions& options) {
  constexpr const char* group = "Request";
  for (const auto& flag : flags) add_single(app, options, flag, group);
  add_gpu(app, options, "a GPU to serve (repeatable): 4090, A100, 10de:2684, 8.6, sm_120, or auto", group);
  app.add_option("--host", options.hosts, "one machine (repeatable): gpu=V100,gpu=T4,driver=535.183.01, or auto")
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

void add_comparison_options(CLI::App& app, RequestOptions& options) {
  constexpr const char* group = "Compare without a lock";
  for (const auto& flag : flags) {
    if (flag.field == Field::torch || flag.field == Field::tensorflow || flag.field == Field::cuda || flag.field == Field::python)
      add_single(app, options, flag, group);
  }
  add_gpu(app, options, "a GPU that the build has to run on, where none is there (repeatable): 4090, A100, 8.6, sm_120", group);
}

std::string refuse_empty(const std::string& text) { return text.empty() ? "the value is empty" : std::string(); }

Expected<Request> written_request(const RequestOptions& options, const Request& file, const matrix::Matrix& matrix) {
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
  return request;
}

Expected<Request> make_request(const RequestOptions& options, const Request& file, const matrix::Matrix& matrix) {
  auto request = written_request(options, file, matrix);
  if (!request) return request;
  return ask_this_machine(std::move(*request), matrix, [] { return host::probe({}); });
}

}  // namespace envgen::cli
