#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"
#include "net/client.hpp"

namespace envgen::update {

/// A wheel on a package index.
struct IndexedWheel {
  std::string file;                    ///< its name
  std::string url;                     ///< absolute
  std::string version;                 ///< a release of digits and dots
  std::string python;                  ///< `3.12`, `3.14t`; `any`
  std::vector<std::string> platforms;  ///< those of linux-x86_64 and linux-aarch64 that it is for; one for any is for both
  std::string glibc;                   ///< that its platform tag asks for, `2.28`; empty: it names none
  std::string requires_python;         ///< empty: not told
  std::string uploaded;                ///< `2026-11-04`; empty: not told
  bool yanked = false;
  bool has_metadata = false;    ///< its METADATA stands beside it (PEP 658)
  std::string metadata_sha256;  ///< of that file, in hexadecimal; empty: not told
};

/// What makes an index tell its files as JSON (PEP 691), or else as a page (PEP 503).
inline constexpr std::string_view index_media_types =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

/// The wheels of a project for Linux, of its releases: what is neither (a source, a wheel for Windows, a preview) is left out.
/// `project`: as PEP 503 normalises it. Errors (network): the answer has another shape, with its URL as the origin.
Expected<std::vector<IndexedWheel>> wheels_of_index(std::string_view project, const net::Reply& reply);

/// What a link means on a page (RFC 3986, 5.2).
std::string resolved_link(std::string_view page, std::string_view link);

}  // namespace envgen::update
