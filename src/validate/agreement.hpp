#pragma once

#include <vector>

#include "validate/image_files.hpp"
#include "validate/result.hpp"
#include "validate/self_report.hpp"

/// What a Python says of itself, beside what lies in the image: a script or a module of that name can print anything.
namespace envgen::validate {

/// The check self-report. A difference is a failure; what was not looked into leaves it unknown. The interpreter itself proves
/// nothing: that of pyenv and of conda may be a script.
Result judge_agreement(const SelfReport& told, const ImageFiles& found);

/// Takes back what passed by the word of a Python that the files contradict.
void doubt(std::vector<Result>& results);

}  // namespace envgen::validate
