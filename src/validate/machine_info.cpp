#include "validate/machine_info.hpp"

#include <array>
#include <cmath>

#include "model/spelling.hpp"
#include "util/json_members.hpp"
#include "validate/result.hpp"

namespace envgen::validate {
namespace {

constexpr std::size_t longest_text = 200;
constexpr std::size_t most_gpus = 256;
constexpr std::size_t most_texts = 64;

struct Figure {
  const char* name;
  std::optional<double> Gpu::*member;
};
constexpr std::array state_figures{Figure{"temperature_c", &Gpu::temperature_c},
                                   Figure{"power_w", &Gpu::power_w},
                                   Figure{"power_limit_w", &Gpu::power_limit_w},
                                   Figure{"sm_clock_mhz", &Gpu::sm_clock_mhz},
                                   Figure{"sm_clock_max_mhz", &Gpu::sm_clock_max_mhz},
                                   Figure{"memory_clock_mhz", &Gpu::memory_clock_mhz},
                                   Figure{"memory_clock_max_mhz", &Gpu::memory_clock_max_mhz}};

std::string text_of(const Json& object, std::string_view name) {
  return visible(util::text_member(object, name).value_or(""), longest_text);
}

std::optional<double> figure_of(const Json& object, std::string_view name) {
  const auto value = util::real_member(object, name);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

Json or_null(const std::optional<double>& value) {
  if (!value) return {};
  constexpr double largest_exact = 9007199254740992;  // 2^53
  if (*value == std::floor(*value) && std::abs(*value) < largest_exact) return static_cast<long long>(*value);
  return *value;
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Gpu gpu_from_json(const Json& json) {
  Gpu gpu;
  gpu.ordinal = util::number_member(json, "ordinal").value_or(0);
  gpu.name = text_of(json, "name");
  gpu.capability = text_of(json, "capability");
  gpu.memory_bytes = figure_of(json, "memory_bytes");
  const auto* state = util::member(json, "state");
  if (state == nullptr || !state->is_object()) return gpu;
  for (const auto& figure : state_figures) gpu.*figure.member = figure_of(*state, figure.name);
  gpu.mig = util::flag_member(*state, "mig");
  if (const auto* reasons = util::member(*state, "throttle_reasons"); reasons != nullptr && reasons->is_array()) {
    gpu.throttle_reasons.emplace();
    for (const auto& reason : util::texts_member(*state, "throttle_reasons")) {
      if (gpu.throttle_reasons->size() < most_texts) gpu.throttle_reasons->push_back(visible(reason, longest_text));
    }
  }
  return gpu;
}

Json gpu_json(const Gpu& gpu) {
  Json state;
  for (const auto& figure : state_figures) state[figure.name] = or_null(gpu.*figure.member);
  state["throttle_reasons"] = gpu.throttle_reasons ? Json(*gpu.throttle_reasons) : Json();
  state["mig"] = gpu.mig ? Json(*gpu.mig) : Json();
  return {{"ordinal", gpu.ordinal},
          {"name", gpu.name},
          {"capability", or_null(gpu.capability)},
          {"memory_bytes", or_null(gpu.memory_bytes)},
          {"state", std::move(state)}};
}

std::vector<Gpu> gpus_of(const Json& json) {
  std::vector<Gpu> gpus;
  const auto* found = util::member(json, "gpus");
  if (found == nullptr || !found->is_array()) return gpus;
  for (const auto& gpu : *found) {
    if (gpus.size() < most_gpus) gpus.push_back(gpu_from_json(gpu));
  }
  return gpus;
}

}  // namespace

std::string MachineInfo::name_of(std::optional<long long> ordinal) const {
  for (const auto& gpu : gpus) {
    if (gpu.ordinal == ordinal) return gpu.name;
  }
  return {};
}

MachineInfo machine_of_bench(const Json& bench) {
  MachineInfo machine;
  machine.gpus = gpus_of(bench);
  if (const auto* driver = util::member(bench, "driver"); driver != nullptr) {
    for (const auto* name : {"kernel_module", "libcuda_release", "nvml"}) {
      if (machine.driver.empty()) machine.driver = text_of(*driver, name);
    }
    machine.cuda = text_of(*driver, "cuda");
  }
  if (const auto* libraries = util::member(bench, "libraries"); libraries != nullptr && libraries->is_array()) {
    for (const auto& library : *libraries) {
      auto version = text_of(library, "version");
      if (!version.empty() && machine.libraries.size() < most_texts)
        machine.libraries.emplace_back(text_of(library, "name"), std::move(version));
    }
  }
  return machine;
}

Json to_json(const MachineInfo& machine) {
  Json libraries = Json::object();
  for (const auto& [name, version] : machine.libraries) libraries[name] = version;
  Json gpus = Json::array();
  for (const auto& gpu : machine.gpus) gpus.push_back(gpu_json(gpu));
  return {{"driver", or_null(machine.driver)},
          {"cuda", or_null(machine.cuda)},
          {"libraries", std::move(libraries)},
          {"gpus", std::move(gpus)}};
}

MachineInfo machine_from_json(const Json& json) {
  MachineInfo machine{text_of(json, "driver"), text_of(json, "cuda"), {}, gpus_of(json)};
  if (const auto* libraries = util::member(json, "libraries"); libraries != nullptr && libraries->is_object()) {
    for (const auto& [name, version] : libraries->items()) {
      if (version.is_string() && machine.libraries.size() < most_texts)
        machine.libraries.emplace_back(visible(name, longest_text), visible(version.get<std::string>(), longest_text));
    }
  }
  return machine;
}

}  // namespace envgen::validate
