#pragma once

#include <string>
#include <string_view>

#include "model/request.hpp"

/// What people copy from other programs, where there is no doubt what it means.
namespace envgen {

/// A value in the spelling that a request reads: `Docker` -> `docker`, `Python 3.12` -> `3.12`, `Driver Version: 535.183.01` and
/// dpkg's `535.183.01-0ubuntu1` -> `535.183.01`. What is nothing of the kind stays as it is, but for the spaces around it.
std::string_view usual_spelling(Field field, std::string_view text);

/// The driver that a file of the Windows driver belongs to, by the version that Device Manager shows: `31.0.15.3623` -> `536.23`.
/// Empty: it is no such version.
std::string driver_of_windows_file(std::string_view text);

}  // namespace envgen
