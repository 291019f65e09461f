#include <algorithm>

#include "check/subject.hpp"

namespace envgen::check {
namespace {

using matrix::Evidence;

/// Tags that nobody saw are offered only where asked for, doubtful ones never.
bool offered(const Subject& subject, Evidence evidence) {
  return evidence != Evidence::used_doubtful && (evidence != Evidence::inferred || subject.asked.inferred_tags);
}

std::string with_digest(const matrix::Text& tag, const matrix::Text& digest) {
  return digest.empty() ? std::string(tag.view()) : fmt::format("{}@{}", tag.view(), digest.view());
}

/// One kind of nvidia/cuda image: what was published for the answer's toolkit and system, and whether the answer names one of it.
struct Kind {
  std::string_view field;
  const std::optional<std::string>& answer;
  std::string_view published;
  bool right = false;
};

void check_cuda_images(const Subject& subject) {
  constexpr std::string_view repository = "nvidia/cuda:";
  const auto& environment = subject.environment;
  const auto& images = environment.images;
  Kind kinds[] = {{"runtime", images.runtime, {}},
                  {"runtime_cudnn", images.runtime_cudnn, {}},
                  {"devel", images.devel, {}},
                  {"devel_cudnn", images.devel_cudnn, {}}};
  const auto& toolkit = environment.toolkit().version;
  for (const auto& row : subject.matrix->cuda_images) {
    // Tags of two digits (10.2, 11.1) hold an update of that minor.
    const bool fits = toolkit && (row.cuda == *toolkit || (row.cuda.count() == 2 && toolkit->under(row.cuda)));
    if (!fits || row.is_base || !environment.os || row.os.view() != *environment.os || !offered(subject, row.evidence)) continue;
    auto& kind = kinds[(row.variant == Variant::devel ? 2 : 0) + (row.cudnn ? 1 : 0)];
    kind.published = row.tag;
    const auto& answer = kind.answer;
    kind.right = kind.right || (answer && answer->starts_with(repository) &&
                                std::string_view(*answer).substr(repository.size()) == with_digest(row.tag, row.digest));
  }
  for (const auto& kind : kinds) {
    if (kind.published.empty() && !kind.answer) continue;
    if (!kind.right)
      subject.wrong("images.{}: for CUDA {} on {} the published tag is {}, the answer says {}", kind.field,
                    shown(environment.toolkit().version), shown(environment.os), shown(kind.published), shown(kind.answer));
  }
}

void check_official(const Subject& subject, std::string_view field, const std::optional<std::string>& answer, Variant variant) {
  const auto& build = subject.build;
  std::string fact;
  bool right = !answer;
  for (const auto& row : subject.matrix->official_images) {
    if (row.version != build.version || row.framework != build.framework || row.variant != variant || row.jupyter) continue;
    if (build.cpu || row.cuda != build.cuda || build.platform != Platform::linux_x86_64 || !offered(subject, row.evidence))
      continue;
    fact = fmt::format("{}:{}", build.framework == Framework::torch ? "pytorch/pytorch" : "tensorflow/tensorflow",
                       with_digest(row.tag, row.digest));
    right = right || *answer == fact;
  }
  if (!right || (!answer && !fact.empty()))
    subject.wrong("images.{}: for {} {} was published, the answer says {}", field, subject.name(), shown(fact), shown(answer));
}

/// The image that an official base starts from decides its system and its Python, where they were read.
void check_base(const Subject& subject) {
  const auto& environment = subject.environment;
  if (environment.base == Base::cuda) {
    if (!subject.cuda_image())
      subject.wrong("base: there is no nvidia/cuda {} image for it to start from", name_of(environment.variant));
  } else if (environment.base != Base::slim) {
    const auto* row = official_image(subject);
    if (row == nullptr) {
      subject.wrong("base: there is no official {} image for it to start from", name_of(environment.variant));
      return;
    }
    if (environment.os.value_or("") != row->os.view())
      subject.wrong("os: the image {} is on {}, the answer says {}", row->tag.view(), shown(row->os), shown(environment.os));
    if (row->python.minor != 0 && row->python != environment.python)
      subject.wrong("python: the image {} has Python {}, the answer says {}", row->tag.view(), row->python, environment.python);
  }
}

void check_toolkit(const Subject& subject) {
  const auto& toolkit = subject.environment.toolkit().version;
  const auto& build = subject.build;
  if (!toolkit) return;
  const auto known = [&](Version version) {
    return std::any_of(subject.matrix->toolkits.begin(), subject.matrix->toolkits.end(),
                       [&](const matrix::Toolkit& row) { return row.version == version; }) ||
           std::any_of(subject.matrix->cuda_images.begin(), subject.matrix->cuda_images.end(),
                       [&](const matrix::ImageTag& row) { return row.cuda == version; });
  };
  if (!known(*toolkit))
    subject.wrong("cuda.toolkit: there is no CUDA toolkit {}", *toolkit);
  else if (!build.cuda || !toolkit->under(build.cuda))
    subject.wrong("cuda.toolkit: {} is no update of CUDA {}", *toolkit, shown(subject.framework().cuda));
}

}  // namespace

const matrix::OfficialImage* official_image(const Subject& subject) {
  const auto& environment = subject.environment;
  if (environment.base != Base::pytorch && environment.base != Base::tensorflow) return nullptr;
  const auto& image =
      environment.variant == Variant::devel ? environment.images.official_devel : environment.images.official_runtime;
  if (!image) return nullptr;
  const auto named = std::string_view(*image).substr(0, image->find('@'));
  const auto tag = named.substr(named.find(':') + 1);
  const auto& rows = subject.matrix->official_images;
  const auto* row = std::find_if(rows.begin(), rows.end(), [&](const matrix::OfficialImage& candidate) {
    return candidate.framework == subject.build.framework && candidate.tag.view() == tag;
  });
  return row == rows.end() ? nullptr : row;
}

void check_images(const Subject& subject) {
  check_toolkit(subject);
  check_cuda_images(subject);
  const auto& images = subject.environment.images;
  check_official(subject, "official_devel", images.official_devel, Variant::devel);
  check_official(subject, "official_runtime", images.official_runtime, Variant::runtime);
  check_base(subject);
}

}  // namespace envgen::check
