#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "inspect/bytes.hpp"
#include "model/error.hpp"

namespace envgen::inspect {

/// One member of an archive, a file or not.
struct TarMember {
  enum class Kind : std::uint8_t { file, symlink, hard_link, other };
  std::string path;
  Kind kind = Kind::other;
  std::string target;  ///< of a link, as it is written
};

/// Who is given the regular files of an archive, one after another.
struct TarFiles {
  std::function<bool(const std::string& path, std::uint64_t size)> begin;  ///< whether this one is wanted
  std::function<bool(Bytes)> feed;                                         ///< false: no more of it is wanted
  std::function<Expected<void>()> end;                                     ///< of one that was wanted
  std::function<void(const TarMember&)> member = {};                       ///< of each member, before `begin`
};

/// Reads a tar archive that passes by (POSIX pax and GNU's long names), as `docker export` writes one.
/// https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
class TarReader {
 public:
  explicit TarReader(TarFiles files) : files_(std::move(files)) {}

  /// False: an error came, which `finish` says; the rest is not wanted.
  bool feed(Bytes bytes);
  /// After all of it. Errors (bad_input): the archive is damaged or cut off; those of `end`.
  Expected<void> finish() const;

 private:
  static constexpr std::size_t block = 512;
  enum class Taking : std::uint8_t { nothing, file, pax, long_name, long_target };

  std::optional<std::string> take_header();
  std::optional<std::string> take_pax();
  void tell_member(std::string path, char type) const;
  bool end_of_member();
  bool fails(std::string problem);

  TarFiles files_;
  std::array<std::byte, block> header_{};
  std::size_t header_size_ = 0;
  std::uint64_t left_ = 0;     ///< of the member's bytes
  std::uint64_t padding_ = 0;  ///< behind them
  Taking taking_ = Taking::nothing;
  bool feeding_ = false;      ///< the file is still wanted
  bool ended_ = false;        ///< the block of zeros was seen
  std::uint64_t offset_ = 0;  ///< of the next byte
  std::string text_;          ///< of a pax header or a long name
  std::optional<std::string> next_path_;
  std::optional<std::string> next_target_;
  std::optional<std::uint64_t> next_size_;
  std::optional<Error> error_;
};

}  // namespace envgen::inspect
