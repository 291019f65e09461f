#include "nameless_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "failure.hpp"

namespace envgen::bench {

int nameless_file(const std::string& folder) {
  auto path = folder + "/.envgen-bench-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) throw TestFailed(system_failure("", "mkostemp", path, errno));
  ::unlink(path.c_str());
  return descriptor;
}

}  // namespace envgen::bench
