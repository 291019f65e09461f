#pragma once

#include <string>

/// Where a user's files lie, by the XDG Base Directory Specification: the variable, or the place below $HOME that it stands for.
/// One that holds a relative path is passed over. Empty: there is no such place.
namespace envgen::util {

std::string user_data_folder();   ///< $XDG_DATA_HOME, ~/.local/share
std::string user_cache_folder();  ///< $XDG_CACHE_HOME, ~/.cache

}  // namespace envgen::util
