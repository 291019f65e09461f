#include <fmt/format.h>

#include "model/printable.hpp"
#include "reports/escape.hpp"
#include "reports/view.hpp"
#include "reports/wording.hpp"

namespace envgen::reports {
namespace {

using validate::Status;

std::string annotation(std::string_view level, const std::string& about, const std::string& message) {
  return fmt::format("::{} title={}::{}\n", level, escape_property(about), escape_command(message));
}

}  // namespace

std::string github(const validate::Report& report) {
  std::string text;
  const auto about = [&](const std::string& what) { return fmt::format("{}: {}", title(report), what); };
  if (const auto notice = doubles_notice(report); !notice.empty()) text += annotation("notice", about("test doubles"), notice);
  for (const auto& result : report.results) {
    if (result.status == Status::pass || result.status == Status::skip) continue;
    auto message = result.message;
    if (const auto* known = result.diagnosis; known != nullptr) {
      message += fmt::format(" [{}]\n{}", known->id, known->fix);
      for (const auto command : known->command_lines()) message += fmt::format("\n  {}", command);
    }
    const auto* const level = result.status == Status::fail ? "error" : result.status == Status::warn ? "warning" : "notice";
    text += annotation(level, about(name_of_row(result)), message);
  }
  const auto last = fmt::format("{}: {}: {}\n", program(report), title(report), validate::summary(report));
  return text + printable(last, Notation::text);
}

}  // namespace envgen::reports
