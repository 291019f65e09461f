#include <algorithm>

#include "resolver/place.hpp"

/// What a build brings itself, and what an image has to bring.
namespace envgen::resolver {

using matrix::Build;
using matrix::Channel;
using matrix::Evidence;
using matrix::ImageSet;
using matrix::ImageTag;
using matrix::Matrix;
using matrix::OfficialImage;

bool brings_cuda(const Matrix& matrix, const Build& build) {
  if (build.framework != Framework::tensorflow) return true;
  const auto& extras = matrix->tensorflow_extras;
  return std::any_of(extras.begin(), extras.end(),
                     [&](const matrix::TensorFlowExtra& extra) { return extra.exists && extra.version == build.version; });
}

bool conda_has_nvcc(const Matrix& matrix, const Build& build, Version toolkit) {
  if (build.channel == Channel::conda_forge) return build.cuda >= Version(12, 0);
  const auto& labels = matrix->conda_labels;
  return build.channel == Channel::pytorch_channel &&
         std::any_of(labels.begin(), labels.end(), [&](const matrix::CondaLabel& label) { return label.cuda == toolkit; });
}

std::int32_t start_image(const Matrix& matrix, const Build& build, Variant variant, const ImageSet& set) {
  const bool devel = variant == Variant::devel;
  if (brings_cuda(matrix, build)) return devel ? set.devel : set.runtime;
  const auto index = devel ? set.devel_cudnn : set.runtime_cudnn;
  const auto* image = matrix.image(index);
  const bool other = image != nullptr && image->cudnn && build.cudnn && image->cudnn.major() != build.cudnn.major();
  return other ? -1 : index;
}

bool checks_gate(const Query& query) { return query.engine == Engine::docker && query.start_image_runs; }

bool inherits_gate(const OfficialImage& image) {
  return image.framework == Framework::tensorflow || image.variant == Variant::devel;
}

bool is_inferred_gate(const Matrix& matrix, const OfficialImage& image) {
  return image.gate < 0 || matrix.source(image.from.of("gate")).basis == matrix::Basis::inferred;
}

bool loads_cudnn(const OfficialImage& image, const Build& build) {
  return image.framework != Framework::tensorflow || !image.cudnn || !build.cudnn || image.cudnn.major() == build.cudnn.major();
}

std::optional<int> gate_of(const Matrix& matrix, const Query& query, const Build& build, const Placement& placement) {
  if (!checks_gate(query)) return std::nullopt;
  if (placement.base == Base::cuda) {
    const auto* image = offered(matrix, query, start_image(matrix, build, query.variant, *placement.images));
    return image == nullptr ? std::nullopt : std::optional<int>(image->gate);
  }
  const auto* official = placement.official;
  return official != nullptr && inherits_gate(*official) ? std::optional<int>(official->gate) : std::nullopt;
}

const ImageTag* offered(const Matrix& matrix, const Query& query, std::int32_t index) {
  const auto* image = matrix.image(index);
  if (image == nullptr || (image->evidence == Evidence::inferred && !query.allow_inferred)) return nullptr;
  return image;
}

}  // namespace envgen::resolver
