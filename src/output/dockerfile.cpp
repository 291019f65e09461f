#include "output/dockerfile.hpp"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output/conda_packages.hpp"
#include "output/frozen.hpp"
#include "output/image_base.hpp"
#include "output/image_install.hpp"
#include "output/mirrors.hpp"
#include "output/proof_of_build.hpp"
#include "output/quoting.hpp"
#include "output/summary.hpp"
#include "output/template.hpp"

namespace envgen::output {
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

std::vector<std::string> environment_variables(const Subject& subject, const Install& install) {
  auto values = assignments(install.env);
  if (subject.environment.build().cuda) {
    values.emplace_back("NVIDIA_VISIBLE_DEVICES=all");
    values.emplace_back("NVIDIA_DRIVER_CAPABILITIES=compute,utility");
  }
  return values;
}

std::vector<std::string> labels(const Subject& subject) {
  std::vector<std::string> result{"org.opencontainers.image.title=" + dockerfile_value(short_title(subject.environment)),
                                  "org.opencontainers.image.description=" + dockerfile_value(title(subject.environment))};
  result.push_back("envgen.lock=" + dockerfile_value(subject.lock));
  return result;
}

}  // namespace

Expected<Files> dockerfile(const Subject& subject) {
  auto base = image_base(subject);
  if (!base) return tl::unexpected(std::move(base.error()));
  auto install = image_install(subject);
  if (!install) return tl::unexpected(std::move(install.error()));

  const auto mirror = apt_mirror_rules(subject);
  if (!mirror) return tl::unexpected(mirror.error());

  std::set<std::string> packages(base->packages.begin(), base->packages.end());
  packages.insert(install->packages.begin(), install->packages.end());
  for (const auto& package : subject.options.apt) packages.insert(package.value);
  std::vector<std::string> words;
  for (const auto& package : packages) words.push_back(shell_word(package));

  View view;
  view.text("title", title(subject.environment)).text("tag", subject.options.image_name.value).text("image", base->image);
  view.text("build", subject.options.podman ? "podman build --format docker" : "docker build");
  view.flag("ca_cert", subject.options.ca_cert)
      .text("ca_file", std::string(ca_file))
      .flag("cached", !subject.options.classic)
      .flag("stale_key", base->stale_key);
  view.flag("keeps_security", keeps_security_updates(subject))
      .flag("has_apt_mirror", !mirror->empty())
      .text("apt_mirror", fmt::format(" \\\n      --expression={}", fmt::join(*mirror, " \\\n      --expression=")));
  view.flag("has_apt", !words.empty()).text("apt_why", base->packages_why).text("apt", joined(words, next_package));
  view.text("system", subject.environment.os.value_or("image")).flag("drops_compat", base->drops_compat);
  view.flag("shared", install->shared).flag("has_install", !install->commands.empty()).text("install_why", install->why);
  view.texts("args", install->args)
      .texts("install_mounts", install->mounts)
      .text("install", joined(install->commands, next_line));
  auto build_variables = assignments(install->build_env);
  for (const auto& [name, value] : conda_variables(subject.environment))
    build_variables.push_back(fmt::format("{}={}", name, dockerfile_value(value)));
  view.flag("has_build_env", !build_variables.empty()).text("build_env", joined(build_variables, next_value));
  const bool frozen = subject.environment.frozen.has_value();
  view.flag("frozen", frozen).text("frozen_path", std::string(frozen_path));
  const auto variables = environment_variables(subject, *install);
  view.flag("has_env", !variables.empty()).text("env", joined(variables, next_value));
  view.text("assertion", joined(build_assertion(subject.environment), "; \\\n"));
  view.text("user", subject.options.user.value).text("labels", joined(labels(subject), next_value));
  auto file = made_file("Dockerfile", "Dockerfile", std::move(view));
  if (!file) return tl::unexpected(std::move(file.error()));
  auto ignore = made_file(".dockerignore", "dockerignore", View());
  if (!ignore) return tl::unexpected(std::move(ignore.error()));
  ignore->proposed = true;
  Files files{std::move(*file), std::move(*ignore)};
  if (frozen) {
    auto tree = frozen_requirements_file(subject);
    if (!tree) return tl::unexpected(std::move(tree.error()));
    tree->needed = true;
    files.push_back(std::move(*tree));
  }
  return files;
}

}  // namespace envgen::output
