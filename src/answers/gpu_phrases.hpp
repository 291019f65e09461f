#pragma once

#include <string>

#include "answers/phrases.hpp"

/// Sentences about what a GPU runs: machine code, PTX and cuDNN.
namespace envgen::answers {

/// "torch 2.3.1 ... is compiled for 8.0 and 9.0 and holds no PTX, and the T4 runs ..., none of them runs on it."
std::string no_code_runs(const Phrases& say);

/// "which cuDNN", "which release of cuDNN 9": what was not read.
std::string which_cudnn(const Phrases& say);

/// "... brings cuDNN 9.3, it does not have cudnn 9.10."
std::string no_such_cudnn(const Phrases& say);

/// "whether the cuDNN of TensorFlow 2.20.0 serves the B200", and what is missing to say so, where that can be told.
std::string whether_cudnn_serves(const Phrases& say);

/// "... brings cuDNN 9.3, which ends at compute capability 9.0, it does not serve the B200."
std::string cudnn_serves_not(const Phrases& say);

}  // namespace envgen::answers
