#include "api/files.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/grammar.hpp"
#include "files/mirrors.hpp"
#include "files/outputs.hpp"
#include "files/tools.hpp"
#include "model/request.hpp"
#include "model/spelling.hpp"
#include "project/outputs_json.hpp"
#include "resolver/materialize.hpp"

namespace envgen::api {
namespace {

/// `envgen.json#/outputs` of `envgen.json#/outputs/files/0`.
std::string_view outputs_of(std::string_view place) { return place.substr(0, place.rfind("/files/")); }

/// A layer may say anything.
Expected<void> check_row(const files::Options& options) {
  if (const auto& root = options.of_mirror.apt_root; !root.empty()) {
    if (auto checked = files::check_base_url(root, ""); !checked) return checked;
  }
  for (const auto& channel : options.of_mirror.conda_channels) {
    if (auto checked = files::check_conda_channel(channel, ""); !checked) return checked;
  }
  return files::check_options(options);
}

}  // namespace

files::Options with_packages(files::Options options, const matrix::Matrix& matrix) {
  const auto text = [](const matrix::PackedString& packed) { return std::string(packed.view()); };
  const auto if_known = [](Version version) { return version ? std::optional(version) : std::nullopt; };
  for (const auto& row : matrix->extensions) {
    const bool of_boards = row.env_value.view() == matrix::board_majors;
    options.extensions.push_back(
        {text(row.name), row.when_used, text(row.env_name), of_boards ? std::string() : text(row.env_value), text(row.instead)});
  }
  for (const auto& row : matrix->package_needs) {
    options.needs.push_back({text(row.package),
                             row.release,
                             {row.archs.begin(), row.archs.end()},
                             row.min_capability.major == 0 ? std::nullopt : std::optional(row.min_capability),
                             if_known(row.min_cuda),
                             if_known(row.min_torch)});
  }
  for (const auto& row : matrix->package_requirements) {
    options.requirements.push_back(
        {text(row.package), text(row.of), text(row.spec), std::vector<std::string>(row.releases.begin(), row.releases.end())});
  }
  for (const auto& row : matrix->tools) {
    options.tools.push_back({text(row.name), text(row.platform), text(row.python), text(row.version),
                             std::vector<std::string>(row.hashes.begin(), row.hashes.end())});
  }
  for (const auto& row : matrix->os) {
    if (!row.pythons.empty()) options.systems.push_back({text(row.id), row.pythons.newest()});
  }
  return options;
}

Expected<files::Options> with_facts(files::Options chosen, const matrix::Matrix& matrix) {
  auto options = with_packages(std::move(chosen), matrix);
  const auto& name = options.mirror.value;
  if (name.empty()) return options;
  const auto* row = matrix.mirror(name);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& mirror : matrix->mirrors) names.push_back(mirror.name.view());
    auto hints = did_you_mean(name, names);
    hints.emplace_back("'envgen list mirrors' shows what each provides");
    return fail(ErrorCode::usage, fmt::format("{} is not one of {}", in_quotes(name), fmt::join(names, ", ")),
                options.mirror.where, std::move(hints));
  }
  const auto fill = [&](files::GivenText& option, const matrix::PackedString& has) {
    if (option.value.empty()) option = {std::string(has.view()), options.mirror.where};
  };
  if (options.conda_mirror.value.empty()) {
    for (const auto& channel : row->conda_channels) options.of_mirror.conda_channels.emplace_back(channel.view());
  }
  fill(options.conda_mirror, row->conda);
  fill(options.pip_index, row->pip_index);
  fill(options.torch_mirror, row->torch);
  if (options.apt_mirror.value.empty()) options.of_mirror.apt_root = row->apt.view();
  if (auto checked = check_row(options); !checked) {
    auto error = std::move(checked.error());
    error.code = ErrorCode::bad_input;
    error.origin = fmt::format("mirrors.json, the mirror {}", name);
    return tl::unexpected(std::move(error));
  }
  return options;
}

Expected<files::Options> project_options(const project::WrittenProject& project, const matrix::Matrix& matrix) {
  auto options = with_facts(project.outputs.options, matrix);
  if (!options) options.error().code = ErrorCode::bad_input;
  return options;
}

void say_what_is_not_mirrored(const files::Inputs& inputs, const Say& say) {
  const auto& name = inputs.options.mirror.value;
  if (name.empty()) return;
  auto missing = files::not_on_the_mirror(inputs);
  missing.emplace_back("images");
  say(fmt::format("{} does not mirror these, so they come from their original hosts: {}", name, fmt::join(missing, ", ")));
}

files::Inputs inputs_of(const project::Lock& lock, const files::Options& options, const project::WrittenProject& project,
                        const matrix::Matrix& matrix) {
  return {lock.environment, options, project::promise_of(lock), project::names_of(project.outputs.files),
          resolver::stale_lists(matrix, lock.environment)};
}

namespace {

/// `--installer conda`, which a project file says as `"request": {"installer": "conda"}`; every other hint as it is.
std::string as_in_a_project(const std::string& hint) {
  const auto space = hint.find(' ');
  if (!hint.starts_with("--") || space == std::string::npos) return hint;
  const auto name = hint.substr(2, space - 2);
  const auto value = hint.substr(space + 1);
  if (!field_named(name) || value.find(' ') != std::string::npos) return hint;
  return fmt::format(R"("request": {{"{}": "{}"}})", name, value);
}

}  // namespace

Expected<files::Files> files_of(const project::WrittenProject& project, const files::Inputs& inputs) {
  const auto& options = inputs.options;
  if (auto checked = files::check_tools(options); !checked) return tl::unexpected(std::move(checked.error()));
  files::Files files;
  for (const auto& name : project.outputs.files) {
    auto made = files::make(*files::find_output(name.value), inputs);
    if (!made) {
      auto error = std::move(made.error());
      if (error.code == ErrorCode::differs) {
        error.origin = fmt::format("{}#{}", project::lock_file_name, error.origin);
        return tl::unexpected(std::move(error));
      }
      error.code = ErrorCode::bad_input;
      error.message = fmt::format("{}: {}", name.value, error.message);
      std::transform(error.hints.begin(), error.hints.end(), error.hints.begin(), as_in_a_project);
      const auto member = project::output_member_of(error.origin);
      error.origin = member.empty() ? name.where : fmt::format("{}/{}", outputs_of(name.where), member);
      return tl::unexpected(std::move(error));
    }
    files.insert(files.end(), std::make_move_iterator(made->begin()), std::make_move_iterator(made->end()));
  }
  return files;
}

}  // namespace envgen::api
