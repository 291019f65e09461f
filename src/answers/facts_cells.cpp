#include "answers/facts_cells.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "resolver/place.hpp"

namespace envgen::answers {
namespace {

/// The official image lists know no cuDNN where the row has none read; a CUDA image without one says so.
SheetCell image_cudnn(Version cudnn) { return cudnn ? SheetCell::text(cudnn.to_string()) : SheetCell::none(); }

/// What NVIDIA_REQUIRE_CUDA of an image asks of the driver: the CUDA, or one of the exceptions.
struct ShownGate {
  Version cuda;
  std::vector<matrix::GateException> exceptions;
  bool read = true;      ///< false: inferred, as the resolver does, from the gates of its CUDA
  bool complete = true;  ///< false: a branch that is no exception here may pass
  bool closed_to_consumers = false;
};

ShownGate read_gate(const matrix::Gate& gate) { return {gate.cuda, {gate.exceptions.begin(), gate.exceptions.end()}}; }

/// What all gates of a CUDA have in common. A driver that reports the CUDA passes in any case.
ShownGate inferred_gate(const matrix::Matrix& matrix, Version cuda) {
  std::optional<ShownGate> common;
  for (const auto& gate : matrix->gates) {
    if (gate.cuda != cuda) continue;
    const auto other = read_gate(gate);
    if (!common) common = other;
    const auto has = [&](const matrix::GateException& one) {
      return std::any_of(other.exceptions.begin(), other.exceptions.end(),
                         [&](const auto& row) { return row.brand == one.brand && row.branch == one.branch; });
    };
    const auto rest = std::partition(common->exceptions.begin(), common->exceptions.end(), has);
    common->exceptions.erase(rest, common->exceptions.end());
    common->complete = common->complete && common->exceptions.size() == other.exceptions.size();
  }
  if (!common) common = ShownGate{cuda, {}, false, false, resolver::is_past_consumers(matrix, cuda)};
  common->read = false;
  return *common;
}

ShownGate gate_of(const matrix::Matrix& matrix, int index, Version cuda) {
  return index >= 0 ? read_gate(matrix->gates[static_cast<std::size_t>(index)]) : inferred_gate(matrix, cuda);
}

/// `CUDA 11.8; or R470; or R450 (data-centre GPUs)`: what NVIDIA_REQUIRE_CUDA asks of the driver, and the older
/// branches that pass. Which brand may have which is in the exceptions.
SheetCell gate_cell(const ShownGate& gate) {
  enum Boards : std::uint8_t { all, without_geforce, data_centre };
  std::map<std::uint16_t, Boards> widest;
  for (const auto& row : gate.exceptions) {
    const auto brand = name_of(row.brand);
    const auto boards = brand.starts_with("geforce")                                    ? all
                        : brand.starts_with("quadro") || brand.starts_with("nvidiartx") ? without_geforce
                                                                                        : data_centre;
    const auto found = widest.try_emplace(row.branch, boards).first;
    found->second = std::min(found->second, boards);
  }
  auto shown = "CUDA " + gate.cuda.to_string();
  constexpr std::array<std::string_view, 3> whose{"", " (no GeForce)", " (data-centre GPUs)"};
  for (const auto boards : {all, without_geforce, data_centre}) {
    std::vector<std::uint16_t> branches;
    for (const auto& [branch, of] : widest) {
      if (of == boards) branches.push_back(branch);
    }
    if (!branches.empty()) shown += fmt::format("; or R{}{}", fmt::join(branches, ", R"), whose.at(boards));
  }
  if (!gate.read) {
    shown += " (inferred";
    if (gate.closed_to_consumers) shown += "; no GeForce exception";
    if (!gate.complete)
      shown += widest.empty() && !gate.closed_to_consumers ? "; exceptions unknown" : "; other exceptions unknown";
    shown += ")";
  }
  return SheetCell::text(gate.cuda.to_string()).shown_as(std::move(shown));
}

SheetCell gate_exceptions_cell(const ShownGate& gate) {
  std::map<std::string_view, std::vector<std::uint16_t>> by_brand;
  for (const auto& row : gate.exceptions) by_brand[name_of(row.brand)].push_back(row.branch);
  std::vector<std::string> texts;
  for (const auto& [brand, branches] : by_brand) texts.push_back(fmt::format("{} {}", brand, fmt::join(branches, " ")));
  auto shown = fmt::format("{}", fmt::join(texts, ", "));
  if (gate.complete) return SheetCell::list(texts, std::move(shown));
  return texts.empty() ? SheetCell::unknown() : SheetCell::unknown().shown_as(std::move(shown));
}

SheetCell gate_basis_cell(const ShownGate& gate) { return SheetCell::text(gate.read ? "read" : "inferred"); }

}  // namespace

SheetCell version_cell(Version version) { return version ? SheetCell::text(version.to_string()) : SheetCell::unknown(); }
SheetCell version_or_none(Version version) { return version ? SheetCell::text(version.to_string()) : SheetCell::none(); }
SheetCell driver_cell(DriverVersion driver) { return driver ? SheetCell::text(driver.to_string()) : SheetCell::unknown(); }
SheetCell capability_cell(Capability capability) { return SheetCell::text(capability.to_string()); }

std::string python_runs(PythonSet pythons) {
  std::vector<std::string> parts;
  for (const bool free_threaded : {false, true}) {
    std::vector<PythonVersion> members;
    for (const auto python : pythons.list()) {
      if (python.free_threaded == free_threaded) members.push_back(python);
    }
    for (std::size_t i = 0; i < members.size();) {
      auto last = i;
      while (last + 1 < members.size() && members[last + 1].minor == members[last].minor + 1) ++last;
      if (members[last].minor == PythonSet::max_minor) {
        parts.push_back(fmt::format("{} and later", members[i]));
      } else if (last == i) {
        parts.push_back(members[i].to_string());
      } else {
        parts.push_back(fmt::format("{}-{}", members[i], members[last]));
      }
      i = last + 1;
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool knows_every_cuda(const matrix::Release& release) {
  return release.tags_complete || (release.open_cuda_known && release.open_cuda.empty());
}

SheetCell pythons_cell(PythonSet pythons, bool known) {
  if (!known) return SheetCell::unknown();
  std::vector<std::string> texts;
  for (const auto python : pythons.list()) texts.push_back(python.to_string());
  // A wheel for any Python from one on: no list holds them all.
  if (pythons.contains({PythonSet::max_minor, false})) texts = {">=" + texts.front()};
  return SheetCell::list(std::move(texts), python_runs(pythons));
}

SheetCell archs_cell(const matrix::List<Arch>& archs, bool known) {
  if (!known) return SheetCell::unknown();
  std::vector<std::string> texts;
  for (const auto& arch : archs) texts.push_back(arch.to_string());
  return SheetCell::list(std::move(texts));
}

SheetCell texts_cell(const matrix::List<matrix::PackedString>& texts) {
  std::vector<std::string> result;
  for (const auto& text : texts) result.emplace_back(text.view());
  auto shown = fmt::format("{}", fmt::join(result, ", "));
  return SheetCell::list(std::move(result), std::move(shown));
}

SheetCell cudnn_gpus_cell(const matrix::Cudnn& cudnn) {
  if (cudnn.gpus.empty()) return SheetCell::unknown();
  std::vector<std::string> texts;
  for (const auto& row : cudnn.gpus) {
    auto text = row.cuda ? fmt::format("CUDA {}: ", row.cuda) : std::string();
    text += row.max == Capability() ? fmt::format("from {}, upper limit not stated", row.min)
                                    : fmt::format("{} to {}", row.min, row.max);
    texts.push_back(std::move(text));
  }
  auto shown = fmt::format("{}", fmt::join(texts, "; "));
  return SheetCell::list(std::move(texts), std::move(shown));
}

SheetCell source_cell(const matrix::Matrix& matrix, const matrix::Provenance& from) {
  return SheetCell::text(matrix.source(from.source).what);
}

std::vector<Column> torch_columns() {
  return {{"torch", "version"},
          {"tag", "tag"},
          {"", "cuda"},
          {"platform", "platform"},
          {"from", "channel"},
          {"official", "official"},
          {"Python", "pythons"},
          {"cuDNN", "cudnn"},
          {"NCCL", "nccl"},
          {"SASS", "archs"},
          {"PTX", "ptx"},
          {"", "triton"},
          {"", "toolkit"},
          {"", "glibc"},
          {"", "default"},
          {"", "index_url"},
          {"", "package_index_pythons"},
          {"", "conda_spec"},
          {"", "torchvision"},
          {"", "torchaudio"},
          {"", "source"}};
}

std::vector<SheetCell> torch_cells(const matrix::Matrix& matrix, const matrix::Build& build) {
  const auto part = [&](const matrix::PackedString& text, bool none) {
    if (none) return SheetCell::text("none").shown_as("-");
    return build.cpu ? SheetCell::text_or_none(text) : SheetCell::text_or_unknown(text);
  };
  const auto& release = matrix.release(build);
  const bool wheels = build.channel == matrix::Channel::wheels;
  const auto full = name_of(build.platform);
  return {SheetCell::text(build.version_text),
          SheetCell::text(build.tag),
          version_or_none(build.cuda),
          SheetCell::text(full).shown_as(std::string(full.substr(full.find('-') + 1))),
          SheetCell::text(channel_names[static_cast<std::size_t>(build.channel)]),
          SheetCell::tribool(build.official),
          pythons_cell(build.pythons, build.pythons_known),
          build.cpu ? SheetCell::none() : version_cell(build.cudnn),
          part(build.nccl, build.nccl_none),
          archs_cell(build.sass, build.sass_known),
          archs_cell(build.ptx, build.ptx_known),
          part(build.triton, build.triton_none),
          build.cpu ? SheetCell::none() : version_cell(build.toolkit),
          version_cell(build.glibc),
          SheetCell::flag(build.is_default),
          SheetCell::text_or_none(build.wheel_index_url),
          pythons_cell(build.package_index),
          SheetCell::text_or_none(build.conda_spec),
          wheels ? SheetCell::text_or_none(release.torchvision_text) : SheetCell::none(),
          wheels ? SheetCell::text_or_none(release.torchaudio_text) : SheetCell::none(),
          source_cell(matrix, build.from)};
}

std::vector<Column> toolkit_columns() {
  return {{"CUDA", "version"},
          {"", "minor"},
          {"released", "released"},
          {"native from", "native_driver"},
          {"driver in release notes", "driver"},
          {"gcc up to", "gcc_max", true},
          {"PTX ISA", "ptx_isa"},
          {"compiles for", "archs"},
          {"", "arch_specific"},
          {"images on", "os"},
          {"", "source"}};
}

std::vector<SheetCell> toolkit_cells(const matrix::Matrix& matrix, const matrix::Toolkit& toolkit) {
  DriverVersion native;
  for (const auto& minor : matrix->cuda_minors) {
    if (minor.cuda == toolkit.minor) native = minor.native_driver;
  }
  auto archs = archs_cell(toolkit.archs, !toolkit.archs.empty());
  if (toolkit.archs.size() > 1)
    archs = std::move(archs).shown_as(fmt::format("{} to {}", toolkit.archs.front(), toolkit.archs.back()));
  return {SheetCell::text(toolkit.text),
          SheetCell::text(toolkit.minor.to_string()),
          SheetCell::text_or_unknown(toolkit.released),
          driver_cell(native),
          driver_cell(toolkit.driver),
          toolkit.gcc_max ? SheetCell::number(toolkit.gcc_max.major()) : SheetCell::unknown(),
          SheetCell::text_or_unknown(toolkit.ptx_isa),
          std::move(archs),
          archs_cell(toolkit.arch_specific),
          toolkit.os.empty() ? SheetCell::unknown() : texts_cell(toolkit.os),
          source_cell(matrix, toolkit.from)};
}

std::vector<Column> cudnn_columns() {
  return {{"cuDNN", "version"},    {"CUDA", "cuda_majors"}, {"GPUs", "gpus"},
          {"documented", "exact"}, {"wheels", "wheels"},    {"", "source"}};
}

std::vector<SheetCell> cudnn_cells(const matrix::Matrix& matrix, const matrix::Cudnn& cudnn) {
  std::vector<std::string> majors;
  for (const auto& major : cudnn.cuda_majors) majors.push_back(major.to_string());
  return {SheetCell::text(cudnn.text),
          majors.empty() ? SheetCell::unknown() : SheetCell::list(std::move(majors)),
          cudnn_gpus_cell(cudnn),
          SheetCell::flag(cudnn.exact).shown_as(cudnn.gpus.empty() ? "-" : cudnn.exact ? "yes" : "inferred"),
          texts_cell(cudnn.wheels),
          source_cell(matrix, cudnn.from)};
}

std::vector<Column> gpu_columns() {
  return {{"GPU", "name"},
          {"class", "class"},
          {"architecture", "architecture"},
          {"capability", "capability", true},
          {"memory", "memory_gb", true},
          {"GB/s", "bandwidth_gbs", true},
          {"fp32", "fp32_tflops", true},
          {"fp16", "fp16_tflops", true},
          {"", "tf32_tflops"},
          {"", "bf16_tflops"},
          {"", "fp8_tflops"},
          {"", "int8_tops"},
          {"", "memory_type"},
          {"", "pcie_gen"},
          {"", "pcie_lanes"},
          {"", "nvlink_gbs"},
          {"power", "power_w", true},
          {"", "mig"},
          {"", "sms"},
          {"", "boost_mhz"},
          {"", "laptop"},
          {"", "mig_driver"},
          {"", "aliases"},
          {"", "pci_ids"},
          {"", "platform"},
          {"", "verified"},
          {"", "unverified"},
          {"", "source"}};
}

bool is_verified(const matrix::Gpu& gpu, std::string_view field) {
  return std::any_of(gpu.verified.begin(), gpu.verified.end(), [&](const auto& name) { return name.view() == field; });
}

namespace {

/// A person can follow it to where the figure stands.
bool stands_somewhere(const matrix::Source& source) { return source.basis == matrix::Basis::read && !source.address().empty(); }

bool is_unverified(const matrix::Matrix& matrix, const matrix::Gpu& gpu, std::string_view figure) {
  return !is_verified(gpu, figure) && !stands_somewhere(matrix.source(gpu.from.of(figure)));
}

}  // namespace

std::vector<std::string> unverified_figures(const matrix::Matrix& matrix, const matrix::Gpu& gpu,
                                            const std::vector<SheetCell>& cells) {
  const auto columns = gpu_columns();
  std::vector<std::string> names;
  bool is_figure = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto key = columns[i].key;
    is_figure = is_figure || key == "memory_gb";
    if (key == "laptop") break;
    if (is_figure && !cells[i].is_unknown() && is_unverified(matrix, gpu, key)) names.emplace_back(key);
  }
  return names;
}

std::vector<SheetCell> gpu_cells(const matrix::Matrix& matrix, const matrix::Gpu& gpu) {
  std::vector<SheetCell> cells{SheetCell::text(gpu.name),
                               SheetCell::text(class_names[static_cast<std::size_t>(gpu.gpu_class)]),
                               SheetCell::text_or_unknown(gpu.architecture),
                               capability_cell(gpu.capability),
                               SheetCell::number(gpu.memory_gb, "GB"),
                               SheetCell::number(gpu.bandwidth_gbs),
                               SheetCell::number(gpu.fp32_tflops),
                               SheetCell::number(gpu.fp16_tflops),
                               SheetCell::number(gpu.tf32_tflops),
                               SheetCell::number(gpu.bf16_tflops),
                               SheetCell::number(gpu.fp8_tflops),
                               SheetCell::number(gpu.int8_tops),
                               SheetCell::text_or_unknown(gpu.memory_type),
                               SheetCell::number(gpu.pcie_gen),
                               SheetCell::number(gpu.pcie_lanes),
                               SheetCell::number(gpu.nvlink_gbs),
                               SheetCell::number(gpu.power_w, "W"),
                               SheetCell::number(gpu.mig),
                               SheetCell::number(gpu.sms),
                               SheetCell::number(gpu.boost_mhz),
                               SheetCell::flag(gpu.laptop),
                               gpu.mig > 0 ? driver_cell(gpu.mig_driver) : SheetCell::none(),
                               texts_cell(gpu.aliases),
                               texts_cell(gpu.pci_ids),
                               gpu.arm_only == matrix::Tribool::yes ? SheetCell::text("linux-aarch64") : SheetCell::none(),
                               texts_cell(gpu.verified)};
  auto names = unverified_figures(matrix, gpu, cells);
  const auto by_rule = std::stable_partition(names.begin(), names.end(), [&](const auto& name) {
    return matrix.source(gpu.from.of(name)).basis != matrix::Basis::inferred;
  });
  std::vector<std::string> shown;
  if (by_rule != names.begin()) shown.push_back(fmt::format("{} (no public source)", fmt::join(names.begin(), by_rule, ", ")));
  if (by_rule != names.end()) shown.push_back(fmt::format("{} (derived by a rule)", fmt::join(by_rule, names.end(), ", ")));
  auto text = fmt::format("{}", fmt::join(shown, "; "));
  cells.push_back(SheetCell::list(std::move(names), std::move(text)));
  cells.push_back(source_cell(matrix, gpu.from));
  return cells;
}

std::vector<Column> image_columns() {
  return {{"image", "image"},
          {"", "version"},
          {"CUDA", "cuda", false, true},
          {"cuDNN", "cudnn", false, true},
          {"variant", "variant", false, true},
          {"OS", "os"},
          {"evidence", "evidence", false, true},
          {"status", "status"},
          {"requires", "gate"},
          {"", "gate_exceptions"},
          {"", "gate_basis"},
          {"Python", "python", false, true},
          {"", "layout"},
          {"", "source"}};
}

std::vector<SheetCell> image_cells(const matrix::Matrix& matrix, const matrix::ImageTag& image) {
  const auto gate = gate_of(matrix, image.gate, image.cuda.at(2));
  return {SheetCell::text(image_reference(image)),
          SheetCell::none(),
          SheetCell::text(image.cuda.to_string()),
          image_cudnn(image.cudnn),
          SheetCell::text(image.is_base ? "base" : name_of(image.variant)),
          SheetCell::text(image.os),
          SheetCell::text(evidence_names[static_cast<std::size_t>(image.evidence)]),
          image.status == matrix::TagStatus::unknown ? SheetCell::unknown()
                                                     : SheetCell::text(status_names[static_cast<std::size_t>(image.status)]),
          gate_cell(gate),
          gate_exceptions_cell(gate),
          gate_basis_cell(gate),
          SheetCell::none(),
          SheetCell::none(),
          source_cell(matrix, image.from)};
}

std::vector<SheetCell> image_cells(const matrix::Matrix& matrix, const matrix::OfficialImage& image) {
  const bool tensorflow = image.framework == Framework::tensorflow;
  const bool gated = resolver::inherits_gate(image);
  auto gate = gated && image.cuda ? std::optional(gate_of(matrix, image.gate, image.cuda)) : std::nullopt;
  if (gate) gate->read = !resolver::is_inferred_gate(matrix, image);
  const auto of_gate = [&](auto cell) {
    if (!gated) return SheetCell::none();
    return gate ? cell(*gate) : SheetCell::unknown();
  };
  return {SheetCell::text(image_reference(image)),
          SheetCell::text(image.version.to_string()),
          version_cell(image.cuda),
          version_cell(image.cudnn),
          SheetCell::text(!tensorflow     ? name_of(image.variant)
                          : image.jupyter ? "gpu-jupyter"
                                          : "gpu"),
          SheetCell::text_or_unknown(image.os),
          SheetCell::text(evidence_names[static_cast<std::size_t>(image.evidence)]),
          SheetCell::unknown(),
          of_gate(gate_cell),
          of_gate(gate_exceptions_cell),
          of_gate(gate_basis_cell),
          image.python.minor == 0 ? SheetCell::unknown() : SheetCell::text(image.python.to_string()),
          tensorflow ? SheetCell::none() : SheetCell::text_or_unknown(image.layout),
          source_cell(matrix, image.from)};
}

std::string image_reference(const matrix::ImageTag& image) { return fmt::format("nvidia/cuda:{}", image.tag.view()); }

std::string image_reference(const matrix::OfficialImage& image) {
  return fmt::format("{}:{}", image.framework == Framework::torch ? "pytorch/pytorch" : "tensorflow/tensorflow",
                     image.tag.view());
}

std::vector<const matrix::Build*> torch_builds(const matrix::Matrix& matrix,
                                               const std::function<bool(const matrix::Build&)>& wanted) {
  std::vector<const matrix::Build*> builds;
  for (const auto& build : matrix->builds) {
    if (build.listed && build.framework == Framework::torch && wanted(build)) builds.push_back(&build);
  }
  std::stable_sort(builds.begin(), builds.end(), [](const matrix::Build* a, const matrix::Build* b) {
    return std::tuple(a->channel, b->version, b->cuda, a->platform) < std::tuple(b->channel, a->version, a->cuda, b->platform);
  });
  return builds;
}

std::string first_of(const std::vector<std::string>& names, std::size_t few) {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(few, names.size()));
  auto text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > few) text += fmt::format(" and {} more", names.size() - few);
  return text;
}

std::vector<std::string> gpu_names_of(const matrix::Matrix& matrix, Capability capability) {
  std::vector<std::string> names;
  for (const auto& gpu : matrix->gpus) {
    if (gpu.capability == capability) names.emplace_back(gpu.name.view());
  }
  return names;
}

}  // namespace envgen::answers
