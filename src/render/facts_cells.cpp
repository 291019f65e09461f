#include "render/facts_cells.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::render {
namespace {

/// The official image lists know no cuDNN where the row has none read; a CUDA image without one says so.
Cell image_cudnn(Version cudnn) { return cudnn ? Cell::text(cudnn.to_string()) : Cell::none(); }

/// `CUDA 12.1 (R470 too)`: what NVIDIA_REQUIRE_CUDA asks of the driver; which boards may use which older branch is in the
/// exceptions.
Cell gate_cell(const matrix::Matrix& matrix, std::int16_t index) {
  if (index < 0) return Cell::unknown();
  const auto& gate = matrix->gates[static_cast<std::size_t>(index)];
  std::set<std::uint16_t> branches;
  for (const auto& row : gate.exceptions) branches.insert(row.branch);
  auto shown = "CUDA " + gate.cuda.to_string();
  if (!branches.empty()) shown += fmt::format(" (R{} too)", fmt::join(branches, ", R"));
  return Cell::text(gate.cuda.to_string()).shown_as(std::move(shown));
}

Cell gate_exceptions_cell(const matrix::Matrix& matrix, std::int16_t index) {
  if (index < 0) return Cell::unknown();
  std::map<std::string_view, std::vector<std::uint16_t>> by_brand;
  for (const auto& row : matrix->gates[static_cast<std::size_t>(index)].exceptions)
    by_brand[row.brand.view()].push_back(row.branch);
  std::vector<std::string> texts;
  for (const auto& [brand, branches] : by_brand) texts.push_back(fmt::format("{} {}", brand, fmt::join(branches, " ")));
  return Cell::list(texts, fmt::format("{}", fmt::join(texts, ", ")));
}

}  // namespace

Cell version_cell(Version version) { return version ? Cell::text(version.to_string()) : Cell::unknown(); }
Cell version_or_none(Version version) { return version ? Cell::text(version.to_string()) : Cell::none(); }
Cell driver_cell(DriverVersion driver) { return driver ? Cell::text(driver.to_string()) : Cell::unknown(); }
Cell capability_cell(Capability capability) { return Cell::text(capability.to_string()); }

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
      if (last == i) {
        parts.push_back(members[i].to_string());
      } else {
        parts.push_back(fmt::format("{}-{}", members[i].to_string(), members[last].to_string()));
      }
      i = last + 1;
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Cell pythons_cell(PythonSet pythons, bool known) {
  if (!known) return Cell::unknown();
  std::vector<std::string> texts;
  for (const auto python : pythons.list()) texts.push_back(python.to_string());
  return Cell::list(std::move(texts), python_runs(pythons));
}

Cell archs_cell(const matrix::List<Arch>& archs, bool known) {
  if (!known) return Cell::unknown();
  std::vector<std::string> texts;
  for (const auto& arch : archs) texts.push_back(arch.to_string());
  return Cell::list(std::move(texts));
}

Cell texts_cell(const matrix::List<matrix::Text>& texts) {
  std::vector<std::string> result;
  for (const auto& text : texts) result.emplace_back(text.view());
  auto shown = fmt::format("{}", fmt::join(result, ", "));
  return Cell::list(std::move(result), std::move(shown));
}

Cell cudnn_gpus_cell(const matrix::Cudnn& cudnn) {
  if (cudnn.gpus.empty()) return Cell::unknown();
  std::vector<std::string> texts;
  for (const auto& row : cudnn.gpus) {
    auto text = row.cuda ? fmt::format("CUDA {}: {}", row.cuda.to_string(), row.min.to_string()) : row.min.to_string();
    text += row.max == Capability() ? " and newer" : " to " + row.max.to_string();
    texts.push_back(std::move(text));
  }
  auto shown = fmt::format("{}", fmt::join(texts, "; "));
  return Cell::list(std::move(texts), std::move(shown));
}

