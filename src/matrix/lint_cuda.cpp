#include <fmt/format.h>

#include "matrix/linting.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

void check_cudnn_release(Lint& lint, const Cudnn& row, const Cell& cell) {
  for (std::size_t i = 0; i < row.gpus.size(); ++i) {
    const auto& [cuda, min, max, ends, filler] = row.gpus[i];
    if (ends && max == Capability()) lint.find(fmt::format("{}/gpus/{}", cell.where(), i), "`ends` needs a last GPU");
    if (max != Capability() && max < min)
      lint.find(fmt::format("{}/gpus/{}", cell.where(), i), fmt::format("the minimum {} is above the maximum {}", min, max));
  }
  for (const auto& major : cell.maybe("cuda_majors").items()) {
    if (major.text().find('.') != std::string_view::npos)
      lint.find(major, fmt::format("{} is not a CUDA major", in_quotes(major.text())));
  }
}

void check_branch(Lint& lint, const DriverBranch& row, const Cell& cell) {
  const auto text = [&](std::string_view field) { return cell.maybe(field).text(); };
  for (const auto& [field, release] : {std::pair("first", row.first), std::pair("latest", row.latest)}) {
    if (release && release.branch() != row.branch)
      lint.find(cell.maybe(field), fmt::format("{} is not a release of the branch {}", text(field), row.branch));
  }
  if (row.first && row.latest && row.latest < row.first)
    lint.find(cell.maybe("latest"),
              fmt::format("the latest release {} is older than the first, {}", text("latest"), text("first")));
  // A source may print no more than a year or a month.
  const auto common = std::min(row.released.view().size(), row.eol.view().size());
  if (row.released.view().substr(0, common) > row.eol.view().substr(0, common))
    lint.find(cell.maybe("eol"), fmt::format("eol {} is before released {}", in_quotes(row.eol), in_quotes(row.released)));
}

void check_gpu_driver(Lint& lint, const GpuDriver& row, const Cell& cell) {
  lint.check_driver(cell.maybe("first_driver"), row.tegra);
  if (!row.tegra) lint.check_branch(cell.maybe("last_branch"), row.last_branch);
}

void check_compat(Lint& lint, const ForwardCompat& row, const Cell& cell) {
  if (row.cuda && !any(lint.root.cuda_minors, [&](const CudaMinor& minor) { return minor.cuda == row.cuda; }))
    lint.find(cell.maybe("cuda"), fmt::format("CUDA {} is not in the minors of cuda.json", row.cuda));
  lint.check_branch(cell.maybe("branch"), row.branch);
}

}  // namespace

void lint_cuda(Lint& lint) {
  lint.each<Cudnn>(tables::cudnn_releases, check_cudnn_release);
  lint.each<DriverBranch>(tables::driver_branches, check_branch);
  lint.each<GpuDriver>(tables::gpu_drivers, check_gpu_driver);
  lint.each<ForwardCompat>(tables::forward_compat, check_compat);
}

}  // namespace envgen::matrix
