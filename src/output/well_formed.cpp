#include "output/well_formed.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "output/grammar.hpp"

namespace envgen::output {
namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

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

class Look {
 public:
  explicit Look(const Environment& environment) : environment_(environment) {}

  Expected<void> run() {
    if (environment_.torch) build("torch", *environment_.torch);
    if (environment_.tensorflow) build("tensorflow", *environment_.tensorflow);
    version("cuda/toolkit", environment_.cuda_toolkit);
    if (environment_.conda_label) word(place("cuda/conda_label"), *environment_.conda_label, in_channels, "a channel of conda");
    if (environment_.cudnn) {
      version("cudnn/version", environment_.cudnn->version);
      version("cudnn/from", environment_.cudnn->from);
    }
    version("python", environment_.python);
    versions("pythons", environment_.pythons);
    if (environment_.driver) driver(*environment_.driver);
    for (const auto& board : environment_.gpus) {
      version("gpus/capability", board.capability);
      version("gpus/runs", board.runs);
      version("gpus/via", board.via);
      version("gpus/nvcc", board.nvcc);
    }
    version("os", environment_.os);
    if (environment_.system) {
      family(environment_.system->family);
      version("system/version", environment_.system->version);
      image("system/image", environment_.system->image);
    }
    images(environment_.images);
    version("image_layout", environment_.image_layout);
    for (const auto& pin : environment_.pins) take(check_pip_requirement(pin.package + pin.spec, "/pins"));
    if (environment_.frozen) frozen(*environment_.frozen);
    for (const auto& [name, value] : environment_.env) word("/env", name, "_", "the name of a variable");
    return std::move(result_);
  }

 private:
  void take(Expected<void> checked) {
    if (checked || !result_) return;
    auto error = std::move(checked.error());
    error.code = ErrorCode::bad_input;
    error.hints = {"no file is made of it: 'envgen lock --force' makes the lock anew"};
    result_ = tl::unexpected(std::move(error));
  }

  static std::string place(std::string_view field) { return fmt::format("/environment/{}", field); }

  void word(const std::string& where, std::string_view text, std::string_view others, std::string_view what) {
    if (!is_word(text, others)) take(fail(ErrorCode::bad_input, fmt::format("{} is not {}", in_quotes(text), what), where));
  }

  /// Versions, and names that are written like them: tags, systems, capabilities.
  void version(std::string_view field, std::string_view text) { word(place(field), text, in_versions, "a version or a name"); }
  void version(std::string_view field, const std::optional<std::string>& text) {
    if (text) version(field, std::string_view(*text));
  }
  void version(std::string_view field, const std::string& text) { version(field, std::string_view(text)); }
  void versions(std::string_view field, const std::vector<std::string>& texts) {
    for (const auto& text : texts) version(field, text);
  }

  /// Words apart, none of them an option.
  void conda_spec(const std::string& where, const std::string& spec) {
    std::istringstream words(spec);
    for (std::string one; words >> one;) word(where, one, in_conda_specs, "a specification of conda");
    if (spec.find_first_not_of(' ') == std::string::npos) word(where, spec, in_conda_specs, "a specification of conda");
  }

  void family(const std::string& text) {
    constexpr std::array<std::string_view, 4> known{"ubuntu", "debian", "el", "amazon"};
    if (std::find(known.begin(), known.end(), text) == known.end())
      take(fail(ErrorCode::bad_input, fmt::format("{} is no family of systems", in_quotes(text)), place("system/family")));
  }

  void image(std::string_view field, const std::optional<std::string>& text) {
    if (text) take(check_image(*text, place(field)));
  }

  void images(const Environment::Images& images) {
    image("images/devel", images.devel);
    image("images/devel_cudnn", images.devel_cudnn);
    image("images/runtime", images.runtime);
    image("images/runtime_cudnn", images.runtime_cudnn);
    image("images/official_devel", images.official_devel);
    image("images/official_runtime", images.official_runtime);
  }

  void driver(const Environment::Driver& driver) {
    version("driver/minimum", driver.range.minimum);
    version("driver/last_branch", driver.range.last_branch);
    version("driver/native", driver.native);
    image("driver/compat_image", driver.compat_image);
  }

  void build(const std::string& name, const Environment::FrameworkBuild& build) {
    version(name + "/version", build.version);
    version(name + "/cuda", build.cuda);
    version(name + "/tag", build.tag);
    version(name + "/torchvision", build.torchvision);
    version(name + "/torchaudio", build.torchaudio);
    if (build.index_url) take(check_url(*build.index_url, place(name + "/index_url")));
    version(name + "/toolkit", build.toolkit);
    if (build.archs) versions(name + "/archs", *build.archs);
    if (build.ptx) versions(name + "/ptx", *build.ptx);
    versions(name + "/pythons", build.pythons);
    if (build.conda_spec) conda_spec(place(name + "/conda_spec"), *build.conda_spec);
    if (build.conda_spec && build.conda_channels.empty())
      take(fail(ErrorCode::bad_input, "a package of conda without a channel", place(name + "/conda_channels")));
    for (const auto& channel : build.conda_channels)
      word(place(name + "/conda_channels"), channel, in_channels, "a channel of conda");
    for (const auto& [package, spec] : build.cuda_pins) take(check_pip_requirement(package + spec, place(name + "/cuda_pins")));
  }

  void frozen(const Environment::Frozen& tree) {
    word("/frozen/by", tree.by, in_tools, "a tool and its version");
    if (tree.packages.empty()) take(fail(ErrorCode::bad_input, "a tree of no packages", "/frozen/packages"));
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

}  // namespace envgen::output
