#include "resolver/materialize.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/notes.hpp"
#include "resolver/asked_driver.hpp"
#include "resolver/forward_compat.hpp"
#include "resolver/judge.hpp"
#include "resolver/pins.hpp"
#include "resolver/place.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Channel;
using matrix::Matrix;

namespace {

std::string text(std::string_view view) { return std::string(view); }
std::optional<std::string> maybe(std::string_view view) { return view.empty() ? std::nullopt : std::optional<std::string>(view); }

std::optional<int> major_of(Version version) { return version ? std::optional<int>(version.major()) : std::nullopt; }

std::vector<std::string> python_names(PythonSet pythons) {
  std::vector<std::string> names;
  for (const auto python : pythons.list()) names.push_back(python.to_string());
  return names;
}

std::optional<std::vector<std::string>> arch_names(const matrix::List<Arch>& archs, bool known) {
  if (!known) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& arch : archs) names.push_back(arch.to_string());
  return names;
}

/// An image as engines take it, with its digest where that was read.
template <class Image>
std::string reference_of(std::string_view repository, const Image& image) {
  const auto name = fmt::format("{}:{}", repository, image.tag.view());
  return image.digest.empty() ? name : fmt::format("{}@{}", name, image.digest.view());
}

class Materializer {
 public:
  Materializer(const Matrix& matrix, const Query& query, const Solution& solution)
      : matrix_(matrix), query_(query), solution_(solution), build_(*solution.build), release_(matrix.release(build_)) {}

  Environment run() {
    environment_.platform = build_.platform;
    environment_.variant = query_.variant;
    environment_.installer = build_.channel != Channel::wheels      ? Installer::conda
                             : query_.installer == Installer::conda ? Installer::pip
                                                                    : query_.installer;
    environment_.base = solution_.placement.base;
    framework();
    cuda();
    cudnn();
    python();
    system();
    images();
    if (!build_.cpu) {
      boards();
      driver();
    }
    apply_rules(matrix_, build_, environment_);
    for (auto& [name, value] : environment_.env) {
      if (name == "CONDA_OVERRIDE_CUDA" && reported_by_asked_) value = reported_by_asked_.to_string();
    }
    return std::move(environment_);
  }

 private:
  const RequestValue* asked(int value) const {
    return value == no_value ? nullptr : &query_.values[static_cast<std::size_t>(value)];
  }

  static std::string_view asked_words(const RequestValue& value) {
    switch (value.origin) {
      case Origin::flag:
        return "requested";
      case Origin::file:
        return "requested in the project file";
      case Origin::preset:
        return "requested by the preset";
      case Origin::host:
        return "found on this machine";
      case Origin::compiler:
        return "something that is to be installed compiles with nvcc";
    }
    return {};
  }

  template <class Choice>
  requires std::is_enum_v<Choice>
  void reason(std::string_view field, Choice value, std::string why, std::span<const std::uint16_t> sources = {}) {
    reason(field, std::string(name_of(value)), std::move(why), sources);
  }
  void reason(std::string_view field, std::string value, std::string why, std::initializer_list<std::uint16_t> sources = {}) {
    reason(field, std::move(value), std::move(why), std::span(sources.begin(), sources.size()));
  }
  void reason(std::string_view field, std::string value, std::string why, std::span<const std::uint16_t> sources) {
    Environment::Reason entry{text(field), std::move(value), std::move(why), {}};
    for (const auto index : sources) {
      const auto& row = matrix_.source(index);
      auto source = row.url.empty() ? text(row.what) : fmt::format("{} <{}>", row.what.view(), row.url.view());
      if (std::find(entry.sources.begin(), entry.sources.end(), source) == entry.sources.end())
        entry.sources.push_back(std::move(source));
    }
    environment_.reasons.push_back(std::move(entry));
  }

