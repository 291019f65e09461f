#include "host/this_machine.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::host {
namespace {

/// Where an `auto` was written, as an error names it.
std::string origin_of(const RequestValue& value) { return value.origin == Origin::flag ? value.where + " auto" : value.where; }

/// The value that stands for one found GPU: the name where it is known, else what identifies it.
std::string board_text(const Gpu& gpu, const Known& known) {
  const bool plain = gpu.name.find_first_of(",=") == std::string::npos;
  if (plain && known.board(gpu.name)) return gpu.name;
  if (gpu.capability) return gpu.capability->to_string();
  return gpu.pci_id.empty() ? gpu.name : gpu.pci_id;
}

/// One machine with these boards, which share its driver; no driver: it is left open.
std::string host_text(const std::vector<Gpu>& gpus, const std::string& driver, const Known& known) {
  std::vector<std::string> parts;
  for (const auto& gpu : gpus) parts.push_back("gpu=" + board_text(gpu, known));
  if (!driver.empty()) parts.push_back("driver=" + driver);
  return fmt::format("{}", fmt::join(parts, ","));
}

/// The values of one request that this machine answers.
class MachineAnswers {
 public:
  MachineAnswers(const Known& known, const Request& request, Report report) : known_(known), report_(std::move(report)) {
    const auto* asked = request.find(Field::driver);
    if (asked != nullptr && !asks_the_machine(*asked)) driver_ = asked->text;
  }

  Expected<void> driver(RequestValue& value) {
    const auto found = require_driver(report_, origin_of(value));
    if (!found) return tl::unexpected(found.error());
    driver_ = found->to_string();
    return answer(value, driver_, report_.driver_origin);
  }

  /// Several boards are one host: they share its driver.
  Expected<void> gpus(RequestValue& value) {
    const auto gpus = require_gpus(report_, origin_of(value));
    if (!gpus) return tl::unexpected(gpus.error());
    if (gpus->size() == 1) return answer(value, board_text(gpus->front(), known_), gpus->front().origin);
    value.field = Field::host;
    driver_is_inside_ = true;
    return answer(value, host_text(*gpus, driver_, known_), gpus->front().origin);
  }

  /// A driver that was asked for overrides the machine's.
  Expected<void> host(RequestValue& value) {
    const auto gpus = require_gpus(report_, origin_of(value));
    if (!gpus) return tl::unexpected(gpus.error());
    if (driver_.empty()) {
      const auto found = require_driver(report_, origin_of(value));
      if (!found) return tl::unexpected(found.error());
      driver_ = found->to_string();
    }
    driver_is_inside_ = true;
    return answer(value, host_text(*gpus, driver_, known_), gpus->front().origin);
  }

  Expected<void> os(RequestValue& value) const {
    if (report_.os_id.empty())
      return fail(ErrorCode::missing, "cannot read the operating system of this machine (/etc/os-release)", origin_of(value),
                  {"name it: --os ubuntu22.04"});
    return answer(value, report_.os_id, "/etc/os-release");
  }

  Expected<void> platform(RequestValue& value) const {
    if (!report_.platform)
      return fail(ErrorCode::missing, "this machine is neither x86_64 nor aarch64", origin_of(value),
                  {"name it: --platform linux-x86_64"});
    return answer(value, std::string(name_of(*report_.platform)), "uname -m");
  }

  bool driver_is_inside() const { return driver_is_inside_; }

  /// Under WSL 2 the driver's number is one of Windows.
  bool is_wsl() const { return report_.wsl; }

 private:
  static Expected<void> answer(RequestValue& value, std::string text, const std::string& from) {
    value.where = fmt::format("{} ({})", origin_of(value), from);
    value.origin = Origin::host;
    value.text = std::move(text);
    return {};
  }

  const Known& known_;
  Report report_;
  std::string driver_;
  bool driver_is_inside_ = false;
};

Expected<void> answer_engine(RequestValue& value, const Questions& questions) {
  const auto found = questions.engine();
  if (!found) return tl::unexpected(found.error());
  value.where = fmt::format("{} ({})", origin_of(value), found->origin);
  value.origin = Origin::host;
  value.text = std::string(name_of(found->engine));
  return {};
}

/// A host is written out, or it is this machine as a whole.
Expected<void> check_hosts(const Request& request) {
  for (const auto& value : request.values) {
    if (value.field != Field::host || value.text == "auto") continue;
    const auto parts = "," + value.text + ",";
    if (parts.find("=auto,") != std::string::npos)
      return fail(ErrorCode::usage, "auto cannot be part of a host: it means this machine with its GPUs and its driver",
                  value.where, {"--host auto"});
  }
  return {};
}

}  // namespace

Expected<Request> ask_this_machine(Request request, const Known& known, const Questions& questions) {
  if (const auto checked = check_hosts(request); !checked) return tl::unexpected(checked.error());
  for (auto& value : request.values) {
    if (value.field != Field::engine || !asks_the_machine(value)) continue;
    if (auto answered = answer_engine(value, questions); !answered) return tl::unexpected(answered.error());
  }
  if (std::none_of(request.values.begin(), request.values.end(), asks_the_machine)) return request;
  MachineAnswers answers(known, request, questions.probe());
  // The driver first: what is said of several boards holds it.
  for (const auto field : {Field::driver, Field::gpu, Field::host, Field::os, Field::platform}) {
    for (auto& value : request.values) {
      if (value.field != field || !asks_the_machine(value)) continue;
      const auto answered = field == Field::driver ? answers.driver(value)
                            : field == Field::gpu  ? answers.gpus(value)
                            : field == Field::host ? answers.host(value)
                            : field == Field::os   ? answers.os(value)
                                                   : answers.platform(value);
      if (!answered) return tl::unexpected(answered.error());
    }
  }
  if (answers.is_wsl() && request.find(Field::wsl) == nullptr)
    request.values.push_back({Field::wsl, "true", Origin::host, "--wsl (this machine)"});
  if (answers.driver_is_inside() && request.every_machine_names_driver())
    std::erase_if(request.values, [](const auto& value) { return value.field == Field::driver; });
  return request;
}

}  // namespace envgen::host
