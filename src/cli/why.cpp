#include <CLI/CLI.hpp>

#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/request_options.hpp"

namespace envgen::cli {
namespace {

Expected<Exit> run_why(const std::vector<std::string>& words, Context& context) {
  const auto options = read_words(words);
  if (!options) return tl::unexpected(options.error());
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto request = make_request(*options, {}, *matrix);
  if (!request) return tl::unexpected(request.error());
  const auto answer = api::answer(*matrix, *request);
  if (!answer) return tl::unexpected(answer.error());
  return show(*answer, {.explain = true}, *matrix, context);
}

}  // namespace

Action setup_why(CLI::App& app, Context& context) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("words", *words, "fields and values: torch 2.6 cuda 12.1 gpu 5090")->required()->type_name("FIELD VALUE");
  add_format(app, context);
  return [words, &context] { return run_why(*words, context); };
}

}  // namespace envgen::cli
