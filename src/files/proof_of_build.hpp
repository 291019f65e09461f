#pragma once

#include <string>
#include <vector>

#include "model/environment.hpp"

namespace envgen::files {

/// Statements of Python that fail, with what was found, where the installed framework is not the locked one. They need no GPU:
/// `torch.cuda.get_arch_list()` is empty without one, `torch._C._cuda_getArchFlags()` is not. Each is one line without single
/// quotes, so that they can be joined by `; ` inside a single-quoted word of a shell.
std::vector<std::string> build_assertion(const Environment& environment);

/// What `torch.backends.cudnn.version()` answers for a release of cuDNN: 8.9.2.26 is 8902, 9.1.0.70 is 90100; 0: not exact.
/// cudnn_version.h: CUDNN_MAJOR * 1000 (10000 from 9 on) + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL.
int cudnn_number(Version version);

/// What `torch._C._cuda_getArchFlags()` answers for a build whose lists are known, sorted: `compute_90`, `sm_86`, `sm_90a`.
std::vector<std::string> arch_flags(const Environment::FrameworkBuild& build);

}  // namespace envgen::files
