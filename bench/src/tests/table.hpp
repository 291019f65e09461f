#pragma once

#include <string>
#include <vector>

#include "context.hpp"
#include "row.hpp"

namespace envgen::bench {

/// What a test is made for: once for the machine, once for each GPU, for all GPUs together, or for each ordered pair of GPUs.
enum class Scope { machine, device, all_devices, pair };

struct Test {
  std::string id;
  std::string about;  ///< one line for --list
  Kind kind;          ///< of its main row; a speed has a row of its own, `ID.speed`
  Scope scope;
  bool in_smoke;
  std::string timeout_failure;  ///< the id of the failure that a hang of this test means, or ""
  /// Runs in a child process. Throws TestFailed or TestSkipped; its first row is the test's own.
  std::vector<Row> (*run)(const Context& context);
};

/// Every test, in the order in which they run: what others lean on comes first.
const std::vector<Test>& all_tests();

/// Whether `name` is the test's id, or the part of it before a dash (`gemm` for `gemm-bf16`).
bool matches(const Test& test, const std::string& name);

}  // namespace envgen::bench
