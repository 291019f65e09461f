#pragma once

#include "matrix/cell.hpp"
#include "matrix/tables.hpp"

namespace envgen::matrix {

/// Whether row `a` stands before `b` in a matrix file, by the fields of their key in turn: null first, numbers inside a text by
/// their value (`cu92` before `cu101`), names of things by their letters alone.
bool stands_before(const Table& table, const Json& a, const Json& b);

/// Puts a row where it belongs into a list whose rows stand in that order; one of the same key is replaced.
void insert_row(Json& list, const Table& table, Json row);

}  // namespace envgen::matrix
