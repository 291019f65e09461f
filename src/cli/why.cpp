#include <CLI/CLI.hpp>

#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/request_options.hpp"

namespace envgen::cli {
namespace {

struct WhyOptions {
  std::vector<std::string> words;
  bool all = false;
  bool sources = false;
};

Expected<Exit> run_why(const WhyOptions& why, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto options = read_words(why.words, [&](const std::string& word) { return matrix->os_as_written(word) != nullptr; });
  if (!options) return tl::unexpected(options.error());
  const auto request = make_request(*options, {}, *matrix);
  if (!request) return tl::unexpected(request.error());
  const auto answer = api::answer(*matrix, *request);
  if (!answer) return tl::unexpected(answer.error());
  return show(*answer, {.detail = {.reasons = true, .sources = why.sources, .brief = !why.all && !why.sources}}, *matrix,
              context);
}

}  // namespace

Action setup_why(CLI::App& app, Context& context) {
  auto options = std::make_shared<WhyOptions>();
  app.add_option("words", options->words, "fields and values: torch 2.6 cuda 12.1 gpu 5090")
      ->required()
      ->type_name("FIELD VALUE");
  add_format(app, context);
  app.add_flag("--all", options->all, "every value, the pins and notes, and the builds that each value ruled out")
      ->group("Output");
  app.add_flag("--sources", options->sources, "also list the source of each fact")->group("Output");
  return [options, &context] { return run_why(*options, context); };
}

}  // namespace envgen::cli
