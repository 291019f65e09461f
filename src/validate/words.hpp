#pragma once

#include <string>
#include <vector>

#include "diagnosis/diagnosis.hpp"

/// What an engine or a program wrote.
namespace envgen::validate {

/// The failure that the words tell of; null: none that is known.
const diagnosis::Diagnosis* recognised(const std::vector<std::string>& words);

/// `why: words`, or `why` alone where there are none.
std::string with_words(const std::string& why, const std::vector<std::string>& words);

}  // namespace envgen::validate
