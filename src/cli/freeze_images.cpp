#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/choice_options.hpp"
#include "cli/freeze.hpp"
#include "container/registry.hpp"
#include "model/choices.hpp"
#include "output/image_digests.hpp"
#include "util/interrupt.hpp"

namespace envgen::cli {
namespace {

using Images = std::vector<Environment::Frozen::Image>;

}  // namespace

Expected<Images> freeze_images(const output::Subject& subject) {
  const auto names = output::images_by_tag(subject);
  if (names.empty()) return Images();
  const util::InterruptScope scope;
  const auto* const architecture = subject.environment.platform == Platform::linux_aarch64 ? "arm64" : "amd64";
  note(fmt::format("the registry is asked for the digests of {}", fmt::join(names, ", ")));
  Images images;
  for (const auto& name : names) {
    auto digest = container::find_digest(name, architecture);
    if (!digest && digest.error().code != ErrorCode::missing) return tl::unexpected(std::move(digest.error()));
    if (!digest) {
      note(fmt::format("{} stays a tag, which a registry can give to another image: {}", name, digest.error().message));
      for (const auto& hint : digest.error().hints) note("  " + hint);
    }
    images.push_back({name, digest ? std::optional(std::move(*digest)) : std::nullopt});
  }
  return images;
}

Images kept_images(const Environment::Frozen& old, const output::Subject& subject) {
  Images images;
  if (old.images.empty()) return images;
  for (const auto& name : output::images_by_tag(subject)) {
    const auto found = std::find_if(old.images.begin(), old.images.end(), [&](const auto& image) { return image.name == name; });
    if (found == old.images.end()) note(fmt::format("{} stays a tag: 'envgen lock --freeze' asks for its digest", name));
    images.push_back({name, found == old.images.end() ? std::nullopt : found->digest});
  }
  return images;
}

}  // namespace envgen::cli
