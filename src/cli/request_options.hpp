#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "project/request_json.hpp"

namespace envgen::cli {

/// The flags that make a request, shared by every command that takes one.
using RequestOptions = project::WrittenRequest;

/// True when any of the flags was given.
bool asks_for_anything(const RequestOptions& options);

/// The value of a field as its flag says it.
inline RequestValue flag_value(Field field, std::string text) {
  return {field, std::move(text), Origin::flag, "--" + std::string(name_of(field))};
}

/// Registers the flags in one group of the command's help.
void add_request_options(CLI::App& app, RequestOptions& options);

/// The flags that name what is installed and the GPUs, for a command that compares with them.
void add_comparison_options(CLI::App& app, RequestOptions& options);

/// Flags, then their preset, over `file` (may be empty), then its preset, with every `auto` asked of this machine: a preset on
/// the command line takes the place of the file's. Errors: an unknown preset (usage); an `auto` that finds nothing (missing).
Expected<Request> make_request(const RequestOptions& options, const RequestOptions& file, const matrix::Matrix& matrix);

/// For options whose empty value can only be a shell variable that is not set; the text of the error, empty when there is none.
std::string refuse_empty(const std::string& text);

/// Whether a word is the name of an operating system.
using IsSystem = std::function<bool(const std::string&)>;
/// `torch 2.6 cuda 12.1 gpu 5090` as request flags.
/// Errors (usage): a word that is no field, with the nearest one; a field without a value; one that stands twice.
Expected<RequestOptions> read_words(const std::vector<std::string>& words, const IsSystem& is_system);

/// `--torch 2.6 -g 5090 --json` as `why` takes them: `torch 2.6 gpu 5090 --json`.
std::vector<std::string> with_fields_as_words(const std::vector<std::string>& words);

}  // namespace envgen::cli