  void framework() {
    Environment::FrameworkBuild build;
    build.version = text(build_.version_text);
    if (build_.cuda) build.cuda = build_.cuda.to_string();
    build.tag = text(build_.tag);
    if (solution_.torchvision != nullptr) build.torchvision = text(solution_.torchvision->text);
    if (solution_.torchaudio != nullptr) build.torchaudio = text(solution_.torchaudio->text);
    if (build_.channel != Channel::wheels) {
      build.torchvision = maybe(release_.torchvision_text);
      build.torchaudio = maybe(release_.torchaudio_text);
    }
    // Free-threaded builds can stand on the package index alone.
    if (build_.wheel_index.contains(solution_.python)) build.index_url = maybe(build_.wheel_index_url);
    build.on_package_index = build_.package_index.contains(solution_.python);
    if (build_.official != matrix::Answer::unknown) build.official = build_.official == matrix::Answer::yes;
    build.toolkit = maybe(build_.toolkit_text);
    build.archs = arch_names(build_.sass, build_.sass_known);
    build.ptx = arch_names(build_.ptx, build_.ptx_known);
    build.pythons = python_names(build_.pythons);
    if (build_.triton_pythons.contains(solution_.python)) build.triton = maybe(build_.triton);
    build.nccl = maybe(build_.nccl);
    if (build_.glibc) build.glibc = build_.glibc.to_string();
    build.conda_spec = maybe(build_.conda_spec);
    for (const auto& channel : build_.conda_channels) build.conda_channels.push_back(text(channel));
    const bool torch = build_.framework == Framework::torch;
    for (const auto& extra : matrix_->tensorflow_extras) {
      if (torch || extra.version != build_.version) continue;
      for (const auto& pin : extra.pins) build.cuda_pins.emplace_back(pin.package.view(), pin.spec.view());
    }
    if (torch) {
      environment_.torch = std::move(build);
    } else {
      environment_.tensorflow = std::move(build);
    }
    reason(name_of(build_.framework), text(build_.version_text), framework_why(), {release_.from.source, build_.from.source});
    package();
    if (torch) companion_reasons();
  }

  /// By which name the framework is installed, where that is not its own.
  void package() {
    const auto& build = environment_.build();
    if (build.conda_spec) {
      reason("package", *build.conda_spec,
             fmt::format("from the channels {}, in this order", fmt::join(build.conda_channels, ", ")), {build_.from.of("spec")});
    } else if (build_.framework == Framework::tensorflow && solution_.placement.official == nullptr &&
               brings_cuda(matrix_, build_)) {
      reason("package", fmt::format("tensorflow[and-cuda]=={}", build.version),
             "the extra brings CUDA and cuDNN as wheels; without it TensorFlow finds no GPU", {build_.from.of("pins")});
    }
  }

  std::string framework_why() const {
    const auto* value = asked(query_.version.value);
    const auto single = query_.version.spec.single();
    std::string side = build_.official == matrix::Answer::no && build_.channel == Channel::wheels
                           ? "; a side build, outside the official release matrix"
                           : "";
    if (value != nullptr && single && single.count() >= 3) return text(asked_words(*value)) + side;
    std::string_view order;
    switch (query_.prefer) {
      case Prefer::stable:
        order = "the newest release with an official build that is known to serve all that was asked";
        break;
      case Prefer::newest:
        order = "the newest release that is known to serve all that was asked";
        break;
      case Prefer::smallest:
        order = "the smallest known installation that serves all that was asked";
        break;
      case Prefer::widest:
        order = "the build that runs on the most GPUs and drivers";
        break;
    }
    if (build_.official == matrix::Answer::no && query_.prefer == Prefer::stable)
      order = "the newest release that is known to serve all that was asked";
    if (value == nullptr) return text(order) + side;
    return fmt::format("{} of {} ({})", order, value->text, asked_words(*value)) + side;
  }

  void companion_reasons() {
    const auto one = [&](std::string_view name, const AskedVersion& wanted, const matrix::Companion* row,
                         const matrix::Text& own) {
      if (row != nullptr) {
        const auto* value = asked(wanted.value);
        reason(name, text(row->text),
               value != nullptr ? text(asked_words(*value)) : fmt::format("released for torch {}", build_.version_text.view()),
               {row->from.source});
      } else if (own.empty()) {
        reason(name, "none", fmt::format("none was released for torch {}", build_.version_text.view()), {release_.from.of(name)});
      } else if (build_.channel != Channel::wheels) {
        reason(name, text(own), fmt::format("released for torch {}", build_.version_text.view()), {release_.from.of(name)});
      } else {
        reason(name, "none",
               fmt::format("{} {} has no wheel for Python {} on {}", name, own.view(), solution_.python.to_string(),
                           name_of(environment_.platform)),
               {release_.from.of(name)});
      }
    };
    one("torchvision", query_.torchvision, solution_.torchvision, release_.torchvision_text);
    one("torchaudio", query_.torchaudio, solution_.torchaudio, release_.torchaudio_text);
  }

