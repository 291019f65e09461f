#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/rows.hpp"

namespace envgen::matrix {

/// The facts, read-only: a view of a packed block, cheap to copy. Whoever made the block keeps it alive.
class Matrix {
 public:
  explicit Matrix(const Root& root) : root_(&root) {}
  const Root& operator*() const { return *root_; }
  const Root* operator->() const { return root_; }

  const Source& source(std::uint16_t index) const { return root_->sources[index]; }
  const Release& release(const Build& build) const { return root_->releases[build.release]; }
  const Cudnn* cudnn(const Build& build) const;
  /// The cuDNN that a solver takes on a system (null: any), where the build leaves the release open. Null: the build states it,
  /// nobody read what the channel has, or that does not load there.
  const OfferedCudnn* offered_cudnn(const Build& build, const Os* os) const;
  const CudaMinor* minor(const Build& build) const;
  const CudaMajor* major(const Build& build) const;
  const Companion* torchvision(const Build& build) const;
  const Companion* torchaudio(const Build& build) const;
  std::span<const ImageSet> image_sets(const Build& build) const;
  /// The updates of the build's CUDA minor, ascending.
  std::span<const Toolkit> toolkits(const Build& build) const;
  const ImageTag* image(std::int32_t index) const;

  const DriverBranch* branch(std::uint16_t number) const;
  const GpuDriver* gpu_driver(Capability capability) const;
  /// Jetson and Thor capabilities: their binaries and driver numbers are a world of their own.
  bool tegra(Capability capability) const;
  /// True when there are GPUs of that capability and every one sits beside an Arm CPU.
  bool only_beside_arm(Capability capability) const;
  const ForwardCompat* forward_compat(Version cuda, std::uint16_t branch) const;
  const Os* os(std::string_view id_or_alias) const;
  /// As a person writes it: `Ubuntu 22.04`.
  const Os* os_as_written(std::string_view text) const;
  const Preset* preset(std::string_view name) const;
  const Mirror* mirror(std::string_view name) const;
  /// Whether releases of the framework begin so: `2.6`, `2.6.0`.
  bool has_release(Framework framework, Version beginning) const;
  /// The newest release of a framework. There is always one for torch.
  const Release* newest(Framework framework) const;

  /// The boards that a name may mean, by the spellings of gpus.json; empty when there is none.
  std::vector<const Gpu*> gpus_named(std::string_view name) const;

  /// A GPU without how many of it there are: `without_count`, and `without_loose_count` where only that is the name of a board.
  std::string_view gpu_without_count(std::string_view text) const;

 private:
  const Root* root_;
};

/// An official image of the build's release; one of torch is of its CUDA, too. One of TensorFlow may hold another CUDA than the
/// build was tested with.
inline bool is_image_of(const OfficialImage& image, const Build& build) {
  return image.framework == build.framework && image.version == build.version && !image.jupyter &&
         (image.framework == Framework::tensorflow || image.cuda == build.cuda);
}

}  // namespace envgen::matrix
