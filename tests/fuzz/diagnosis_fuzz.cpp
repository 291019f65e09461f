// A log from anywhere. Whatever is in it, in whatever pieces it comes, the findings are the same and can be shown.
#include "diagnosis/pattern.hpp"
#include "diagnosis/report.hpp"
#include "fuzz/fuzz.hpp"
#include "model/spelling.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  using fuzz::require;
  const auto log = fuzz::text_of(data, size);
  const auto findings = diagnosis::recognise(log);
  const auto lines = fuzz::split(log, "\n").size();
  for (const auto& finding : findings) {
    require(diagnosis::find(finding.diagnosis->id) == finding.diagnosis, "a finding is one of the table");
    require(finding.evidence.line >= 1 && finding.evidence.line <= lines, "its line is one of the log");
    require(!finding.evidence.text.empty() && finding.evidence.text.size() <= diagnosis::longest_evidence, "it shows that line");
    require(!holds_control(finding.evidence.text), "in a form that steers no terminal");
    std::size_t times = 0;
    for (const auto& other : findings) times += other.diagnosis == finding.diagnosis ? 1U : 0U;
    require(times == 1, "a failure is found once");
  }
  require(diagnosis::findings_text(findings, {}).empty() == findings.empty(), "what was found can be shown");

  diagnosis::Recogniser by_pieces;
  for (std::size_t at = 0; at < log.size(); at += 7) by_pieces.feed(log.substr(at, 7));
  const auto again = by_pieces.finish();
  require(again.size() == findings.size(), "a log in pieces shows the same");
  for (std::size_t i = 0; i < again.size(); ++i) {
    require(again[i].diagnosis == findings[i].diagnosis && again[i].evidence.line == findings[i].evidence.line,
            "in the same order");
    require(again[i].evidence.text == findings[i].evidence.text, "by the same words");
  }
  const auto seen = by_pieces.seen([](std::string_view) { return true; });
  for (const auto& value : seen.values) {
    if (!value) continue;
    require(value->line >= 1 && value->line <= lines, "what a log names stands in a line of it");
    require(!value->text.empty() && !holds_control(value->text), "and can be shown");
  }
  return 0;
}
