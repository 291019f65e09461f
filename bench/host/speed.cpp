// How many requests a second the library answers. Each line of the output is one kind of request.
#include <benchmark/benchmark.h>

#include "large_matrix.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/resolver.hpp"
#include "support/answer_json.hpp"

namespace {

using namespace envgen;

Request request(std::initializer_list<std::pair<Field, const char*>> values) {
  Request result;
  for (const auto& [field, text] : values) result.values.push_back({field, text, Origin::flag, "--flag"});
  return result;
}

const Request& sample(int kind) {
  static const Request requests[] = {
      request({{Field::torch, "2.3"}, {Field::cuda, "12.1"}}),
      request({{Field::gpu, "4090"}, {Field::driver, "535"}}),
      request({{Field::gpu, "V100"}, {Field::gpu, "B200"}}),
      request({{Field::torch, ">=2.3,<2.8"},
               {Field::python, "3.11"},
               {Field::gpu, "A100"},
               {Field::driver, "550.54.15"},
               {Field::variant, "devel"}}),
  };
  return requests[kind];
}

/// From texts to the chosen rows.
void resolve_request(benchmark::State& state) {
  const auto matrix = matrix::embedded();
  const auto& asked = sample(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto query = resolver::interpret(matrix, asked);
    benchmark::DoNotOptimize(resolver::resolve(matrix, *query));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(resolve_request)->DenseRange(0, 3);

/// From texts to the bytes of the full JSON answer.
void answer_request(benchmark::State& state) {
  const auto matrix = matrix::embedded();
  const auto& asked = sample(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto query = resolver::interpret(matrix, asked);
    benchmark::DoNotOptimize(test::answer_json(matrix, asked, *query, resolver::resolve(matrix, *query), 0));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(answer_request)->DenseRange(0, 3);

/// A proof with its nearest environments.
void prove_conflict(benchmark::State& state) {
  const auto matrix = matrix::embedded();
  const auto asked = request({{Field::torch, "2.3"}, {Field::gpu, "5090"}});
  for (auto _ : state) {
    const auto query = resolver::interpret(matrix, asked);
    benchmark::DoNotOptimize(resolver::resolve(matrix, *query));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(prove_conflict);

/// 100,000 builds: the first that serves a 5090, the oldest release of all, and a proof that one release does not serve it.
void resolve_large(benchmark::State& state) {
  static const auto block = bench::large_matrix(100000);
  if (!block) {
    state.SkipWithError("the large matrix was not created");
    return;
  }
  const auto matrix = block->matrix();
  const Request requests[] = {request({{Field::gpu, "5090"}}), request({{Field::torch, "3.0.0"}, {Field::gpu, "5090"}}),
                              request({{Field::torch, "3.0.1"}, {Field::gpu, "5090"}})};
  const auto& asked = requests[state.range(0)];
  for (auto _ : state) {
    const auto query = resolver::interpret(matrix, asked);
    benchmark::DoNotOptimize(resolver::resolve(matrix, *query));
  }
}
BENCHMARK(resolve_large)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
