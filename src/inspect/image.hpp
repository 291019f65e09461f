#pragma once

#include <string>
#include <string_view>

#include "inspect/inspected.hpp"
#include "inspect/tar.hpp"

namespace envgen::inspect {

/// Takes the files of an image as a tar archive that passes by, and reads torch and what it needs of NVIDIA in its
/// site-packages.
class ImageInspection {
 public:
  explicit ImageInspection(std::string origin);

  /// False: it cannot be read, and `finish` says why; the rest is not wanted.
  bool feed(Bytes bytes) { return reader_.feed(bytes); }
  /// Errors (bad_input): the archive or a file in it is damaged. (missing): it holds nothing of this kind.
  Expected<Inspected> finish();

 private:
  std::string origin_;
  Inspection inspection_;
  TarReader reader_;
};

/// Whether a file of an image is one that is looked at.
bool is_of_interest(std::string_view path);

}  // namespace envgen::inspect
