// The words of `envgen why`: one a line.
#include <sstream>

#include "cli/request_options.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  std::istringstream lines{std::string(fuzz::text_of(data, size))};
  std::vector<std::string> words;
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  const auto options = cli::read_words(words, [](const std::string&) { return false; });
  if (!options) {
    fuzz::require(options.error().code == ErrorCode::usage && !options.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(2 * options->request.values.size() == words.size(), "every pair of words became a value");
  return 0;
}
