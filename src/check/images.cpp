#include "check/subject.hpp"

namespace envgen::check {
namespace {

constexpr std::string_view cuda_repository = "nvidia/cuda";

/// Those rows of images that may be offered.
template <class Row, class Fits>
std::vector<const Row*> published(const Subject& subject, const matrix::List<Row>& rows, Fits fits) {
  std::vector<const Row*> found;
  for (const auto& row : rows) {
    if (fits(row) && subject.offered(row.evidence)) found.push_back(&row);
  }
  return found;
}

/// What is said of an image names one of these rows, with its digest where that was read; none where there is no row.
template <class Row>
void expect_image(const Subject& subject, std::string_view member, const std::optional<std::string>& said,
                  std::string_view repository, const std::vector<const Row*>& rows) {
  std::string fact;
  for (const auto* row : rows) {
    fact = std::string(repository).append(":").append(row->tag.view());
    if (!row->digest.empty()) fact.append("@").append(row->digest.view());
    if (said == fact) return;
  }
  subject.expect(member, said, fact);
}

/// The row of the image that an answer names.
template <class Row, class Fits>
const Row* named(const std::optional<std::string>& image, const matrix::List<Row>& rows, Fits fits) {
  if (!image) return nullptr;
  const auto name = std::string_view(*image).substr(0, image->find('@'));
  const auto tag = name.substr(name.find(':') + 1);
  const auto* row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.tag.view() == tag && fits(one); });
  return row == rows.end() ? nullptr : row;
}

void check_cuda_images(const Subject& subject) {
  const auto& environment = subject.environment;
  const auto toolkit = subject.toolkit();
  const auto rows = published(subject, subject.matrix->cuda_images, [&](const matrix::ImageTag& row) {
    // Tags of two digits (10.2, 11.1) hold an update of that minor.
    const bool fits = toolkit && (row.cuda == toolkit || (row.cuda.count() == 2 && toolkit.under(row.cuda)));
    return fits && !row.is_base && environment.os && row.os.view() == *environment.os;
  });
  const auto one = [&](std::string_view member, const std::optional<std::string>& said, Variant variant, bool cudnn) {
    auto its = rows;
    std::erase_if(its, [&](const auto* row) { return row->variant != variant || static_cast<bool>(row->cudnn) != cudnn; });
    expect_image(subject, member, said, cuda_repository, its);
  };
  one("images.runtime", environment.images.runtime, Variant::runtime, false);
  one("images.runtime_cudnn", environment.images.runtime_cudnn, Variant::runtime, true);
  one("images.devel", environment.images.devel, Variant::devel, false);
  one("images.devel_cudnn", environment.images.devel_cudnn, Variant::devel, true);
}

void check_official(const Subject& subject, std::string_view member, const std::optional<std::string>& said, Variant variant) {
  const auto& build = subject.build;
  const auto rows = published(subject, subject.matrix->official_images, [&](const matrix::OfficialImage& row) {
    return row.version == build.version && row.framework == build.framework && row.variant == variant && !row.jupyter &&
           !build.cpu && row.cuda == build.cuda && build.platform == Platform::linux_x86_64;
  });
  expect_image(subject, member, said, build.framework == Framework::torch ? "pytorch/pytorch" : "tensorflow/tensorflow", rows);
}

/// The image from which cuda-compat comes. Read in dist/*/ubuntu*/base/Dockerfile: those for x86_64 install it since CUDA 10.0,
/// those for arm64 since 12.5.1. Any of them does.
void check_compat_image(const Subject& subject) {
  const auto& driver = subject.environment.driver;
  if (!driver) return;
  const auto& by = driver->carried_by;
  const bool needed = std::find(by.begin(), by.end(), CarriedBy::forward_compat) != by.end();
  const bool arm = subject.environment.platform == Platform::linux_aarch64;
  if (!needed) return subject.expect("driver.compat_image", driver->compat_image, std::string());
  const auto rows = published(subject, subject.matrix->cuda_images, [&](const matrix::ImageTag& row) {
    return row.is_base && row.os.view().starts_with("ubuntu") && row.cuda.at(2) == subject.build.cuda &&
           row.cuda >= (arm ? Version(12, 5, 1) : Version(10, 0));
  });
  expect_image(subject, "driver.compat_image", driver->compat_image, cuda_repository, rows);
}

/// The image that an official base starts from decides its system and its Python, where they were read.
void check_base(const Subject& subject) {
  const auto& environment = subject.environment;
  if (environment.base == Base::slim) return;
  const auto* official = subject.official_image;
  if (environment.base == Base::cuda ? subject.cuda_image == nullptr : official == nullptr)
    return subject.wrong("base: there is no {} image of {}", name_of(environment.variant), name_of(environment.base));
  if (official == nullptr) return;
  subject.expect("os", environment.os, official->os);
  if (official->python.minor != 0) subject.expect("python", environment.python, official->python);
}

void check_toolkit(const Subject& subject) {
  const auto toolkit = subject.toolkit();
  if (!toolkit) return;
  const auto& toolkits = subject.matrix->toolkits;
  const auto& images = subject.matrix->cuda_images;
  const auto known = [&] {
    return std::any_of(toolkits.begin(), toolkits.end(), [&](const auto& row) { return row.version == toolkit; }) ||
           std::any_of(images.begin(), images.end(), [&](const auto& row) { return row.cuda == toolkit; });
  };
  if (!subject.build.cuda || !toolkit.under(subject.build.cuda) || !known())
    subject.wrong("cuda.toolkit: there is no {} of CUDA {}", toolkit, subject.build.cuda.to_string());
}

}  // namespace

void find_images(Subject& subject) {
  const auto& images = subject.environment.images;
  const bool devel = subject.environment.variant == Variant::devel;
  switch (subject.environment.base) {
    case Base::slim:
      break;
    case Base::cuda: {
      const auto& image = subject.brings_no_cuda() ? (devel ? images.devel_cudnn : images.runtime_cudnn)
                                                   : (devel ? images.devel : images.runtime);
      subject.cuda_image = named(image, subject.matrix->cuda_images, [](const matrix::ImageTag&) { return true; });
      break;
    }
    case Base::pytorch:
    case Base::tensorflow:
      subject.official_image = named(devel ? images.official_devel : images.official_runtime, subject.matrix->official_images,
                                     [&](const auto& row) { return row.framework == subject.build.framework; });
  }
}

void check_images(const Subject& subject) {
  const auto& images = subject.environment.images;
  check_toolkit(subject);
  check_cuda_images(subject);
  check_official(subject, "images.official_devel", images.official_devel, Variant::devel);
  check_official(subject, "images.official_runtime", images.official_runtime, Variant::runtime);
  check_compat_image(subject);
  check_base(subject);
}

}  // namespace envgen::check
