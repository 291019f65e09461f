#pragma once

#include <cstdint>
#include <string_view>

/// What a file of a wheel or of an image is, by its path.
namespace envgen::inspect {

enum class Place : std::uint8_t {
  other,  ///< also a folder
  library,
  version_py,  ///< torch/version.py
  metadata,    ///< METADATA or WHEEL of a .dist-info folder
};
Place place_of(std::string_view path);

std::string_view file_name(std::string_view path);
/// Whether a library is one of NVIDIA's, by its name.
bool is_of_cuda(std::string_view name);
/// Whether a library lies in the torch/lib of a wheel or of an image, and is torch's own.
bool is_of_torch(std::string_view path);
/// `.../torch-2.9.1.dist-info` of a METADATA or WHEEL; empty: the file is neither.
std::string_view package_folder(std::string_view path);

/// `usr/lib/python3.12/site-packages` of what lies in it, or is it; empty: it is in no such folder.
std::string_view packages_folder(std::string_view path);
/// Whether a file of an image is one that is looked at.
bool is_of_interest(std::string_view path);
/// Whether a link with this path may be such a file, or a folder that holds some.
bool may_lead_to_interest(std::string_view path);
/// Whether something is lost where that link leads to nothing.
bool is_missed(std::string_view path);

}  // namespace envgen::inspect
