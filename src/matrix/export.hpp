#pragma once

#include <string>
#include <vector>

#include "matrix/documents.hpp"

namespace envgen::matrix {

struct ExportedFile {
  std::string name;  ///< without folder
  std::string text;
};

/// The files of matrix/, of all layers: what was read from one folder alone comes back as it was.
std::vector<ExportedFile> as_json_files(const Documents& documents);

/// The same as one object, whose members are the files.
std::string as_one_json(const Documents& documents);

/// A table for each list, `torch-builds.csv`, and one of the sources, as RFC 4180 has them. A member of an object inside a row is
/// a column (`wheel_index.url`); a list of texts has blanks between them, and what else is no single value is JSON. Null is an
/// empty cell, and so is what was left out; an empty list is `[]`.
std::vector<ExportedFile> as_csv_files(const Documents& documents);

}  // namespace envgen::matrix
