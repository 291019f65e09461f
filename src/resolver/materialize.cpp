#include "resolver/materialize.hpp"

#include <algorithm>

#include <fmt/ranges.h>

#include "model/and_cuda.hpp"
#include "resolver/cudnn_choice.hpp"
#include "resolver/environment_part.hpp"
#include "resolver/judge.hpp"
#include "resolver/maturity.hpp"
#include "resolver/notes.hpp"
#include "resolver/place.hpp"

namespace envgen::resolver {

using matrix::Channel;
using matrix::Matrix;

namespace {

std::optional<std::vector<Arch>> archs_of(const matrix::List<Arch>& archs, bool known) {
  return known ? std::optional(std::vector<Arch>(archs.begin(), archs.end())) : std::nullopt;
}

/// Framework, CUDA, cuDNN and Python; the rest have files of their own.
class Materializer : Part {
 public:
  using Part::Part;

  void run() {
    environment_.platform = build_.platform;
    environment_.variant = query_.variant;
    environment_.installer = build_.channel != Channel::wheels      ? Installer::conda
                             : query_.installer == Installer::conda ? Installer::pip
                                                                    : query_.installer;
    environment_.base = solution_.placement.base;
    if (query_.engine_value != no_value) environment_.engine = query_.engine;
    framework();
    cuda();
    cudnn();
    python();
    make_place(*this);
    const auto reported = build_.cpu ? Version() : make_driver(*this);
    apply_rules(matrix_, reported ? reported : build_.cuda, environment_);
  }

 private:
  void framework() {
    Environment::FrameworkBuild build;
    build.version = text(build_.version_text);
    build.cuda = maybe(build_.cuda);
    build.tag = text(build_.tag);
    if (solution_.torchvision != nullptr) build.torchvision = text(solution_.torchvision->text);
    if (solution_.torchaudio != nullptr) build.torchaudio = text(solution_.torchaudio->text);
    if (build_.channel == Channel::pytorch_channel) {
      build.torchvision = maybe(release_.torchvision_text);
      build.torchaudio = maybe(release_.torchaudio_text);
    }
    // Free-threaded builds can stand on the package index alone.
    if (build_.wheel_index.contains(solution_.python)) build.index_url = maybe(build_.wheel_index_url);
    build.on_package_index = build_.package_index.contains(solution_.python);
    if (build_.official != matrix::Tribool::unknown) build.official = build_.official == matrix::Tribool::yes;
    build.toolkit = maybe(build_.toolkit);
    build.archs = archs_of(build_.sass, build_.sass_known);
    build.ptx = archs_of(build_.ptx, build_.ptx_known);
    build.pythons = build_.pythons.list();
    if (build_.triton_pythons.contains(solution_.python)) build.triton = maybe(build_.triton);
    build.nccl = maybe(build_.nccl);
    build.glibc = maybe(build_.glibc);
    build.conda_spec = maybe(build_.conda_spec);
    for (const auto& channel : build_.conda_channels) build.conda_channels.push_back(text(channel));
    const bool torch = build_.framework == Framework::torch;
    if (torch && query_.variant == Variant::devel) build.gcc_min = major_of(release_.gcc_min);
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
      if (extra_needs_tensorrt(build.cuda_pins)) {
        reason("package", fmt::format("tensorflow=={} and the NVIDIA packages of its extra and-cuda", build.version),
               "the extra also requires a TensorRT that pip cannot always install, and TensorFlow runs without it",
               {build_.from.of("pins")});
      } else {
        reason("package", fmt::format("tensorflow[and-cuda]=={}", build.version),
               "the extra installs CUDA and cuDNN as wheels; without it TensorFlow finds no GPU", {build_.from.of("pins")});
      }
    }
  }

  std::string framework_why() const {
    const auto* value = asked(query_.version.value);
    const auto single = query_.version.spec.single();
    std::string side = build_.official == matrix::Tribool::no && build_.channel == Channel::wheels
                           ? "; a side build, outside the official release matrix"
                           : "";
    if (value != nullptr && single && single.count() >= 3) return text(asked_words(*value)) + side;
    std::string_view order;
    switch (query_.prefer) {
      case Prefer::stable:
        order = "the newest release with an official build known to satisfy the request";
        break;
      case Prefer::newest:
        order = "the newest release known to satisfy the request";
        break;
      case Prefer::smallest:
        order = "the smallest known installation that satisfies the request";
        break;
      case Prefer::widest:
        order = "the build that supports the most GPUs and drivers";
        break;
    }
    if (build_.official == matrix::Tribool::no && query_.prefer == Prefer::stable)
      order = "the newest release known to satisfy the request";
    if (solution_.newer_with_compat != nullptr) side = " without cuda-compat" + side;
    if (prefers_supported(query_) && is_supported(matrix_, build_))
      return fmt::format("{}, among releases up to {} months older than the newest{}", order, months_of_support, side);
    if (value == nullptr) return text(order) + side;
    return fmt::format("{} ({}: {})", order, asked_words(*value), value->text) + side;
  }

