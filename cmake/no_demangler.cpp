// The C++ runtime has a demangler of 100 KB, with which it would print the type of an exception that nobody caught. Packages do
// without: a linker takes this function and leaves that one in its archive, and the type is printed mangled.
#include <cstddef>

// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is the runtime's
extern "C" char* __cxa_demangle(const char* /*mangled*/, char* /*output*/, std::size_t* /*length*/, int* status) {
  constexpr int no_memory = -1;  // https://itanium-cxx-abi.github.io/cxx-abi/abi.html#demangler
  if (status != nullptr) *status = no_memory;
  return nullptr;
}