  void cuda() {
    const auto& build = environment_.build();
    if (build_.cpu) {
      reason("cuda", "cpu", "requested", {build_.from.source});
      return;
    }
    auto& toolkit = environment_.cuda.emplace();
    const auto value = build_.cuda ? build_.cuda.to_string() : "unknown";
    std::string why;
    const RequestValue* first = nullptr;
    for (const auto& wanted : query_.cuda) first = first == nullptr ? asked(wanted.value) : first;
    if (first != nullptr && !query_.cuda.front().spec.any()) {
      why = fmt::format("{} ({})", asked_words(*first), first->text);
    } else if (build_.framework == Framework::tensorflow) {
      why = fmt::format("the CUDA that TensorFlow {} was tested with", build.version);
    } else if (build_.is_default) {
      why = fmt::format("what torch {} installs by default", build.version);
    } else if (query_.prefer != Prefer::stable) {
      why = fmt::format("what --prefer {} takes of torch {}", name_of(query_.prefer), build.version);
    } else if (query_.boards.empty() && query_.machines.empty()) {
      why = fmt::format("the first of torch {} that serves all that was asked", build.version);
    } else if (build_.channel != Channel::wheels) {
      why = fmt::format("the first of torch {} on the channel that serves all that was asked", build.version);
    } else {
      why = fmt::format("the default CUDA of torch {} does not serve the asked GPUs and drivers; this one does", build.version);
    }
    reason("cuda", value, std::move(why), {build_.from.of("cuda")});
    if (solution_.placement.toolkit) {
      toolkit.version = solution_.placement.toolkit.to_string();
      for (const auto& row : matrix_.toolkits(build_)) {
        if (row.version == solution_.placement.toolkit) toolkit.gcc_max = major_of(row.gcc_max);
      }
      if (build_.channel == Channel::pytorch_channel) toolkit.conda_label = conda_label();
      const bool own = build_.toolkit == solution_.placement.toolkit;
      reason("toolkit", *toolkit.version,
             own                                     ? "the update that the build was made with"
             : solution_.placement.images != nullptr ? fmt::format("the update of CUDA {} with living images", value)
                                                     : fmt::format("an update of CUDA {}", value),
             {own || solution_.placement.images == nullptr ? build_.from.of("toolkit") : images_source()});
    }
    if (build_.channel == Channel::wheels && build_.framework == Framework::torch) {
      if (build.on_package_index) {
        reason("index", "package index", "the package index (PyPI or a mirror of it) carries this build",
               {build_.from.of("package_index")});
      } else {
        reason("index", build.index_url.value_or("unknown"), "the package index does not carry this build for this Python",
               {build_.from.of("wheel_index")});
      }
    }
  }

  std::optional<std::string> conda_label() const {
    for (const auto& row : matrix_->conda_labels) {
      if (row.cuda.view() == *environment_.cuda->version) return text(row.label);
    }
    return std::nullopt;
  }

  void cudnn() {
    if (build_.cpu) return;
    Environment::Cudnn cudnn;
    cudnn.version = maybe(build_.cudnn_text);
    if (build_.cudnn) cudnn.major = build_.cudnn.major();
    const bool bare = !brings_cuda(matrix_, build_);
    cudnn.from = build_.channel != Channel::wheels        ? CudnnFrom::conda
                 : !bare                                  ? CudnnFrom::wheel
                 : solution_.placement.base == Base::slim ? CudnnFrom::system
                                                          : CudnnFrom::image;
    if (bare && solution_.placement.base == Base::slim)
      environment_.warnings.push_back(notes::brings_no_cuda(build_.cuda, build_.cudnn_text.view()));
    const auto version = cudnn.version.value_or("unknown");
    const auto why = build_.framework == Framework::tensorflow
                         ? fmt::format("the cuDNN that TensorFlow {} was tested with", build_.version_text.view())
                     : build_.channel == Channel::wheels ? std::string("pinned by the wheel")
                                                         : std::string("as the conda package states it");
    const auto* value = asked(query_.cudnn.value);
    reason("cudnn", version, value != nullptr ? fmt::format("{} ({}); {}", asked_words(*value), value->text, why) : why,
           {build_.from.of("cudnn")});
    environment_.cudnn = std::move(cudnn);
  }

