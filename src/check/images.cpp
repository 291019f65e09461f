#include "check/checked_answer.hpp"

namespace envgen::check {
namespace {

constexpr std::string_view cuda_repository = "nvidia/cuda";

/// Those rows of images that may be offered.
template <class Row, class Fits>
std::vector<const Row*> published(const CheckedAnswer& checked, const matrix::List<Row>& rows, Fits fits) {
  std::vector<const Row*> found;
  for (const auto& row : rows) {
    if (fits(row) && checked.offered(row.evidence)) found.push_back(&row);
  }
  return found;
}

/// What is said of an image names one of these rows, with its digest where that was read; none where there is no row.
template <class Row>
void expect_image(const CheckedAnswer& checked, std::string_view member, const std::optional<std::string>& said,
                  std::string_view repository, const std::vector<const Row*>& rows) {
  std::string fact;
  for (const auto* row : rows) {
    fact = std::string(repository).append(":").append(row->tag.view());
    if (!row->digest.empty()) fact.append("@").append(row->digest.view());
    if (said == fact) return;
  }
  checked.expect(member, said, fact);
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

void check_cuda_images(const CheckedAnswer& checked) {
  const auto& environment = checked.environment;
  const auto toolkit = checked.toolkit();
  const auto rows = published(checked, checked.matrix->cuda_images, [&](const matrix::ImageTag& row) {
    // Tags of two digits (10.2, 11.1) hold an update of that minor.
    const bool fits = toolkit && (row.cuda == toolkit || (row.cuda.count() == 2 && toolkit.under(row.cuda)));
    return fits && !row.is_base && environment.os && row.os.view() == *environment.os;
  });
  const auto one = [&](std::string_view member, const std::optional<std::string>& said, Variant variant, bool cudnn) {
    auto its = rows;
    std::erase_if(its, [&](const auto* row) { return row->variant != variant || static_cast<bool>(row->cudnn) != cudnn; });
    expect_image(checked, member, said, cuda_repository, its);
  };
  one("images.runtime", environment.images.runtime, Variant::runtime, false);
  one("images.runtime_cudnn", environment.images.runtime_cudnn, Variant::runtime, true);
  one("images.devel", environment.images.devel, Variant::devel, false);
  one("images.devel_cudnn", environment.images.devel_cudnn, Variant::devel, true);
}

/// TensorFlow finds the cuDNN of its image by the major in its name; without it no GPU is registered.
bool loads_its_cudnn(const matrix::OfficialImage& row, const matrix::Build& build) {
  return !row.cudnn || !build.cudnn || build.cudnn.under(row.cudnn);
}

void check_official(const CheckedAnswer& checked, std::string_view member, const std::optional<std::string>& said,
                    Variant variant) {
  const auto& build = checked.build;
  const auto rows = published(checked, checked.matrix->official_images, [&](const matrix::OfficialImage& row) {
    const bool cuda_fits = row.framework == Framework::tensorflow ? loads_its_cudnn(row, build) : row.cuda == build.cuda;
    return row.version == build.version && row.framework == build.framework && row.variant == variant && !row.jupyter &&
           !build.cpu && cuda_fits && build.platform == Platform::linux_x86_64;
  });
  expect_image(checked, member, said, build.framework == Framework::torch ? "pytorch/pytorch" : "tensorflow/tensorflow", rows);
}

/// The image from which cuda-compat comes. Read in dist/*/ubuntu*/base/Dockerfile: those for x86_64 install it since CUDA 10.0,
/// those for arm64 since 12.5.1. Any of them does.
void check_compat_image(const CheckedAnswer& checked) {
  const auto& driver = checked.environment.driver;
  if (!driver) return;
  const auto& by = driver->carried_by;
  const bool needed = std::find(by.begin(), by.end(), CarriedBy::forward_compat) != by.end();
  const bool arm = checked.environment.platform == Platform::linux_aarch64;
  if (!needed) return checked.expect("driver.compat_image", driver->compat_image, std::string());
  const auto rows = published(checked, checked.matrix->cuda_images, [&](const matrix::ImageTag& row) {
    return row.is_base && row.os.view().starts_with("ubuntu") && row.cuda.at(2) == checked.build.cuda &&
           row.cuda >= (arm ? Version(12, 5, 1) : Version(10, 0));
  });
  expect_image(checked, "driver.compat_image", driver->compat_image, cuda_repository, rows);
}

/// The image of a plain system holds neither CUDA nor nvcc: what is not in the wheels has to be in a channel of conda.
/// conda-forge has nvcc from CUDA 12.0 on, the labels of nvidia one toolkit each.
void check_plain_system(const CheckedAnswer& checked) {
  if (checked.build.cpu || checked.asked.without_container()) return;
  if (checked.brings_no_cuda()) checked.wrong("base: tensorflow {} brings no CUDA, and slim has none", checked.build.version);
  if (checked.environment.variant != Variant::devel) return;
  const auto& labels = checked.matrix->conda_labels;
  const bool by_channel = checked.build.channel == matrix::Channel::conda_forge
                              ? checked.build.cuda.major() >= 12
                              : checked.on_conda() && std::any_of(labels.begin(), labels.end(), [&](const auto& label) {
                                  return label.cuda == checked.toolkit();
                                });
  if (!by_channel) checked.wrong("base: slim has no nvcc for variant devel");
}

/// The image that an official base starts from decides its system and its Python, where they were read.
void check_base(const CheckedAnswer& checked) {
  const auto& environment = checked.environment;
  if (checked.asked.without_container() && environment.base != Base::slim)
    checked.wrong("base: {} without a container", name_of(environment.base));
  if (environment.base == Base::slim) return check_plain_system(checked);
  const auto* official = checked.official_image;
  if (environment.base == Base::cuda ? checked.cuda_image == nullptr : official == nullptr)
    return checked.wrong("base: there is no {} image of {}", name_of(environment.variant), name_of(environment.base));
  if (official == nullptr) return;
  checked.expect("os", environment.os, official->os);
  if (official->framework == Framework::tensorflow && !loads_its_cudnn(*official, checked.build))
    checked.wrong("base: {} holds cuDNN {}, and its TensorFlow loads {}", official->tag.view(), official->cudnn,
                  checked.build.cudnn);
  if (official->python.minor != 0) checked.expect("python", environment.python, official->python);
}

void check_toolkit(const CheckedAnswer& checked) {
  const auto toolkit = checked.toolkit();
  if (!toolkit) return;
  const auto& toolkits = checked.matrix->toolkits;
  const auto& images = checked.matrix->cuda_images;
  const auto known = [&] {
    return std::any_of(toolkits.begin(), toolkits.end(), [&](const auto& row) { return row.version == toolkit; }) ||
           std::any_of(images.begin(), images.end(), [&](const auto& row) { return row.cuda == toolkit; });
  };
  if (!checked.build.cuda || !toolkit.under(checked.build.cuda) || !known())
    checked.wrong("cuda.toolkit: there is no {} of CUDA {}", toolkit, checked.build.cuda);
}

}  // namespace

void find_images(CheckedAnswer& checked) {
  const auto& images = checked.environment.images;
  const bool devel = checked.environment.variant == Variant::devel;
  switch (checked.environment.base) {
    case Base::slim:
      break;
    case Base::cuda: {
      const auto& image = checked.brings_no_cuda() ? (devel ? images.devel_cudnn : images.runtime_cudnn)
                                                   : (devel ? images.devel : images.runtime);
      checked.cuda_image = named(image, checked.matrix->cuda_images, [](const matrix::ImageTag&) { return true; });
      break;
    }
    case Base::pytorch:
    case Base::tensorflow:
      checked.official_image = named(devel ? images.official_devel : images.official_runtime, checked.matrix->official_images,
                                     [&](const auto& row) { return row.framework == checked.build.framework; });
  }
}

void check_images(const CheckedAnswer& checked) {
  const auto& images = checked.environment.images;
  check_toolkit(checked);
  check_cuda_images(checked);
  check_official(checked, "images.official_devel", images.official_devel, Variant::devel);
  check_official(checked, "images.official_runtime", images.official_runtime, Variant::runtime);
  check_compat_image(checked);
  check_base(checked);
}

}  // namespace envgen::check
