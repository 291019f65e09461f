#include "matrix/embedded/embedded.hpp"

extern "C" {
extern const char envgen_matrix_begin[];
extern const char envgen_documents_begin[];
extern const char envgen_documents_end[];
}

namespace envgen::matrix {

Matrix embedded() { return Matrix(*reinterpret_cast<const Root*>(envgen_matrix_begin)); }

BuiltIn embedded_with_documents() {
  return {embedded(), {envgen_documents_begin, static_cast<std::size_t>(envgen_documents_end - envgen_documents_begin)}};
}

}  // namespace envgen::matrix
