#include "files/gpu_selection.hpp"

#include <sstream>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/pattern.hpp"

namespace envgen::files {

Expected<GpuSelection> gpu_selection(const Options& options) {
  const auto& text = options.container_gpus.value;
  const auto refuse = [&](std::string message, std::vector<std::string> hints) {
    return fail(ErrorCode::usage, std::move(message), options.container_gpus.where, std::move(hints));
  };
  GpuSelection selection;
  if (text == "none") return selection;
  if (text == "all") {
    selection.all = true;
    return selection;
  }
  static const util::Pattern number("[1-9][0-9]{0,2}");
  // A driver before R470 names a slice by its GPU and its two instances.
  static const std::string uuid = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";
  static const std::string slice = "MIG-(" + uuid + "|GPU-" + uuid + "/[0-9]+/[0-9]+)";
  static const std::string name = "(GPU-[A-Za-z0-9-]+|" + slice + ")";
  static const std::string device = "([0-9]+(:[0-9]+)?|" + name + ")";
  static const util::Pattern devices("device=" + device + "(," + device + ")*");
  static const util::Pattern names(name + "(," + name + ")*");
  if (number.matches(text)) {
    if (options.podman) return refuse("podman takes device names, not a number of GPUs", {"device=0,1", "all"});
    selection.count = std::stoi(text);
    return selection;
  }
  if (!devices.matches(text) && !names.matches(text)) {
    static const util::Pattern with_slice(".*MIG-.*");
    if (with_slice.matches(text))
      return refuse(fmt::format("{} does not name a MIG slice by its UUID", in_quotes(text)),
                    {"'nvidia-smi -L' lists them: MIG-c7384736-a75d-5afc-978f-d2f1294409fd, or, with a driver before R470, "
                     "MIG-GPU-UUID/1/0",
                     "by their numbers: device=0:0"});
    return refuse(fmt::format("{} is not a choice of this machine's GPUs", in_quotes(text)),
                  {"all, none, 2, device=0,1, device=0:0, GPU-UUID or MIG-UUID"});
  }
  std::istringstream list(text.substr(text.find('=') + 1));  // from the beginning where there is none
  for (std::string one; std::getline(list, one, ',');) selection.devices.push_back(one);
  return selection;
}

std::vector<std::string> cdi_names(const GpuSelection& selection) {
  constexpr std::string_view vendor = "nvidia.com/gpu=";
  std::vector<std::string> names;
  if (selection.all) names.push_back(fmt::format("{}all", vendor));
  for (const auto& device : selection.devices) names.push_back(fmt::format("{}{}", vendor, device));
  return names;
}

}  // namespace envgen::files
