#include "files/image_base.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/conda_packages.hpp"
#include "files/extensions.hpp"
#include "files/frozen.hpp"
#include "files/run_time_compiler.hpp"
#include "model/os_name.hpp"
#include "model/version.hpp"

namespace envgen::files {
namespace {

/// pip brings its own cuDNN, and a second one in the system could shadow it; a TensorFlow without `[and-cuda]` needs the image's.
const std::optional<std::string>& cuda_image(const Environment& environment) {
  const auto& images = environment.images;
  const bool with_cudnn = environment.cudnn && environment.cudnn->from == CudnnFrom::image;
  if (environment.variant == Variant::devel) return with_cudnn ? images.devel_cudnn : images.devel;
  return with_cudnn ? images.runtime_cudnn : images.runtime;
}

std::optional<std::string> published(const Environment& environment) {
  if (environment.base == Base::cuda) return cuda_image(environment);
  if (environment.base == Base::slim) return environment.system ? environment.system->image : std::nullopt;
  return environment.variant == Variant::devel ? environment.images.official_devel : environment.images.official_runtime;
}

/// podman takes a short name for one of any registry, and asks or refuses: Docker Hub, written out.
std::string with_registry(const std::string& image) {
  return (image.find('/') == std::string::npos ? "docker.io/library/" : "docker.io/") + image;
}

Expected<void> refuse_what_slim_lacks(const Environment& environment) {
  const auto& build = environment.build();
  if (environment.base != Base::slim || !build.cuda) return {};
  if (environment.variant == Variant::devel && !brings_conda_toolkit(environment))
    return fail(ErrorCode::usage,
                fmt::format("no nvidia/cuda devel image for CUDA {} on {} satisfies the request, so there is no nvcc",
                            *build.cuda, environment.os.value_or("this system")),
                "--variant devel",
                {"another --os or --driver may work: envgen list images --cuda " + build.cuda->to_string(),
                 "--base cuda shows the conflict"});
  if (environment.cudnn && environment.cudnn->from == CudnnFrom::system)
    return fail(ErrorCode::usage, "this TensorFlow does not include CUDA, and neither does the distribution image", "--base slim",
                {"--base cuda"});
  return {};
}

/// What is compiled against torch stops at its headers where the compiler of the system is older than they allow.
Expected<void> refuse_old_gcc(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  const auto* asked_by = compiler_asked_by(inputs.options);
  const int own = environment.system ? environment.system->gcc.value_or(0) : 0;
  const int least = environment.torch ? environment.torch->gcc_min.value_or(0) : 0;
  if (asked_by == nullptr || own == 0 || own >= least) return {};
  return fail(ErrorCode::usage,
              fmt::format("{} does not compile on {}: torch {} needs GCC {} or newer, and the system has GCC {}",
                          what_compiles(*asked_by), os_name(*environment.os), environment.torch->version, least, own),
              asked_by->where, {"a newer system: envgen list images --cuda " + environment.build().cuda->to_string()});
}

}  // namespace

std::string older_gcc(const Environment& environment) {
  const auto& own = environment.system ? environment.system->gcc : std::nullopt;
  if (!own || !environment.toolkit().gcc_max || *own <= *environment.toolkit().gcc_max) return {};
  return std::to_string(*environment.toolkit().gcc_max);
}

std::string arch_list(const Environment& environment) {
  std::set<Capability> targets;
  std::set<Capability> also_ptx;
  for (const auto& gpu : environment.gpus) {
    const std::string_view target = gpu.nvcc ? std::string_view(*gpu.nvcc) : std::string_view();
    const auto plus = target.find('+');
    const bool ptx = gpu.nvcc ? plus != std::string_view::npos : gpu.runs == CodeKind::ptx;
    (ptx ? also_ptx : targets).insert(Capability::parse(target.substr(0, plus)).value_or(gpu.via.capability));
  }
  if (environment.gpus.empty() && environment.build().archs) {
    // A family or architecture-specific target (9.0a, 10.0f) is compiled for the capability itself.
    for (const auto& arch : *environment.build().archs) targets.insert(arch.capability);
  }
  std::vector<std::string> names;
  for (const auto target : targets) {
    if (!also_ptx.contains(target)) names.push_back(target.to_string());
  }
  for (const auto target : also_ptx) names.push_back(target.to_string() + "+PTX");
  return fmt::format("{}", fmt::join(names, ";"));
}

Expected<ImageBase> image_base(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  if (const auto* asked_by = compiler_asked_by(inputs.options); asked_by != nullptr && environment.variant != Variant::devel)
    return fail(ErrorCode::usage, fmt::format("{} needs nvcc, which a runtime image does not have", what_compiles(*asked_by)),
                asked_by->where, {"--variant devel"});
  if (auto old = refuse_old_gcc(inputs); !old) return tl::unexpected(std::move(old.error()));
  if (auto lacks = refuse_what_slim_lacks(environment); !lacks) return tl::unexpected(std::move(lacks.error()));
  ImageBase base;
  const auto image = published(environment);
  if (!inputs.options.base_image.value.empty()) {
    base.image = inputs.options.base_image.value;
  } else if (image) {
    base.image = inputs.podman() ? with_registry(*image) : *image;
  } else {
    return fail(
        ErrorCode::usage,
        fmt::format("no known image of {} for the base {}", environment.os.value_or("this system"), name_of(environment.base)),
        "--base", {"--base-image NAME:TAG names one"});
  }
  base.image = with_digest(environment, base.image);
  base.packages = {"ca-certificates"};
  base.packages_why = "Packages that the base image lacks.";
  if (environment.variant == Variant::devel) {
    base.packages.insert(base.packages.end(), {"build-essential", "git", "ninja-build"});
    base.packages_why = "Compilers that nvcc accepts, and the tools that extensions are built with.";
    if (const auto gcc = older_gcc(environment); !gcc.empty()) {
      base.packages.push_back("gcc-" + gcc);
      base.packages.push_back("g++-" + gcc);
    }
  }
  if (const auto compiler = run_time_compiler(inputs); !compiler.empty()) {
    base.packages.insert(base.packages.end(), compiler.begin(), compiler.end());
    base.packages_why += fmt::format(" {} {} for torch.compile; --no-compiler leaves {} out.", fmt::join(compiler, " and "),
                                     compiler.size() == 1 ? "is" : "are", compiler.size() == 1 ? "it" : "them");
  }
  // The official images that compile, and TensorFlow's, are made from those of nvidia/cuda
  // (pytorch/pytorch docker.Makefile, tensorflow/build tensorflow_runtime_dockerfiles).
  const bool from_cuda_image = environment.base == Base::cuda || environment.base == Base::tensorflow ||
                               (environment.base == Base::pytorch && environment.variant == Variant::devel);
  base.compat = image_compat(environment);
  if (base.compat && base.compat->copy_from) {
    auto& from = *base.compat->copy_from;
    from = with_digest(environment, inputs.podman() ? with_registry(from) : from);
  }
  base.drops_compat = from_cuda_image && environment.build().cuda && !base.compat;
  return base;
}

}  // namespace envgen::files
