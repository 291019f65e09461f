#include <algorithm>

#include "matrix/loading.hpp"

namespace envgen::matrix {
namespace {

template <class Row, class Matches>
std::int16_t row_where(const List<Row>& rows, Matches matches) {
  const auto* found = std::find_if(rows.begin(), rows.end(), matches);
  return static_cast<std::int16_t>(found == rows.end() ? -1 : found - rows.begin());
}

}  // namespace

void link_builds(Loading& loading) {
  auto& root = loading.root;
  for (const auto& constant : root.builds) {
    auto& build = const_cast<Build&>(constant);  // the packer's own memory, not yet handed out
    const auto& release = root.releases[build.release];
    build.cudnn_row = row_where(root.cudnns, [&](const Cudnn& row) { return build.cudnn && row.version == build.cudnn; });
    build.minor_row = row_where(root.cuda_minors, [&](const CudaMinor& row) { return build.cuda && row.cuda == build.cuda; });
    build.major_row =
        row_where(root.cuda_majors, [&](const CudaMajor& row) { return build.cuda && row.cuda == build.cuda.major(); });
    const auto pairs = [&](const Companion& row, Version version) {
      return build.channel == Channel::wheels && version && row.version == version && row.platform == build.platform;
    };
    build.torchvision_row = row_where(root.torchvision, [&](const Companion& row) { return pairs(row, release.torchvision); });
    build.torchaudio_row = row_where(root.torchaudio, [&](const Companion& row) { return pairs(row, release.torchaudio); });
    const auto first_set = row_where(root.image_sets, [&](const ImageSet& row) { return build.cuda && row.minor == build.cuda; });
    if (first_set >= 0) {
      build.first_image_set = static_cast<std::uint16_t>(first_set);
      while (build.first_image_set + build.image_sets < static_cast<int>(root.image_sets.size()) &&
             root.image_sets[static_cast<std::size_t>(build.first_image_set + build.image_sets)].minor == build.cuda)
        ++build.image_sets;
    }
    const auto first_toolkit =
        row_where(root.toolkits, [&](const Toolkit& row) { return build.cuda && row.minor == build.cuda; });
    if (first_toolkit >= 0) {
      build.first_toolkit = static_cast<std::uint16_t>(first_toolkit);
      while (build.first_toolkit + build.toolkits < static_cast<int>(root.toolkits.size()) &&
             root.toolkits[static_cast<std::size_t>(build.first_toolkit + build.toolkits)].minor == build.cuda)
        ++build.toolkits;
    }
  }
}

}  // namespace envgen::matrix
