#include "project/freeze.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "files/frozen.hpp"
#include "files/kinds.hpp"
#include "files/packages.hpp"
#include "files/tools.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"
#include "util/files.hpp"
#include "util/interrupt.hpp"
#include "util/pattern.hpp"
#include "util/process.hpp"
#include "util/temporary_folder.hpp"

namespace envgen::project {
namespace {

constexpr std::size_t largest_tree = std::size_t{4} << 20;
constexpr std::size_t longest_line = 4096;
constexpr std::chrono::minutes longest_search{10};

bool is_set(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return value != nullptr && *value != 0;
}

std::filesystem::path folder_in(const char* variable, const std::filesystem::path& rest) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr || *value == 0 ? std::filesystem::path() : value / rest;
}

/// https://docs.astral.sh/uv/concepts/configuration-files/
bool uv_is_configured() {
  if (is_set("UV_DEFAULT_INDEX") || is_set("UV_INDEX_URL") || is_set("UV_CONFIG_FILE")) return true;
  const std::filesystem::path name = "uv/uv.toml";
  std::error_code ignored;
  return std::filesystem::exists("/etc" / name, ignored) ||
         std::filesystem::exists(folder_in("XDG_CONFIG_HOME", name), ignored) ||
         std::filesystem::exists(folder_in("HOME", ".config" / name), ignored);
}

/// The value of a line of `pip config list`: `global.index-url='https://...'`.
std::string setting(std::string_view listed, std::string_view name) {
  const auto begin = listed.find(fmt::format("{}='", name));
  if (begin == std::string_view::npos) return {};
  const auto from = begin + name.size() + 2;
  return std::string(listed.substr(from, listed.find('\'', from) - from));
}

/// uv does not read pip's settings. Empty: pip has none, or is not here.
std::string index_of_pip() {
  const auto listed = util::run_process({"python3", "-m", "pip", "config", "list"}, {.timeout = std::chrono::seconds(30)});
  if (!listed || !listed->ok()) return {};
  for (const auto* name : {":env:.index-url", "install.index-url", "global.index-url"}) {
    if (auto index = setting(listed->out, name); !index.empty()) return index;
  }
  return {};
}

/// uv's name of a system with the glibc that the framework asks for at least, so that the files serve wherever it runs. Those
/// that uv knows: `uv pip compile --help`, --python-platform (0.13.9).
std::string platform_name(const Environment& environment) {
  const auto machine = environment.platform == Platform::linux_aarch64 ? "aarch64" : "x86_64";
  const auto floor = environment.build().glibc.value_or(Version(2, 17));
  constexpr int oldest_named = 28;
  constexpr int first_of_all = 31;
  constexpr int newest_named = 40;
  const int minor = floor.major() == 2 ? floor.minor() : 0;
  if (minor < oldest_named) return fmt::format("{}-manylinux2014", machine);
  return fmt::format("{}-manylinux_2_{}", machine, minor < first_of_all ? oldest_named : std::min(minor, newest_named));
}

Expected<std::string> uv_version_here() {
  const auto ran = util::run_process({"uv", "--version"}, {.timeout = std::chrono::seconds(30)});
  if (!ran && ran.error().code == ErrorCode::interrupted) return tl::unexpected(ran.error());
  if (!ran || !ran->ok())
    return fail(ErrorCode::missing, "uv, which resolves the dependency tree, is not installed here", "--freeze",
                {"python3 -m pip install uv", "or see https://docs.astral.sh/uv/getting-started/installation/"});
  // `uv 0.13.9 (x86_64-unknown-linux-gnu)`
  static const util::Pattern version("uv [0-9][0-9A-Za-z.+-]*");
  const std::string_view text(ran->out);
  auto by = std::string(text.substr(0, text.find_first_of(" \n", text.find(' ') + 1)));
  if (version.matches(by)) return by;
  return fail(ErrorCode::missing, fmt::format("cannot read the version of uv: {}", in_quotes(visible(by, longest_line))),
              "--freeze", {"python3 -m pip install uv"});
}

/// The lines of what uv says, as hints.
std::vector<std::string> words_of_uv(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) words.push_back(visible(line, longest_line));
  }
  return words;
}

