#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "check/asked.hpp"
#include "model/environment.hpp"

namespace envgen::check {

/// What is being checked: the request, the answer, and the row of the build that the answer names.
struct Subject {
  const matrix::Matrix& matrix;
  const Asked& asked;
  const Environment& environment;
  const matrix::Build& build;
  std::vector<std::string>& violations;

  template <class... Parts>
  void wrong(fmt::format_string<Parts...> text, Parts&&... parts) const {
    violations.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }

  const Environment::FrameworkBuild& framework() const { return environment.build(); }
  /// A TensorFlow without `[and-cuda]`: CUDA and cuDNN come from where it is put.
  bool brings_no_cuda() const {
    if (build.framework != Framework::tensorflow) return false;
    for (const auto& extra : matrix->tensorflow_extras) {
      if (extra.version == build.version && extra.exists) return false;
    }
    return true;
  }
  /// The nvidia/cuda image that the answer starts from, where its base is one.
  const std::optional<std::string>& cuda_image() const {
    const auto& images = environment.images;
    const bool devel = environment.variant == Variant::devel;
    if (brings_no_cuda()) return devel ? images.devel_cudnn : images.runtime_cudnn;
    return devel ? images.devel : images.runtime;
  }
  bool on_conda() const { return build.channel != matrix::Channel::wheels; }
  /// The build as prose names it.
  std::string name() const {
    return fmt::format("{} {}+{} for {}", name_of(build.framework), build.version_text.view(), build.tag.view(),
                       name_of(build.platform));
  }
};

/// `none` for what is not there.
inline std::string_view shown(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view("none");
}
inline std::string_view shown(std::string_view text) { return text.empty() ? std::string_view("none") : text; }
inline std::string_view shown(const std::string& text) { return shown(std::string_view(text)); }
template <Spelled T>
std::string shown(const std::optional<T>& value) {
  return spelling_or(value, "none");
}
template <Spelled T>
std::string shown(const T& value) {
  return value ? value.to_string() : "none";
}
/// A fact that is false is none.
template <Spelled T>
bool same(const std::optional<T>& answer, T fact) {
  return answer ? *answer == fact : !fact;
}
inline bool same(const std::optional<std::string>& answer, std::string_view fact) {
  return answer ? *answer == fact : fact.empty();
}

/// The official image that the answer starts from; null where it starts from another base, or the image is not in the matrix.
const matrix::OfficialImage* official_image(const Subject& subject);

/// The newest CUDA that is reported on every machine whose driver was asked for, by a driver that carries the build; none: no
/// driver was asked for.
Version cuda_of_asked_drivers(const Subject& subject);

// Each looks at one part of the answer.
void check_build(const Subject& subject);
void check_requested_versions(const Subject& subject);
void check_companions(const Subject& subject);
void check_cudnn(const Subject& subject);
void check_python(const Subject& subject);
void check_system(const Subject& subject);
void check_boards(const Subject& subject);
void check_driver(const Subject& subject);
void check_compat(const Subject& subject);
void check_images(const Subject& subject);
void check_rules(const Subject& subject);

}  // namespace envgen::check