  void python() {
    environment_.python = solution_.python.to_string();
    environment_.python_provider = solution_.provider;
    // Every Python that would do, whichever was asked for.
    auto pythons = build_.pythons;
    for (const auto* companion : {solution_.torchvision, solution_.torchaudio}) {
      if (companion != nullptr) pythons = pythons & companion->pythons;
    }
    environment_.pythons = python_names(pythons);
    const auto* value = asked(query_.python_value);
    std::string why;
    if (solution_.provider == PythonProvider::image) {
      why = "the official image's own";
    } else if (value != nullptr) {
      why = fmt::format("{} ({})", asked_words(*value), value->text);
    } else if (solution_.provider == PythonProvider::system) {
      why = fmt::format("the Python of {}, and every part has a wheel for it", environment_os());
    } else {
      why = fmt::format("the Python of {} has no wheels here; the newest that has them all", environment_os());
      if (solution_.provider == PythonProvider::conda) why = "the newest that the build has on the channel";
    }
    reason("python", environment_.python, std::move(why),
           {build_.from.of(environment_.build().on_package_index ? "package_index" : "wheel_index")});
    std::string provider;
    switch (solution_.provider) {
      case PythonProvider::system:
        provider = fmt::format("{} has it", environment_os());
        break;
      case PythonProvider::uv:
        provider = fmt::format("{} does not have it; uv installs it on any system here", environment_os());
        break;
      case PythonProvider::other:
        provider = fmt::format("{} does not have it, and uv begins at {}: bring it, or take --installer conda", environment_os(),
                               oldest_of_uv.to_string());
        break;
      case PythonProvider::conda:
        provider = "conda brings its own";
        break;
      case PythonProvider::image:
        provider = "the image brings it";
        break;
    }
    std::vector<std::uint16_t> sources;
    if (solution_.provider == PythonProvider::system && solution_.placement.os != nullptr)
      sources.push_back(solution_.placement.os->from.source);
    reason("python_provider", environment_.python_provider, std::move(provider), sources);
  }

  /// Where it was read that the images of this placement were published.
  std::uint16_t images_source() const {
    const auto& set = *solution_.placement.images;
    for (const auto index : {set.devel, set.runtime, set.devel_cudnn, set.runtime_cudnn}) {
      if (const auto* image = offered(matrix_, query_, index)) return image->from.source;
    }
    return build_.from.source;
  }

  std::string environment_os() const {
    return solution_.placement.os == nullptr ? std::string("the system") : text(solution_.placement.os->id);
  }

  void system() {
    const auto* os = solution_.placement.os;
    if (os != nullptr) {
      environment_.os = text(os->id);
      environment_.system = Environment::System{text(os->family), text(os->version), maybe(os->image.view()), major_of(os->gcc),
                                                os->known_pep668 ? std::optional(os->pep668) : std::nullopt};
    }
    const auto* value = asked(query_.os_value);
    std::string why;
    std::vector<std::uint16_t> sources;
    if (os != nullptr) sources.push_back(os->from.source);
    if (value != nullptr) {
      why = text(asked_words(*value));
    } else if (solution_.placement.official != nullptr) {
      sources = {solution_.placement.official->from.of("os")};
      why = os == nullptr ? "the system of the official image was not read" : "the system of the official image";
    } else if (solution_.placement.images != nullptr && solution_.placement.images->living) {
      why = fmt::format("the newest system with nvidia/cuda images for CUDA {}{}", build_.cuda.to_string(),
                        os->lts ? ", a long-term Ubuntu" : "");
      sources = {images_source()};
    } else {
      why = "the newest long-term Ubuntu whose glibc and Python suit the build";
      if (solution_.placement.base == Base::cuda) why = "a system of the images that were published";
    }
    reason("os", environment_.os.value_or("unknown"), std::move(why), sources);
    if (os != nullptr && is_past(os->eol)) environment_.warnings.push_back(notes::support_ended(os->id.view(), os->eol.view()));
    const auto* platform = asked(query_.platform_value);
    reason("platform", environment_.platform,
           platform != nullptr        ? text(asked_words(*platform))
           : query_.platform_from_gpu ? fmt::format("the {} sits beside an Arm CPU", arm_board())
                                      : "the default");
    if (query_.platform_from_gpu) {
      for (const auto& machine : query_.machines) beside_arm(machine);
    }
    const auto* variant = asked(query_.variant_value);
    reason("variant", environment_.variant,
           variant != nullptr ? text(asked_words(*variant)) : "the default: no compiler is needed to run");
    const auto* installer = asked(query_.installer_value);
    reason("installer", environment_.installer, installer != nullptr ? text(asked_words(*installer)) : "the default");
    const auto* base = asked(query_.base_value);
    std::string base_why = base != nullptr ? text(asked_words(*base)) : "";
    if (base == nullptr) {
      const bool bare = !brings_cuda(matrix_, build_);
      if (solution_.placement.base == Base::cuda)
        base_why = bare ? "the wheel brings no CUDA: the image does, with cuDNN" : "nvcc and headers come with it";
      else if (bare)
        base_why = "the wheel brings no CUDA, and no nvidia/cuda image fits: CUDA and cuDNN go onto a plain system";
      else if (query_.variant == Variant::devel && !build_.cpu)
        base_why = "no nvidia/cuda devel image fits the request, so the toolkit goes onto a plain system";
      else
        base_why = build_.cpu                          ? "a CPU build needs no CUDA"
                   : build_.channel != Channel::wheels ? "the conda packages bring CUDA, so nothing is shipped twice"
                                                       : "the wheels bring CUDA, so nothing is shipped twice";
    }
    reason("base", environment_.base, std::move(base_why));
  }