/// The options with everything that the tree is to hold as a requirement: what compiles when it is installed has no files to know
/// in advance, but what it is built with has.
files::Options without_compiled(const Environment& environment, files::Options options) {
  const auto requirements = files::pins_and_extras({environment, options, {}});
  options.pip.clear();
  for (const auto& requirement : requirements) options.pip.push_back({requirement, {}});
  return options;
}

}  // namespace

Expected<Environment::Frozen> freeze(const Environment& environment, const files::Options& options, const Say& say) {
  if (auto able = files::check_freezable(environment); !able) return tl::unexpected(std::move(able.error()));
  if (auto checked = files::check_tools(options); !checked) return tl::unexpected(std::move(checked.error()));
  const util::InterruptScope scope;  // neither uv nor the folder outlives this
  auto by = uv_version_here();
  if (!by) return tl::unexpected(std::move(by.error()));
  constexpr std::string_view name = "envgen-freeze";
  util::TemporaryFolder::remove_leftovers(name);
  const auto folder = util::TemporaryFolder::make(name);
  if (!folder) return tl::unexpected(folder.error());

  // The project that people get: the same indexes, each for the same packages.
  const auto chosen = without_compiled(environment, options);
  const auto project = files::pyproject({environment, chosen, {}});
  if (!project) return tl::unexpected(project.error());
  const auto& file = project->front();
  if (auto wrote = util::write_file(folder->path() / file.path, file.text); !wrote)
    return tl::unexpected(std::move(wrote.error()));

  util::ProcessLimits limits{.timeout = longest_search, .largest_out = largest_tree};
  if (options.pip_index.value.empty() && !uv_is_configured()) {
    if (const auto index = index_of_pip(); !index.empty()) limits.environment.push_back("UV_DEFAULT_INDEX=" + index);
  }
  say("uv resolves the dependency tree");
  const auto ran =
      util::run_process({"uv", "pip", "compile", file.path, "--directory", folder->path().string(), "--quiet", "--color", "never",
                         "--no-header", "--no-annotate", "--generate-hashes", "--only-binary", ":all:", "--python-version",
                         environment.python.to_string(), "--python-platform", platform_name(environment)},
                        limits);
  if (!ran) return tl::unexpected(ran.error());
  if (!ran->ok() || ran->out_cut)
    return fail(ErrorCode::bad_input,
                fmt::format("uv cannot resolve the tree: {}", ran->out_cut ? "it is too large" : ran->ending()), "--freeze",
                words_of_uv(ran->err));
  auto packages = parse_tree(ran->out);
  if (!packages) return tl::unexpected(std::move(packages.error()));
  auto with_tree = environment;
  with_tree.frozen = {std::move(*by), files::frozen_requirements({environment, options, {}}), std::move(*packages), {}};
  if (auto checked = files::check_frozen({with_tree, options, {}}); !checked)
    return fail(ErrorCode::bad_input, fmt::format("the tree from uv does not match the request: {}", checked.error().message),
                "--freeze");
  return std::move(*with_tree.frozen);
}

std::vector<Environment::Frozen::Image> kept_images(const Environment::Frozen& old, const files::Inputs& inputs, const Say& say) {
  std::vector<Environment::Frozen::Image> images;
  if (old.images.empty()) return images;
  for (const auto& name : files::images_by_tag(inputs)) {
    const auto found = std::find_if(old.images.begin(), old.images.end(), [&](const auto& image) { return image.name == name; });
    if (found == old.images.end()) say(fmt::format("{} stays a tag: 'envgen lock --freeze' resolves its digest", name));
    images.push_back({name, found == old.images.end() ? std::nullopt : found->digest});
  }
  return images;
}

bool still_frozen(const Environment& old, const Environment& fresh, const files::Options& options) {
  if (!old.frozen || old.python != fresh.python || old.platform != fresh.platform) return false;
  auto with_tree = fresh;
  with_tree.frozen = old.frozen;
  return files::check_frozen({with_tree, options, {}}).has_value() && old.build().tag == fresh.build().tag;
}

}  // namespace envgen::project
