#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/image_files.hpp"
#include "inspect/report.hpp"
#include "model/spelling.hpp"
#include "util/file_source.hpp"

namespace envgen::cli {
namespace {

struct InspectOptions {
  std::string what;
  std::size_t engine = 0;
};

/// What is there, and what no image is called.
bool is_path(const std::string& text) {
  std::error_code ignored;
  return std::filesystem::exists(text, ignored) || text.starts_with('.') || text.starts_with('/') || text.ends_with(".whl") ||
         text.ends_with(".so") || text.find(".so.") != std::string::npos;
}

Expected<inspect::Inspected> inspect_path(const std::string& path) {
  const auto source = util::open_file(path);
  if (!source) return tl::unexpected(source.error());
  return inspect::inspect_file(**source, path);
}

Expected<Exit> run_inspect(const InspectOptions& options, const Context& context) {
  if (options.what.empty())
    return fail(ErrorCode::usage, "what shall be inspected?", {}, {"envgen inspect FILE.whl|FILE.so|IMAGE"});
  if (!is_path(options.what) && !is_image_name(options.what))
    return fail(ErrorCode::usage, fmt::format("{} is no file that is there, and no name of an image", in_quotes(options.what)));
  const auto inspected =
      is_path(options.what) ? inspect_path(options.what) : inspect_image(options.what, image_engines.at(options.engine));
  if (!inspected) return tl::unexpected(inspected.error());
  return written(context.json ? inspect::inspected_json(*inspected)
                              : inspect::inspected_text(*inspected, util::Terminal::of_stdout()));
}

}  // namespace

Action setup_inspect(CLI::App& app, Context& context) {
  auto options = std::make_shared<InspectOptions>();
  app.add_option("what", options->what, "a wheel, a library, or an image as the engine knows it")
      ->type_name("FILE.whl|FILE.so|IMAGE");
  add_choice(app, "--engine", options->engine, image_engines, "whose image: auto, the default, is docker, else podman");
  add_format(app, context);
  app.footer(
      "GPU code is what the CUDA runtime registers, as cuobjdump lists it; what a library holds as data besides is told apart. "
      "Nothing is started, no GPU is needed, and nothing is written. Of an image it reads torch and what it needs of NVIDIA in "
      "site-packages, and follows links, hard and symbolic ones. Exit status: 0; 4 a file is damaged, or is neither; 6 no "
      "engine, no such image, or nothing in it.");
  return [options, &context] { return run_inspect(*options, context); };
}

}  // namespace envgen::cli
