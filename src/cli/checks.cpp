#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "diagnosis/diagnosis.hpp"
#include "util/json_writer.hpp"
#include "util/table.hpp"
#include "validate/checks.hpp"
#include "validate/report.hpp"

namespace envgen::cli {
namespace {

std::string checks_json() {
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", 1).key("checks").begin_array();
  for (const auto& check : validate::checks()) {
    json.begin_object().member("id", check.id).member("proves", check.proves).member("mechanism", check.mechanism);
    json.key("diagnoses").begin_array();
    for (const auto id : diagnosis::parts(check.diagnoses, ' ')) json.value(id);
    json.end_array().end_object();
  }
  json.end_array().key("more_to_require").begin_array().value(validate::require_ipc_host).end_array().end_object();
  return json.take() + "\n";
}

std::string checks_text() {
  constexpr std::size_t readable_width = 120;
  auto terminal = util::Terminal::of_stdout();
  if (terminal.width == 0) terminal.width = readable_width;
  util::Table table({"check", "what it verifies", "how", "possible causes (envgen explain ID)"});
  for (const auto& check : validate::checks())
    table.add({std::string(check.id), std::string(check.proves), std::string(check.mechanism), std::string(check.diagnoses)});
  return table.text(terminal) + fmt::format(
                                    "\n'envgen validate --require' takes these names, and {} (the container shares the host's "
                                    "IPC namespace; see ipc).\n",
                                    validate::require_ipc_host);
}

}  // namespace

Action setup_checks(CLI::App& app, Context& context) {
  add_format(app, context);
  app.footer("'envgen validate IMAGE' runs these checks.");
  return [&context] { return written(context.json ? checks_json() : checks_text()); };
}

}  // namespace envgen::cli
