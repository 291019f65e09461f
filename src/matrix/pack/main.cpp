// envgen_pack FOLDER FILE: runs the matrix loader once, at build time, and writes the packed block.
#include <cstdio>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "matrix/loader.hpp"
#include "util/files.hpp"

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 3) {
    fmt::print(stderr, "usage: envgen_pack FOLDER FILE\n");
    return 2;
  }
  const auto loaded = envgen::matrix::load({arguments[1]});
  for (const auto& problem : loaded.problems) fmt::print(stderr, "{}: {}\n", problem.origin, problem.message);
  if (!loaded.block) return 4;
  const auto bytes = loaded.block->bytes();
  const auto written = envgen::util::write_file(arguments[2], {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!written) {
    fmt::print(stderr, "{}: {}\n", written.error().origin, written.error().message);
    return 4;
  }
  return 0;
}
