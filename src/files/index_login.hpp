#pragma once

#include <string>
#include <vector>

#include "files/options.hpp"

/// How a build is given the password of a package index. A build argument stands in the history of the image, and so would a
/// password in it; a netrc that is mounted as a secret stands nowhere, and pip, uv and curl all read it (in this place even an
/// old pip does).
namespace envgen::files {

inline constexpr std::string_view netrc_mount = "type=secret,id=netrc,target=/root/.netrc";

/// Those of the build's arguments (`PIP_INDEX_URL`, `NAME="default"`) that are the address of an index.
std::vector<std::string> indexes_among(const std::vector<std::string>& args);

/// A command of bash that ends the build where one of these variables holds a password.
std::string refuse_passwords_in(const std::vector<std::string>& indexes, bool legacy);

/// The user named an index, which may ask for a password; a known mirror asks for none.
bool names_own_index(const Options& options);

/// ... and a build can be given it: never that of the legacy builder, which has no secrets.
bool may_need_login(const Options& options);

}  // namespace envgen::files
