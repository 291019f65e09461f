#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/choices.hpp"
#include "model/host_text.hpp"

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
  engine,
  wsl,
  prefer,
  ptx,
  allow_inferred
};

/// How a member of a `request` object is written.
enum class Shape : std::uint8_t { text, flag, boards, hosts, preset };

/// All that is said of a field, once: command line, completion, envgen.json, its template and its schema go by this table. In the
/// order of the enumeration, then the preset, which stands for a request of its own.
struct FieldRow {
  const char* flag;
  std::string_view name;  ///< of the member in a file
  Shape shape;
  const char* type;                                ///< what stands for the flag's value in help
  const char* help;                                ///< ... of the flag
  std::string_view what;                           ///< the explanation in the template
  std::string_view example;                        ///< a value as JSON
  std::span<const std::string_view> choices = {};  ///< none: the matrix has the values
  const char* aliases = "";                        ///< other names of the flag, as CLI11 takes them: `-g,--gpus`
};
inline constexpr std::array<FieldRow, 21> field_rows{{
    {"--torch",
     "torch",
     Shape::text,
     "VERSION",
     "PyTorch: 2.3, 2.3.1, '>=2.3,<2.5', 2.3.1+cu121",
     "PyTorch. With its build: \"2.3.1+cu121\".",
     "\"2.3\"",
     {},
     "-t"},
    {"--torchvision", "torchvision", Shape::text, "VERSION", "torchvision, if it must be a specific version",
     "torchvision, if it must be a specific version.", "\"0.18\""},
    {"--torchaudio", "torchaudio", Shape::text, "VERSION", "torchaudio, if it must be a specific version",
     "torchaudio, if it must be a specific version.", "\"2.3\""},
    {"--tensorflow", "tensorflow", Shape::text, "VERSION", "TensorFlow instead of PyTorch", "TensorFlow, instead of torch.",
     "\"2.16\""},
    {"--cuda",
     "cuda",
     Shape::text,
     "VERSION",
     "CUDA: 12.1, 12.1.1, cu121, '>=12.1,<13', or cpu",
     "CUDA: \"12.1\", \"cu121\", \">=12.1,<13\", or \"cpu\" for a build without it.",
     "\"12.1\"",
     {},
     "-c"},
    {"--cudnn", "cudnn", Shape::text, "VERSION", "cuDNN: 8, 8.9, 8.9.2.26", "cuDNN: \"8\", \"8.9\", \"8.9.2.26\".", "\"8.9\""},
    {"--python",
     "python",
     Shape::text,
     "VERSION",
     "Python: 3.11, or 3.13t for the free-threaded build",
     "Python; \"3.13t\" is the free-threaded build.",
     "\"3.11\"",
     {},
     "-p"},
    {"--driver",
     "driver",
     Shape::text,
     "VERSION",
     "NVIDIA driver for every --gpu, and for every --host without its own: 535 (a branch), 535.183.01, '>=535,<580', or auto",
     "The NVIDIA driver: a release, a branch (\"535\") or a range; for a range, at least one release in it must work.",
     "\"535.183.01\"",
     {},
     "-d"},
    {"--gpu",
     "gpus",
     Shape::boards,
     "NAME",
     "a GPU to support (repeatable): 4090, A100, 'A100 MIG 1g.5gb', 10de:2684, 8.6, sm_120, or auto",
     "GPUs to support, on any machine: names, families, MIG slices (\"A100 MIG 1g.5gb\"), PCI IDs (\"10de:2684\"), "
     "capabilities (\"8.6\").",
     "[\"RTX 4090\", \"A100\"]",
     {},
     "-g,--gpus"},
    {"--host", "hosts", Shape::hosts, "PARTS", "one machine (repeatable): gpu=V100,gpu=T4,driver=535.183.01, or auto",
     "Machines to support: the GPUs of one machine share its driver.",
     "[{\"gpus\": [\"V100\", \"T4\"], \"driver\": \"535.183.01\"}]"},
    {"--os", "os", Shape::text, "NAME", "operating system in the container: ubuntu22.04, debian12, rockylinux9, or auto",
     "The operating system inside the container.", "\"ubuntu22.04\""},
    {"--platform", "platform", Shape::text, "NAME", "linux-x86_64 or linux-aarch64, or auto",
     "\"linux-x86_64\" or \"linux-aarch64\".", "\"linux-x86_64\"", Names<Platform>::names},
    {"--variant", "variant", Shape::text, "NAME", "devel (nvcc and headers) or runtime",
     "\"runtime\", or \"devel\" for nvcc and headers.", "\"devel\"", Names<Variant>::names},
    {"--installer", "installer", Shape::text, "NAME", "pip, uv or conda", "\"pip\", \"uv\" or \"conda\".", "\"uv\"",
     Names<Installer>::names},
    {"--base", "base", Shape::text, "NAME",
     "slim (just the distribution), cuda (nvidia/cuda), pytorch or tensorflow (official images)",
     "What the image starts from: \"slim\", \"cuda\", \"pytorch\" or \"tensorflow\".", "\"cuda\"", Names<Base>::names},
    {"--engine", "engine", Shape::text, "NAME",
     "container engine: docker (checks the image's NVIDIA_REQUIRE_CUDA), docker-cdi or podman (CDI; no such check), none (no "
     "container), or auto",
     "The container engine: \"docker\", \"docker-cdi\", \"podman\", or \"none\" for an environment without a container. "
     "Only \"docker\" checks the image's NVIDIA_REQUIRE_CUDA.",
     "\"podman\"", Names<Engine>::names},
    {"--wsl",
     "wsl",
     Shape::flag,
     "",
     "for WSL 2; --driver is then the version of the Windows driver",
     "true: for WSL 2; \"driver\" is then the version of the Windows driver.",
     "true",
     {},
     "--wsl2"},
    {"--prefer", "prefer", Shape::text, "NAME", "what \"best\" means: stable, newest, smallest or widest",
     "How to choose the best: \"stable\", \"newest\", \"smallest\" or \"widest\".", "\"newest\"", Names<Prefer>::names},
    {"--ptx", "ptx", Shape::flag, "", "require a driver that can also JIT-compile this CUDA version's PTX",
     "true: the driver must also be able to compile PTX.", "true"},
    {"--allow-inferred", "allow_inferred", Shape::flag, "",
     "also offer image tags that were inferred from similar ones, marked as such",
     "true: also offer image tags that are not listed anywhere but inferred from similar tags.", "true"},
    {"--preset", "preset", Shape::preset, "NAME", "a named request: see 'envgen list presets'",
     "A named request; every value above overrides it.", "\"colab-t4\""},
}};