  /// True when a day (or a month) lies before the day on which the facts were read.
  bool is_past(std::string_view date) const { return !date.empty() && date < matrix_->read.view().substr(0, date.size()); }

  std::string arm_board() const {
    const auto board = std::find_if(query_.boards.begin(), query_.boards.end(), [](const Board& one) { return one.arm_only; });
    return board == query_.boards.end() ? "GPU" : board->name;
  }

  /// One board moves the platform of all machines, and that holds only if the others have such a CPU, too.
  void beside_arm(const Machine& machine) {
    if (machine.boards.empty()) return;
    const auto& first = query_.boards[machine.boards.front()];
    const bool any = std::any_of(machine.boards.begin(), machine.boards.end(),
                                 [&](std::uint16_t board) { return query_.boards[board].arm_only; });
    if (!any) environment_.warnings.push_back(notes::beside_arm(first.name));
  }

  void images() {
    const auto* set = solution_.placement.images;
    const auto reference = [&](std::int32_t index) -> std::optional<std::string> {
      const auto* image = offered(matrix_, query_, index);
      if (image == nullptr) return std::nullopt;
      if (image->evidence == matrix::Evidence::inferred) environment_.warnings.push_back(notes::inferred_tag(image->tag.view()));
      return reference_of("nvidia/cuda", *image);
    };
    if (set != nullptr) {
      environment_.images.devel = reference(set->devel);
      environment_.images.devel_cudnn = reference(set->devel_cudnn);
      environment_.images.runtime = reference(set->runtime);
      environment_.images.runtime_cudnn = reference(set->runtime_cudnn);
      if (!set->living && solution_.placement.base == Base::cuda)
        environment_.warnings.push_back(notes::images_past_life(set->cuda, matrix_->os[set->os].id.view()));
      const auto* shown = matrix_.image(start_image(matrix_, build_, query_.variant, *set));
      if (shown != nullptr && solution_.placement.base == Base::cuda)
        reason(
            "image", reference_of("nvidia/cuda", *shown),
            set->living ? "a published tag for this CUDA and system" : "the only published tag that fits; past its end of life",
            {shown->from.source});
    }
    if (const auto* official = solution_.placement.official) environment_.image_layout = maybe(official->layout.view());
    for (const auto& image : matrix_->official_images) {
      if (image.framework != build_.framework || image.version != build_.version || image.cuda != build_.cuda || image.jupyter ||
          build_.cpu)
        continue;
      if (build_.platform != Platform::linux_x86_64 || image.evidence == matrix::Evidence::used_doubtful) continue;
      if (image.evidence == matrix::Evidence::inferred && !query_.allow_inferred) continue;
      auto name = reference_of(image.framework == Framework::torch ? "pytorch/pytorch" : "tensorflow/tensorflow", image);
      (image.variant == Variant::devel ? environment_.images.official_devel : environment_.images.official_runtime) =
          std::move(name);
    }
    if (const auto* official = solution_.placement.official) {
      const auto& name =
          official->variant == Variant::devel ? environment_.images.official_devel : environment_.images.official_runtime;
      reason("image", name.value_or(text(official->tag)), "the official image of this build", {official->from.source});
    }
  }

