#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/inspected.hpp"
#include "inspect/tar.hpp"

namespace envgen::inspect {

/// The links of an image, which may lead to files that are looked at and lie elsewhere under other names: uv links what it
/// installs from its cache, and a folder site-packages can be a link. A link may stand before what it leads to and behind it, so
/// the archive passes by twice: the first time its links are kept, the second time the files that they lead to are known.
class Links {
 public:
  /// The first time: of each member.
  void add(const TarMember& member);
  /// Between. Errors (bad_input): there are too many of them.
  Expected<void> follow();
  /// Whether a link leads to something that is still to be read.
  bool lead_elsewhere() const { return !names_.empty(); }

  /// The second time, of each member: the names of interest that links give to it, if it is a file; in general none.
  std::vector<std::string> names_of(const TarMember& member);
  /// At the end: the links that could not be followed, or lead to nothing.
  std::vector<Unreadable> unreadable() const;

 private:
  struct Link {
    std::string target;
    bool hard = false;
  };
  /// What lies at `real`, or below it, has also this name.
  struct Name {
    std::string real;
    std::string name;
    std::size_t parent = 0;        ///< in `names_`, counted from 1: the link lies below that one's `real`; 0: none
    bool only_looked_for = false;  ///< it is read under another name
    bool seen = false;
  };
  enum class Way : std::uint8_t { elsewhere, inside, up };

  void follow(const std::string& name, const std::string& path, const Link& link, std::size_t parent);
  bool is_there(const std::string& real) const;
  bool is_read_anyway(const std::string& name, const std::string& real, bool hard) const;
  Way way_of(const std::string& name, const std::string& real, std::size_t parent) const;
  std::optional<std::string> resolved(std::string_view path);

  std::map<std::string, Link, std::less<>> links_;  ///< by the path that they have
  std::set<std::string, std::less<>> present_;      ///< the files of interest, and their folders
  std::uint64_t size_ = 0;                          ///< of the texts in it
  std::uint64_t steps_ = 0;                         ///< that were made to follow them
  std::vector<Name> names_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_real_;  ///< places in `names_`
  std::vector<Unreadable> unreadable_;
};

}  // namespace envgen::inspect
