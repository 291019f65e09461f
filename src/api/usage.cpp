#include "api/usage.hpp"

#include <optional>

#include <fmt/format.h>

#include "files/image_base.hpp"
#include "files/install_commands.hpp"
#include "files/outputs.hpp"
#include "model/shell_word.hpp"
#include "resolver/changed.hpp"

namespace envgen::api {
namespace {

/// `envgen` and words that may be empty.
std::string command(std::string_view name, const std::string& flags) {
  auto text = "envgen " + std::string(name);
  return flags.empty() ? text : text + " " + flags;
}

}  // namespace

std::string flags_of(const Request& request) {
  std::string flags;
  for (const auto& value : request.values) {
    const auto& row = field_rows.at(static_cast<std::size_t>(value.field));
    if (row.shape == Shape::flag && value.text != "true") continue;
    if (!flags.empty()) flags += " ";
    flags += row.flag;
    if (row.shape != Shape::flag) flags += " " + shell_word(value.text);
  }
  return flags;
}

namespace {

/// Of a container; none: there is no container, or no image to start from.
std::optional<files::ImageBase> base_of(const Environment& environment) {
  if (environment.engine == Engine::none) return std::nullopt;
  const files::Options none;
  auto base = files::image_base({environment, none, {}});
  return base ? std::optional(std::move(*base)) : std::nullopt;
}

std::string_view first_output(const Environment& environment, bool has_base) {
  if (environment.installer == Installer::conda) return "conda";
  const bool contained = environment.engine != Engine::none;
  const bool has_place =
      contained ? has_base && files::has_apt(environment) : !(environment.cudnn && environment.cudnn->from == CudnnFrom::system);
  if (!has_place || environment.python_provider == PythonProvider::other) return "requirements";
  return contained ? "dockerfile" : "setup";
}

}  // namespace

std::string_view first_output(const Environment& environment) {
  return first_output(environment, base_of(environment).has_value());
}

answers::Usage usage_of(const Request& request, const Environment* environment, std::span<const resolver::Nearest> nearest) {
  answers::Usage usage;
  const auto flags = flags_of(request);
  usage.details = command("resolve", flags + (flags.empty() ? "" : " ") + "--explain --sources");
  if (!nearest.empty()) {
    const auto asked = resolver::changed(request, nearest.front().changes);
    if (asked && !asked->values.empty()) usage.nearest = command("resolve", flags_of(*asked));
  }
  if (environment == nullptr) return usage;
  usage.install = files::install_lines(*environment);
  const auto base = base_of(*environment);
  if (base) usage.image = base->image;
  usage.next = command(fmt::format("render {}", first_output(*environment, base.has_value())), flags);
  return usage;
}

}  // namespace envgen::api
