#include "api/request.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/files.hpp"
#include "files/extensions.hpp"
#include "files/outputs.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"

namespace envgen::api {

Expected<Request> with_preset(Request request, const std::string& preset, const matrix::Matrix& matrix) {
  if (preset.empty()) return request;
  const auto* row = matrix.preset(preset);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& known : matrix->presets) names.push_back(known.name.view());
    auto error = parse_choice(preset, names).error();
    error.origin = "--preset";
    return tl::unexpected(std::move(error));
  }
  Request fixed;
  for (const auto& value : row->request) {
    const auto field = field_named(value.field.view());
    if (!field)
      return fail(ErrorCode::bad_input,
                  fmt::format("the preset {} sets {}, which is not a request field", preset, in_quotes(value.field.view())),
                  "presets.json");
    fixed.values.push_back({*field, std::string(value.text.view()), Origin::preset, fmt::format("--preset {}", preset)});
  }
  request.fill_from(fixed);
  return request;
}

namespace {

Expected<Request> with_compiler(Request request, const files::Options& options, const matrix::Matrix& matrix, const Say& say) {
  if (options.pip.empty() && options.needs_nvcc.value.empty()) return request;
  const auto known = with_packages(options, matrix);
  const auto* asked_by = files::compiler_asked_by(known);
  if (asked_by == nullptr) return request;
  const auto* variant = request.find(Field::variant);
  if (variant != nullptr && variant->text == name_of(Variant::devel)) return request;
  if (variant != nullptr)
    return fail(ErrorCode::usage,
                fmt::format("{} needs nvcc, which a runtime image does not have", files::what_compiles(*asked_by)),
                asked_by->where, {fmt::format("omit {}", variant->where), "or use --variant devel"});
  say(fmt::format("{} needs nvcc, so the devel variant is used", files::what_compiles(*asked_by)));
  request.values.push_back({Field::variant, std::string(name_of(Variant::devel)), Origin::compiler, asked_by->where});
  return request;
}

/// Only an image with CUDA asks something of the driver: one with nvcc, or that of a framework which brings no CUDA itself.
bool may_start_from_cuda(const Request& request) {
  const auto* variant = request.find(Field::variant);
  return request.find(Field::base) == nullptr &&
         ((variant != nullptr && variant->text == name_of(Variant::devel)) || request.find(Field::tensorflow) != nullptr);
}

bool has_no_container(std::span<const std::string> made) {
  return !made.empty() && std::none_of(made.begin(), made.end(), [](const std::string& name) {
    const auto* output = files::find_output(name);
    return output == nullptr || output->container;
  });
}

}  // namespace

Expected<Request> with_outputs(Request request, const files::Options& options, std::span<const std::string> made,
                               const matrix::Matrix& matrix, const Say& say) {
  auto compiling = with_compiler(std::move(request), options, matrix, say);
  if (!compiling) return compiling;
  compiling->start_image_runs = !options.multi_stage;
  if (compiling->find(Field::engine) != nullptr) return compiling;
  const auto use = [&](Engine engine, Origin origin, std::string where) {
    compiling->values.push_back({Field::engine, std::string(name_of(engine)), origin, std::move(where)});
  };
  if (options.podman) {
    use(Engine::podman, Origin::flag, "--podman");
  } else if (may_start_from_cuda(*compiling) && has_no_container(made)) {
    use(Engine::none, Origin::output, fmt::format("{}", fmt::join(made, ", ")));
  }
  return compiling;
}

Expected<Request> with_outputs(Request request, const project::WrittenOutputs& outputs, const matrix::Matrix& matrix,
                               const Say& say) {
  return with_outputs(std::move(request), outputs.options, project::names_of(outputs.files), matrix, say);
}

}  // namespace envgen::api
