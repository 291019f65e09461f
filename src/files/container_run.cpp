#include "files/kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/compat.hpp"
#include "files/container_flags.hpp"
#include "files/index_login.hpp"
#include "files/quoting.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"
#include "model/shell_word.hpp"

namespace envgen::files {
namespace {

std::vector<ContainerFlag> flags_of(const Inputs& inputs, const GpuSelection& selection) {
  std::vector<ContainerFlag> flags{{{"--rm"}, "remove the container when it exits"}};
  for (auto& flag : gpu_flags(selection, inputs.cdi())) flags.push_back(std::move(flag));
  for (auto& flag : resource_flags(inputs)) flags.push_back(std::move(flag));
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

View head(const Inputs& inputs) {
  View view;
  view.text("title", title(inputs.environment)).texts("notes", compat_notes(inputs, RunsIn::image));
  view.flag("podman", inputs.podman());
  view.flag("ca_cert", !inputs.options.ca_cert.value.empty()).text("ca_source", inputs.options.ca_cert.value);
  view.flag("netrc", may_need_login(inputs.options));
  view.flag("secrets", !inputs.options.ca_cert.value.empty() || may_need_login(inputs.options));
  view.flag("jupyter", inputs.options.jupyter).flag("ssh", inputs.options.ssh);
  view.text("user", inputs.options.user.value);
  view.text("engine", inputs.podman() ? "podman" : "docker").text("image", inputs.options.image_name.value);
  return view;
}

}  // namespace

Expected<Files> run_script(const Inputs& inputs) {
  const auto selection = container_gpus(inputs);
  if (!selection) return tl::unexpected(selection.error());
  auto view = head(inputs);
  view.text("flags", command_of(flags_of(inputs, *selection)));
  return only(made_file("run.sh", "run.sh", std::move(view), true));
}

Expected<Files> compose(const Inputs& inputs) {
  const auto selection = container_gpus(inputs);
  if (!selection) return tl::unexpected(selection.error());
  auto view = head(inputs);
  view.flag("cdi", inputs.cdi() && !selection->none()).texts("cdi_names", yaml_texts(cdi_names(*selection)));
  view.flag("reserved", !inputs.cdi() && !selection->none());
  view.flag("by_id", !selection->devices.empty()).text("ids", fmt::format("{}", fmt::join(yaml_texts(selection->devices), ", ")));
  view.text("count", selection->count ? std::to_string(*selection->count) : "all");
  view.flag("pins_memory", pins_memory(inputs.environment));
  view.flag("host_ipc", inputs.options.shm_size.value.empty()).text("shm_size", inputs.options.shm_size.value);
  auto file = made_file("compose.yaml", "compose.yaml", std::move(view));
  if (!file) return tl::unexpected(std::move(file.error()));
  Files files{std::move(*file)};
  if (inputs.makes("dockerfile")) return files;  // another output brings it
  auto image = dockerfile(inputs);
  if (!image) return image;
  for (auto& one : *image) {
    one.needed = !one.proposed;
    // compose.yaml builds whatever Dockerfile lies beside it.
    one.proposed = one.proposed || &one == &image->front();
    files.push_back(std::move(one));
  }
  return files;
}

}  // namespace envgen::files
