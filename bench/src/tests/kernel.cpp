#include <cstdio>
#include <vector>

#include "failure.hpp"
#include "generator.hpp"
#include "session.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {
namespace {

constexpr unsigned kernel_seed = 20'261;
constexpr unsigned poison = 0xdeadbeef;

}  // namespace

std::vector<Row> kernel(const Context& context) {
  const Driver driver = start_driver(context.places);
  const Session session(driver, context.device);
  const auto count = context.sizes.kernel_words;
  const auto memory = session.allocate(count * sizeof(unsigned));
  // A kernel that writes nothing must not find the right words by chance, neither there nor here.
  session.fill(memory, poison, count);
  session.generate(memory, count, kernel_seed);
  std::vector<unsigned> words(count, ~poison);
  session.to_host(words.data(), memory, count * sizeof(unsigned));
  session.synchronize();
  std::size_t wrong = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (words[i] == generated_word(kernel_seed, i)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong > 0) {
    char text[160];
    std::snprintf(text, sizeof text, "%zu of %zu words are wrong; the first is word %zu: %08x, expected %08x", wrong, count,
                  first, words[first], generated_word(kernel_seed, first));
    Failure failure;
    failure.message = text;
    throw TestFailed(failure);
  }
  Row row;
  row.status = Status::pass;
  row.message = std::to_string(count) + " words compared";
  row.evidence = {{"words", count}, {"seed", kernel_seed}, {"ptx_isa", "6.3"}, {"ptx_target", "sm_50"}};
  return {row};
}

}  // namespace envgen::bench::tests
