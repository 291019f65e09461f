#include "resolver/query.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "matrix/gpu_names.hpp"
#include "model/spelling.hpp"

namespace envgen::resolver {

using matrix::Matrix;

namespace {

tl::unexpected<Error> unknown_capability(const Matrix& matrix, Capability capability) {
  std::vector<std::string> known;
  for (const auto& row : matrix->gpu_drivers) known.push_back(row.capability.to_string());
  return fail(ErrorCode::usage, fmt::format("no GPU of compute capability {} is in the matrix", capability), {},
              {fmt::format("known: {}", fmt::join(known, ", "))});
}

/// The board whose name a laptop's ends in `laptop`, `mobile` or `max-q`; null: there is none.
const matrix::Gpu* desktop_of(const Matrix& matrix, std::string_view text) {
  constexpr std::string_view laptop = "laptop";
  const auto key = matrix::light_key(text);
  if (!key.ends_with(laptop)) return nullptr;
  const auto gpus = matrix.gpus_named(std::string_view(key).substr(0, key.size() - laptop.size()));
  return gpus.empty() ? nullptr : gpus.front();
}

tl::unexpected<Error> unknown_gpu(const Matrix& matrix, std::string_view text) {
  std::vector<std::string_view> spellings;
  for (const auto& spelling : matrix->gpu_spellings) spellings.push_back(spelling.view());
  auto hints = did_you_mean(text, spellings);
  if (const auto* desktop = desktop_of(matrix, text); desktop != nullptr)
    hints.push_back(fmt::format("the matrix has the {} of desktops, of compute capability {}; if yours is the same: {}",
                                desktop->name.view(), desktop->capability, desktop->capability));
  hints.emplace_back("'envgen list gpus' shows all names; a compute capability such as 8.6 works too");
  return fail(ErrorCode::usage, fmt::format("{} is no GPU that the matrix knows", in_quotes(text)), {}, std::move(hints));
}

tl::unexpected<Error> ambiguous_gpu(std::string_view text, const std::vector<const matrix::Gpu*>& gpus) {
  std::vector<std::string> names;
  names.reserve(gpus.size());
  for (const auto* gpu : gpus) names.push_back(fmt::format("{} ({})", gpu->name.view(), gpu->capability));
  return fail(ErrorCode::usage, fmt::format("{} stands for GPUs of several generations", in_quotes(text)), {},
              {fmt::format("say which: {}", fmt::join(names, ", "))});
}

}  // namespace

Expected<Board> parse_board(const Matrix& matrix, std::string_view text) {
  text = matrix::without_count(text);
  Board board;
  if (const auto capability = Capability::parse(lower(text))) {
    board.capability = *capability;
    board.name = fmt::format("GPU of compute capability {}", *capability);
    if (matrix.gpu_driver(*capability) == nullptr) return unknown_capability(matrix, *capability);
    board.arm_only = matrix.only_beside_arm(*capability);
    for (const auto& gpu : matrix->gpus) {
      if (gpu.capability == board.capability) board.gpu_class = std::min(gpu.gpu_class, board.gpu_class.value_or(gpu.gpu_class));
    }
  } else {
    auto gpus = matrix.gpus_named(text);
    if (gpus.empty()) return unknown_gpu(matrix, text);
    const auto* first = gpus.front();
    for (const auto* gpu : gpus) {
      if (gpu->capability != first->capability) return ambiguous_gpu(text, gpus);
    }
    board.gpu = first;
    board.capability = first->capability;
    board.name = std::string(first->name.view());
    if (gpus.size() > 1) {
      // A family: its own name says it.
      board.name = std::string(text);
      for (const auto* gpu : gpus) {
        if (gpu->gpu_class < board.gpu->gpu_class) board.gpu = gpu;
      }
    }
    board.gpu_class = board.gpu->gpu_class;
    board.arm_only =
        std::any_of(gpus.begin(), gpus.end(), [](const matrix::Gpu* gpu) { return gpu->arm_only == matrix::Tribool::yes; });
    board.rows = std::move(gpus);
  }
  board.driver_row = matrix.gpu_driver(board.capability);
  board.known = drivers_that_know(board.driver_row, board.rows);
  board.tegra = matrix.tegra(board.capability);
  return board;
}

}  // namespace envgen::resolver
