#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/asked.hpp"
#include "model/environment.hpp"

namespace envgen::check {

using Texts = std::vector<std::string>;

/// A value as a message shows it: `none` for what is not there.
template <class T>
std::string shown(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "yes" : "no";
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    const std::string_view text = value;
    return std::string(text.empty() ? "none" : text);
  } else {
    return fmt::format("{}", value);
  }
}
template <Spelled T>
requires std::is_constructible_v<bool, T> std::string shown(const T& value) { return value ? value.to_string() : "none"; }
template <class T>
std::string shown(const std::vector<T>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "none";
}
inline std::string shown(const Environment::DriverRange& range) {
  const auto numbers = fmt::format("{} to {}", shown(range.minimum), shown(range.last_branch));
  return range.windows_cuda ? fmt::format("{} (CUDA {} of Windows)", numbers, *range.windows_cuda) : numbers;
}

/// A fact that was not read, or that a build does not have, is an empty text, or a version that is none.
inline bool same(const std::optional<std::string>& said, std::string_view fact) { return said ? *said == fact : fact.empty(); }
template <Spelled T>
bool same(const std::optional<T>& said, const T& fact) {
  return said ? *said == fact : !fact;
}
template <class T>
bool same(const T& said, const T& fact) {
  return said == fact;
}

/// The facts of a row as an environment says them.
inline Texts texts_of(const matrix::List<matrix::PackedString>& facts) {
  Texts texts;
  texts.reserve(facts.size());
  for (const auto& fact : facts) texts.emplace_back(fact.view());
  return texts;
}

/// What is being checked: the request, the answer, and the rows that the answer names.
struct CheckedAnswer {
  const matrix::Matrix& matrix;
  const Asked& asked;
  const Environment& environment;
  const matrix::Build& build;
  std::vector<std::string>& violations;
  /// The image that the answer starts from, where its base is nvidia/cuda or an official image that is in the matrix.
  const matrix::ImageTag* cuda_image = nullptr;
  const matrix::OfficialImage* official_image = nullptr;

  template <class... Parts>
  void wrong(fmt::format_string<Parts...> text, Parts&&... parts) const {
    violations.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }
  /// A member of the answer has to be what the facts say.
  template <class Said, class Fact>
  void expect(std::string_view member, const Said& said, const Fact& fact) const {
    if (!same(said, fact)) wrong("{}: must be {}, is {}", member, shown(fact), shown(said));
  }
  /// ... what was asked for, if it was.
  template <class Said>
  void expect_asked(Field field, const Said& said, bool satisfied) const {
    if (!asked[field].empty() && !satisfied) wrong("{}: {} is not {}", name_of(field), shown(said), asked[field]);
  }

  /// None: the answer names none.
  Version toolkit() const { return environment.toolkit().version.value_or(Version()); }
  bool on_conda() const { return build.channel != matrix::Channel::wheels; }
  /// What `[and-cuda]` of a TensorFlow asks for; null: there is no such extra.
  const matrix::TensorFlowExtra* cuda_extra() const {
    for (const auto& extra : matrix->tensorflow_extras) {
      if (build.framework == Framework::tensorflow && extra.version == build.version && extra.exists) return &extra;
    }
    return nullptr;
  }
  /// ... CUDA and cuDNN then come from where it is put.
  bool brings_no_cuda() const { return build.framework == Framework::tensorflow && cuda_extra() == nullptr; }
  /// Tags that nobody saw are offered only where asked for, doubtful ones never.
  bool offered(matrix::Evidence evidence) const {
    return evidence != matrix::Evidence::used_doubtful && (evidence != matrix::Evidence::inferred || asked.inferred_tags);
  }
};

/// The cuDNN of the answer, by the facts: the one that the build states; where it leaves the release open, the newest that its
/// conda channel has for it, or that pip may take for it, and that the system of the answer can load. None: neither was read.
Version taken_cudnn(const CheckedAnswer& checked);

/// The newest CUDA that is reported on every machine whose driver was asked for, by a driver that carries the build; none: no
/// driver was asked for.
Version cuda_of_asked_drivers(const CheckedAnswer& checked);

// Each looks at one part of the answer.
void find_images(CheckedAnswer& checked);
void check_build(const CheckedAnswer& checked);
void check_requested_versions(const CheckedAnswer& checked);
/// Returns every Python that torch and each companion of the answer have a wheel for.
PythonSet check_companions(const CheckedAnswer& checked);
void check_cudnn(const CheckedAnswer& checked);
void check_cudnn_serves(const CheckedAnswer& checked, Capability gpu);
void check_python(const CheckedAnswer& checked, PythonSet pythons);
void check_system(const CheckedAnswer& checked);
void check_boards(const CheckedAnswer& checked);
void check_driver(const CheckedAnswer& checked);
void check_images(const CheckedAnswer& checked);
void check_rules(const CheckedAnswer& checked);

}  // namespace envgen::check
