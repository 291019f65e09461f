#pragma once

#include <string>

#include "model/environment.hpp"

/// An environment in a few words, for the head of a file.
namespace envgen::files {

/// `torch 2.3.1, CUDA 12.1`
std::string short_title(const Environment& environment);

/// `torch 2.3.1, CUDA 12.1, cuDNN 8.9.2.26, Python 3.10 on ubuntu22.04, for GPUs A, B with driver >=525.60.13`: a driver that
/// was asked for by its branch or release as it was written, of a range what works. Machines that differ in their drivers stand
/// one by one, for a range in common may be narrower than any of them needs, or not exist.
std::string title(const Environment& environment);

}  // namespace envgen::files
