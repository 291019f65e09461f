#include "output/container_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output/gpu_selection.hpp"
#include "output/quoting.hpp"
#include "output/summary.hpp"
#include "output/template.hpp"

namespace envgen::output {
namespace {

struct Flag {
  std::vector<std::string> words;
  std::string_view why;  ///< a text of the program
};

/// A CPU build gets no GPU, whatever was selected.
Expected<GpuSelection> gpus_of(const Subject& subject) {
  auto selection = gpu_selection(subject.options);
  if (selection && !subject.environment.build().cuda) return GpuSelection{};
  return selection;
}

void add_gpus(const GpuSelection& selection, bool podman, std::vector<Flag>& flags) {
  if (podman) {
    for (const auto& name : cdi_names(selection)) flags.push_back({{"--device", name}, "a GPU by its CDI name"});
    if (!selection.none()) flags.push_back({{"--security-opt", "label=disable"}, "SELinux would keep the devices away"});
  } else if (selection.all) {
    flags.push_back({{"--gpus", "all"}, "every GPU"});
  } else if (selection.count) {
    flags.push_back({{"--gpus", std::to_string(*selection.count)}, "so many GPUs"});
  } else if (!selection.devices.empty()) {
    // Docker reads the value as CSV, so the commas need quotes of their own.
    flags.push_back({{"--gpus", fmt::format("\"device={}\"", fmt::join(selection.devices, ","))}, "these GPUs"});
  }
}

std::vector<Flag> flags_of(const Subject& subject, const GpuSelection& selection) {
  const auto& options = subject.options;
  std::vector<Flag> flags{{{"--rm"}, "nothing is left of the container when it ends"}};
  add_gpus(selection, options.podman, flags);
  if (options.shm_size.value.empty()) {
    flags.push_back({{"--ipc=host"}, "DataLoader workers and NCCL exchange data in /dev/shm, of which a container has 64 MB"});
  } else {
    flags.push_back({{"--shm-size=" + options.shm_size.value}, "for DataLoader workers and NCCL; a container has 64 MB else"});
  }
  if (options.podman) {
    flags.push_back({{"--ulimit", "host"}, "the limits of the host, which a user without root cannot raise"});
  } else {
    flags.push_back({{"--ulimit", "memlock=-1"}, "pinned memory and InfiniBand"});
    flags.push_back({{"--ulimit", "stack=67108864"}, "deep recursion in compilers, as NVIDIA's images ask"});
  }
  return flags;
}

std::string command_of(const std::vector<Flag>& flags) {
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
  view.text("title", title(subject.environment)).flag("podman", subject.options.podman);
  view.flag("ca_cert", subject.options.ca_cert);
  view.text("engine", subject.options.podman ? "podman" : "docker").text("image", subject.options.image_name.value);
  return view;
}

}  // namespace

Expected<Files> run_script(const Subject& subject) {
  const auto selection = gpus_of(subject);
  if (!selection) return tl::unexpected(selection.error());
  auto view = head(subject);
  view.text("flags", command_of(flags_of(subject, *selection)));
  return only(made_file("run.sh", "run.sh", std::move(view), true));
}

Expected<Files> compose(const Subject& subject) {
  const auto selection = gpus_of(subject);
  if (!selection) return tl::unexpected(selection.error());
  auto view = head(subject);
  view.flag("cdi", subject.options.podman && !selection->none()).texts("cdi_names", yaml_texts(cdi_names(*selection)));
  view.flag("reserved", !subject.options.podman && !selection->none());
  view.flag("by_id", !selection->devices.empty()).text("ids", fmt::format("{}", fmt::join(yaml_texts(selection->devices), ", ")));
  view.text("count", selection->count ? std::to_string(*selection->count) : "all");
  view.flag("host_ipc", subject.options.shm_size.value.empty()).text("shm_size", subject.options.shm_size.value);
  return only(made_file("compose.yaml", "compose.yaml", std::move(view)));
}

}  // namespace envgen::output
