#pragma once

#include <string>

namespace envgen::bench {

/// A new file in `folder`, open for reading and writing, that has no name any more: others, of containers that share the folder
/// too, cannot be in its way, and it goes with the last process that has it open, however that ends. Throws TestFailed.
int nameless_file(const std::string& folder);

}  // namespace envgen::bench
