#include "matrix/user_layer.hpp"

#include <sys/stat.h>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "matrix/block_cache.hpp"
#include "util/base_folders.hpp"
#include "util/sha256.hpp"

namespace envgen::matrix {
namespace {

/// The files of the folder as the system knows them, so that a change shows without reading them. Empty: there is none.
Expected<std::string> state_of(const std::filesystem::path& folder) {
  std::string state;
  for (const auto& name : file_names()) {
    const auto path = folder / name;
    struct ::stat file {};
    if (::stat(path.c_str(), &file) == 0) {
      state += fmt::format("{} {} {} {} {}.{} {}.{}\n", name, file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                           file.st_mtim.tv_nsec, file.st_ctim.tv_sec, file.st_ctim.tv_nsec);
    } else if (errno != ENOENT) {
      return fail(ErrorCode::bad_input, fmt::format("cannot read the file ({})", std::strerror(errno)), path.string());
    }
  }
  return state;
}

/// One file for each folder and each envgen: a layer that changes leaves no old ones behind.
std::string cache_name(const BuiltIn& built_in, const std::filesystem::path& folder) {
  constexpr std::size_t digits = 16;
  util::Sha256 digest;
  digest.add(digest_of_block(built_in.documents));
  digest.add(folder.string());
  return fmt::format("matrix-{}.block", digest.hex().substr(0, digits));
}

std::string made_of(const BuiltIn& built_in, const std::filesystem::path& folder, std::string_view state) {
  util::Sha256 digest;
  digest.add(digest_of_block(built_in.documents));
  digest.add(folder.string());
  digest.add(state);
  return digest.hex();
}

}  // namespace

std::string user_layer_folder() {
  auto data = util::user_data_folder();
  return data.empty() ? data : data + "/envgen/matrix";
}

std::string user_layer_cache() {
  auto cache = util::user_cache_folder();
  return cache.empty() ? cache : cache + "/envgen";
}

bool holds_matrix_files(const std::filesystem::path& folder) {
  const auto state = state_of(folder);
  return !state || !state->empty();
}

Expected<Documents> with_user_layer(const BuiltIn& built_in, const std::filesystem::path& folder) {
  auto documents = Documents::built_in(built_in.documents);
  if (!documents) return documents;
  if (auto added = documents->add_user_layer(folder); !added) return tl::unexpected(added.error());
  return documents;
}

Expected<std::unique_ptr<Block>> packed_with_user_layer(const BuiltIn& built_in, const std::filesystem::path& folder,
                                                        const std::filesystem::path& cache) {
  const auto state = state_of(folder);
  if (!state) return tl::unexpected(state.error());
  if (state->empty()) return nullptr;
  const BlockCache kept(cache / cache_name(built_in, folder), made_of(built_in, folder, *state));
  if (!cache.empty()) {
    if (auto block = kept.read()) return block;
  }
  const auto documents = with_user_layer(built_in, folder);
  if (!documents) return tl::unexpected(documents.error());
  auto block = block_of(load(*documents));
  if (!block || cache.empty()) return block;
  if (auto written = kept.write(**block); !written) return tl::unexpected(written.error());
  return block;
}

}  // namespace envgen::matrix
