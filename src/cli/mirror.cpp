#include "cli/mirror.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/choice_options.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {

Expected<output::Options> with_mirror(output::Options options, const matrix::Matrix& matrix) {
  const auto& name = options.mirror.value;
  if (name.empty()) return options;
  const auto* row = matrix.mirror(name);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& mirror : matrix->mirrors) names.push_back(mirror.name.view());
    auto hints = did_you_mean(name, names);
    hints.emplace_back("'envgen list mirrors' says what each has");
    return fail(ErrorCode::usage, fmt::format("{} is not one of {}", in_quotes(name), fmt::join(names, ", ")),
                options.mirror.where, std::move(hints));
  }
  const auto fill = [&](output::Text& option, const matrix::Text& has) {
    if (option.value.empty()) option = {std::string(has.view()), options.mirror.where};
  };
  if (options.conda_mirror.value.empty()) {
    for (const auto& channel : row->conda_channels) options.of_mirror.conda_channels.emplace_back(channel.view());
  }
  fill(options.conda_mirror, row->conda);
  fill(options.pip_index, row->pip_index);
  fill(options.torch_mirror, row->torch);
  if (options.apt_mirror.value.empty()) options.of_mirror.apt_root = row->apt.view();
  return options;
}

}  // namespace envgen::cli
