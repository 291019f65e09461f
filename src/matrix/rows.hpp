#pragma once

#include "matrix/blob.hpp"
#include "model/capability.hpp"
#include "model/choices.hpp"
#include "model/python_version.hpp"
#include "model/version.hpp"
#include "model/version_spec.hpp"

/// The facts, one struct a table, as matrix/README.md describes them. A Version that is "none" stands for null.
/// Padding is named (`Filler`), so that a block is the same bytes whoever packs it.
namespace envgen::matrix {

/// What a source rests on. unverified: nobody read it.
enum class Basis : std::uint8_t { read, inferred, unverified };

/// What was read: the text to show, where it stands, and when it was read (ISO date).
struct Source {
  PackedString id;
  PackedString what;
  PackedString url;
  PackedString check;  ///< how anyone reads it again where it has no URL
  PackedString read;
  Basis basis = Basis::read;
  Filler<3> filler{};

  /// Where a person follows it; empty: nowhere.
  std::string_view address() const { return url.empty() ? check.view() : url.view(); }
};

struct FieldSource {
  PackedString field;
  std::uint16_t source = 0;
  Filler<2> filler{};
};

/// What every row has: the source that carries it, and the fields that were read elsewhere. Indexes into `Root::sources`.
struct Provenance {
  std::uint16_t source = 0;
  Filler<2> filler{};
  List<FieldSource> fields;
  /// The source of one field.
  std::uint16_t of(std::string_view field) const {
    for (const auto& entry : fields) {
      if (entry.field.view() == field) return entry.source;
    }
    return source;
  }
};

enum class Channel : std::uint8_t { wheels, pytorch_channel, conda_forge };
enum class Tribool : std::uint8_t { no, yes, unknown };
enum class Evidence : std::uint8_t { listed, recipe, used, inferred, used_doubtful };
/// What became of an image tag: supported and later ones live, eol and dropped ones may have been deleted.
enum class TagStatus : std::uint8_t { supported, later, unknown, eol, dropped };
enum class KernelModule : std::uint8_t { either, proprietary, open, tegra };
enum class GpuClass : std::uint8_t { consumer, workstation, datacenter, jetson };
/// What NVIDIA_REQUIRE_CUDA calls a board's brand; the driver reports it: https://docs.nvidia.com/deploy/nvml-api/
/// (nvmlBrandType_t).
enum class Brand : std::uint8_t {
  cloudgaming,
  geforce,
  geforcertx,
  grid,
  nvidia,
  nvidiartx,
  quadro,
  quadrortx,
  tesla,
  titan,
  titanrtx,
  unknown,
  vapps,
  vcs,
  vpc,
  vws
};
/// What a layer of facts is: those of the program, a folder that was named, or that of the user.
enum class LayerKind : std::uint8_t { built_in, folder, user };
}  // namespace envgen::matrix

namespace envgen {
template <>
struct Names<matrix::Evidence> {
  static constexpr std::array<std::string_view, 5> names{"listed", "recipe", "used", "inferred", "used-doubtful"};
};
template <>
struct Names<matrix::Basis> {
  static constexpr std::array<std::string_view, 3> names{"read", "inferred", "unverified"};
};
template <>
struct Names<matrix::TagStatus> {
  static constexpr std::array<std::string_view, 5> names{"supported", "later", "unknown", "eol", "dropped"};
};
template <>
struct Names<matrix::KernelModule> {
  static constexpr std::array<std::string_view, 4> names{"either", "proprietary", "open", "tegra"};
};
template <>
struct Names<matrix::Brand> {
  static constexpr std::array<std::string_view, 16> names{
      "cloudgaming", "geforce", "geforcertx", "grid",    "nvidia", "nvidiartx", "quadro", "quadrortx",
      "tesla",       "titan",   "titanrtx",   "unknown", "vapps",  "vcs",       "vpc",    "vws"};
};
template <>
struct Names<matrix::GpuClass> {
  static constexpr std::array<std::string_view, 4> names{"consumer", "workstation", "datacenter", "jetson"};
};
}  // namespace envgen

