#include "output/container_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output/compat.hpp"
#include "output/container_flags.hpp"
#include "output/index_login.hpp"
#include "output/quoting.hpp"
#include "output/summary.hpp"
#include "output/template.hpp"

namespace envgen::output {
namespace {

std::vector<ContainerFlag> flags_of(const Subject& subject, const GpuSelection& selection) {
  std::vector<ContainerFlag> flags{{{"--rm"}, "nothing is left of the container when it ends"}};
  for (auto& flag : gpu_flags(selection, subject.options.podman)) flags.push_back(std::move(flag));
  for (auto& flag : resource_flags(subject)) flags.push_back(std::move(flag));
  return flags;
}

std::string command_of(const std::vector<ContainerFlag>& flags) {
  std::vector<std::string> lines;
  for (const auto& flag : flags) {
    std::vector<std::string> words;
    for (const auto& word : flag.words) words.push_back(shell_word(word));
    lines.push_back(fmt::format("  {:<42} # {}", fmt::format("{}", fmt::join(words, " ")), flag.why));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

View head(const Subject& subject) {
  View view;
  view.text("title", title(subject.environment)).texts("notes", compat_notes(subject.environment, RunsIn::image));
  view.flag("podman", subject.options.podman);
  view.flag("ca_cert", !subject.options.ca_cert.value.empty()).text("ca_source", subject.options.ca_cert.value);
  view.flag("netrc", may_need_login(subject.options));
  view.flag("secrets", !subject.options.ca_cert.value.empty() || may_need_login(subject.options));
  view.flag("jupyter", subject.options.jupyter).flag("ssh", subject.options.ssh);
  view.text("user", subject.options.user.value);
  view.text("engine", subject.options.podman ? "podman" : "docker").text("image", subject.options.image_name.value);
  return view;
}

}  // namespace

Expected<Files> run_script(const Subject& subject) {
  const auto selection = container_gpus(subject);
  if (!selection) return tl::unexpected(selection.error());
  auto view = head(subject);
  view.text("flags", command_of(flags_of(subject, *selection)));
  return only(made_file("run.sh", "run.sh", std::move(view), true));
}

Expected<Files> compose(const Subject& subject) {
  const auto selection = container_gpus(subject);
  if (!selection) return tl::unexpected(selection.error());
  auto view = head(subject);
  view.flag("cdi", subject.options.podman && !selection->none()).texts("cdi_names", yaml_texts(cdi_names(*selection)));
  view.flag("reserved", !subject.options.podman && !selection->none());
  view.flag("by_id", !selection->devices.empty()).text("ids", fmt::format("{}", fmt::join(yaml_texts(selection->devices), ", ")));
  view.text("count", selection->count ? std::to_string(*selection->count) : "all");
  view.flag("pins_memory", pins_memory(subject.environment));
  view.flag("host_ipc", subject.options.shm_size.value.empty()).text("shm_size", subject.options.shm_size.value);
  return only(made_file("compose.yaml", "compose.yaml", std::move(view)));
}

}  // namespace envgen::output
