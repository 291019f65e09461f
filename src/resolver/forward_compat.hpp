#pragma once

#include "resolver/predicates.hpp"

namespace envgen::resolver {

/// Whether cuda-compat, which another machine needs, does no harm on this one, whose drivers are those that open the image's gate
/// and are `carried`: under each of them it is known to work, or the driver is newer and stays in use.
bool compat_is_harmless(const matrix::Matrix& matrix, const matrix::Build& build, const AskedMachine& machine,
                        const Carried& carried, bool jit);

/// The image from which the cuda-compat of the build's CUDA can be taken: small, and of those that were published one that is
/// still maintained where there is one, best a listed one. Null: none is known for the build's platform.
const matrix::ImageTag* compat_image(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

}  // namespace envgen::resolver
