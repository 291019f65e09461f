#pragma once

#include <string>
#include <vector>

#include <dlfcn.h>

/// How the lists of `api/` are read. A list names each function once: `X(need, symbol, result, (parameters))`. From it come the
/// members of a table of function pointers, the binding of that table to an opened library, and the comparison with the real
/// headers (tests/bench/api_headers). `symbol` is what the library exports, version suffix included.
#define ENVGEN_API_MEMBER(need, symbol, result, parameters) result(*symbol) parameters = nullptr;
#define ENVGEN_API_BIND(need, symbol, result, parameters) \
  envgen::bench::api::bind(library, #symbol, envgen::bench::api::Need::need, table.symbol, missing);

namespace envgen::bench::api {

/// Whether a library without the symbol is refused, or the test that needs it is left out.
enum class Need { required, optional };

template <class Function>
void bind(void* library, const char* name, Need need, Function& function, std::vector<std::string>& missing) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr && need == Need::required) missing.emplace_back(name);
}

}  // namespace envgen::bench::api
