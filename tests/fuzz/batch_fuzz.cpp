// A stream of requests: every line that is not empty gets one line of JSON back.
#include <algorithm>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "api/batch.hpp"
#include "fuzz/fuzz.hpp"
#include "matrix/embedded/embedded.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  using fuzz::require;
  std::istringstream input{std::string(fuzz::text_of(data, size))};
  std::string printed;
  const auto answered = api::answer_stream(input, "batch", matrix::embedded(), [&](const std::string& text) {
    printed += text;
    return Expected<void>();
  });
  require(answered.has_value(), "a stream that can be read is answered");
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
