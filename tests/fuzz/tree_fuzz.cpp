// The dependency tree that uv prints.
#include "fuzz/fuzz.hpp"
#include "project/freeze.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  const auto tree = project::parse_tree(fuzz::text_of(data, size));
  if (!tree) {
    fuzz::require(tree.error().code == ErrorCode::bad_input && !tree.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(!tree->empty(), "a tree has packages");
  for (const auto& package : *tree)
    fuzz::require(!package.name.empty() && !package.version.empty() && !package.hashes.empty(), "a package is whole");
  return 0;
}
