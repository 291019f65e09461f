#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/request.hpp"

namespace envgen::check {

/// A board of the request, with every row that its name may mean.
struct AskedBoard {
  std::string_view text;
  std::vector<const matrix::Gpu*> rows;  ///< empty: only the capability was given
  Capability capability;
  bool arm_only = false;  ///< no PC has it: it sits beside an Arm CPU
};

/// Boards under one driver; a bare `--gpu` is a machine of its own, and so is a bare `--driver` without any machine.
struct AskedMachine {
  std::string driver;               ///< as written; empty: free
  std::vector<std::size_t> boards;  ///< indexes into Asked::boards
};

/// A request by its texts; empty means not asked.
struct Asked {
  std::string_view torch, tensorflow, torchvision, torchaudio, cudnn, python, platform, variant, installer, base;
  std::string tag;                ///< of `2.3.1+cu121`, lower case
  std::string os;                 ///< lower case
  std::vector<std::string> cuda;  ///< lower case
  bool cpu = false;
  bool wants_tensorflow = false;
  bool ptx = false;
  bool inferred_tags = false;
  std::vector<AskedBoard> boards;
  std::vector<AskedMachine> machines;
};

/// Reads a request; what cannot be read is told in `violations`.
Asked read(const matrix::Matrix& matrix, const Request& request, std::vector<std::string>& violations);

}  // namespace envgen::check
