#pragma once

#include "render/proof.hpp"

namespace envgen::render {

/// A proof without its sources and lines.
Proof scope_and_steps(const resolver::Query& query, const resolver::Conflict& conflict);

}  // namespace envgen::render
