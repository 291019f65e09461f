#include <algorithm>

#include "model/os_name.hpp"
#include "resolver/environment_part.hpp"
#include "resolver/judge.hpp"
#include "resolver/maturity.hpp"
#include "resolver/notes.hpp"
#include "resolver/place.hpp"

namespace envgen::resolver {
namespace {

using matrix::Channel;

std::string_view way_to_gpus(Engine engine) {
  switch (engine) {
    case Engine::docker:
      return "its --gpus checks the image's NVIDIA_REQUIRE_CUDA";
    case Engine::docker_cdi:
    case Engine::podman:
      return "it passes GPUs through CDI, which does not check the image's NVIDIA_REQUIRE_CUDA";
    case Engine::none:
      return "no container, so no image has a say in the driver";
  }
  return {};
}

class PlacePart : Part {
 public:
  explicit PlacePart(const Part& shared) : Part(shared) {}

  void run() {
    system();
    images();
  }

 private:
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
      why = os == nullptr ? "the system of the official image is unknown" : "the system of the official image";
    } else if (solution_.placement.base == Base::cuda && solution_.placement.images->living) {
      why = fmt::format("the newest system with nvidia/cuda images for CUDA {}{}", build_.cuda, os->lts ? ", an Ubuntu LTS" : "");
      sources = {images_source()};
    } else {
      why = solution_.placement.base == Base::cuda ? "a system for which images are published" : how_it_suits(os);
    }
    reason("os", environment_.os.value_or("unknown"), std::move(why), sources);
    if (os != nullptr && is_past(matrix_, os->eol.view()))
      environment_.warnings.push_back(notes::support_ended(os_name(os->id.view()), os->eol.view()));
    const auto own = environment_.system ? environment_.system->gcc : std::nullopt;
    if (const auto& torch = environment_.torch; torch && own && torch->gcc_min && *own < *torch->gcc_min)
      environment_.warnings.push_back(notes::gcc_too_old(torch->version, *torch->gcc_min, os_name(os->id.view()), *own));
    const auto* platform = asked(query_.platform_value);
    reason("platform", environment_.platform,
           platform != nullptr        ? text(asked_words(*platform))
           : query_.platform_from_gpu ? fmt::format("the {} comes only with an Arm CPU", arm_board())
                                      : "the default");
    if (query_.platform_from_gpu) {
      for (const auto& machine : query_.machines) beside_arm(machine);
    }
    const auto* variant = asked(query_.variant_value);
    reason("variant", environment_.variant,
           variant != nullptr ? text(asked_words(*variant)) : "the default: installing these packages compiles nothing");
    const auto* installer = asked(query_.installer_value);
    reason("installer", environment_.installer, installer != nullptr ? text(asked_words(*installer)) : "the default");
    const auto* base = asked(query_.base_value);
    std::string base_why = base != nullptr ? text(asked_words(*base)) : "";
    if (base == nullptr) {
      const bool bare = !brings_cuda(matrix_, build_);
      if (solution_.placement.base == Base::cuda)
        base_why = bare ? "the wheel does not include CUDA: the image provides it, with cuDNN" : "nvcc and headers come with it";
      else if (bare && query_.engine == Engine::none && !build_.cpu)
        base_why = "no container is used: CUDA and cuDNN are the machine's own";
      else if (has_own_nvcc())
        base_why = "no container is used: nvcc is the machine's own";
      else if (query_.variant == Variant::devel && !build_.cpu)
        base_why = "no nvidia/cuda devel image satisfies the request: conda installs nvcc";
      else
        base_why = build_.cpu                          ? "a CPU build needs no CUDA"
                   : build_.channel != Channel::wheels ? "the conda packages include CUDA; a CUDA base would duplicate it"
                                                       : "the wheels include CUDA; a CUDA base would duplicate it";
    }
    reason("base", environment_.base, std::move(base_why));
    if (has_own_nvcc()) environment_.warnings.push_back(notes::own_nvcc(build_.cuda));
    if (environment_.engine)
      reason("engine", *environment_.engine,
             fmt::format("{}; {}", asked_words(query_.values[static_cast<std::size_t>(query_.engine_value)]),
                         way_to_gpus(query_.engine)));
  }

  /// How a plain system was chosen.
  std::string how_it_suits(const matrix::Os* os) const {
    const auto settled = settled_pythons(matrix_, build_);
    switch (os == nullptr ? Suits::rest : suits(matrix_, *os, solution_.pythons, settled)) {
      case Suits::settled_python:
        return "the newest Ubuntu LTS whose glibc and Python suit the build, and " + of_its_time();
      case Suits::own_python:
        return "the newest Ubuntu LTS whose glibc and Python suit the build";
      case Suits::its_time:
        return "the newest Ubuntu LTS whose glibc suits the build, and " + of_its_time();
      case Suits::later:
        return fmt::format("the oldest Ubuntu LTS that is still supported and whose glibc suits the build: none is as old as {}",
                           release_words());
      case Suits::lts:
        return "the newest Ubuntu LTS whose glibc suits the build";
      case Suits::rest:
        break;
    }
    return "a system whose glibc suits the build";
  }

  /// Of a system's own Python.
  std::string of_its_time() const {
    if (release_.released.empty()) return fmt::format("whose Python is older than the newest that {} supports", release_words());
    return fmt::format("whose Python was at least {} months old when {} came out", months_to_settle, release_words());
  }

  /// Nothing that is installed brings nvcc.
  bool has_own_nvcc() const {
    return query_.engine == Engine::none && query_.variant == Variant::devel && !build_.cpu &&
           !conda_has_nvcc(matrix_, build_, solution_.placement.toolkit);
  }

  std::string arm_board() const {
    const auto board = std::find_if(query_.boards.begin(), query_.boards.end(), [](const Board& one) { return one.arm_only; });
    return board == query_.boards.end() ? "GPU" : board->name;
  }

  /// One board moves the platform of all machines, and that holds only if the others have such a CPU, too.
  void beside_arm(const AskedMachine& machine) {
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
        reason("image", reference_of("nvidia/cuda", *shown),
               set->living ? "a published tag for this CUDA and system"
                           : "the only published tag that satisfies the request; past its end of life",
               {shown->from.source});
    }
    if (const auto* official = solution_.placement.official) environment_.image_layout = maybe(official->layout.view());
    for (const auto& image : matrix_->official_images) {
      if (!matrix::is_image_of(image, build_) || build_.cpu || !loads_cudnn(image, build_)) continue;
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
};

}  // namespace

void make_place(const Part& shared) { PlacePart(shared).run(); }

}  // namespace envgen::resolver
