// envgen_pack_diagnoses FOLDER FILE: reads the diagnoses once, at build time, and writes them as C++.
#include <cstdio>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/pack/pack.hpp"
#include "util/files.hpp"

int main(int argc, char** argv) {
  namespace pack = envgen::diagnosis::pack;
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 3) {
    fmt::print(stderr, "usage: envgen_pack_diagnoses FOLDER FILE\n");
    return 2;
  }
  envgen::util::Problems problems;
  const auto rows = pack::read(arguments[1], problems);
  if (problems.empty()) {
    if (const auto written = envgen::util::write_file(arguments[2], pack::cpp_of(rows)); !written)
      problems.push_back(written.error());
  }
  for (const auto& problem : problems)
    fmt::print(stderr, "{}: {}{}{}\n", problem.origin, problem.message, problem.hints.empty() ? "" : "; ",
               fmt::join(problem.hints, ", "));
  return problems.empty() ? 0 : 4;
}
