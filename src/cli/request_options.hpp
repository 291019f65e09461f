#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "model/request.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace envgen::cli {

/// The flags that make a request, shared by every command that takes one.
struct RequestOptions {
  std::vector<std::pair<Field, std::string>> singles;
  std::vector<std::string> gpus;
  std::vector<std::string> hosts;
  std::string preset;
  bool ptx = false;
  bool allow_inferred = false;
};

/// True when any of the flags was given.
bool asks_for_anything(const RequestOptions& options);

/// Registers the flags in one group of the command's help.
void add_request_options(CLI::App& app, RequestOptions& options);

/// The flags that name what is installed and the GPUs, for a command that compares with them.
void add_comparison_options(CLI::App& app, RequestOptions& options);

/// The request as it was written: flags over `file` (may be empty) over the preset. Errors: an unknown preset (usage).
Expected<Request> written_request(const RequestOptions& options, const Request& file, const matrix::Matrix& matrix);

/// The same with every `auto` asked of this machine. Errors besides: an `auto` that finds nothing (missing).
Expected<Request> make_request(const RequestOptions& options, const Request& file, const matrix::Matrix& matrix);

/// For options whose empty value can only be a shell variable that is not set; the text of the error, empty when there is none.
std::string refuse_empty(const std::string& text);

}  // namespace envgen::cli
