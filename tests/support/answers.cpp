#include "support/answers.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "answers/proof.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/request_text.hpp"

namespace envgen::test {

Answered ask(std::string_view text) {
  const auto matrix = matrix::embedded();
  auto request = request_of(text);
  auto query = resolver::interpret(matrix, request);
  if (!query) throw std::runtime_error(fmt::format("{}: {}", text, query.error().message));
  auto answer = resolver::resolve(matrix, *query);
  return {std::move(request), std::move(*query), std::move(answer)};
}

std::optional<Environment> environment_of(std::string_view text) {
  const auto answered = ask(text);
  const auto* solution = std::get_if<resolver::Solution>(&answered.answer);
  if (solution == nullptr) return std::nullopt;
  return resolver::materialize(matrix::embedded(), answered.query, *solution);
}

Environment must(std::string_view request) {
  auto environment = environment_of(request);
  if (!environment) throw std::runtime_error(std::string(request) + ": " + summary(request));
  return std::move(*environment);
}

std::string summary(std::string_view text) {
  const auto answered = ask(text);
  if (const auto* conflict = std::get_if<resolver::Conflict>(&answered.answer)) {
    std::string values;
    for (const auto index : conflict->values) {
      values += values.empty() ? "" : ", ";
      values += name_of(answered.query.values[static_cast<std::size_t>(index)].field);
    }
    return "conflict: " + values;
  }
  if (const auto* unknown = std::get_if<resolver::Unknown>(&answered.answer))
    return "unknown: " + answers::missing_of(matrix::embedded(), answered.query, *unknown).message;
  const auto environment =
      resolver::materialize(matrix::embedded(), answered.query, std::get<resolver::Solution>(answered.answer));
  const auto& build = environment.build();
  return fmt::format("{} {}+{} python {} {} {}", environment.torch ? "torch" : "tensorflow", build.version, build.tag,
                     environment.python, environment.os.value_or("unknown"), name_of(environment.base));
}

std::string usage_error(std::string_view text) {
  const auto query = resolver::interpret(matrix::embedded(), request_of(text));
  return query ? "" : query.error().message;
}

}  // namespace envgen::test
