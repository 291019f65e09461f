#include "host/source_report.hpp"

#include <utility>

#include <fmt/format.h>

#include "host/text.hpp"

namespace envgen::host {
namespace {

constexpr std::string_view version_file = "/proc/driver/nvidia/version";
constexpr std::string_view gpus_folder = "/proc/driver/nvidia/gpus";

/// The value of a line `Key: \t value`, when its key is `key`.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || trimmed(line.substr(0, colon)) != key) return std::nullopt;
  return trimmed(line.substr(colon + 1));
}

void ask_gpus(const std::filesystem::path& root, SourceReport& answer) {
  const auto names = names_in(root, gpus_folder);
  if (!names) {
    // Without a driver the folder is not there either; once is enough.
    if (answer.driver) answer.notes.push_back(names.error().message);
    return;
  }
  for (const auto& address : in_bus_order(*names)) {
    if (answer.gpus.size() == most_gpus) break;
    Gpu gpu;
    gpu.origin = fmt::format("{}/{}/information", gpus_folder, address);
    if (const auto text = read_text(root, gpu.origin)) {
      const auto told = parse_proc_gpu(*text);
      if (told.excluded) {
        answer.notes.push_back(gpu.origin + ": excluded from use (GPU Excluded: Yes)");
        continue;
      }
      gpu.name = told.model;
    } else {
      answer.notes.push_back(text.error().message);
    }
    gpu.pci_id = pci_id_at(root, address);
    if (identified(gpu)) {
      answer.gpus.push_back(std::move(gpu));
    } else {
      answer.notes.push_back(gpu.origin + ": has no model name, and /sys has no PCI ID for it");
    }
  }
  answer.notes.push_back(fmt::format("{}: {}", gpus_folder, gpu_count(answer.gpus.size())));
}

}  // namespace

std::optional<KernelModule> parse_kernel_module(std::string_view text) {
  for (const auto line : lines_of(text)) {
    const auto value = value_of(line, "NVRM version");
    if (!value) continue;
    constexpr std::string_view mark = "Kernel Module";
    const auto found = value->find(mark);
    if (found == std::string_view::npos) continue;
    KernelModule result;
    result.open = trimmed(value->substr(0, found)).ends_with(" Open");
    // The version is the first word after the mark that is one: "for x86_64" stands before it in the open module's line.
    auto rest = value->substr(found + mark.size());
    while (!(rest = trimmed(rest)).empty()) {
      const auto word = rest.substr(0, rest.find_first_of(" \t"));
      rest.remove_prefix(word.size());
      const auto version = DriverVersion::parse(word);
      if (!version || version->version().count() < 2) continue;
      result.version = *version;
      return result;
    }
  }
  return std::nullopt;
}

ProcGpu parse_proc_gpu(std::string_view text) {
  ProcGpu result;
  for (const auto line : lines_of(text)) {
    if (const auto model = value_of(line, "Model"); model && *model != "Unknown") result.model = printable(*model);
    if (const auto excluded = value_of(line, "GPU Excluded")) result.excluded = *excluded == "Yes";
  }
  return result;
}

std::string kernel_module_of(const std::filesystem::path& root) {
  const auto text = read_text(root, version_file);
  const auto module = text ? parse_kernel_module(*text) : std::nullopt;
  if (!module) return {};
  return module->open ? "open" : "proprietary";
}

SourceReport ask_proc(const std::filesystem::path& root) {
  SourceReport answer;
  if (const auto text = read_text(root, version_file); !text) {
    answer.notes.push_back(text.error().message);
  } else if (const auto module = parse_kernel_module(*text)) {
    answer.driver = module->version;
    answer.driver_origin = version_file;
    answer.notes.push_back(
        fmt::format("{}: driver {} ({} kernel module)", version_file, module->version, module->open ? "open" : "proprietary"));
  } else {
    const auto lines = lines_of(*text);
    answer.notes.push_back(fmt::format("{}: no driver version in '{}'", version_file,
                                       printable(lines.empty() ? std::string_view() : lines.front())));
  }
  ask_gpus(root, answer);
  return answer;
}

}  // namespace envgen::host
