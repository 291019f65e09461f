#include "files/kinds.hpp"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/compat.hpp"
#include "files/conda_packages.hpp"
#include "files/extension_program.hpp"
#include "files/frozen.hpp"
#include "files/image_base.hpp"
#include "files/image_install.hpp"
#include "files/index_login.hpp"
#include "files/mirrors.hpp"
#include "files/notes.hpp"
#include "files/packages.hpp"
#include "files/proof_of_build.hpp"
#include "files/quoting.hpp"
#include "files/runtime_stage.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"
#include "model/shell_word.hpp"

namespace envgen::files {
namespace {

constexpr std::string_view next_line = " \\\n && ";
constexpr std::string_view next_value = " \\\n    ";
constexpr std::string_view next_package = " \\\n      ";

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::vector<std::string> assignments(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> result;
  for (const auto& [name, value] : variables) result.push_back(fmt::format("{}={}", name, value));
  return result;
}

std::vector<std::string> environment_variables(const Inputs& inputs, const Install& install) {
  auto values = assignments(install.env);
  if (inputs.environment.build().cuda) {
    values.emplace_back("NVIDIA_VISIBLE_DEVICES=all");
    values.emplace_back("NVIDIA_DRIVER_CAPABILITIES=compute,utility");
  }
  return values;
}

std::vector<std::string> labels(const Inputs& inputs) {
  std::vector<std::string> result{"org.opencontainers.image.title=" + dockerfile_value(short_title(inputs.environment)),
                                  "org.opencontainers.image.description=" + dockerfile_value(title(inputs.environment))};
  result.push_back("envgen.lock=" + dockerfile_value(inputs.lock));
  return result;
}

std::vector<std::string> ports(const Options& options) {
  std::vector<std::string> result;
  if (options.jupyter) result.emplace_back("8888");
  if (options.ssh) result.emplace_back("2222");
  return result;
}

/// What a stage is: what all its files are made from, what it starts from, what it installs, and what it takes from the stage
/// before it.
struct Stage {
  const Inputs& inputs;
  const ImageBase& base;
  const Install& install;
  std::string as;
  std::vector<std::string> copies;
  bool extensions = false;  ///< something compiles when it is installed
  bool last = true;

