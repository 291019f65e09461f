// Which libraries of the driver, of the CUDA Runtime and of cuDNN lie in an image, without a shell and without a mount.
#include "image_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "failure.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {

std::vector<Row> image_files(const Context& context) {
  const auto& root = context.options.files_of;
  if (root.empty()) throw TestSkipped("no folder was given (--files-of)");
  std::ifstream mounts("/proc/self/mountinfo");
  const std::string mountinfo{std::istreambuf_iterator<char>(mounts), {}};
  // A tenth of the time that the test has is left for its end.
  WalkLimits limits;
  limits.seconds = std::min(limits.seconds, 0.9 * context.limit.seconds);
  std::error_code ignored;
  const auto found = bench::image_files(std::filesystem::weakly_canonical(root, ignored), mount_points(mountinfo), limits);
  Row row;
  row.kind = Kind::information;
  row.status = found.complete ? Status::pass : Status::unknown;
  row.message = std::to_string(found.files.size() + found.left_out) +
                " libraries of the driver, the CUDA Runtime and cuDNN among " + std::to_string(found.entries) + " entries of " +
                root;
  if (!found.complete) row.message += "; not all were examined";
  if (found.closed > 0) row.message += "; unreadable folders: " + std::to_string(found.closed);
  row.evidence = to_json(found);
  row.evidence["root"] = root;
  return {row};
}

}  // namespace envgen::bench::tests
