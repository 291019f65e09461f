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
  if (options.what.empty()) return fail(ErrorCode::usage, "nothing to inspect", {}, {"envgen inspect FILE.whl|FILE.so|IMAGE"});
  if (!is_path(options.what) && !is_image_name(options.what))
    return fail(ErrorCode::usage, fmt::format("{} is neither an existing file nor an image name", in_quotes(options.what)));
  const auto inspected =
      is_path(options.what) ? inspect_path(options.what) : inspect_image(options.what, image_engines.at(options.engine));
  if (!inspected) return tl::unexpected(inspected.error());
  return written(context.json ? inspect::inspected_json(*inspected)
                              : inspect::inspected_text(*inspected, util::Terminal::of_stdout()));
}

}  // namespace

Action setup_inspect(CLI::App& app, Context& context) {
  auto options = std::make_shared<InspectOptions>();
  app.add_option("what", options->what, "a wheel, a library, or a local image")->type_name("FILE.whl|FILE.so|IMAGE");
  add_choice(app, "--engine", options->engine, image_engines,
             "the engine that has the image (default: auto, docker or else podman)");
  add_format(app, context);
  app.footer(
      "GPU code is what the CUDA runtime registers, as cuobjdump lists it; code that a library holds as data is shown "
      "separately. "
      "Nothing is started or written, and no GPU is needed. In an image, torch and the NVIDIA libraries it needs are read from "
      "site-packages; hard and symbolic links are followed. Exit status: 0 on success; 4 if a file is damaged, or "
      "neither a wheel nor a library; 6 if there is no engine, no such image, or nothing to read in it.");
  return [options, &context] { return run_inspect(*options, context); };
}

}  // namespace envgen::cli
