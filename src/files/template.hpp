#pragma once

#include <string>
#include <string_view>

#include "files/file.hpp"
#include "model/error.hpp"
#include "util/template.hpp"

/// The files that are made from one environment. No room here decides anything about the environment.
namespace envgen::files {

using util::fill;
using util::View;

/// An output of one file.
Expected<Files> only(Expected<File> file);

/// The file that a template makes of a view, sealed: `mark` is put into the view here. The view's list `notes` are those of the
/// file. Errors: those of `fill`.
Expected<File> made_file(std::string path, std::string_view template_name, View view, bool executable = false);

}  // namespace envgen::files