  void companion_reasons() {
    const auto one = [&](std::string_view name, const AskedVersion& wanted, const matrix::Companion* row,
                         const matrix::PackedString& own, const matrix::List<matrix::Companion>& rows) {
      if (row != nullptr) {
        const auto* value = asked(wanted.value);
        reason(name, text(row->text),
               value != nullptr ? text(asked_words(*value)) : fmt::format("released for torch {}", build_.version_text.view()),
               {row->from.source});
      } else if (own.empty()) {
        auto why = fmt::format("none was released for torch {}", build_.version_text.view());
        const auto* other = build_.channel == Channel::wheels ? newest_companion(rows, build_, VersionSpec()) : nullptr;
        if (other != nullptr && pythons_of(*other, build_).contains(solution_.python))
          why += fmt::format("; --{} {} works with it", name, other->text.view());
        reason(name, "none", std::move(why), {release_.from.of(name)});
      } else if (build_.channel == Channel::conda_forge) {
        reason(name, "none",
               fmt::format("envgen's data does not say which {} conda-forge has for torch {}", name, build_.version_text.view()));
        if (name == name_of(Field::torchvision)) environment_.warnings.push_back(notes::no_companions_on_conda_forge());
      } else if (build_.channel == Channel::pytorch_channel) {
        reason(name, text(own), fmt::format("released for torch {}", build_.version_text.view()), {release_.from.of(name)});
      } else {
        reason(name, "none",
               fmt::format("{} {} has no wheel for Python {} on {}", name, own.view(), solution_.python,
                           name_of(environment_.platform)),
               {release_.from.of(name)});
      }
    };
    one("torchvision", query_.torchvision, solution_.torchvision, release_.torchvision_text, matrix_->torchvision);
    one("torchaudio", query_.torchaudio, solution_.torchaudio, release_.torchaudio_text, matrix_->torchaudio);
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
      why = fmt::format("the CUDA version TensorFlow {} was tested with", build.version);
    } else if (build_.is_default) {
      why = fmt::format("the default CUDA version of torch {}", build.version);
    } else if (query_.prefer != Prefer::stable) {
      why = fmt::format("what --prefer {} selects for torch {}", name_of(query_.prefer), build.version);
    } else if (query_.boards.empty() && query_.machines.empty()) {
      why = fmt::format("the first CUDA version of torch {} that satisfies the request", build.version);
    } else if (build_.channel != Channel::wheels) {
      why = fmt::format("the channel's first CUDA version for torch {} that satisfies the request", build.version);
    } else {
      why = fmt::format("the default CUDA version of torch {} does not support the requested GPUs and drivers; this one does",
                        build.version);
    }
    reason("cuda", value, std::move(why), {build_.from.of("cuda")});
    if (solution_.placement.toolkit) {
      toolkit.version = solution_.placement.toolkit;
      for (const auto& row : matrix_.toolkits(build_)) {
        if (row.version == solution_.placement.toolkit) toolkit.gcc_max = major_of(row.gcc_max);
      }
      if (build_.channel == Channel::pytorch_channel) toolkit.conda_label = conda_label();
      const bool own = build_.toolkit == solution_.placement.toolkit;
      reason("toolkit", *toolkit.version,
             own ? "the CUDA release that the build was compiled with"
             : solution_.placement.images != nullptr
                 ? fmt::format("the update of CUDA {} whose images are still supported", value)
                 : fmt::format("an update of CUDA {}", value),
             {own || solution_.placement.images == nullptr ? build_.from.of("toolkit") : images_source()});
    }
    if (build_.channel == Channel::wheels && build_.framework == Framework::torch) {
      if (build.on_package_index) {
        reason("index", "package index", "the package index (PyPI or a mirror of it) has this build",
               {build_.from.of("package_index")});
      } else {
        reason("index", build.index_url.value_or("unknown"), "the package index does not have this build for this Python",
               {build_.from.of("wheel_index")});
      }
    }
  }

  std::optional<std::string> conda_label() const {
    for (const auto& row : matrix_->conda_labels) {
      if (row.cuda == environment_.cuda->version) return text(row.label);
    }
    return std::nullopt;
  }

