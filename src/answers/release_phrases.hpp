#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "answers/phrases.hpp"

/// Sentences about what was released together: companions of torch, and the CUDA tags of a release.
namespace envgen::answers {

/// "which Pythons the torchaudio of torch 2.3.1+cu121 is built for": what was not read.
std::string companion_fit(const Phrases& say);

/// "torchaudio was released in pairs (...), torchaudio 0.11 does not belong to ...", or for which CUDA alone it was made.
std::string no_such_companion(const Phrases& say);

/// Adds where it was read for which CUDA an asked companion was made.
void cite_companions(const Phrases& say, const matrix::Build& build, std::set<std::uint16_t>& sources);

/// "whether torch 2.15.0 has a build for CUDA 13.0 besides cu132": the builds of the step, none of which is listed.
std::string which_tags(const Phrases& say);

}  // namespace envgen::answers
