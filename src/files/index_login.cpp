#include "files/index_login.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::files {
namespace {

constexpr std::array<std::string_view, 4> index_arguments{"PIP_INDEX_URL", "UV_DEFAULT_INDEX", "TORCH_INDEX_URL",
                                                          "MINIFORGE_URL"};

}  // namespace

std::vector<std::string> indexes_among(const std::vector<std::string>& args) {
  std::vector<std::string> result;
  for (const auto name : index_arguments) {
    const auto is_it = [&](const std::string& arg) { return arg.substr(0, arg.find('=')) == name; };
    if (std::any_of(args.begin(), args.end(), is_it)) result.emplace_back(name);
  }
  return result;
}

std::string refuse_passwords_in(const std::vector<std::string>& indexes, bool legacy) {
  const std::string_view instead =
      legacy ? "and the legacy builder has no secrets: use an index without a password, or omit --legacy-builder"
             : "so remove it and build with --secret id=netrc,src=FILE, where FILE contains: machine HOST login USER password "
               "PASSWORD";
  return fmt::format(
      "set -- \"${}\"; for index; do index=${{index#*://}}; case ${{index%%/*}} in *@*) echo \"error: a password in an index URL "
      "would stay in 'docker history', {}\" >&2; exit 1 ;; esac; done",
      fmt::join(indexes, "\" \"$"), instead);
}

bool names_own_index(const Options& options) {
  const auto is_own = [&](const GivenText& index) {
    return !index.value.empty() && (options.mirror.value.empty() || index.where != options.mirror.where);
  };
  return is_own(options.pip_index) || is_own(options.torch_mirror);
}

bool may_need_login(const Options& options) { return !options.legacy_builder && names_own_index(options); }

}  // namespace envgen::files