  void cudnn() {
    if (build_.cpu) return;
    Environment::Cudnn cudnn;
    const auto* offered = matrix_.offered_cudnn(build_, solution_.placement.os);
    const bool chooses = chooses_cudnn(query_, build_);
    const auto* chosen = chooses ? chosen_cudnn(matrix_, query_, build_, solution_.placement.os) : nullptr;
    cudnn.version = offered != nullptr ? offered->cudnn : chosen != nullptr ? chosen->version : maybe(build_.cudnn);
    if (build_.cudnn) cudnn.major = build_.cudnn.major();
    const bool bare = !brings_cuda(matrix_, build_);
    cudnn.from = build_.channel != Channel::wheels        ? CudnnFrom::conda
                 : !bare                                  ? CudnnFrom::wheel
                 : solution_.placement.base == Base::slim ? CudnnFrom::system
                                                          : CudnnFrom::image;
    if (bare && solution_.placement.base == Base::slim)
      environment_.warnings.push_back(notes::brings_no_cuda(build_.cuda, build_.cudnn));
    const auto version = spelling_or(cudnn.version, "unknown");
    const auto why =
        offered != nullptr ? fmt::format("the newest cuDNN {} on {} for CUDA {}; the package does not pin a release",
                                         build_.cudnn, text(build_.conda_channels.front()), build_.cuda)
        : chosen != nullptr && build_.cudnn_choices.size() == 1 ? std::string("pinned by tensorflow[and-cuda]")
        : chosen != nullptr
            ? fmt::format(
                  "the newest release allowed by tensorflow[and-cuda] ({}) that satisfies the request; pinned, because "
                  "pip alone installs the newest allowed one",
                  build_.cudnn_spec.view())
        : build_.framework == Framework::tensorflow
            ? fmt::format("the cuDNN version TensorFlow {} was tested with", build_.version_text.view())
        : build_.channel == Channel::wheels ? std::string("pinned by the wheel")
                                            : std::string("declared by the conda package");
    const auto* value = asked(query_.cudnn.value);
    reason("cudnn", version, value != nullptr ? fmt::format("{} ({}); {}", asked_words(*value), value->text, why) : why,
           {offered != nullptr  ? offered->from.of("cudnn")
            : chosen != nullptr ? build_.from.of("pins")
                                : build_.from.of("cudnn")});
    environment_.cudnn = std::move(cudnn);
  }

  void python() {
    environment_.python = solution_.python;
    environment_.python_provider = solution_.provider;
    // Every Python that would do, whichever was asked for.
    auto pythons = build_.pythons;
    for (const auto* companion : {solution_.torchvision, solution_.torchaudio}) {
      if (companion != nullptr) pythons = pythons & pythons_of(*companion, build_);
    }
    environment_.pythons = pythons.list();
    const auto* value = asked(query_.python_value);
    const bool unread = solution_.placement.os != nullptr && solution_.placement.os->pythons.empty();
    const auto unread_words = fmt::format("the Python version of {} is unknown", environment_os());
    std::string why;
    if (solution_.provider == PythonProvider::image) {
      why = "the official image's own";
    } else if (value != nullptr) {
      why = fmt::format("{} ({})", asked_words(*value), value->text);
    } else if (solution_.provider == PythonProvider::system) {
      why = fmt::format("{}'s own Python; every package has a wheel for it", environment_os());
    } else {
      why = default_words();
      if (solution_.provider != PythonProvider::conda)
        why = fmt::format(
            "{}; {}", unread ? unread_words : fmt::format("some packages have no wheel for {}'s own Python", environment_os()),
            why);
    }
    reason("python", environment_.python, std::move(why),
           {build_.from.of(environment_.build().on_package_index ? "package_index" : "wheel_index")});
    const auto lacks = unread ? unread_words : fmt::format("{} {}", environment_os(), has_it_not());
    std::string provider;
    switch (solution_.provider) {
      case PythonProvider::system:
        provider = fmt::format("{} has it", environment_os());
        break;
      case PythonProvider::uv:
        provider = lacks + "; uv installs it on any supported system";
        break;
      case PythonProvider::other:
        provider = fmt::format("{}, and uv provides only {} and later: install it yourself, or use --installer conda", lacks,
                               oldest_of_uv);
        break;
      case PythonProvider::conda:
        provider = "conda installs its own";
        break;
      case PythonProvider::image:
        provider = "the image includes it";
        break;
    }
    std::vector<std::uint16_t> sources;
    if (solution_.provider == PythonProvider::system && solution_.placement.os != nullptr)
      sources.push_back(solution_.placement.os->from.source);
    reason("python_provider", environment_.python_provider, std::move(provider), sources);
  }

  /// How `default_python` chose.
  std::string default_words() const {
    const auto among =
        solution_.provider == PythonProvider::conda ? "for which the channel has this build" : "with a wheel for every package";
    if (!settled_pythons(matrix_, build_).contains(solution_.python)) {
      const auto all = environment_.pythons;
      const bool older = solution_.provider == PythonProvider::uv && !all.empty() && all.front() < oldest_of_uv;
      return older ? fmt::format("the oldest Python that uv installs, {}", among) : fmt::format("the oldest Python {}", among);
    }
    if (release_.released.empty()) return fmt::format("the second-newest Python {}", among);
    return fmt::format("the newest Python {}, of those at least {} months old when {} came out", among, months_to_settle,
                       release_words());
  }

  /// Of a system whose own Python it is not. Its repositories may have it besides, in a package that no output installs.
  std::string_view has_it_not() const {
    const auto* os = solution_.placement.os;
    const bool optional = os != nullptr && os->optional_pythons.contains(solution_.python);
    return optional ? "has it as an optional package only" : "does not have it";
  }
};

}  // namespace

Environment materialize(const Matrix& matrix, const Query& query, const Solution& solution) {
  Environment environment;
  Materializer(matrix, query, solution, environment).run();
  return environment;
}

}  // namespace envgen::resolver
