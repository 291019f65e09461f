#include "cli/format_option.hpp"

#include <CLI/CLI.hpp>

namespace envgen::cli {

void add_format_option(CLI::App& app, Context& context) {
  app.add_option_function<std::string>(
         "--format", [&context](const std::string& text) { context.json = text == "json"; }, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("NAME")
      ->group("Output");
}

}  // namespace envgen::cli
