// A stream of requests: every line that is not empty gets one line of JSON back.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/batch.hpp"
#include "fuzz/fuzz.hpp"
#include "matrix/embedded/embedded.hpp"

namespace {
std::string printed;
}

/// In place of the command line's, which writes to standard output.
bool envgen::cli::print(std::string_view text, std::FILE*) {
  printed += text;
  return true;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  using fuzz::require;
  static const int file = ::memfd_create("batch", 0);
  require(file >= 0 && ::ftruncate(file, 0) == 0, "a file in memory");
  require(::pwrite(file, data, size, 0) == static_cast<ssize_t>(size), "a file in memory takes the input");
  printed.clear();
  const auto exit = cli::answer_batch("/proc/self/fd/" + std::to_string(file), matrix::embedded());
  require(exit.has_value(), "a stream that can be read is answered");
  std::size_t asked = 0;
  for (auto line : fuzz::split(fuzz::text_of(data, size), "\n")) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    asked += line.find_first_not_of(" \t") == std::string_view::npos ? 0 : 1;
  }
  auto lines = fuzz::split(printed, "\n");
  require(lines.back().empty(), "the last answer ends its line");
  lines.pop_back();
  require(lines.size() == asked, "one answer a request");
  for (const auto line : lines) {
    require(nlohmann::json::accept(line), "an answer is JSON");
    require(line.find("\"internal\"") == std::string_view::npos || line.find("independent check") == std::string_view::npos,
            "the independent check confirms the answer");
  }
  return 0;
}
