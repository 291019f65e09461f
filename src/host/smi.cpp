#include "host/source_report.hpp"

#include <utility>

#include <fmt/format.h>

#include "host/text.hpp"
#include "util/process.hpp"

namespace envgen::host {
namespace {

/// Takes the last field off `line`. Fields are taken from the right, because only the first, the name, is free text.
std::string_view last_field(std::string_view& line) {
  const auto comma = line.rfind(',');
  if (comma == std::string_view::npos) return {};
  const auto field = trimmed(line.substr(comma + 1));
  line = line.substr(0, comma);
  return field;
}

/// True for `[N/A]`, `[Not Supported]`, `[Unknown Error]`, and `N/A`.
bool absent(std::string_view field) { return field.empty() || field.starts_with('[') || field == "N/A"; }

util::ProcessLimits limits_for(std::chrono::milliseconds timeout) {
  util::ProcessLimits limits;
  limits.timeout = timeout;
  return limits;
}

/// What a run that failed says about it: nvidia-smi writes its complaints to its output, the linker to its error output.
std::string complaint(const util::ProcessResult& result) {
  constexpr std::size_t most = 200;
  auto text = printable(result.out, most);
  if (text.empty()) text = printable(result.err, most);
  return text.empty() ? result.ending() : fmt::format("{}: {}", result.ending(), text);
}

}  // namespace

SourceReport parse_smi(std::string_view text, bool with_capability, const std::string& origin) {
  SourceReport answer;
  for (const auto line : lines_of(text)) {
    if (trimmed(line).empty()) continue;
    if (answer.gpus.size() == most_gpus) break;
    auto rest = line;
    const auto device_id = last_field(rest);
    const auto capability = with_capability ? last_field(rest) : std::string_view();
    const auto driver = last_field(rest);
    if (driver.empty()) {
      answer.notes.push_back(fmt::format("{}: cannot parse the line '{}'", origin, printable(line)));
      continue;
    }
    if (!answer.driver) {
      if (const auto version = DriverVersion::parse(driver); version && version->version().count() >= 2) {
        answer.driver = *version;
        answer.driver_origin = origin;
      } else if (!absent(driver)) {
        answer.notes.push_back(fmt::format("{}: '{}' is not a driver version", origin, printable(driver)));
      }
    }
    Gpu gpu;
    gpu.origin = origin;
    if (const auto name = trimmed(rest); !absent(name)) gpu.name = printable(name);
    if (const auto parsed = Capability::parse(capability); parsed && parsed->major > 0) {
      gpu.capability = *parsed;
    } else if (!absent(capability)) {
      answer.notes.push_back(fmt::format("{}: '{}' is not a compute capability", origin, printable(capability)));
    }
    if (const auto id = parse_hex(device_id)) gpu.pci_id = pci_id_text(*id & 0xffffu, *id >> 16u);
    if (identified(gpu)) answer.gpus.push_back(std::move(gpu));
  }
  return answer;
}

SourceReport ask_smi(const std::string& program, std::chrono::milliseconds timeout) {
  const auto origin = printable(program);
  const auto query = [&](const char* fields) {
    return util::run_process({program, std::string("--query-gpu=") + fields, "--format=csv,noheader"}, limits_for(timeout));
  };
  const auto only_note = [&](const std::string& text) {
    SourceReport answer;
    answer.notes.push_back(fmt::format("{}: {}", origin, text));
    return answer;
  };

  bool with_capability = true;
  auto result = query("name,driver_version,compute_cap,pci.device_id");
  if (result && !result->ok() && !result->timed_out &&
      (result->out + result->err).find("\"compute_cap\" is not a valid field") != std::string::npos) {
    with_capability = false;
    result = query("name,driver_version,pci.device_id");
  }
  if (!result) return only_note(result.error().message);
  if (!result->ok()) return only_note(complaint(*result));
  auto answer = parse_smi(result->out, with_capability, origin);
  const auto driver = answer.driver ? "driver " + answer.driver->to_string() : std::string("no driver version");
  answer.notes.insert(answer.notes.begin(), fmt::format("{}: {}, {}{}", origin, driver, gpu_count(answer.gpus.size()),
                                                        with_capability ? "" : " (too old to report compute capabilities)"));
  return answer;
}

}  // namespace envgen::host