  /// The board's own capability where nvcc knows it and torch does, too: torch/utils/cpp_extension.py takes every capability up
  /// to the newest that it is compiled for, and refuses others. Else what runs on the board.
  std::optional<std::string> nvcc_target(Capability capability, const CodePath& path) const {
    const auto toolkits = matrix_.toolkits(build_);
    const auto toolkit = std::find_if(toolkits.begin(), toolkits.end(),
                                      [&](const auto& row) { return row.version == solution_.placement.toolkit; });
    if (toolkit == toolkits.end()) return std::nullopt;
    const auto names = [&](const Arch& arch) { return arch.capability == capability; };
    const bool known = std::any_of(toolkit->archs.begin(), toolkit->archs.end(), names);
    const bool to_torch =
        std::any_of(build_.sass.begin(), build_.sass.end(), [&](const Arch& arch) { return arch.capability >= capability; });
    if (known && to_torch) return capability.to_string();
    return path.via.capability.to_string() + (path.runs == Runs::sass ? "" : "+PTX");
  }

  void boards() {
    for (const auto& board : query_.boards) {
      const auto path = code_path(matrix_, build_, board.capability);
      Environment::Board entry{board.name, board.capability.to_string(), path.runs == Runs::sass ? CodeKind::sass : CodeKind::ptx,
                               path.via.to_string(), nvcc_target(board.capability, path)};
      const bool exact = path.via.capability == board.capability;
      const auto why =
          path.runs == Runs::sass
              ? fmt::format("capability {} runs the machine code for {}{}", entry.capability, entry.via,
                            exact ? "" : " (same major)")
              : fmt::format("no machine code for capability {}: the driver compiles the PTX for {}", entry.capability, entry.via);
      reason("gpu", entry.name, why,
             {build_.from.of(path.runs == Runs::sass ? "sass" : "ptx"),
              board.gpu != nullptr ? board.gpu->from.of("capability") : build_.from.of("sass")});
      environment_.gpus.push_back(std::move(entry));
    }
  }

  static std::vector<CarriedBy> named(std::uint8_t carried) {
    std::vector<CarriedBy> result;
    for (std::size_t i = 0; i < Names<CarriedBy>::names.size(); ++i) {
      if ((carried >> i & 1U) != 0) result.push_back(static_cast<CarriedBy>(i));
    }
    return result;
  }

  /// The name of the board of a machine for which `holds`; each has a row, or which drivers know it would be unknown.
  template <class Holds>
  std::string board_with(const Machine& machine, Holds holds) const {
    for (const auto b : machine.boards) {
      const auto& board = query_.boards[b];
      if (holds(*board.driver_row)) return board.name;
    }
    return "GPU";
  }

  /// Where the range of a machine's drivers begins, and why.
  std::string minimum_why(const Machine& machine, const Carried& carried) const {
    const auto cuda = build_.cuda.to_string();
    const auto native = native_floor(matrix_, build_);
    const auto compat = minor_compat_floor(matrix_, build_);
    const bool jit = needs_jit(matrix_, query_, build_, machine);
    if ((carried.by & Carrier::forward_compat) != 0)
      return fmt::format("cuda-compat-{}-{} in the container lifts the driver to CUDA {} (data-centre boards only)",
                         build_.cuda.major(), build_.cuda.minor(), cuda);
    if (!carried.minimum) return fmt::format("some driver carries CUDA {}, but which is the first was not read", cuda);
    if (carried.minimum == machine.first_driver)
      return fmt::format("the first driver that knows the {}",
                         board_with(machine, [&](const auto& row) { return row.first_driver == machine.first_driver; }));
    const auto* official = solution_.placement.official;
    if ((carried.by & Carrier::image_gate) != 0 || (official != nullptr && inherits_gate(*official)))
      return fmt::format("the first driver that reports CUDA {} itself, as the image asks (NVIDIA_REQUIRE_CUDA)", cuda);
    if (!jit && compat && (!native || compat < native))
      return fmt::format("minor-version compatibility: machine code of CUDA {}.x runs from this driver on; PTX needs {}",
                         build_.cuda.major(), native ? native.to_string() : "a newer one");
    return fmt::format("the first driver that reports CUDA {} itself{}", cuda, jit ? ", which PTX needs" : "");
  }

