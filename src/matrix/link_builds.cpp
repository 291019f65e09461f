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
    build.offered_cudnn_row = row_where(root.offered_cudnns, [&](const OfferedCudnn& row) {
      const bool open = build.cudnn && build.cudnn != row.cudnn && row.cudnn.under(build.cudnn);
      return open && row.channel == build.channel && row.cuda == build.cuda;
    });
    build.minor_row = row_where(root.cuda_minors, [&](const CudaMinor& row) { return build.cuda && row.cuda == build.cuda; });
    build.major_row =
        row_where(root.cuda_majors, [&](const CudaMajor& row) { return build.cuda && row.cuda == build.cuda.major(); });
    const auto pairs = [&](const Companion& row, Version version) {
      return build.channel == Channel::wheels && version && row.version == version && row.platform == build.platform;
    };
    build.torchvision_row = row_where(root.torchvision, [&](const Companion& row) { return pairs(row, release.torchvision); });
    build.torchaudio_row = row_where(root.torchaudio, [&](const Companion& row) { return pairs(row, release.torchaudio); });
    const auto range = [&](const auto& rows, std::uint16_t& first, std::uint16_t& count) {
      const auto of_minor = [&](const auto& row) { return build.cuda && row.minor == build.cuda; };
      first = static_cast<std::uint16_t>(std::max<std::int16_t>(row_where(rows, of_minor), 0));
      count = static_cast<std::uint16_t>(std::count_if(rows.begin(), rows.end(), of_minor));  // they stand side by side
    };
    range(root.image_sets, build.first_image_set, build.image_sets);
    range(root.toolkits, build.first_toolkit, build.toolkits);
  }
}

}  // namespace envgen::matrix