Cell source_cell(const matrix::Matrix& matrix, const matrix::Provenance& from) {
  return Cell::text(matrix.source(from.source).what);
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

std::vector<Cell> torch_cells(const matrix::Matrix& matrix, const matrix::Build& build) {
  const auto part = [&](const matrix::Text& text, bool none) {
    if (none) return Cell::text("none").shown_as("-");
    return build.cpu ? Cell::text_or_none(text) : Cell::text_or_unknown(text);
  };
  const auto& release = matrix.release(build);
  const bool wheels = build.channel == matrix::Channel::wheels;
  const auto full = name_of(build.platform);
  return {Cell::text(build.version_text),
          Cell::text(build.tag),
          version_or_none(build.cuda),
          Cell::text(full).shown_as(std::string(full.substr(full.find('-') + 1))),
          Cell::text(channel_names[static_cast<std::size_t>(build.channel)]),
          Cell::answer(build.official),
          pythons_cell(build.pythons, build.pythons_known),
          build.cpu ? Cell::none() : version_cell(build.cudnn),
          part(build.nccl, build.nccl_none),
          archs_cell(build.sass, build.sass_known),
          archs_cell(build.ptx, build.ptx_known),
          part(build.triton, build.triton_none),
          build.cpu ? Cell::none() : version_cell(build.toolkit),
          version_cell(build.glibc),
          Cell::flag(build.is_default),
          Cell::text_or_none(build.wheel_index_url),
          pythons_cell(build.package_index),
          Cell::text_or_none(build.conda_spec),
          wheels ? Cell::text_or_none(release.torchvision_text) : Cell::none(),
          wheels ? Cell::text_or_none(release.torchaudio_text) : Cell::none(),
          source_cell(matrix, build.from)};
}

std::vector<Column> toolkit_columns() {
  return {{"CUDA", "version"},
          {"", "minor"},
          {"released", "released"},
          {"driver for all of it", "native_driver"},
          {"driver of the notes", "driver"},
          {"gcc up to", "gcc_max", true},
          {"PTX", "ptx_isa"},
          {"compiles for", "archs"},
          {"", "arch_specific"},
          {"images on", "os"},
          {"", "source"}};
}

std::vector<Cell> toolkit_cells(const matrix::Matrix& matrix, const matrix::Toolkit& toolkit) {
  DriverVersion native;
  for (const auto& minor : matrix->cuda_minors) {
    if (minor.cuda == toolkit.minor) native = minor.native_driver;
  }
  auto archs = archs_cell(toolkit.archs, !toolkit.archs.empty());
  if (toolkit.archs.size() > 1)
    archs =
        std::move(archs).shown_as(fmt::format("{} to {}", toolkit.archs.front().to_string(), toolkit.archs.back().to_string()));
  return {Cell::text(toolkit.text),
          Cell::text(toolkit.minor.to_string()),
          Cell::text_or_unknown(toolkit.released),
          driver_cell(native),
          driver_cell(toolkit.driver),
          toolkit.gcc_max ? Cell::number(toolkit.gcc_max.major()) : Cell::unknown(),
          Cell::text_or_unknown(toolkit.ptx_isa),
          std::move(archs),
          archs_cell(toolkit.arch_specific),
          toolkit.os.empty() ? Cell::unknown() : texts_cell(toolkit.os),
          source_cell(matrix, toolkit.from)};
}

std::vector<Column> cudnn_columns() {
  return {{"cuDNN", "version"}, {"CUDA", "cuda_majors"}, {"GPUs", "gpus"},
          {"read", "exact"},    {"wheels", "wheels"},    {"", "source"}};
}

std::vector<Cell> cudnn_cells(const matrix::Matrix& matrix, const matrix::Cudnn& cudnn) {
  std::vector<std::string> majors;
  for (const auto& major : cudnn.cuda_majors) majors.push_back(major.to_string());
  return {Cell::text(cudnn.text),
          majors.empty() ? Cell::unknown() : Cell::list(std::move(majors)),
          cudnn_gpus_cell(cudnn),
          Cell::flag(cudnn.exact)
              .shown_as(cudnn.gpus.empty() ? "-"
                        : cudnn.exact      ? "yes"
                                           : "from its neighbours"),
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
          {"", "aliases"},
          {"", "pci_ids"},
          {"", "platform"},
          {"", "verified"},
          {"", "source"}};
}

std::vector<Cell> gpu_cells(const matrix::Matrix& matrix, const matrix::Gpu& gpu) {
  return {Cell::text(gpu.name),
          Cell::text(class_names[static_cast<std::size_t>(gpu.gpu_class)]),
          Cell::text_or_unknown(gpu.architecture),
          capability_cell(gpu.capability),
          Cell::number(gpu.memory_gb, "GB"),
          Cell::number(gpu.bandwidth_gbs),
          Cell::number(gpu.fp32_tflops),
          Cell::number(gpu.fp16_tflops),
          Cell::number(gpu.tf32_tflops),
          Cell::number(gpu.bf16_tflops),
          Cell::number(gpu.fp8_tflops),
          Cell::number(gpu.int8_tops),
          Cell::text_or_unknown(gpu.memory_type),
          Cell::number(gpu.pcie_gen),
          Cell::number(gpu.pcie_lanes),
          Cell::number(gpu.nvlink_gbs),
          Cell::number(gpu.power_w, "W"),
          Cell::number(gpu.mig),
          Cell::number(gpu.sms),
          Cell::number(gpu.boost_mhz),
          Cell::flag(gpu.laptop),
          texts_cell(gpu.aliases),
          texts_cell(gpu.pci_ids),
          gpu.arm_only == matrix::Answer::yes ? Cell::text("linux-aarch64") : Cell::none(),
          texts_cell(gpu.verified),
          source_cell(matrix, gpu.from)};
}

std::vector<Column> image_columns() {
  return {{"image", "image"},   {"", "version"},          {"CUDA", "cuda"},     {"cuDNN", "cudnn"}, {"variant", "variant"},
          {"OS", "os"},         {"evidence", "evidence"}, {"status", "status"}, {"gate", "gate"},   {"", "gate_exceptions"},
          {"Python", "python"}, {"", "layout"},           {"", "source"}};
}

std::vector<Cell> image_cells(const matrix::Matrix& matrix, const matrix::ImageTag& image) {
  return {Cell::text(image_reference(image)),
          Cell::none(),
          Cell::text(image.cuda.to_string()),
          image_cudnn(image.cudnn),
          Cell::text(image.is_base ? "base" : name_of(image.variant)),
          Cell::text(image.os),
          Cell::text(evidence_names[static_cast<std::size_t>(image.evidence)]),
          image.status == matrix::TagStatus::unknown ? Cell::unknown()
                                                     : Cell::text(status_names[static_cast<std::size_t>(image.status)]),
          gate_cell(matrix, image.gate),
          gate_exceptions_cell(matrix, image.gate),
          Cell::none(),
          Cell::none(),
          source_cell(matrix, image.from)};
}

std::vector<Cell> image_cells(const matrix::Matrix& matrix, const matrix::OfficialImage& image) {
  const bool tensorflow = image.framework == Framework::tensorflow;
  return {Cell::text(image_reference(image)),
          Cell::text(image.version.to_string()),
          version_cell(image.cuda),
          version_cell(image.cudnn),
          Cell::text(!tensorflow     ? name_of(image.variant)
                     : image.jupyter ? "gpu-jupyter"
                                     : "gpu"),
          Cell::text_or_unknown(image.os),
          Cell::text(evidence_names[static_cast<std::size_t>(image.evidence)]),
          Cell::unknown(),
          Cell::unknown(),
          Cell::unknown(),
          image.python.minor == 0 ? Cell::unknown() : Cell::text(image.python.to_string()),
          tensorflow ? Cell::none() : Cell::text_or_unknown(image.layout),
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

std::vector<std::string> gpu_names_of(const matrix::Matrix& matrix, Capability capability) {
  std::vector<std::string> names;
  for (const auto& gpu : matrix->gpus) {
    if (gpu.capability == capability) names.emplace_back(gpu.name.view());
  }
  return names;
}

}  // namespace envgen::render
