#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace envgen {

/// What can be fixed in a request.
enum class Field : std::uint8_t {
  torch,
  torchvision,
  torchaudio,
  tensorflow,
  cuda,
  cudnn,
  python,
  driver,
  gpu,
  host,
  os,
  platform,
  variant,
  installer,
  base,
  prefer,
  ptx,
  allow_inferred
};
inline constexpr std::array<std::string_view, 18> field_names{
    "torch", "torchvision", "torchaudio", "tensorflow", "cuda",      "cudnn", "python", "driver", "gpu",
    "host",  "os",          "platform",   "variant",    "installer", "base",  "prefer", "ptx",    "allow-inferred"};
constexpr std::string_view name_of(Field field) { return field_names[static_cast<std::size_t>(field)]; }

/// Who fixed it. `host` is the probe of this machine, `compiler` something that is to be installed and compiles with nvcc.
enum class Origin : std::uint8_t { flag, file, preset, host, compiler };
inline constexpr std::array<std::string_view, 5> origin_names{"flag", "file", "preset", "host", "compiler"};
constexpr std::string_view name_of(Origin origin) { return origin_names[static_cast<std::size_t>(origin)]; }

/// One value as it was written, `where` for messages: `--torch`, or `envgen.json#/request/torch`.
struct RequestValue {
  Field field = Field::torch;
  std::string text;
  Origin origin = Origin::flag;
  std::string where;
};

/// True of a `--host` that names its driver: `gpu=V100,driver=535`.
inline bool names_driver(std::string_view host) {
  for (bool more = true; more;) {
    const auto comma = host.find(',');
    auto part = host.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    if (part.starts_with("driver")) return true;
    more = comma != std::string_view::npos;
    if (more) host.remove_prefix(comma + 1);
  }
  return false;
}

/// True of an `auto` that stands for what this machine has; elsewhere it leaves a choice open.
inline bool asks_the_machine(const RequestValue& value) {
  const bool probed = value.field == Field::gpu || value.field == Field::host || value.field == Field::driver ||
                      value.field == Field::os || value.field == Field::platform;
  return probed && value.text == "auto";
}

/// What the user fixed. `gpu` and `host` may stand several times, everything else at most once.
struct Request {
  std::vector<RequestValue> values;

  /// As envgen.json holds it.
  template <class Visit>
  static void members(const Request& self, Visit& visit) {
    const auto several = [](Field field) { return field == Field::gpu || field == Field::host; };
    for (const auto& value : self.values) {
      if (value.field == Field::ptx || value.field == Field::allow_inferred) {
        visit(value.field == Field::ptx ? "ptx" : "allow_inferred", value.text == "true");
      } else if (!several(value.field)) {
        visit(name_of(value.field), value.text);
      }
    }
    for (const auto& [field, name] : {std::pair(Field::gpu, "gpus"), std::pair(Field::host, "hosts")}) {
      std::vector<std::string> texts;
      for (const auto& value : self.values) {
        if (value.field == field) texts.push_back(value.text);
      }
      if (!texts.empty()) visit(name, texts);
    }
  }

  const RequestValue* find(Field field) const {
    for (const auto& value : values) {
      if (value.field == field) return &value;
    }
    return nullptr;
  }
  /// True where the request has machines and each of them names its driver, so that `--driver` has nothing to drive.
  bool every_machine_names_driver() const {
    bool any = false;
    for (const auto& value : values) {
      if (value.field == Field::gpu || (value.field == Field::host && !names_driver(value.text))) return false;
      any = any || value.field == Field::host;
    }
    return any;
  }
  /// Values of `other` for fields that this request leaves open; boards and hosts count as one field, and hosts that name their
  /// drivers leave none open.
  void fill_from(const Request& other) {
    const auto machine = [](Field field) { return field == Field::gpu || field == Field::host; };
    const auto before = values.size();
    const bool driven = every_machine_names_driver();
    for (const auto& value : other.values) {
      bool fixed = driven && value.field == Field::driver;
      for (std::size_t i = 0; i < before; ++i) {
        fixed = fixed || values[i].field == value.field || (machine(values[i].field) && machine(value.field)) ||
                // torch and tensorflow stand for one choice
                (values[i].field == Field::torch && value.field == Field::tensorflow) ||
                (values[i].field == Field::tensorflow && value.field == Field::torch);
      }
      if (!fixed) values.push_back(value);
    }
  }
};

}  // namespace envgen
