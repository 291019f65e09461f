#pragma once
// Included by each file that scripts/mutate.sh changes: which change is on (ENVGEN_MUTANT), and which were come upon
// (ENVGEN_MUTANT_TRACE, a file with a byte for each that all processes share).
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace mutant {

inline const int active = [] {
  const char* value = std::getenv("ENVGEN_MUTANT");
  return value == nullptr ? 0 : std::atoi(value);
}();

inline unsigned char* const trace = []() -> unsigned char* {
  const char* path = std::getenv("ENVGEN_MUTANT_TRACE");
  const int file = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
  struct stat facts {};
  if (file < 0 || ::fstat(file, &facts) != 0) return nullptr;
  void* memory = ::mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<unsigned char*>(memory);
}();

constexpr bool on(int number) {
  if (std::is_constant_evaluated()) return false;
  if (trace != nullptr) trace[number] = 1;
  return active == number;
}

}  // namespace mutant
