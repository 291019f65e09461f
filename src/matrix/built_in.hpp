#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "matrix/matrix.hpp"
#include "model/error.hpp"

namespace envgen::matrix {

/// The facts that a program was built with: packed, as answers need them, and compressed, as others are laid over them.
struct BuiltIn {
  Matrix matrix;
  std::string_view documents;  ///< as `pack_documents` made it
};

/// What they are called where a folder has its path.
inline constexpr std::string_view built_in_name = "built in";

/// The matrix files of a folder in one compressed text, with the digest of the block that was packed of them: equal files are
/// equal bytes, whoever packs them and where. Errors: those of `Documents::read`.
Expected<std::string> pack_documents(const std::filesystem::path& folder, std::string_view block);

/// The text: an object of JSON whose members are the files. Errors (bad_input): it is damaged.
Expected<std::string> unpacked_documents(std::string_view packed);

/// SHA-256 of the block that goes with them.
std::string_view digest_of_block(std::string_view packed);

}  // namespace envgen::matrix
