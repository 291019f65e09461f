// envgen_pack FOLDER BLOCK DOCUMENTS: runs the matrix loader once, at build time, and writes what the program embeds: the packed
// block, and the files that it was made of.
#include <cstdio>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "matrix/built_in.hpp"
#include "matrix/loader.hpp"
#include "util/files.hpp"

namespace {

void tell(const envgen::Error& error) { fmt::print(stderr, "{}: {}\n", error.origin, error.message); }

}  // namespace

int main(int argc, char** argv) {
  constexpr int failed = 4;
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 4) {
    fmt::print(stderr, "usage: envgen_pack FOLDER BLOCK DOCUMENTS\n");
    return 2;
  }
  const auto loaded = envgen::matrix::load({arguments[1]}, envgen::matrix::LayerKind::built_in);
  for (const auto& problem : loaded.problems) tell(problem);
  if (!loaded.block) return failed;
  const auto bytes = loaded.block->bytes();
  const std::string_view block(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto written = envgen::util::write_file(arguments[2], block)
                           .and_then([&] { return envgen::matrix::pack_documents(arguments[1], block); })
                           .and_then([&](const std::string& packed) { return envgen::util::write_file(arguments[3], packed); });
  if (written) return 0;
  tell(written.error());
  return failed;
}