  /// Where `minimum_why` and `driver_remarks` have their figures from.
  std::vector<std::uint16_t> driver_sources(const Machine& machine, const Carried& carried) const {
    std::vector<std::uint16_t> sources;
    const auto add_board = [&](std::string_view field, auto holds) {
      for (const auto b : machine.boards) {
        const auto& row = *query_.boards[b].driver_row;
        if (holds(row)) sources.push_back(row.from.of(field));
      }
    };
    if (machine.tegra) {
      add_board("first_driver", [](const auto&) { return true; });
      return sources;
    }
    if (carried.minimum && carried.minimum == machine.first_driver)
      add_board("first_driver", [&](const auto& row) { return row.first_driver == machine.first_driver; });
    if (machine.last_branch != 0)
      add_board("last_branch", [&](const auto& row) { return row.last_branch == machine.last_branch; });
    if (const auto* minor = matrix_.minor(build_)) sources.push_back(minor->from.of("native_driver"));
    if (const auto* major = matrix_.major(build_)) sources.push_back(major->from.of("minor_compat_driver"));
    return sources;
  }

  /// What is to be said of the asked driver, and of the last branch for the boards.
  std::string driver_remarks(const Machine& machine, const Carried& carried) const {
    std::string remarks;
    if (machine.driver_value != no_value && !machine.tegra) {
      const auto how = (carried.by & Carrier::native) != 0
                           ? fmt::format("reports CUDA {} or newer itself", build_.cuda.to_string())
                       : (carried.by & Carrier::minor_compat) != 0 ? std::string("carries it by minor-version compatibility")
                                                                   : std::string("carries it with cuda-compat");
      // A range is met by some release in it, and only of that one is this said.
      const bool one_of_many = machine.asked.range && machine.asked.releases.size() > 1;
      const auto* which = stands_after(carried.driver) ? "a release after " : "";
      remarks += one_of_many
                     ? fmt::format("; of the asked {}, {}{} {}", machine.driver_text, which, carried.driver.to_string(), how)
                     : fmt::format("; the asked {} {}", machine.driver_text, how);
      if ((carried.by & Carrier::image_gate) != 0 && (carried.by & Carrier::native) == 0)
        remarks += ", and the image's gate names its branch for these boards";
      const auto* branch = matrix_.branch(carried.driver.branch());
      if (branch != nullptr && !branch->eol.empty())
        remarks += fmt::format("; support of R{} {} {}", branch->branch, is_past(branch->eol.view()) ? "ended" : "ends",
                               branch->eol.view());
    }
    if (machine.last_branch != 0)
      remarks += fmt::format("; R{} is the last branch that knows the {}", machine.last_branch,
                             board_with(machine, [&](const auto& row) { return row.last_branch == machine.last_branch; }));
    return remarks;
  }

  /// An image that starts from nvidia/cuda opens for a driver that reports its CUDA itself; others pass only as exceptions.
  void apply_gate(const Machine& machine, Carried& carried) const {
    const auto& placement = solution_.placement;
    if (placement.official != nullptr && inherits_gate(*placement.official)) {
      const auto native = native_floor(matrix_, build_);
      carried.minimum = native ? std::max(native, carried.minimum) : DriverVersion();
    } else if (placement.base == Base::cuda) {
      carried.by |= Carrier::image_gate;
      const auto* image = offered(matrix_, query_, start_image(matrix_, build_, query_.variant, *placement.images));
      if ((carried.by & Carrier::forward_compat) == 0)
        carried.minimum = admitted_by(matrix_, *image, build_, query_, machine).minimum;
    }
  }

  /// The CUDA that a machine reports under the first of its asked drivers that carries the build. cuda-compat brings a driver
  /// library of the build's own CUDA, which is what the container sees.
  Version reported_under(const Carried& carried) const {
    if ((carried.by & Carrier::forward_compat) != 0) return build_.cuda;
    const auto reported = reported_cuda(matrix_, carried.driver);
    return (carried.by & Carrier::native) != 0 ? std::max(reported, build_.cuda) : reported;
  }

