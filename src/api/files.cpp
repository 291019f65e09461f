#include "api/files.hpp"

#include <fmt/format.h>

#include "output/outputs.hpp"
#include "project/outputs_json.hpp"

namespace envgen::api {
namespace {

/// `envgen.json#/outputs` of `envgen.json#/outputs/files/0`.
std::string_view outputs_of(std::string_view place) { return place.substr(0, place.rfind("/files/")); }

}  // namespace

Expected<output::Files> files_of(const project::WrittenProject& project, const output::Options& options,
                                 const project::Lock& lock) {
  output::Files files;
  const auto sum = project::promise_of(lock);
  const auto& names = project.outputs.files;
  for (const auto& name : names) {
    auto made = output::make(*output::find_output(name.value), {lock.environment, options, sum, project::names_of(names)});
    if (!made) {
      auto error = std::move(made.error());
      if (error.code == ErrorCode::differs) {
        error.origin = fmt::format("{}#{}", project::lock_file_name, error.origin);
        return tl::unexpected(std::move(error));
      }
      error.code = ErrorCode::bad_input;
      error.message = fmt::format("{}: {}", name.value, error.message);
      const auto member = project::output_member_of(error.origin);
      error.origin = member.empty() ? name.where : fmt::format("{}/{}", outputs_of(name.where), member);
      return tl::unexpected(std::move(error));
    }
    files.insert(files.end(), std::make_move_iterator(made->begin()), std::make_move_iterator(made->end()));
  }
  return files;
}

}  // namespace envgen::api
