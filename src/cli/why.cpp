#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/answer.hpp"
#include "cli/format_option.hpp"
#include "cli/request_options.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {
namespace {

/// `torch 2.6 cuda 12.1 gpu 5090` as request flags.
Expected<RequestOptions> read_words(const std::vector<std::string>& words) {
  RequestOptions options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto* found = std::find(field_names.begin(), field_names.end(), words[i]);
    if (found == field_names.end()) {
      std::vector<std::string> hints;
      for (const auto& near : nearest_spellings(words[i], field_names, 1)) hints.push_back("did you mean " + near + "?");
      hints.push_back(fmt::format("known: {}", fmt::join(field_names, ", ")));
      return fail(ErrorCode::usage, fmt::format("{} is no field of a request", in_quotes(words[i])), "why", std::move(hints));
    }
    if (i + 1 == words.size())
      return fail(ErrorCode::usage, fmt::format("{} has no value", in_quotes(words[i])), "why",
                  {"write it as in: envgen why torch 2.6 cuda 12.1"});
    const auto field = static_cast<Field>(found - field_names.begin());
    if (field == Field::gpu) {
      options.gpus.push_back(words[i + 1]);
    } else if (field == Field::host) {
      options.hosts.push_back(words[i + 1]);
    } else if (std::any_of(options.singles.begin(), options.singles.end(), [&](const auto& one) { return one.first == field; })) {
      return fail(ErrorCode::usage, fmt::format("{} stands twice", in_quotes(words[i])), "why",
                  {"a range is written '>=2.3,<2.5'"});
    } else {
      options.singles.emplace_back(field, words[i + 1]);
    }
  }
  return options;
}

Expected<Exit> run_why(const std::vector<std::string>& words, Context& context) {
  const auto options = read_words(words);
  if (!options) return tl::unexpected(options.error());
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto request = make_request(*options, {}, *matrix);
  if (!request) return tl::unexpected(request.error());
  AnswerOptions answer;
  answer.explain = true;
  return answer_request(*request, answer, *matrix, context);
}

}  // namespace

Action setup_why(CLI::App& app, Context& context) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("words", *words, "fields and values: torch 2.6 cuda 12.1 gpu 5090")->required()->type_name("FIELD VALUE ...");
  add_format_option(app, context);
  return [words, &context] { return run_why(*words, context); };
}

}  // namespace envgen::cli
