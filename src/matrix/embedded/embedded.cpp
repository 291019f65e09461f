#include "matrix/embedded/embedded.hpp"

extern "C" const char envgen_matrix_begin[];

namespace envgen::matrix {

Matrix embedded() { return Matrix(*reinterpret_cast<const Root*>(envgen_matrix_begin)); }

}  // namespace envgen::matrix
