#include "cli/compiler.hpp"

#include <fmt/format.h>

#include "cli/choice_options.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "output/extensions.hpp"

namespace envgen::cli {

Expected<Request> with_compiler(Request request, const output::Options& options) {
  const auto* asked_by = output::compiler_asked_by(options);
  if (asked_by == nullptr) return request;
  const auto* variant = request.find(Field::variant);
  if (variant != nullptr && variant->text == name_of(Variant::devel)) return request;
  if (variant != nullptr)
    return fail(ErrorCode::usage, fmt::format("{} compiles with nvcc, which a runtime image has not", in_quotes(asked_by->value)),
                asked_by->where, {fmt::format("leave out {}", variant->where), "or take --variant devel"});
  note(fmt::format("{} compiles with nvcc, so devel is chosen", in_quotes(asked_by->value)));
  request.values.push_back({Field::variant, std::string(name_of(Variant::devel)), Origin::compiler, asked_by->where});
  return request;
}

}  // namespace envgen::cli
