// envgen.json and envgen.lock as anybody may have edited them. A lock that reads is written and read again without a change.
#include "fuzz/fuzz.hpp"
#include "matrix/embedded/embedded.hpp"
#include "project/diff.hpp"
#include "project/lock.hpp"
#include "project/project_file.hpp"
#include "resolver/query.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  using fuzz::require;
  const std::string text(fuzz::text_of(data, size));
  if (const auto written = project::parse_project(text, "envgen.json")) {
    if (const auto query = resolver::interpret(matrix::embedded(), written->request); !query) {
      require(!query.error().message.empty(), "a value that cannot be understood has a message");
    }
  }
  const auto lock = project::parse_lock(text, "envgen.lock", project::Edited::accepted);
  if (!lock) {
    require(!lock.error().message.empty() && lock.error().origin.starts_with("envgen.lock"), "an error says what and where");
    return 0;
  }
  const auto again = project::parse_lock(project::lock_text(*lock), "envgen.lock", project::Edited::refused);
  require(again.has_value(), "a lock that was written reads as one that nobody edited");
  require(!project::any_matters(project::differences(*lock, *again)), "and says the same");
  require(project::lock_text(*again) == project::lock_text(*lock), "in the same bytes");
  return 0;
}
