// A saved report, of validate or envgen-bench, and every view of it.
#include "fuzz/fuzz.hpp"
#include "reports/baseline.hpp"
#include "reports/diff.hpp"
#include "reports/parse.hpp"
#include "reports/view.hpp"
#include "support/log_commands.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  const auto read = reports::parse_report(std::string(fuzz::text_of(data, size)), "R.json");
  if (!read) {
    fuzz::require(read.error().code == ErrorCode::bad_input && !read.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(!read->results.empty(), "a report has results");
  for (const auto& result : read->results) fuzz::require(fuzz::one_line(result.message), "a message is one line");
  for (const auto format :
       {reports::Format::text, reports::Format::json, reports::Format::junit, reports::Format::markdown, reports::Format::html})
    fuzz::require(test::command_in(reports::view(*read, format, {})).empty(), "no line of a view is a command");
  const auto annotations = reports::github(*read);
  for (const auto line : fuzz::split(annotations, "\n")) fuzz::require(fuzz::one_line(line), "an annotation is one line");
  fuzz::require(reports::html(*read).find("<script") == std::string::npos, "a page runs no script");
  fuzz::require(!reports::junit(*read).empty() && !reports::markdown(*read).empty(), "there is something to show");
  if (!read->image.empty()) {
    const auto again = reports::parse_report(reports::json(*read), "R.json");
    fuzz::require(again.has_value(), "what is written is read");
    fuzz::require(reports::text(*again, {}) == reports::text(*read, {}), "and says the same");
  }
  fuzz::require(!reports::diff(*read, *read, reports::usual_tolerance).differs(), "a report is no other than itself");
  auto compared = *read;
  reports::compare_with_baseline(compared, *read, "R.json", reports::usual_tolerance);
  for (const auto& result : compared.results)
    fuzz::require(result.check != "baseline" || result.status != validate::Status::fail || read->has("baseline"),
                  "a report is no slower than itself");
  return 0;
}
