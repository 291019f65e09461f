#include "tests/table.hpp"

#include "tests/tests.hpp"

namespace envgen::bench {

const std::vector<Test>& all_tests() {
  static const std::vector<Test> tests{
      {"probe", "driver, libraries, device nodes and GPUs", Kind::functional, Scope::machine, true, "", tests::probe, nullptr},
      {"ipc", "whose IPC namespace and /dev/shm these are", Kind::information, Scope::machine, true, "", tests::ipc, nullptr},
  };
  return tests;
}

bool matches(const Test& test, const std::string& name) { return test.id == name || test.id.starts_with(name + "-"); }

}  // namespace envgen::bench
