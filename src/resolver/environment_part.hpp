#pragma once

#include <span>

#include <fmt/format.h>

#include "resolver/resolver.hpp"

namespace envgen::resolver {

inline std::string text(std::string_view view) { return std::string(view); }
inline std::optional<std::string> maybe(std::string_view view) {
  return view.empty() ? std::nullopt : std::optional<std::string>(view);
}
template <Spelled T>
std::optional<T> maybe(T value) {
  return value ? std::optional(value) : std::nullopt;
}

inline std::optional<int> major_of(Version version) { return version ? std::optional<int>(version.major()) : std::nullopt; }

/// An image as engines take it, with its digest where that was read.
template <class Image>
std::string reference_of(std::string_view repository, const Image& image) {
  const auto name = fmt::format("{}:{}", repository, image.tag.view());
  return image.digest.empty() ? name : fmt::format("{}@{}", name, image.digest.view());
}

/// What the parts of an environment are made with: the facts, what was asked, what was found, and the reason that each value is
/// given. The parts are made in the order of materialize.cpp.
class Part {
 public:
  Part(const matrix::Matrix& matrix, const Query& query, const Solution& solution, Environment& environment)
      : matrix_(matrix),
        query_(query),
        solution_(solution),
        build_(*solution.build),
        release_(matrix.release(build_)),
        environment_(environment) {}

 protected:
  const RequestValue* asked(int value) const {
    return value == no_value ? nullptr : &query_.values[static_cast<std::size_t>(value)];
  }

  /// Who asked for it, in words.
  static std::string_view asked_words(const RequestValue& value);

  template <class Choice>
  requires std::is_enum_v<Choice>
  void reason(std::string_view field, Choice value, std::string why, std::span<const std::uint16_t> sources = {}) {
    reason(field, std::string(name_of(value)), std::move(why), sources);
  }
  template <Spelled T>
  void reason(std::string_view field, const T& value, std::string why, std::initializer_list<std::uint16_t> sources = {}) {
    reason(field, value.to_string(), std::move(why), sources);
  }
  void reason(std::string_view field, std::string value, std::string why, std::initializer_list<std::uint16_t> sources = {}) {
    reason(field, std::move(value), std::move(why), std::span(sources.begin(), sources.size()));
  }
  void reason(std::string_view field, std::string value, std::string why, std::span<const std::uint16_t> sources);

  /// Where it was read that the images of this placement were published.
  std::uint16_t images_source() const;
  std::string environment_os() const;
  /// "torch 2.3.1".
  std::string release_words() const;

  const matrix::Matrix& matrix_;
  const Query& query_;
  const Solution& solution_;
  const matrix::Build& build_;
  const matrix::Release& release_;
  Environment& environment_;
};

/// System, platform, variant, installer, base and images.
void make_place(const Part& shared);
/// The boards and the driver. Returns the newest CUDA that all machines with an asked driver report; none: no driver was asked
/// for.
Version make_driver(const Part& shared);

/// Applies the pitfalls of the matrix to an environment: conditional pins, variables and warnings, each with its reason.
/// `reported`: the CUDA of the asked drivers, or of the build.
void apply_rules(const matrix::Matrix& matrix, Version reported, Environment& environment);

}  // namespace envgen::resolver
