#include "files/outputs.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "files/grammar.hpp"
#include "model/spelling.hpp"
#include "util/described.hpp"

namespace envgen::files {
namespace {

bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

/// A letter or digit, and then these and `others`.
bool is_word(std::string_view text, std::string_view others) {
  return !text.empty() && is_letter_or_digit(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter_or_digit(c) || others.find(c) != std::string_view::npos;
  });
}

constexpr std::string_view in_versions = ".+!_-";
constexpr std::string_view in_channels = "._-/:";
constexpr std::string_view in_conda_specs = "._-+=<>!*|,";

constexpr std::string_view in_tools = ". -+";

/// What a text may be; `quoted` texts stand in quotes and comments alone, or in no file, so they may say anything.
enum class Grammar : std::uint8_t { name, quoted, url, image, channel, conda_spec, family };

/// By the end of its place; what is not listed is a version, or a name that is written like one (tags, systems, capabilities).
Grammar grammar_of(std::string_view place) {
  constexpr std::pair<std::string_view, Grammar> grammars[]{
      {"/index_url", Grammar::url},       {"/conda_spec", Grammar::conda_spec}, {"/conda_channels", Grammar::channel},
      {"/conda_label", Grammar::channel}, {"/system/family", Grammar::family},  {"/system/image", Grammar::image},
      {"/compat_image", Grammar::image},  {"/asked", Grammar::quoted},          {"/triton", Grammar::quoted},
      {"/nccl", Grammar::quoted},         {"/gpus/name", Grammar::quoted},      {"/machines/gpus", Grammar::quoted},
  };
  if (place.starts_with("/environment/images/")) return Grammar::image;
  const auto* const found =
      std::find_if(std::begin(grammars), std::end(grammars), [&](const auto& entry) { return place.ends_with(entry.first); });
  return found == std::end(grammars) ? Grammar::name : found->second;
}

class Look {
 public:
  explicit Look(const Environment& environment) : environment_(environment) {}

  Expected<void> run() {
    look("/environment", environment_);
    const auto& build = environment_.build();
    if (build.conda_spec && build.conda_channels.empty())
      take(fail(ErrorCode::bad_input, "a conda package without a channel",
                fmt::format("/environment/{}/conda_channels", environment_.torch ? "torch" : "tensorflow")));
    for (const auto& pin : environment_.pins) take(check_pip_requirement(pin.package + pin.spec, "/pins"));
    if (environment_.frozen) frozen(*environment_.frozen);
    for (const auto& [name, value] : environment_.env) word("/env", name, "_", "a variable name");
    return std::move(result_);
  }

 private:
  void take(Expected<void> checked) {
    if (checked || !result_) return;
    auto error = std::move(checked.error());
    error.code = ErrorCode::bad_input;
    error.hints = {"no file was generated: 'envgen lock --force' regenerates the lock"};
    result_ = tl::unexpected(std::move(error));
  }

  /// Each text of a value, wherever it stands in it.
  template <class T>
  void look(const std::string& place, const T& value) {
    if constexpr (util::Described<T>) {
      util::Taking visit{[&](std::string_view name, const auto& member) { look(fmt::format("{}/{}", place, name), member); }};
      T::members(value, visit);
    } else if constexpr (std::is_same_v<T, util::NamedTexts>) {
      for (const auto& [package, spec] : value) take(check_pip_requirement(package + spec, place));
    } else if constexpr (util::is_optional<T>) {
      if (value) look(place, *value);
    } else if constexpr (util::is_list<T>) {
      for (const auto& item : value) look(place, item);
    } else if constexpr (std::is_same_v<T, std::string>) {
      text(place, value);
    }
  }

  void text(const std::string& place, const std::string& text) {
    switch (grammar_of(place)) {
      case Grammar::name:
        return word(place, text, in_versions, "a version or a name");
      case Grammar::quoted:
        return;
      case Grammar::url:
        return take(check_url(text, place));
      case Grammar::image:
        return take(check_image(text, place));
      case Grammar::channel:
        return word(place, text, in_channels, "a conda channel");
      case Grammar::conda_spec:
        return conda_spec(place, text);
      case Grammar::family:
        return family(place, text);
    }
  }

  void word(const std::string& where, std::string_view text, std::string_view others, std::string_view what) {
    if (!is_word(text, others)) take(fail(ErrorCode::bad_input, fmt::format("{} is not {}", in_quotes(text), what), where));
  }

  /// Words apart, none of them an option.
  void conda_spec(const std::string& where, const std::string& spec) {
    std::istringstream words(spec);
    for (std::string one; words >> one;) word(where, one, in_conda_specs, "a conda spec");
    if (spec.find_first_not_of(' ') == std::string::npos) word(where, spec, in_conda_specs, "a conda spec");
  }

  void family(const std::string& where, const std::string& text) {
    constexpr std::array<std::string_view, 5> known{"ubuntu", "debian", "el", "amazon", "fedora"};
    if (std::find(known.begin(), known.end(), text) == known.end())
      take(fail(ErrorCode::bad_input, fmt::format("{} is not a known OS family", in_quotes(text)), where));
  }

  void frozen(const Environment::Frozen& tree) {
    word("/frozen/by", tree.by, in_tools, "a tool and its version");
    if (tree.packages.empty()) take(fail(ErrorCode::bad_input, "a tree without packages", "/frozen/packages"));
    for (const auto& package : tree.packages) {
      take(check_pip_requirement(fmt::format("{}=={}", package.name, package.version), "/frozen/packages"));
      if (package.hashes.empty())
        take(fail(ErrorCode::bad_input, fmt::format("{} has no hash", in_quotes(package.name)), "/frozen/packages"));
      for (const auto& hash : package.hashes) take(check_hash(hash, "/frozen/packages"));
    }
    for (const auto& image : tree.images)
      take(check_image(image.digest ? fmt::format("{}@{}", image.name, *image.digest) : image.name, "/frozen/images"));
  }

  const Environment& environment_;
  Expected<void> result_;
};

}  // namespace

Expected<void> check_environment(const Environment& environment) { return Look(environment).run(); }

}  // namespace envgen::files
