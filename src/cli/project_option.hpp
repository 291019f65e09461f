#pragma once

#include <string>

#include "api/lock.hpp"
#include "cli/request_options.hpp"

namespace envgen::cli {

/// `--project FILE`; `help` says what is read without it.
void add_project_option(CLI::App& app, std::string& file, const std::string& help);

/// What the project file says; nothing where `file` is empty. Errors: those of project::read_project.
Expected<project::WrittenProject> read_named(const std::string& file);

/// The request of flags over the project that was read from `file` over the preset. Errors: those of make_request.
Expected<Request> request_of(const RequestOptions& options, const std::string& file, const project::WrittenProject& project,
                             const matrix::Matrix& matrix);

/// The same, with what the outputs of the project add to it (api::with_outputs). Errors: those of that, too.
Expected<Request> request_to_resolve(const RequestOptions& options, const std::string& file,
                                     const project::WrittenProject& project, const matrix::Matrix& matrix);

/// The lock at `path`, which must answer the project. Errors: those of project::read_lock and api::check_current.
Expected<project::Lock> current_lock(const project::WrittenProject& project, const std::filesystem::path& path,
                                     const matrix::Matrix& matrix);

/// A value that cannot be understood is a bad file, not a bad call, where it stands in the project file.
Error of_project(Error error, const std::string& file);

}  // namespace envgen::cli
