#include "inspect/image.hpp"

#include <algorithm>
#include <array>

namespace envgen::inspect {

bool is_of_interest(std::string_view path) {
  // conda keeps a second copy of each package below pkgs/.
  if (path.find("/pkgs/") != std::string_view::npos) return false;
  constexpr std::array<std::string_view, 2> folders{"/site-packages/", "/dist-packages/"};
  constexpr std::array<std::string_view, 10> packages{"torch/",  "torch.",          "torch-",  "torchvision", "torchaudio",
                                                      "triton-", "pytorch_triton-", "nvidia/", "nvidia_",     "cuda_toolkit-"};
  for (const auto folder : folders) {
    const auto place = path.rfind(folder);
    if (place == std::string_view::npos) continue;
    const auto rest = path.substr(place + folder.size());
    return std::any_of(packages.begin(), packages.end(), [&](auto package) { return rest.starts_with(package); });
  }
  return false;
}

ImageInspection::ImageInspection(std::string origin)
    : origin_(origin),
      inspection_(std::move(origin)),
      reader_(
          {[this](const std::string& path, std::uint64_t size) { return is_of_interest(path) && inspection_.begin(path, size); },
           [this](Bytes bytes) { return inspection_.feed(bytes); }, [this] { return inspection_.end(); }}) {}

Expected<Inspected> ImageInspection::finish() {
  if (auto read = reader_.finish(); !read) {
    auto error = read.error();
    if (error.origin.empty()) error.origin = origin_;
    return tl::unexpected(std::move(error));
  }
  auto inspected = inspection_.finish();
  if (inspected.packages.empty() && inspected.libraries.empty())
    return fail(ErrorCode::missing, "the image holds no torch and nothing of NVIDIA in a folder site-packages", origin_);
  return inspected;
}

}  // namespace envgen::inspect
