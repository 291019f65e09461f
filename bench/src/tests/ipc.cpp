#include "ipc_facts.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {

std::vector<Row> ipc(const Context& context) {
  const auto facts = ipc_facts(context.options.canary);
  const auto mode = ipc_mode(facts, context.options.canary);
  Row row;
  row.kind = Kind::information;
  row.status = mode.name == "unknown" ? Status::unknown : Status::pass;
  row.message = mode.name + ": " + mode.why;
  row.evidence = to_json(facts);
  row.evidence["mode"] = mode.name;
  row.evidence["why"] = mode.why;
  return {row};
}

}  // namespace envgen::bench::tests
