#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "inspect/report.hpp"
#include "model/spelling.hpp"
#include "util/file_source.hpp"

namespace envgen::cli {
namespace {

Expected<inspect::Inspected> inspect_path(const std::string& path) {
  const auto source = util::open_file(path);
  if (!source) return tl::unexpected(source.error());
  return inspect::inspect_file(**source, path);
}

Expected<Exit> run_inspect(const std::string& what, const Context& context) {
  const auto inspected = inspect_path(what);
  if (!inspected) return tl::unexpected(inspected.error());
  return written(context.json ? inspect::inspected_json(*inspected)
                              : inspect::inspected_text(*inspected, util::Terminal::of_stdout()));
}

}  // namespace

Action setup_inspect(CLI::App& app, Context& context) {
  auto what = std::make_shared<std::string>();
  app.add_option("file", *what, "a wheel or a library")->required()->type_name("FILE.whl|FILE.so");
  add_format(app, context);
  app.footer(
      "GPU code is what the CUDA runtime registers, as cuobjdump lists it; what a library holds as data besides is told apart. "
      "No GPU and no other program is needed, and nothing is written. Exit status: 0; 4 the file cannot be read or lies.");
  return [what, &context] { return run_inspect(*what, context); };
}

}  // namespace envgen::cli
