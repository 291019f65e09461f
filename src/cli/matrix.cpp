#include <unistd.h>
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "answers/compatibility.hpp"
#include "answers/facts.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/image_files.hpp"
#include "cli/matrix_update.hpp"
#include "matrix/export.hpp"
#include "matrix/lint.hpp"
#include "model/spelling.hpp"
#include "util/files.hpp"

namespace envgen::cli {
namespace {

enum class Task : std::uint8_t { none, lint, info, export_facts, update, verify, add };

/// What facts are exported as, in the order of `export_names`.
enum class Export : std::uint8_t { json, csv, markdown };
constexpr std::array<std::string_view, 3> export_names{"json", "csv", "markdown"};

struct MatrixOptions {
  Task task = Task::none;
  std::vector<std::string> folders;
  std::vector<std::string> extra;
  std::string format{export_names.front()};
  std::string output;
  UpdateOptions update;
};

constexpr std::string_view tasks_hint = "envgen matrix lint|info|export|update|verify|add";

Expected<Exit> run_lint(const MatrixOptions& options, Context& context) {
  const auto& folders = options.folders.empty() ? context.matrix_folders : options.folders;
  Expected<std::vector<Error>> problems;
  std::string what = fmt::format("{}", fmt::join(folders, ", "));
  if (folders.empty()) {
    const auto documents = context.documents();
    if (!documents) return tl::unexpected(documents.error());
    problems = matrix::lint(*documents);
    for (const auto& layer : documents->layers()) what += (what.empty() ? "" : ", ") + layer.name;
  } else {
    problems = matrix::lint({folders.begin(), folders.end()});
  }
  if (!problems) return tl::unexpected(problems.error());
  auto printed = written(context.json ? answers::problems_json(*problems) : answers::problems_text(*problems));
  if (!printed) return printed;
  if (!context.json)
    note(problems->empty()       ? fmt::format("no findings in {}", what)
         : problems->size() == 1 ? "1 finding"
                                 : fmt::format("{} findings", problems->size()));
  return problems->empty() ? Exit::ok : Exit::differs;
}

Expected<Exit> run_info(Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto card = answers::show_matrix(*matrix);
  return written(context.json ? answers::card_json(card, **matrix)
                              : answers::card_text(card, **matrix, {.all = true, .sources = true}, util::Terminal::of_stdout()));
}

/// All or none into the folder, which is made where there is none.
Expected<Exit> write_files(const std::vector<matrix::ExportedFile>& files, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return fail(ErrorCode::bad_input, fmt::format("cannot create the folder ({})", failed.message()), folder.string());
  std::vector<util::NewFile> all;
  for (const auto& file : files) all.push_back({folder / file.name, file.text});
  if (auto wrote = util::write_files(all); !wrote) return tl::unexpected(wrote.error());
  note(fmt::format("wrote {} files to {}", files.size(), folder.string()));
  return Exit::ok;
}

Expected<Exit> run_export_as(Export format, const std::string& output, Context& context) {
  if (format == Export::markdown) {
    auto matrix = context.matrix();
    if (!matrix) return tl::unexpected(matrix.error());
    const auto page = answers::compatibility_page(*matrix);
    if (output.empty()) return written(page);
    return util::write_file(output, page).map([] { return Exit::ok; });
  }
  if (format == Export::csv && output.empty())
    return fail(ErrorCode::usage, "csv writes one file per list", {}, {"choose a folder with -o FOLDER"});
  if (format == Export::json && output.empty() && ::isatty(STDOUT_FILENO) == 1)
    return fail(ErrorCode::usage, "the data is too much JSON for a terminal", {},
                {"-o FOLDER writes them as the files of matrix/", "envgen matrix export json > facts.json"});
  const auto documents = context.documents();
  if (!documents) return tl::unexpected(documents.error());
  if (format == Export::csv) return write_files(matrix::as_csv_files(*documents), output);
  if (output.empty()) return written(matrix::as_one_json(*documents));
  return write_files(matrix::as_json_files(*documents), output);
}

Expected<Exit> run_export(const MatrixOptions& options, Context& context) {
  const auto named = std::find(export_names.begin(), export_names.end(), options.format);
  if (named != export_names.end())
    return run_export_as(static_cast<Export>(named - export_names.begin()), options.output, context);
  auto hints = did_you_mean(options.format, export_names, 1);
  hints.emplace_back("envgen matrix export json|csv|markdown");
  return fail(ErrorCode::usage, fmt::format("unknown export format {}", in_quotes(options.format)), {}, std::move(hints));
}

Error no_task(const MatrixOptions& options) {
  if (options.extra.empty()) return {ErrorCode::usage, "a subcommand is missing", {}, {std::string(tasks_hint)}};
  auto hints = did_you_mean(options.extra.front(), matrix_tasks, 1);
  hints.emplace_back(tasks_hint);
  return {ErrorCode::usage, fmt::format("unknown command {}", in_quotes(options.extra.front())), {}, std::move(hints)};
}

void setup_update_tasks(CLI::App& app, MatrixOptions* options, Context& context) {
  auto* update = app.add_subcommand("update", "Fetch new data from its sources and save it");
  update->parse_complete_callback([options] { options->task = Task::update; });
  add_update_options(*update, options->update, context);
  auto* verify = app.add_subcommand("verify", "Read the sources again, and report where the data in use differs from them");
  verify->parse_complete_callback([options] { options->task = Task::verify; });
  add_verify_options(*verify, options->update, context);
  auto* wheel =
      verify->add_option("--against-wheel", options->update.against_wheel, "compare the data with this torch wheel instead")
          ->type_name("FILE");
  verify->add_option("--against-image", options->update.against_image, "compare the data with the torch installed in this image")
      ->type_name("IMAGE")
      ->excludes(wheel);
  add_choice(*verify, "--engine", options->update.engine, image_engines,
             "the engine that has the image (default: auto, docker or else podman)");
  auto* add = app.add_subcommand("add", "Add a torch release from a wheel or from the package index");
  add->parse_complete_callback([options] { options->task = Task::add; });
  add_add_options(*add, options->update, context);
}

}  // namespace

Action setup_matrix(CLI::App& app, Context& context) {
  auto options = std::make_shared<MatrixOptions>();
  app.require_subcommand(0, 1);
  app.add_option("task", options->extra, "")->group("");  // a word that is no task lands here
  auto* lint = app.add_subcommand("lint", "Find errors in matrix files, and show each one's file and JSON pointer");
  lint->add_option("DIR", options->folders,
                   "folders of matrix files, later ones overriding earlier ones (default: the data in use)")
      ->type_name("");
  lint->parse_complete_callback([options = options.get()] { options->task = Task::lint; });
  add_format(*lint, context);
  auto* info = app.add_subcommand("info", "Show the revision, date, layers and size of the data in use");
  info->parse_complete_callback([options = options.get()] { options->task = Task::info; });
  add_format(*info, context);
  auto* to_export = app.add_subcommand("export", "Export the data in use as matrix files, as tables, or as a readable page");
  to_export
      ->add_option("FORMAT", options->format,
                   "json (the files of matrix/), csv (one table per list), markdown (a compatibility page)")
      ->type_name("");
  to_export
      ->add_option(
          "-o,--output", options->output,
          "a folder for json and csv, a file for markdown (default: standard output; not for csv, nor for JSON on a terminal)")
      ->type_name("PATH");
  to_export->parse_complete_callback([options = options.get()] { options->task = Task::export_facts; });
  setup_update_tasks(app, options.get(), context);
  return [options, &context]() -> Expected<Exit> {
    if (options->task != Task::none && !options->extra.empty())
      return fail(ErrorCode::usage, fmt::format("unexpected argument {}", in_quotes(options->extra.front())), {},
                  {"see 'envgen matrix --help'"});
    switch (options->task) {
      case Task::lint:
        return run_lint(*options, context);
      case Task::info:
        return run_info(context);
      case Task::export_facts:
        return run_export(*options, context);
      case Task::update:
        return run_update(options->update, context);
      case Task::verify:
        return run_verify(options->update, context);
      case Task::add:
        return run_add(options->update, context);
      case Task::none:
        break;
    }
    return tl::unexpected(no_task(*options));
  };
}

}  // namespace envgen::cli
