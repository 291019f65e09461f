#include <fmt/format.h>

#include "matrix/linting.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

void check_cuda_image(Lint& lint, const ImageTag& row, const Cell& cell) {
  const auto tag = row.tag.view();
  const auto cuda = cell.maybe("cuda").text();
  // Old tags have two parts: 10.2 is 10.2.89. A doubtful tag is kept so that nobody takes it for a gap.
  const bool known = any(lint.root.toolkits, [&](const Toolkit& toolkit) { return toolkit.version.under(row.cuda); });
  if (row.cuda && !known && row.evidence != Evidence::used_doubtful)
    lint.find(cell.maybe("cuda"), fmt::format("cuda.json has no toolkit {}", cuda));
  if (!tag.starts_with(fmt::format("{}-", cuda)))
    lint.find(cell.maybe("tag"), fmt::format("the tag {} does not begin with its CUDA {}", in_quotes(tag), cuda));
  if (!tag.ends_with(fmt::format("-{}", row.os.view())))
    lint.find(cell.maybe("tag"), fmt::format("the tag {} does not end in its system {}", in_quotes(tag), row.os.view()));
  const auto variant = cell.maybe("variant").text();
  if (tag.find(fmt::format("-{}", variant)) == std::string_view::npos)
    lint.find(cell.maybe("tag"), fmt::format("the tag {} does not name its variant {}", in_quotes(tag), variant));
  const bool cudnn = tag.find("-cudnn") != std::string_view::npos;
  if (cudnn == cell.maybe("cudnn").is_null())
    lint.find(cell.maybe("cudnn"), fmt::format("the tag {} {}", in_quotes(tag), cudnn ? "has cuDNN" : "has no cuDNN"));
}

void check_pytorch_image(Lint& lint, const OfficialImage& row, const Cell& cell) {
  const auto torch = cell.maybe("torch").text();
  const auto known = releases_of(lint.root, Framework::torch);
  if (row.version && std::find(known.begin(), known.end(), row.version) == known.end())
    lint.find(cell.maybe("torch"), fmt::format("no release {} is in torch.json", row.version));
  if (!row.tag.view().starts_with(fmt::format("{}-", torch)))
    lint.find(cell.maybe("tag"), fmt::format("the tag {} does not begin with its torch {}", in_quotes(row.tag), torch));
  if (row.cuda) lint.check_cuda(cell.maybe("cuda"), row.cuda.at(2));
}

void check_tensorflow(Lint& lint, const Build& row, const Cell& cell) {
  const auto cudnns = versions(lint.root.cudnns, &Cudnn::version);
  for (const auto& [package, spec] : cell.maybe("pins").members()) {
    if (spec.is_text()) lint.check_spec(spec, spec.text(), package.starts_with("nvidia-cudnn-") ? &cudnns : nullptr, "cuDNN");
    const bool takes_tested =
        !package.starts_with("nvidia-cudnn-") || !row.cudnn || row.cudnn_choices.empty() ||
        any(row.cudnn_choices, [&](auto choice) { return lint.root.cudnns[choice].version.under(row.cudnn); });
    if (!takes_tested)
      lint.find(spec, fmt::format("no wheel of cuDNN {}, the tested release, satisfies {}", row.cudnn, in_quotes(spec.text())));
  }
  for (const auto& image : cell.maybe("images").items()) {
    const auto tag = image.maybe("tag");
    if (!tag.text().starts_with(fmt::format("{}-", row.version_text.view())))
      lint.find(tag, fmt::format("the tag {} does not begin with its version", in_quotes(tag.text())));
  }
}

}  // namespace

void lint_images(Lint& lint) {
  for (const auto& row : lint.rows(tables::gates)) {
    for (const auto& exception : lint.cell(row).maybe("exceptions").items())
      lint.check_branch(exception.maybe("branch"), exception.maybe("branch").version_or_null().major());
  }
  lint.each<ImageTag>(tables::cuda_images, check_cuda_image);
  lint.each<OfficialImage>(tables::pytorch_images, check_pytorch_image);
  lint.each<Build>(tables::tensorflow_releases, check_tensorflow);
}

}  // namespace envgen::matrix
