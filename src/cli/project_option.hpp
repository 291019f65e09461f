#pragma once

#include <string>

#include "cli/request_options.hpp"

namespace envgen::cli {

/// `--project FILE`; `help` says what is read without it.
void add_project_option(CLI::App& app, std::string& file, const std::string& help);

/// The request of flags over the project file (empty: none) over the preset.
/// Errors: those of make_request and project::read_project.
Expected<Request> request_of(RequestOptions options, const std::string& file, const matrix::Matrix& matrix);

/// A value that cannot be understood is a bad file, not a bad call, where it stands in the project file.
Error of_project(Error error, const std::string& file);

}  // namespace envgen::cli
