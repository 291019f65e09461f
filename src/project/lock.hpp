#pragma once

#include <filesystem>
#include <string>

#include "model/environment.hpp"
#include "model/error.hpp"
#include "model/request.hpp"
#include "util/json_cell.hpp"

namespace envgen::project {

inline constexpr std::string_view lock_file_name = "envgen.lock";
/// Where the lock of a project file is: `envgen.lock` beside `envgen.json`, `gpu.lock` beside `gpu.json`, `gpu.jsonc.lock` beside
/// `gpu.jsonc`.
std::filesystem::path lock_beside(const std::filesystem::path& project);
/// The command that writes this lock, for a hint: `envgen lock`, with `--project` where its project file is beside it, else with
/// `-o`; then `options` (` --force`).
std::string lock_command(const std::filesystem::path& lock, std::string_view options = "");
inline constexpr std::size_t largest_lock = std::size_t{4} << 20;
/// A reader refuses a higher number; members that it does not know are additions, and free.
inline constexpr int lock_schema_version = 1;

/// One answer, kept: what was asked, what was chosen, and by which facts. It needs no matrix to be used again.
struct Lock {
  std::string matrix_revision;
  std::string matrix_hash;  ///< SHA-256 of the facts
  Request request;
  Environment environment;
  bool edited = false;  ///< its text was changed after it was written
};

/// The bytes of envgen.lock: the same lock gives the same bytes, on every machine and at every time. The member `integrity`
/// is the SHA-256 of all the others. It tells an edit by hand; it is no signature.
std::string lock_text(const Lock& lock);

/// `sha256:...` of what a lock promises: its environment, pins, variables, frozen packages and images. Two locks that promise the
/// same have the same, whoever asked, in whatever words, and whatever else the matrix has come to know.
std::string promise_of(const Lock& lock);

/// Whether a lock that was edited by hand is an error.
enum class Edited { refused, accepted };

/// Whether an error says how the lock is written anew, which is no advice where the file may be anything.
enum class Advice { rewrite, none };

/// Reads a lock. Errors (bad_input), with the file and the JSON pointer and the command that fixes it: not there, larger
/// than 4 MiB, empty, not JSON or cut short, nested too deep, of a newer schema, edited by hand, a missing member, a wrong type.
Expected<Lock> read_lock(const std::filesystem::path& path, Advice advice = Advice::rewrite);
Expected<Lock> parse_lock(const std::string& text, const std::string& name, Edited edited);

/// Reads back what a lock holds of its environment: `answer` is an object with the members `environment`, `pins`, `env`,
/// `warnings`, `reasons` and perhaps `frozen`. Members that are not known are left alone: additions are free. Problems go where
/// the cell's go: a missing member, a wrong type, a text that holds a control character.
Environment read_environment(const util::JsonCell& answer);

}  // namespace envgen::project