  bool has_sshd() const { return last && inputs.options.ssh; }
};

/// The packages of apt that a stage installs, each once.
std::vector<std::string> apt_words(const Stage& stage) {
  std::set<std::string> packages(stage.base.packages.begin(), stage.base.packages.end());
  packages.insert(stage.install.packages.begin(), stage.install.packages.end());
  for (const auto& package : stage.inputs.options.apt) packages.insert(package.value);
  if (stage.has_sshd()) packages.insert("openssh-server");
  std::vector<std::string> words;
  for (const auto& package : packages) words.push_back(shell_word(package));
  return words;
}

/// Only what runs needs cuda-compat; what is compiled needs no driver.
void add_compat(View& view, const Stage& stage) {
  const auto compat = stage.last ? stage.base.compat.value_or(ImageCompat()) : ImageCompat();
  view.flag("copies_compat", compat.copy_from.has_value()).flag("moves_compat", compat.moves());
  view.text("compat_why", compat.why).text("compat_image", compat.copy_from.value_or(""));
  view.text("compat_source", compat.source).text("compat_place", std::string(compat.place));
}

Expected<View> stage_view(const Stage& stage) {
  const auto& inputs = stage.inputs;
  const auto mirror = apt_mirror_rules(inputs);
  if (!mirror) return tl::unexpected(mirror.error());
  View view;
  view.text("image", stage.base.image).text("as", stage.as);
  view.flag("has_stale_lists", !inputs.stale_lists.empty()).texts("stale_lists", inputs.stale_lists);
  view.flag("keeps_security", keeps_security_updates(inputs))
      .flag("has_apt_mirror", !mirror->empty())
      .text("apt_mirror", fmt::format(" \\\n      --expression={}", fmt::join(*mirror, " \\\n      --expression=")));
  const auto words = apt_words(stage);
  view.flag("has_apt", !words.empty()).text("apt_why", stage.base.packages_why).text("apt", joined(words, next_package));
  view.flag("ssh", stage.has_sshd()).flag("drops_compat", stage.base.drops_compat);
  add_compat(view, stage);
  view.flag("has_install", !stage.install.commands.empty()).text("install_why", stage.install.why);
  view.texts("args", stage.install.args)
      .texts("install_mounts", stage.install.mounts)
      .text("install", joined(stage.install.commands, next_line));
  view.flag("extensions", stage.extensions).text("extensions_path", std::string(extension_program_path));
  view.flag("frozen", inputs.environment.frozen && stage.copies.empty()).text("frozen_path", std::string(frozen_path));
  auto build_variables = assignments(stage.install.build_env);
  if (stage.copies.empty()) {
    for (const auto& [name, value] : conda_variables(inputs.environment))
      build_variables.push_back(fmt::format("{}={}", name, dockerfile_value(value)));
  }
  view.flag("has_build_env", !build_variables.empty()).text("build_env", joined(build_variables, next_value));
  view.flag("has_copies", !stage.copies.empty()).texts("copies", stage.copies);
  const auto variables = stage.last ? environment_variables(inputs, stage.install) : std::vector<std::string>();
  view.flag("has_env", !variables.empty()).text("env", joined(variables, next_value));
  return view;
}

template <class T>
Expected<std::vector<T>> all_of(std::vector<Expected<T>> made) {
  std::vector<T> all;
  for (auto& one : made) {
    if (!one) return tl::unexpected(std::move(one.error()));
    all.push_back(std::move(*one));
  }
  return all;
}

/// One stage, or one that builds and one that keeps what came of it.
Expected<std::vector<View>> stages(const Inputs& inputs, const ImageBase& base, const Install& install) {
  const bool extensions = !compiled(inputs.options).empty();
  if (!inputs.options.multi_stage) return all_of<View>({stage_view({inputs, base, install, {}, {}, extensions})});
  const auto runtime = runtime_stage(inputs, install);
  if (!runtime) return tl::unexpected(runtime.error());
  const Inputs last{runtime->environment, runtime->options, inputs.lock};
  return all_of<View>({stage_view({inputs, base, install, " AS build", {}, extensions, false}),
                       stage_view({last, runtime->base, runtime->install, {}, runtime->copies, extensions})});
}

}  // namespace

Expected<Files> dockerfile(const Inputs& inputs) {
  auto base = image_base(inputs);
  if (!base) return tl::unexpected(std::move(base.error()));
  auto install = image_install(inputs);
  if (!install) return tl::unexpected(std::move(install.error()));
  auto made_stages = stages(inputs, *base, *install);
  if (!made_stages) return tl::unexpected(std::move(made_stages.error()));

  View view;
  view.texts("notes", install_notes(inputs, RunsIn::image));
  view.text("title", title(inputs.environment)).text("tag", inputs.options.image_name.value);
  view.text("build", inputs.podman() ? "podman build --format docker" : "docker build");
  view.flag("ca_cert", !inputs.options.ca_cert.value.empty())
      .text("ca_source", inputs.options.ca_cert.value)
      .text("ca_file", std::string(ca_file))
      .flag("netrc", !inputs.options.legacy_builder && !indexes_among(install->args).empty())
      .flag("cached", !inputs.options.legacy_builder)
      .text("system", inputs.environment.os.value_or("image"));
  view.list("stages", std::move(*made_stages)).flag("shared", install->shared).flag("ssh", inputs.options.ssh);
  const auto exposed = ports(inputs.options);
  view.flag("has_ports", !exposed.empty()).text("ports", joined(exposed, " "));
  view.text("assertion", joined(build_assertion(inputs.environment), "; \\\n"));
  const bool extensions = !compiled(inputs.options).empty();
  view.flag("extensions", extensions).text("extensions_checked", extension_arguments(inputs, "check"));
  view.text("extensions_path", std::string(extension_program_path));
  view.text("user", inputs.options.user.value).text("labels", joined(labels(inputs), next_value));

  std::vector<Expected<File>> made{made_file("Dockerfile", "Dockerfile", std::move(view)),
                                   made_file(".dockerignore", "dockerignore", View())};
  if (inputs.environment.frozen) made.push_back(frozen_requirements_file(inputs));
  if (extensions) made.push_back(extension_program());
  if (inputs.options.ssh)
    made.push_back(made_file("envgen-sshd.sh", "envgen-sshd.sh", View().text("title", title(inputs.environment)), true));
  auto files = all_of(std::move(made));
  if (!files) return files;
  (*files)[1].proposed = true;
  for (std::size_t i = 2; i < files->size(); ++i) (*files)[i].needed = true;
  return files;
}

}  // namespace envgen::files
