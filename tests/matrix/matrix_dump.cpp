#include "matrix/matrix_dump.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/choices.hpp"

namespace envgen::test {
namespace {

using namespace matrix;

std::string shown(const PackedString& text) { return fmt::format("'{}'", text.view()); }
std::string shown(Version version) { return version ? version.to_string() : "-"; }
std::string shown(DriverVersion driver) { return driver ? driver.to_string() : "-"; }
std::string shown(Capability capability) { return capability.to_string(); }
std::string shown(const Arch& arch) { return arch.to_string(); }
std::string shown(bool flag) { return flag ? "yes" : "no"; }
std::string shown(const Number& number) {
  const double value = number;
  return std::isnan(value) ? "-" : fmt::format("{}", value);
}
std::string shown(PythonVersion python) { return python.minor == 0 ? "-" : python.to_string(); }
std::string shown(PythonSet pythons) {
  std::vector<std::string> names;
  for (const auto python : pythons.list()) names.push_back(python.to_string());
  return fmt::format("{{{}}}", fmt::join(names, " "));
}
std::string shown(std::uint64_t number) { return fmt::format("{}", number); }
std::string shown(std::uint32_t number) { return fmt::format("{}", number); }
std::string shown(std::int32_t number) { return fmt::format("{}", number); }
std::string shown(std::uint16_t number) { return fmt::format("{}", number); }
std::string shown(std::int16_t number) { return fmt::format("{}", number); }
std::string shown(Framework framework) { return std::string(name_of(framework)); }
std::string shown(Platform platform) { return std::string(name_of(platform)); }
std::string shown(Variant variant) { return std::string(name_of(variant)); }
/// Other enumerations by their number, as `matrix/rows.hpp` orders them.
template <class Enum>
requires std::is_enum_v<Enum> std::string shown(Enum value) { return fmt::format("#{}", static_cast<int>(value)); }

std::string shown(const CudnnGpus& row) { return fmt::format("{}: {} to {}", shown(row.cuda), shown(row.min), shown(row.max)); }
std::string shown(const MinorException& row) { return fmt::format("{}: {}", shown(row.cuda), shown(row.driver)); }
std::string shown(const GateException& row) { return fmt::format("{} {}", name_of(row.brand), row.branch); }
std::string shown(const Pin& row) { return fmt::format("{}{}", row.package.view(), row.spec.view()); }
std::string shown(const PresetValue& row) { return fmt::format("{}={}", row.field.view(), row.text.view()); }
std::string shown(const VersionSpec::Clause& clause) {
  return fmt::format("#{} {}", static_cast<int>(clause.op), clause.version.to_string());
}
template <class Row>
std::string shown(const List<Row>& rows);
std::string shown(const Condition& row) { return fmt::format("{} {} {}", row.field.view(), shown(row.spec), shown(row.clauses)); }

template <class Row>
std::string shown(const List<Row>& rows) {
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.push_back(shown(row));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// Lines of `table  field=value field=value`.
class Writer {
 public:
  explicit Writer(const Matrix& matrix) : matrix_(matrix) {}

  Writer& row(std::string_view table) {
    text_ += text_.empty() ? "" : "\n";
    text_ += table;
    return *this;
  }
  template <class Value>
  Writer& operator()(std::string_view field, const Value& value) {
    text_ += fmt::format(" {}={}", field, shown(value));
    return *this;
  }
  /// The ids of the source of the row, and of the fields that have their own.
  Writer& operator()(const Provenance& from) {
    text_ += fmt::format(" from={}", matrix_.source(from.source).id.view());
    for (const auto& one : from.fields) text_ += fmt::format(" {}:{}", one.field.view(), matrix_.source(one.source).id.view());
    return *this;
  }
  std::string text() && { return std::move(text_) + "\n"; }

 private:
  const Matrix& matrix_;
  std::string text_;
};

void dump_torch(const Matrix& m, Writer& w) {
  for (const auto& r : m->releases)
    w.row("release")("framework", r.framework)("version", r.version)("text", r.text)("released", r.released)(
        "complete", r.tags_complete)("default_x86", r.default_cuda[0])("default_arm", r.default_cuda[1])(
        "torchvision", r.torchvision)("torchvision_text", r.torchvision_text)("torchaudio", r.torchaudio)(
        "torchaudio_text", r.torchaudio_text)("allowed_pythons", r.allowed_pythons)(r.from);
  w.row("builds")("listed", m->listed_builds);
  for (const auto& r : m->builds)
    w.row("build")("framework", r.framework)("channel", r.channel)("platform", r.platform)("official", r.official)("cpu", r.cpu)(
        "listed", r.listed)("default", r.is_default)("sass_known", r.sass_known)("ptx_known", r.ptx_known)(
        "pythons_known", r.pythons_known)("nccl_none", r.nccl_none)("triton_none", r.triton_none)("tegra", r.tegra)(
        "release", r.release)("version", r.version)("cuda", r.cuda)("toolkit", r.toolkit)("cudnn", r.cudnn)("glibc", r.glibc)(
        "wheel_index", r.wheel_index)("package_index", r.package_index)("pythons", r.pythons)("triton_pythons", r.triton_pythons)(
        "sass", r.sass)("ptx", r.ptx)("version_text", r.version_text)("tag", r.tag)("nccl", r.nccl)("triton", r.triton)(
        "url", r.wheel_index_url)("spec", r.conda_spec)("channels", r.conda_channels)("bytes", r.install_bytes)(
        "cudnn_spec", r.cudnn_spec)("cudnn_choices", r.cudnn_choices.size())("fails_on", r.fails_on)("cudnn_row", r.cudnn_row)(
        "offered_cudnn_row", r.offered_cudnn_row)("minor_row", r.minor_row)("major_row", r.major_row)(
        "torchvision_row", r.torchvision_row)("torchaudio_row", r.torchaudio_row)("first_image_set", r.first_image_set)(
        "image_sets", r.image_sets)("first_toolkit", r.first_toolkit)("toolkits", r.toolkits)(r.from);
  for (const auto* rows : {&m->torchvision, &m->torchaudio}) {
    for (const auto& r : *rows)
      w.row("companion")("version", r.version)("platform", r.platform)("pythons", r.pythons)("text", r.text)(
          "requires_torch", r.requires_torch)(r.from);
  }
  for (const auto& r : m->conda_labels) w.row("label")("label", r.label)("cuda", r.cuda)("evidence", r.evidence)(r.from);
  for (const auto& r : m->offered_cudnns)
    w.row("offered_cudnn")("channel", r.channel)("cuda", r.cuda)("cudnn", r.cudnn)("glibc", r.glibc)(r.from);
  for (const auto& r : m->tensorflow_extras) w.row("extra")("version", r.version)("exists", r.exists)("pins", r.pins);
}

void dump_cuda(const Matrix& m, Writer& w) {
  for (const auto& r : m->toolkits)
    w.row("toolkit")("version", r.version)("text", r.text)("minor", r.minor)("released", r.released)("driver", r.driver)(
        "ptx_isa", r.ptx_isa)("archs", r.archs)("arch_specific", r.arch_specific)("gcc_max", r.gcc_max)("os", r.os)(r.from);
  for (const auto& r : m->cuda_minors) w.row("minor")("cuda", r.cuda)("native", r.native_driver)(r.from);
  for (const auto& r : m->cuda_majors)
    w.row("major")("cuda", r.cuda)("compat", r.minor_compat_driver)("except", r.except)(r.from);
  for (const auto& r : m->cudnns)
    w.row("cudnn")("version", r.version)("text", r.text)("majors", r.cuda_majors)("gpus", r.gpus)("exact", r.exact)(
        "wheels", r.wheels)(r.from);
  for (const auto& r : m->branches)
    w.row("branch")("branch", r.branch)("kind", r.kind)("cuda", r.cuda)("first", r.first)("latest", r.latest)(
        "released", r.released)("eol", r.eol)(r.from);
  for (const auto& r : m->gpu_drivers)
    w.row("gpu_driver")("capability", r.capability)("first", r.first_driver)("last", r.last_branch)("module", r.kernel_module)(
        "tegra", r.tegra)(r.from);
  for (const auto& r : m->forward_compat) w.row("forward_compat")("cuda", r.cuda)("branch", r.branch)("works", r.works)(r.from);
}

void dump_gpus(const Matrix& m, Writer& w) {
  for (const auto& r : m->gpus)
    w.row("gpu")("name", r.name)("aliases", r.aliases)("class", r.gpu_class)("laptop", r.laptop)("architecture", r.architecture)(
        "capability", r.capability)("arm_only", r.arm_only)("memory_gb", r.memory_gb)("bandwidth_gbs", r.bandwidth_gbs)(
        "fp32", r.fp32_tflops)("tf32", r.tf32_tflops)("fp16", r.fp16_tflops)("bf16", r.bf16_tflops)("fp8", r.fp8_tflops)(
        "int8", r.int8_tops)("pcie_gen", r.pcie_gen)("pcie_lanes", r.pcie_lanes)("nvlink", r.nvlink_gbs)("power", r.power_w)(
        "mig", r.mig)("mig_driver", r.mig_driver)("mig_profiles", r.mig_profiles)("sms", r.sms)("boost", r.boost_mhz)(
        "memory_type", r.memory_type)("pci_ids", r.pci_ids)("verified", r.verified)(r.from);
  for (const auto& r : m->gpu_names) w.row("spelling")("key", r.key)("gpus", r.gpus);
  w.row("offered")("names", m->gpu_spellings);
}

void dump_images(const Matrix& m, Writer& w) {
  for (const auto& r : m->cuda_images)
    w.row("image")("tag", r.tag)("digest", r.digest)("cuda", r.cuda)("cudnn", r.cudnn)("variant", r.variant)("base", r.is_base)(
        "os", r.os)("evidence", r.evidence)("status", r.status)("gate", r.gate)(r.from);
  for (const auto& r : m->gates) w.row("gate")("id", r.id)("cuda", r.cuda)("exceptions", r.exceptions)(r.from);
  for (const auto& r : m->image_sets)
    w.row("image_set")("cuda", r.cuda)("minor", r.minor)("os", r.os)("devel", r.devel)("devel_cudnn", r.devel_cudnn)(
        "runtime", r.runtime)("runtime_cudnn", r.runtime_cudnn)("living", r.living);
  for (const auto& r : m->official_images)
    w.row("official")("framework", r.framework)("tag", r.tag)("digest", r.digest)("version", r.version)("cuda", r.cuda)(
        "cudnn", r.cudnn)("variant", r.variant)("jupyter", r.jupyter)("evidence", r.evidence)("layout", r.layout)("os", r.os)(
        "python", r.python)("gate", r.gate)(r.from);
}

void dump_rest(const Matrix& m, Writer& w) {
  for (const auto& r : m->os)
    w.row("os")("id", r.id)("aliases", r.aliases)("family", r.family)("version", r.version)("lts", r.lts)(
        "known_pep668", r.known_pep668)("pep668", r.pep668)("pythons", r.pythons)("optional", r.optional_pythons)(
        "glibc", r.glibc)("gcc", r.gcc)("eol", r.eol)("cuda_repo", r.cuda_repo)("image", r.image)("deadsnakes",
                                                                                                  r.deadsnakes)(r.from);
  for (const auto& r : m->pythons) w.row("python")("version", r.version)("released", r.released)("eol", r.eol)(r.from);
  for (const auto& r : m->rules)
    w.row("rule")("id", r.id)("when", r.when)("package", r.pin_package)("spec", r.pin_spec)("minor", r.minor)("name", r.env_name)(
        "value", r.env_value)("warn", r.warn)("stale_lists", r.stale_lists)("why", r.why)(r.from);
  for (const auto& r : m->presets) w.row("preset")("name", r.name)("what", r.what)("request", r.request)(r.from);
  for (const auto& r : m->mirrors)
    w.row("mirror")("name", r.name)("what", r.what)("apt", r.apt)("pip_index", r.pip_index)("conda", r.conda)(
        "channels", r.conda_channels)("torch", r.torch)(r.from);
  for (const auto& r : m->extensions)
    w.row("extension")("name", r.name)("when_used", r.when_used)("env_name", r.env_name)("env_value", r.env_value)(
        "instead", r.instead)(r.from);
  for (const auto& r : m->package_needs)
    w.row("package_needs")("package", r.package)("from", r.release)("archs", r.archs)("min_capability", r.min_capability)(
        "min_cuda", r.min_cuda)("min_torch", r.min_torch)(r.from);
  for (const auto& r : m->package_requirements)
    w.row("package_requirement")("package", r.package)("requires", r.of)("spec", r.spec)("releases", r.releases)(r.from);
  for (const auto& r : m->tools)
    w.row("tool")("name", r.name)("platform", r.platform)("python", r.python)("version", r.version)("hashes", r.hashes)(r.from);
}

}  // namespace

std::string dump(const Matrix& m) {
  Writer w(m);
  w.row("matrix")("revision", m->revision)("read", m->read)("hash", m->hash);
  for (const auto& r : m->sources) w.row("source")("id", r.id)("what", r.what)("url", r.url)("read", r.read);
  dump_torch(m, w);
  dump_cuda(m, w);
  dump_gpus(m, w);
  dump_images(m, w);
  dump_rest(m, w);
  return std::move(w).text();
}

}  // namespace envgen::test