  void driver() {
    Environment::Driver driver;
    const auto native = native_floor(matrix_, build_);
    if (native) driver.native = native.to_string();
    DriverVersion minimum;
    std::uint16_t last = 0;
    std::uint8_t carried_by = 0;
    bool known = true;
    std::vector<std::string> askeds;
    // Machines of which the same is to be said share a line.
    struct Line {
      std::string range, why, boards;
      std::vector<std::uint16_t> sources;
    };
    std::vector<Line> lines;
    const std::vector<Machine> nobody(1);
    for (const auto& machine : query_.machines.empty() ? nobody : query_.machines) {
      const auto at_image = at_gate(matrix_, query_, build_, solution_.placement, machine);
      const bool jit = needs_jit(matrix_, query_, build_, machine);
      auto carried = carried_on(matrix_, build_, at_image, jit, solution_.forward);
      if (!machine.tegra) apply_gate(machine, carried);
      Environment::Machine entry;
      for (const auto b : machine.boards) entry.gpus.push_back(query_.boards[b].name);
      if (machine.driver_value != no_value) entry.asked = machine.driver_text;
      if (carried.minimum) entry.range.minimum = carried.minimum.to_string();
      // cuda-compat lifts branches one by one, so the asked one alone is known to do.
      const bool lifted = (carried.by & Carrier::forward_compat) != 0;
      const auto last_branch = lifted ? carried.driver.branch() : machine.last_branch;
      if (last_branch != 0) entry.range.last_branch = fmt::format("{}", last_branch);
      entry.carried_by = named(carried.by);
      if (solution_.forward)
        entry.compat = lifted                                                        ? Compat::needed
                       : compat_is_harmless(matrix_, build_, at_image, carried, jit) ? Compat::harmless
                                                                                     : Compat::unproven;
      auto why = machine.tegra ? std::string("Jetson drivers have numbers of their own")
                               : minimum_why(machine, carried) + driver_remarks(machine, carried);
      const auto boards =
          entry.gpus.empty() ? std::string("a host of unnamed GPUs") : fmt::format("{}", fmt::join(entry.gpus, ", "));
      const auto same = std::find_if(lines.begin(), lines.end(),
                                     [&](const Line& line) { return line.range == entry.range.to_string() && line.why == why; });
      if (same == lines.end()) {
        lines.push_back({entry.range.to_string(), std::move(why), boards, driver_sources(machine, carried)});
      } else {
        same->boards += ", " + boards;
      }

      if (!machine.tegra) {
        known = known && carried.minimum;
        minimum = std::max(minimum, carried.minimum);
        if (last_branch != 0) last = last == 0 ? last_branch : std::min(last, last_branch);
      }
      if (entry.asked && !machine.tegra) {
        const auto reported = reported_under(carried);
        if (reported && (!reported_by_asked_ || reported < reported_by_asked_)) reported_by_asked_ = reported;
      }
      carried_by = static_cast<std::uint8_t>(carried_by | carried.by);
      if (entry.asked && std::find(askeds.begin(), askeds.end(), *entry.asked) == askeds.end()) askeds.push_back(*entry.asked);
      if (!query_.machines.empty()) driver.machines.push_back(std::move(entry));
    }
    const bool one_for_all = known && minimum && (last == 0 || minimum.branch() <= last);
    if (one_for_all) driver.range.minimum = minimum.to_string();
    if (one_for_all && last != 0) driver.range.last_branch = fmt::format("{}", last);
    if (!askeds.empty()) driver.asked = fmt::format("{}", fmt::join(askeds, ", "));
    driver.carried_by = named(carried_by);
    if ((carried_by & Carrier::forward_compat) != 0) {
      environment_.warnings.push_back(notes::needs_compat(build_.cuda));
      if (const auto* image = compat_image(matrix_, query_, build_)) driver.compat_image = reference_of("nvidia/cuda", *image);
    }
    for (auto& line : lines)
      reason("driver", line.range, lines.size() == 1 ? std::move(line.why) : fmt::format("{}: {}", line.boards, line.why),
             line.sources);
    environment_.driver = std::move(driver);
  }

  const Matrix& matrix_;
  const Query& query_;
  const Solution& solution_;
  const Build& build_;
  const matrix::Release& release_;
  Environment environment_;
  Version reported_by_asked_;  ///< the newest CUDA that all machines with an asked driver report; none: no driver was asked for
};

}  // namespace

Environment materialize(const Matrix& matrix, const Query& query, const Solution& solution) {
  return Materializer(matrix, query, solution).run();
}

}  // namespace envgen::resolver
