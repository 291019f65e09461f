#include "files/kinds.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/conda_packages.hpp"
#include "files/extension_program.hpp"
#include "files/extensions.hpp"
#include "files/frozen.hpp"
#include "files/image_base.hpp"
#include "files/index_login.hpp"
#include "files/mirrors.hpp"
#include "files/notes.hpp"
#include "files/packages.hpp"
#include "files/proof_of_build.hpp"
#include "files/run_time_compiler.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"
#include "files/tools.hpp"
#include "model/shell_word.hpp"

namespace envgen::files {
namespace {

Expected<void> refuse_what_no_machine_has(const Environment& environment) {
  if (takes_cuda_of_system(environment)) {
    std::vector<std::string> hints{"an image contains them: envgen render dockerfile"};
    if (environment.images.official_runtime)
      hints.emplace_back("or the official image: envgen render dockerfile --base tensorflow");
    hints.emplace_back("--tensorflow 2.14, the first whose wheels bring CUDA");
    return fail(ErrorCode::usage,
                fmt::format("tensorflow {} needs {} of the system, which setup.sh does not install", environment.build().version,
                            cuda_of_system(environment)),
                "--tensorflow", std::move(hints));
  }
  if (environment.python_provider == PythonProvider::other)
    return fail(ErrorCode::usage, fmt::format("uv does not provide Python {}", environment.python), "--python",
                {other_way_to_python(environment)});
  return {};
}

/// What the framework sees of the GPUs, where there are some.
std::string gpu_check(const Environment& environment) {
  if (environment.tensorflow)
    return R"(import tensorflow as tf; found = tf.config.list_physical_devices("GPU"); print("GPUs:", found); assert found)";
  return R"(import torch; count = torch.cuda.device_count(); print("GPUs:", [torch.cuda.get_device_name(i) for i in range(count)]); )"
         R"(assert count)";
}

/// `g++-13 g++-12`: from the newest on, as far as their names end with a major release alone (`g++-5`, but `g++-4.9`).
std::string compilers(int newest, int oldest) {
  constexpr int first_named_so = 5;
  std::vector<std::string> names;
  for (int major = newest; major >= std::max(oldest, first_named_so); --major) names.push_back(fmt::format("g++-{}", major));
  return fmt::format("{}", fmt::join(names, " "));
}

constexpr std::string_view by_pip = R"("$place/bin/python" -m pip install)";
constexpr std::string_view by_uv = R"("$uv" pip install --python "$place/bin/python")";
constexpr std::string_view uninstall_by_pip = R"("$place/bin/python" -m pip uninstall --yes)";
constexpr std::string_view uninstall_by_uv = R"("$uv" pip uninstall --python "$place/bin/python")";

/// The steps; that which compiles stands apart, with what looks after it.
Expected<void> add_steps(const Inputs& inputs, const std::vector<PipStep>& steps, bool uv, View& view) {
  const auto command_of = [&](const PipStep& step) {
    return std::string(uv ? by_uv : by_pip) + words_of(step, inputs.environment, R"("$frozen")");
  };
  std::vector<std::string> commands;
  std::string compile;
  for (const auto& step : steps) {
    if (step.compiles) {
      compile = command_of(step);
    } else {
      commands.push_back(command_of(step));
    }
  }
  view.texts("steps", commands);
  view.flag("has_compiled", !compile.empty()).text("compile", compile);
  view.text("uninstall", std::string(uv ? uninstall_by_uv : uninstall_by_pip));
  view.text("names", compiled_names(inputs.options));
  for (const auto* command : {"check", "stale"}) view.text(command, extension_arguments(inputs, command));
  auto program = extension_program();
  if (!program) return tl::unexpected(std::move(program.error()));
  view.text("program", program->text);
  return {};
}

Expected<void> by_conda(const Inputs& inputs, View& view) {
  const auto packages = conda_packages_with_toolkit(inputs);
  if (!packages) return tl::unexpected(packages.error());
  std::vector<std::string> channels;
  for (const auto& channel : conda_channels(inputs.options, packages->channels))
    channels.push_back("--channel " + shell_word(channel));
  view.text("channels", fmt::format("{}", fmt::join(channels, " "))).text("specs", shell_words(packages->specs));
  view.flag("has_toolkit", wants_conda_toolkit(inputs))
      .text("headers", conda_toolkit_headers(inputs.environment))
      .text("compiler", conda_compiler(inputs.environment));
  return add_steps(inputs, steps_after({}, extras(inputs), inputs.options), false, view);
}

}  // namespace

Expected<Files> setup_script(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  if (auto refused = refuse_what_no_machine_has(environment); !refused) return tl::unexpected(std::move(refused.error()));
  const bool conda = environment.installer == Installer::conda;
  const bool toolkit = conda && wants_conda_toolkit(inputs);
  View view;
  const auto notes = install_notes(inputs, RunsIn::machine);
  view.texts("notes", notes).text("said_notes", shell_words(notes)).flag("has_notes", !notes.empty());
  view.text("title", title(environment)).text("place", conda ? ".conda" : ".venv").text("what", short_title(environment));
  view.flag("conda", conda)
      .flag("by_pip", environment.installer == Installer::pip)
      .flag("has_old_pip", has_old_pip(environment))
      .text("python", environment.python.to_string());
  view.text("uv_version", uv_version(inputs)).text("uv", uv_by_hash(inputs)).text("pip", pip_by_hash(inputs));
  const auto installer = miniforge(inputs);
  view.text("miniforge", fmt::format("{}/{}", installer.folder, installer.file)).text("miniforge_sum", installer.sha256);
  std::vector<std::string> apt;
  for (const auto& package : inputs.options.apt) apt.push_back(package.value);
  view.flag("has_apt", !apt.empty()).text("apt", shell_words(apt));
  const auto& mirror = inputs.options.pip_index.value;
  std::vector<std::string> exports;
  if (!mirror.empty())
    exports = {fmt::format("PIP_INDEX_URL=${{PIP_INDEX_URL:-{}}}", shell_word(mirror)),
               fmt::format("UV_DEFAULT_INDEX=${{UV_DEFAULT_INDEX:-{}}}", shell_word(mirror))};
  if (const auto& file = inputs.options.ca_cert.value; !file.empty()) {
    const std::string_view folder = file.front() == '/' ? "" : "$PWD/";
    exports.push_back(fmt::format("SSL_CERT_FILE=${{SSL_CERT_FILE:-{}{}}}", folder, file));
    for (const auto* name : {"PIP_CERT", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "CONDA_SSL_VERIFY"})
      exports.push_back(fmt::format("{}=$SSL_CERT_FILE", name));
  }
  for (const auto& [name, value] : conda_variables(environment)) exports.push_back(fmt::format("{}={}", name, shell_word(value)));
  for (const auto& [name, value] : extension_variables(inputs))
    exports.push_back(fmt::format("{0}=${{{0}:-{1}}}", name, shell_word(value)));
  view.texts("exports", exports);
  const auto index = wheel_index(inputs);
  view.flag("has_index", index.has_value()).text("index", index.value_or(""));
  if (conda) {
    if (auto made = by_conda(inputs, view); !made) return tl::unexpected(std::move(made.error()));
  } else {
    if (auto added = add_steps(inputs, pip_steps(inputs), environment.installer == Installer::uv, view); !added)
      return tl::unexpected(std::move(added.error()));
    view.text("channels", "").text("specs", "");
    view.flag("has_toolkit", false).text("headers", "").text("compiler", "");
  }
  view.flag("jupyter", inputs.options.jupyter).flag("netrc", names_own_index(inputs.options));
  view.flag("frozen", environment.frozen.has_value());
  view.texts("frozen_lines", environment.frozen ? frozen_lines(*environment.frozen) : std::vector<std::string>());
  view.text("assertion", fmt::format("{}", fmt::join(build_assertion(environment), "; ")));
  const bool cuda = environment.build().cuda.has_value();
  const auto archs = arch_list(environment);
  const bool compiles = cuda && (environment.variant == Variant::devel || toolkit);
  view.flag("has_archs", compiles && environment.torch && !archs.empty()).text("archs", shell_word(archs));
  view.flag("devel", cuda && environment.variant == Variant::devel && !toolkit)
      .text("cuda", spelling_or(environment.build().cuda, ""));
  view.flag("has_gcc_max", environment.toolkit().gcc_max.has_value())
      .text("gcc_max", std::to_string(environment.toolkit().gcc_max.value_or(0)));
  const auto gcc_min = environment.torch ? environment.torch->gcc_min : std::nullopt;
  view.flag("has_gcc_min", gcc_min.has_value()).text("gcc_min", std::to_string(gcc_min.value_or(0)));
  view.text("gcc_names", compilers(environment.toolkit().gcc_max.value_or(0), gcc_min.value_or(0)));
  const auto compiler = run_time_compiler(inputs);
  view.flag("has_run_time_compiler", !compiler.empty()).text("run_time_compiler", fmt::format("{}", fmt::join(compiler, " ")));
  view.flag("has_gpu_check", cuda).text("gpu_check", gpu_check(environment));
  return only(made_file("setup.sh", "setup.sh", std::move(view), true));
}

}  // namespace envgen::files
