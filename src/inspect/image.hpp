#pragma once

#include <string>
#include <vector>

#include "inspect/inspected.hpp"
#include "inspect/links.hpp"
#include "inspect/tar.hpp"

namespace envgen::inspect {

/// Takes the files of an image as a tar archive that passes by, and reads torch and what it needs of NVIDIA in its
/// site-packages.
class ImageInspection {
 public:
  explicit ImageInspection(std::string origin);

  /// False: it cannot be read, and `finish` says why; the rest is not wanted.
  bool feed(Bytes bytes) { return reader_.feed(bytes); }
  /// After the last byte. True: links lead to files that were not kept, so the archive is to be fed once more from its beginning.
  /// Errors (bad_input): the archive or a file in it is damaged, or its links are too many.
  Expected<bool> wants_again();
  /// Errors (bad_input): the archive or a file in it is damaged; whether it holds something cannot be told. (missing): it holds
  /// nothing of this kind.
  Expected<Inspected> finish();

 private:
  Expected<void> ended() const;
  TarFiles first_time();
  TarFiles second_time();

  std::string origin_;
  Inspection inspection_;
  Links links_;
  std::vector<std::string> names_;  ///< the second time: those of the file that comes
  TarReader reader_;
};

}  // namespace envgen::inspect
