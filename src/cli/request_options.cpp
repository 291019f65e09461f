#include "cli/request_options.hpp"

#include <CLI/CLI.hpp>

#include "api/request.hpp"
#include "host/this_machine.hpp"

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

void add_single(CLI::App& app, RequestOptions& options, const Flag& flag, const char* group) {
  app.add_option_function<std::string>(
         flag.name,
         [&options, field = flag.field](const std::string& text) { options.request.values.push_back(flag_value(field, text)); },
         flag.help)
      ->type_name(flag.type)
      ->group(group);
}

void add_repeated(CLI::App& app, RequestOptions& options, const Flag& flag, const char* group) {
  app.add_option_function<std::vector<std::string>>(
         flag.name,
         [&options, field = flag.field](const std::vector<std::string>& texts) {
           for (const auto& text : texts) options.request.values.push_back(flag_value(field, text));
         },
         flag.help)
      ->type_name(flag.type)
      ->group(group)
      ->allow_extra_args(false);
}

void add_switch(CLI::App& app, RequestOptions& options, const Flag& flag, const char* group) {
  app.add_flag_callback(
         flag.name, [&options, field = flag.field] { options.request.values.push_back(flag_value(field, "true")); }, flag.help)
      ->group(group);
}

}  // namespace

bool asks_for_anything(const RequestOptions& options) { return !options.request.values.empty() || !options.preset.empty(); }

void add_request_options(CLI::App& app, RequestOptions& options) {
  constexpr const char* group = "Request";
  for (const auto& flag : flags) add_single(app, options, flag, group);
  add_repeated(app, options,
               {Field::gpu, "--gpu", "NAME", "a GPU to serve (repeatable): 4090, A100, 10de:2684, 8.6, sm_120, or auto"}, group);
  add_repeated(app, options,
               {Field::host, "--host", "PARTS", "one machine (repeatable): gpu=V100,gpu=T4,driver=535.183.01, or auto"}, group);
  add_switch(app, options, {Field::ptx, "--ptx", "", "the driver must compile PTX too: it has to report the CUDA itself"}, group);
  add_switch(app, options,
             {Field::allow_inferred, "--allow-inferred", "", "offer image tags that were only inferred, marked as such"}, group);
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
  add_repeated(app, options,
               {Field::gpu, "--gpu", "NAME",
                "a GPU that the build has to run on, where none is there (repeatable): 4090, A100, 8.6, sm_120"},
               group);
}

std::string refuse_empty(const std::string& text) { return text.empty() ? "the value is empty" : std::string(); }

Expected<Request> make_request(const RequestOptions& options, const Request& file, const matrix::Matrix& matrix) {
  auto request = options.request;
  request.fill_from(file);
  auto filled = api::with_preset(std::move(request), options.preset, matrix);
  if (!filled) return filled;
  return host::ask_this_machine(std::move(*filled), matrix, [] { return host::probe({}); });
}

}  // namespace envgen::cli
