#include "files/image_digests.hpp"

#include <algorithm>

#include "files/image_base.hpp"
#include "files/kinds.hpp"
#include "files/runtime_stage.hpp"

namespace envgen::files {

std::string with_digest(const Environment& environment, const std::string& image) {
  if (!environment.frozen) return image;
  const auto& known = environment.frozen->images;
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == image; });
  return found == known.end() || !found->digest ? image : image + "@" + *found->digest;
}

std::vector<std::string> images_by_tag(const Inputs& inputs) {
  auto environment = inputs.environment;
  if (environment.frozen) environment.frozen->images.clear();
  const Inputs plain{environment, inputs.options, inputs.lock, inputs.made};
  std::vector<std::string> names = ci_images(plain);
  // Where there can be no Dockerfile, its own error says why.
  const auto add = [&](const ImageBase& base) {
    names.push_back(base.image);
    if (base.compat && base.compat->copy_from) names.push_back(*base.compat->copy_from);
  };
  if (const auto base = image_base(plain)) add(*base);
  if (inputs.options.multi_stage) {
    if (const auto stage = runtime_stage(plain, {})) add(stage->base);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  names.erase(std::remove_if(names.begin(), names.end(), [](const auto& name) { return name.find('@') != std::string::npos; }),
              names.end());
  return names;
}

}  // namespace envgen::files
