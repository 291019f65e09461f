// A folder of matrix files from anybody: `%%%` and a file's name on a line of its own, then that file's text. What loads must
// also answer, whatever the facts say. `matrix lint` reads the same folder.
#include <nlohmann/json.hpp>

#include "answers/facts.hpp"
#include "fuzz/fuzz.hpp"
#include "matrix/lint.hpp"
#include "resolver/resolver.hpp"
#include "support/answer_json.hpp"
#include "support/matrix_folder.hpp"

namespace {

using namespace envgen;
using fuzz::require;

void answer(const matrix::Matrix& matrix, const Request& request) {
  const auto query = resolver::interpret(matrix, request);
  if (!query) return;
  const auto answer = resolver::resolve(matrix, *query);
  const auto json = test::answer_json(matrix, request, *query, answer, 0);
  require(nlohmann::json::accept(json), "an answer is JSON");
}

void require_problem(const Error& problem) {
  require(!problem.message.empty() && !problem.origin.empty(), "a problem says what and where");
  require(fuzz::one_line(problem.message) && fuzz::one_line(problem.origin), "each in one line, whatever the file holds");
  for (const auto& hint : problem.hints) require(fuzz::one_line(hint), "and so is every hint");
}

void lint(const test::MatrixFolder& folder, bool loads) {
  const auto findings = matrix::lint({folder.path()});
  if (!findings) {
    require(!loads, "what loads can be looked at");
    return require_problem(findings.error());
  }
  require(loads || !findings->empty(), "what does not load has a fault");
  for (const auto& finding : *findings) require_problem(finding);
  require(nlohmann::json::accept(answers::problems_json(*findings)), "findings are JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const test::MatrixFolder folder;
  for (const auto part : fuzz::split(fuzz::text_of(data, size), "%%%")) {
    const auto end = part.find('\n');
    if (end == std::string_view::npos) continue;
    for (const std::string_view file : {"matrix", "torch", "conda", "cuda", "cudnn", "drivers", "gpus", "images", "tensorflow",
                                        "os", "pitfalls", "presets", "mirrors"}) {
      if (part.substr(0, end) == file) folder.write(std::string(file) + ".json", part.substr(end + 1));
    }
  }
  const auto loaded = folder.load();
  require(loaded.block != nullptr || !loaded.problems.empty(), "a matrix loads, or there is a problem");
  for (const auto& problem : loaded.problems) require_problem(problem);
  lint(folder, loaded.block != nullptr);
  if (loaded.block == nullptr) return 0;
  const auto matrix = loaded.block->matrix();
  answer(matrix, {});
  answer(matrix, {{{Field::torch, "2.3", Origin::flag, "--torch"},
                   {Field::gpu, "8.9", Origin::flag, "--gpu"},
                   {Field::driver, "535", Origin::flag, "--driver"}}});
  answer(matrix, {{{Field::torch, "2.3", Origin::flag, "--torch"}, {Field::gpu, "12.0", Origin::flag, "--gpu"}}});
  answer(matrix,
         {{{Field::tensorflow, "2.15", Origin::flag, "--tensorflow"}, {Field::installer, "pip", Origin::flag, "--installer"}}});
  return 0;
}
