#pragma once

#include <string>
#include <vector>

#include "cli/request_options.hpp"

namespace envgen::cli {

/// `torch 2.6 cuda 12.1 gpu 5090` as request flags.
/// Errors (usage): a word that is no field, with the nearest one; a field without a value; one that stands twice.
Expected<RequestOptions> read_words(const std::vector<std::string>& words);

}  // namespace envgen::cli
