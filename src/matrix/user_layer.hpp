#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "matrix/built_in.hpp"
#include "matrix/loader.hpp"

namespace envgen::matrix {

/// Where the user's facts lie, `$XDG_DATA_HOME/envgen/matrix`, and where what is packed of them is kept. Empty: nowhere.
std::string user_layer_folder();
std::string user_layer_cache();

/// Whether there is a matrix file in the folder.
bool holds_matrix_files(const std::filesystem::path& folder);

/// The built-in facts with the user's folder of facts over them.
Expected<Documents> with_user_layer(const BuiltIn& built_in, const std::filesystem::path& folder);

/// The same, packed. nullptr: the folder does not exist, or holds no matrix file. What was packed is kept in the folder `cache`
/// (empty: nowhere) and taken from there as long as neither the files nor the built-in facts change.
/// Errors (bad_input): the first problem of the folder's files, with the number of the others. (interrupted): a signal came while
/// it was kept.
Expected<std::unique_ptr<Block>> packed_with_user_layer(const BuiltIn& built_in, const std::filesystem::path& folder,
                                                        const std::filesystem::path& cache);

}  // namespace envgen::matrix