namespace envgen::matrix {

struct Release {
  Framework framework = Framework::torch;
  Filler<7> filler{};
  Version version;
  PackedString text;
  PackedString released;
  bool tags_complete = false;
  bool open_cuda_known = false;
  bool gap_before = false;  ///< there may be releases between the one before it and this one
  Filler<5> filler_2{};
  /// Where tags are missing: the CUDA minors that it may have besides. The CPU build may be missing in any case.
  List<Version> open_cuda;
  /// What the package index installs, per Platform; none = a CPU build, no wheel, or unknown.
  Version default_cuda[2];
  Version torchvision;
  PackedString torchvision_text;
  Version torchaudio;
  PackedString torchaudio_text;
  PythonSet allowed_pythons;  ///< by Requires-Python of its wheels; empty = unknown
  Version gcc_min;            ///< the oldest GCC that compiles against its headers; none = unknown
  Provenance from;
  Filler<4> filler_3{};
};

/// A (framework version, CUDA, platform, channel): what one binary carries.
struct Build {
  Framework framework = Framework::torch;
  Channel channel = Channel::wheels;
  Platform platform = Platform::linux_x86_64;
  Tribool official = Tribool::unknown;
  bool cpu = false;
  /// False for the stand-ins of an open release: a build that may exist, of which nothing but its names is known.
  bool listed = true;
  bool is_default = false;
  bool sass_known = false;
  bool ptx_known = false;
  bool pythons_known = false;
  bool nccl_none = false;
  bool triton_none = false;
  bool tegra = false;  ///< for Jetson alone (the `tegra` variant of conda's Arm packages)
  Filler<3> filler{};
  std::uint32_t release = 0;  ///< index into Root::releases
  Filler<4> filler_2{};
  Version version;
  Version cuda;     ///< the minor, none for a CPU build
  Version toolkit;  ///< the update it was built with, none = not determined
  Version cudnn;
  Version glibc;
  Version glibc_below;      ///< the first one that refuses to load it; none: none is known
  PythonSet wheel_index;    ///< Pythons on the wheel index
  PythonSet package_index;  ///< Pythons on the package index
  PythonSet pythons;        ///< anywhere
  PythonSet triton_pythons;
  List<Arch> sass;
  List<Arch> ptx;
  PackedString version_text;
  PackedString tag;
  PackedString nccl;
  PackedString triton;
  PackedString wheel_index_url;
  PackedString conda_spec;
  /// What `[and-cuda]` asks of cuDNN (`<10.0,>=9.3.0.75`), and the rows of `cudnns` that pip may take for it, oldest first.
  PackedString cudnn_spec;
  List<std::uint16_t> cudnn_choices;
  /// GPUs on which it is known to fail whatever code it has for them.
  List<Capability> fails_on;
  List<PackedString> conda_channels;
  std::uint64_t install_bytes = 0;  ///< what `pip install` fetches for it; 0 = unknown
  // Where the rows stand that the search needs for this build; -1 = there is none.
  std::int16_t cudnn_row = -1;
  std::int16_t minor_row = -1;
  std::int16_t major_row = -1;
  std::int16_t torchvision_row = -1;
  std::int16_t torchaudio_row = -1;
  std::uint16_t first_image_set = 0;
  std::uint16_t image_sets = 0;
  std::uint16_t first_toolkit = 0;
  std::uint16_t toolkits = 0;  ///< updates of the CUDA minor
  std::int16_t offered_cudnn_row = -1;
  Provenance from;
};

/// A torchvision or torchaudio release on one platform.
struct Companion {
  Version version;
  Platform platform = Platform::linux_x86_64;
  Filler<7> filler{};
  PythonSet pythons;
  PackedString text;
  PackedString requires_torch;
  /// The CUDA minors of which it is built for later releases of torch, which have to be of the same; empty: any.
  List<Version> cuda;
  /// Where the package index has one wheel for all later releases of torch: the CUDA major that it is linked with. None: it has
  /// one for each, or the wheel links with no CUDA.
  Version linked_cuda;
  Provenance from;
  Filler<4> filler_2{};
};

struct Toolkit {
  Version version;
  PackedString text;
  Version minor;
  PackedString released;
  DriverVersion driver;  ///< Linux minimum of the release notes
  PackedString ptx_isa;
  List<Arch> archs;
  List<Arch> arch_specific;
  Version gcc_max;
  List<PackedString> os;
  Provenance from;
  Filler<4> filler{};
};

struct CudaMinor {
  Version cuda;
  DriverVersion native_driver;
  Provenance from;
  Filler<4> filler{};
};

struct MinorException {
  Version cuda;
  DriverVersion driver;
};

struct CudaMajor {
  std::uint16_t cuda = 0;
  Filler<6> filler{};
  DriverVersion minor_compat_driver;  ///< none: no minor-version compatibility within this major
  List<MinorException> except;
  Provenance from;
  Filler<4> filler_2{};
};

/// Which GPUs a cuDNN serves when it is built for one CUDA version (a major, or one minor such as 10.2; none = any).
struct CudnnGpus {
  Version cuda;
  Capability min;
  Capability max;     ///< 0.0: no ceiling was printed
  bool ends = false;  ///< it is known to serve nothing above `max`
  Filler<3> filler{};
};

struct Cudnn {
  Version version;
  Version glibc;  ///< that its wheels ask for, none = unknown, or it has no wheels
  PackedString text;
  List<Version> cuda_majors;
  List<CudnnGpus> gpus;  ///< empty = unknown
  bool exact = false;
  Filler<3> filler{};
  List<PackedString> wheels;
  Provenance from;
};

struct DriverBranch {
  std::uint16_t branch = 0;
  Filler<2> filler{};
  PackedString kind;
  Filler<4> filler_2{};
  Version cuda;  ///< the newest CUDA minor it reports
  DriverVersion first;
  DriverVersion latest;
  PackedString released;
  PackedString eol;
  Provenance from;
  Filler<4> filler_3{};
};

struct GpuDriver {
  Capability capability;
  Filler<6> filler{};
  DriverVersion first_driver;     ///< none: older than every driver here
  std::uint16_t last_branch = 0;  ///< 0: still supported
  KernelModule kernel_module = KernelModule::either;
  bool tegra = false;
  Provenance from;
};

struct ForwardCompat {
  Version cuda;
  std::uint16_t branch = 0;
  bool works = false;
  Filler<1> filler{};
  Provenance from;
};

struct Gpu {
  PackedString name;
  List<PackedString> aliases;
  GpuClass gpu_class = GpuClass::consumer;
  bool laptop = false;
  Filler<2> filler{};
  PackedString architecture;
  Capability capability;
  Tribool arm_only = Tribool::unknown;  ///< yes: sits beside an Arm CPU only
  Filler<1> filler_2{};
  // NaN = unknown. Peaks are dense, with FP32 accumulation where it applies.
  Number memory_gb;
  Number bandwidth_gbs;
  Number fp32_tflops;
  Number tf32_tflops;
  Number fp16_tflops;
  Number bf16_tflops;
  Number fp8_tflops;
  Number int8_tops;
  Number pcie_gen;
  Number pcie_lanes;
  Number nvlink_gbs;
  Number power_w;
  Number mig;
  Number sms;
  Number boost_mhz;
  PackedString memory_type;
  DriverVersion mig_driver;         ///< the first that can divide the board by MIG; none: nobody read it, or it has no MIG
  List<PackedString> mig_profiles;  ///< `1g.10gb`; empty: nobody read them, or it has no MIG
  List<PackedString> pci_ids;
  /// The first release of each branch that knows the board, ascending; later branches know it from their first. Empty: those of
  /// its capability.
  List<DriverVersion> first_drivers;
  List<PackedString> verified;
  Provenance from;
  Filler<4> filler_3{};
};

/// A spelling, normalised, and the boards that it stands for: one, or a family of one capability, or several
/// capabilities, and then the tool asks which.
struct GpuName {
  PackedString key;
  List<std::uint16_t> gpus;
};

struct GateException {
  Brand brand = Brand::unknown;
  Filler<1> filler{};
  std::uint16_t branch = 0;
};

/// NVIDIA_REQUIRE_CUDA of an image: the driver reports `cuda`, or one of the exceptions holds.
struct Gate {
  PackedString id;
  Version cuda;
  List<GateException> exceptions;
  Provenance from;
  Filler<4> filler{};
};

struct ImageTag {
  PackedString tag;
  PackedString digest;  ///< `sha256:...`; empty: not read
  Version cuda;
  Version cudnn;  ///< major; none = without
  Variant variant = Variant::runtime;
  bool is_base = false;  ///< the `base` flavour, smaller than runtime
  Filler<2> filler{};
  PackedString os;
  Evidence evidence = Evidence::listed;
  TagStatus status = TagStatus::unknown;
  std::int16_t gate = -1;  ///< index into Root::gates, -1 = unknown
  Provenance from;
  Filler<4> filler_2{};
};

/// The nvidia/cuda images of one CUDA update on one OS; indexes into Root::cuda_images, -1 = never published.
struct ImageSet {
  Version cuda;
  Version minor;
  std::uint16_t os = 0;  ///< index into Root::os
  Filler<2> filler{};
  std::int32_t devel = -1;
  std::int32_t devel_cudnn = -1;
  std::int32_t runtime = -1;
  std::int32_t runtime_cudnn = -1;
  bool living = false;  ///< at least one of its tags is still maintained
  Filler<3> filler_2{};
};

/// An official image of a framework.
struct OfficialImage {
  Framework framework = Framework::torch;
  Filler<3> filler{};
  PackedString tag;
  PackedString digest;  ///< as of ImageTag
  Filler<4> filler_2{};
  Version version;
  Version cuda;
  Version cudnn;
  Variant variant = Variant::runtime;
  bool jupyter = false;
  Evidence evidence = Evidence::listed;
  Filler<1> filler_3{};
  PackedString layout;  ///< `conda` or `system`; empty = unknown
  PackedString os;
  PythonVersion python;    ///< minor 0 = unknown
  std::int16_t gate = -1;  ///< as of ImageTag
  Provenance from;
  Filler<4> filler_4{};
};

struct Pin {
  PackedString package;
  PackedString spec;
};

/// What `[and-cuda]` of a TensorFlow release asks for.
struct TensorFlowExtra {
  Version version;
  List<Pin> pins;
  bool exists = false;
  Filler<7> filler{};
};

struct Os {
  PackedString id;
  List<PackedString> aliases;
  PackedString family;
  PackedString version;
  bool lts = false;
  bool known_pep668 = false;
  bool pep668 = false;
  Filler<5> filler{};
  PythonSet pythons;
  PythonSet optional_pythons;
  Version glibc;
  Version gcc;
  PackedString eol;
  PackedString cuda_repo;
  PackedString image;  ///< the plain image of Docker Hub: `ubuntu:22.04`; empty = unknown
  PythonSet deadsnakes;
  Provenance from;
  Filler<4> filler_2{};
};

struct PythonRelease {
  PythonVersion version;
  Filler<2> filler{};
  PackedString released;
  PackedString eol;
  Provenance from;
};

/// A predicate of a rule. Fields that hold a version are compared with `clauses`; names with `spec`, alternatives apart by `|`.
struct Condition {
  PackedString field;
  PackedString spec;
  List<VersionSpec::Clause> clauses;
};

/// A variable's value that stands for a CUDA: the one that the asked drivers report, or that of the build where none are asked.
inline constexpr std::string_view reported_cuda = "{cuda}";

/// In a warning: the boards that the rule's conditions are about. An environment may have others.
inline constexpr std::string_view its_boards = "{gpu}";

struct Rule {
  PackedString id;
  List<Condition> when;
  PackedString pin_package;
  PackedString pin_spec;
  PackedString env_name;
  PackedString env_value;  ///< may be `reported_cuda`
  PackedString warn;
  List<PackedString> stale_lists;  ///< of apt in the image: repositories whose key was replaced
  PackedString why;
  bool minor = false;  ///< its warning comes after those of the others
  Filler<3> filler{};
  Provenance from;
};

struct PresetValue {
  PackedString field;  ///< a request field; `gpu` may stand several times; `host` as `gpu=...,driver=...`
  PackedString text;
};

struct Preset {
  PackedString name;
  PackedString what;
  List<PresetValue> request;
  Provenance from;
};

/// A mirror of packages; what it does not have is empty.
struct Mirror {
  PackedString name;
  PackedString what;
  PackedString apt;                   ///< holds ubuntu/, ubuntu-ports/, debian/ and debian-security/
  PackedString pip_index;             ///< a simple index
  PackedString conda;                 ///< in place of https://conda.anaconda.org
  List<PackedString> conda_channels;  ///< that it has
  PackedString torch;                 ///< a simple index in place of https://download.pytorch.org/whl
  Provenance from;
};

/// A variable's value that stands for what the boards of an environment are.
inline constexpr std::string_view board_majors = "{majors}";

/// A package of pip that compiles CUDA code against the installed torch.
struct Extension {
  PackedString name;       ///< as PEP 503 normalises it
  PackedString env_name;   ///< what tells it to compile for a GPU, where TORCH_CUDA_ARCH_LIST does not; empty: nothing
  PackedString env_value;  ///< may be `board_majors`
  PackedString instead;    ///< what serves where it cannot be used; empty: nothing was read
  bool when_used = false;  ///< and not when it is installed
  Filler<3> filler{};
  Provenance from;
};

/// What releases of a package need of the machine, from one on up to that of its next row. None: unknown, or any.
struct PackageNeeds {
  PackedString package;
  Version release;
  List<Capability> archs;  ///< it has binaries for these alone
  Version min_cuda;
  Version min_torch;
  Capability min_capability;  ///< 0.0: none
  Filler<2> filler{};
  Provenance from;
};

/// Releases of a package that require the same of another package, or of Python.
struct PackageRequirement {
  PackedString package;
  PackedString of;    ///< the other package, `python` for Python
  PackedString spec;  ///< a specifier
  List<PackedString> releases;
  Provenance from;
};

/// What the files install by themselves.
struct Tool {
  PackedString name;
  PackedString platform;  ///< empty: this version is for each
  PackedString python;    ///< the oldest that it is for; empty: it is for each
  PackedString version;
  List<PackedString> hashes;  ///< of its files, `sha256:...`; empty: it is installed by its version
  Provenance from;
};

struct CondaLabel {
  PackedString label;
  Version cuda;
  PackedString evidence;
  Provenance from;
  Filler<4> filler{};
};

/// The newest cuDNN of a major that a conda channel has for a CUDA minor.
struct OfferedCudnn {
  Channel channel = Channel::wheels;
  Filler<7> filler{};
  Version cuda;
  Version cudnn;
  Version glibc;
  Provenance from;
  Filler<4> filler_2{};
};

/// What the facts were read from.
struct Layer {
  PackedString name;      ///< `built in`, or its folder
  PackedString revision;  ///< empty: it has none of its own
  PackedString read;
  LayerKind kind = LayerKind::built_in;
  Filler<3> filler{};
};

/// The head of a block.
struct Root {
  std::uint64_t magic = 0;
  std::uint64_t bytes = 0;
  PackedString revision;
  PackedString read;
  PackedString hash;   ///< SHA-256 of the facts, canonical JSON
  List<Layer> layers;  ///< the lowest first
  List<Source> sources;
  List<Release> releases;  ///< ascending by framework, version
  List<Build> builds;      ///< in the order of preference `stable`; listed ones first
  std::uint32_t listed_builds = 0;
  List<Companion> torchvision;
  List<Companion> torchaudio;
  List<CondaLabel> conda_labels;
  List<OfferedCudnn> offered_cudnns;
  List<Toolkit> toolkits;  ///< ascending
  List<CudaMinor> cuda_minors;
  List<CudaMajor> cuda_majors;
  List<Cudnn> cudnns;
  List<DriverBranch> branches;
  List<GpuDriver> gpu_drivers;
  List<ForwardCompat> forward_compat;
  List<Gpu> gpus;
  List<GpuName> gpu_names;           ///< ascending by key
  List<PackedString> gpu_spellings;  ///< for "did you mean"
  List<ImageTag> cuda_images;
  List<Gate> gates;
  List<ImageSet> image_sets;  ///< by minor, then in the order of preference
  List<OfficialImage> official_images;
  List<TensorFlowExtra> tensorflow_extras;
  List<Os> os;
  List<PythonRelease> pythons;
  List<Rule> rules;
  List<Preset> presets;
  List<Mirror> mirrors;
  List<Extension> extensions;
  List<PackageNeeds> package_needs;  ///< those of a package ascending
  List<PackageRequirement> package_requirements;
  List<Tool> tools;
  Filler<4> filler{};
};

/// Changes whenever a struct above does, so that a block of another build is refused.
constexpr std::uint64_t block_magic = 0x656e7667656e001a;

}  // namespace envgen::matrix