/// The names of the fields, as `envgen why`, answers and presets have them: the flags without their dashes.
inline constexpr auto field_names = [] {
  std::array<std::string_view, field_rows.size() - 1> names;
  for (std::size_t i = 0; i < names.size(); ++i) names.at(i) = std::string_view(field_rows.at(i).flag).substr(2);
  return names;
}();
static_assert(field_names.size() == static_cast<std::size_t>(Field::allow_inferred) + 1);
constexpr std::string_view name_of(Field field) { return field_names[static_cast<std::size_t>(field)]; }
/// None: there is none of that name.
constexpr std::optional<Field> field_named(std::string_view name) {
  for (std::size_t i = 0; i < field_names.size(); ++i) {
    if (field_names.at(i) == name) return static_cast<Field>(i);
  }
  return std::nullopt;
}

/// Who fixed it. `host` is the probe of this machine, `compiler` something that is to be installed and compiles with nvcc,
/// `output` what is to be generated, `request` a line of a batch, which no file of a project stands behind.
enum class Origin : std::uint8_t { flag, file, preset, host, compiler, output, request };
inline constexpr std::array<std::string_view, 7> origin_names{"flag", "file", "preset", "host", "compiler", "output", "request"};
constexpr std::string_view name_of(Origin origin) { return origin_names[static_cast<std::size_t>(origin)]; }

/// One value as it was written, `where` for messages: `--torch`, or `envgen.json#/request/torch`.
struct RequestValue {
  Field field = Field::torch;
  std::string text;
  Origin origin = Origin::flag;
  std::string where;
};

/// True of an `auto` that stands for what this machine has; elsewhere it leaves a choice open.
inline bool asks_the_machine(const RequestValue& value) {
  const bool probed = value.field == Field::gpu || value.field == Field::host || value.field == Field::driver ||
                      value.field == Field::os || value.field == Field::platform || value.field == Field::engine;
  return probed && value.text == "auto";
}

/// What the user fixed. `gpu` and `host` may stand several times, everything else at most once.
struct Request {
  std::vector<RequestValue> values;
  /// False: the image that the environment starts from only compiles and gets no GPU; another stage runs. It is a property of
  /// what is generated, so no file of a request says it.
  bool start_image_runs = true;

  /// As envgen.json holds it.
  template <class Visit>
  static void members(const Request& self, Visit& visit) {
    const auto row_of = [](Field field) { return field_rows.at(static_cast<std::size_t>(field)); };
    for (const auto& value : self.values) {
      const auto row = row_of(value.field);
      if (row.shape == Shape::flag) {
        visit(row.name, value.text == "true");
      } else if (row.shape == Shape::text) {
        visit(row.name, value.text);
      }
    }
    for (const auto field : {Field::gpu, Field::host}) {
      std::vector<std::string> texts;
      for (const auto& value : self.values) {
        if (value.field == field) texts.push_back(value.text);
      }
      if (!texts.empty()) visit(row_of(field).name, texts);
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
