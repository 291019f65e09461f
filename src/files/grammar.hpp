#pragma once

#include <string>
#include <string_view>

#include "model/error.hpp"

/// What a user may write into an output, by the grammar of what it is. Everything else is refused by name, so that no value can
/// end a line, start an option or be run. Errors (usage), with `where` as the origin.
namespace envgen::files {

/// The same grammars as regular expressions of the whole text, in what ECMAScript and POSIX have in common: editors get them by
/// the schema of envgen.json. What goes beyond a form (names of the system, lengths) is checked by the functions alone.
namespace grammar {
inline constexpr std::string_view apt_package = "[a-z0-9][a-z0-9+.-]*[a-z0-9+.](=[A-Za-z0-9]([A-Za-z0-9.+:~-]*[A-Za-z0-9.+~])?)?";
inline constexpr std::string_view pip_requirement =
    "[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"
    "( ?\\[[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?( ?, ?[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)*\\])?"
    "( ?(===?|~=|!=|<=?|>=?) ?[A-Za-z0-9][A-Za-z0-9.*+!_-]*( ?, ?(===?|~=|!=|<=?|>=?) ?[A-Za-z0-9][A-Za-z0-9.*+!_-]*)*)?";
inline constexpr std::string_view user_name = "[a-z_][a-z0-9_-]{0,31}";
/// A host, and a port that may follow; a path of this machine has none.
inline constexpr std::string_view url =
    "(https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?|file:///[A-Za-z0-9._~-]+)(/[A-Za-z0-9._~:/+%=,-]*)?";
/// How long a tag and a digest are is not the pattern's: a counted repetition makes it ten times as slow.
inline constexpr std::string_view image =
    "([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?/)?"
    "[a-z0-9]+(([.]|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+(([.]|_|__|-+)[a-z0-9]+)*)*"
    "(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?(@sha256:[0-9a-f]+)?";
inline constexpr std::string_view path = "[A-Za-z0-9._/][A-Za-z0-9._/+@-]*";
inline constexpr std::string_view envgen_version = "[0-9][0-9A-Za-z.+-]*";
inline constexpr std::string_view sha256 = "[0-9a-f]{64}";
inline constexpr std::string_view runner_label = "[A-Za-z0-9][A-Za-z0-9._-]*";
/// Bytes from a megabyte on, or with a unit: a bare `8` is hardly meant as eight bytes.
inline constexpr std::string_view size = "([1-9][0-9]{6,11}[bB]?|[1-9][0-9]{0,11}[kKmMgG][bB]?)";
}  // namespace grammar

/// A package of Debian or Ubuntu, with a version where it has one: `libgl1`, `git=1:2.39.5-0`.
/// Debian Policy Manual, 5.6.1 (names) and 5.6.12 (versions). A name that ends in `-` would remove a package (apt-get(8)).
Expected<void> check_apt_package(std::string_view text, const std::string& where);

/// A requirement of pip by name: `numpy`, `uvicorn[standard]>=0.30,<1`. PEP 508 without URLs and markers.
Expected<void> check_pip_requirement(std::string_view text, const std::string& where);

/// The name of a user: useradd(8), `[a-z_][a-z0-9_-]*`, at most 32 bytes, and neither a user nor a group of the system.
Expected<void> check_user_name(std::string_view text, const std::string& where);

/// A hash of a file as pip takes it: `sha256:` and its digits.
Expected<void> check_hash(std::string_view text, const std::string& where);

/// An address that others append a path to, as pip and uv do to that of an index (`/numpy/`): an http, https or file URL without
/// credentials, a query and a fragment. Behind a query pip's path would be a part of it, and what it holds is often a token.
Expected<void> check_url(std::string_view text, const std::string& where);

/// The same of an address to which envgen itself adds a path.
Expected<void> check_base_url(std::string_view text, const std::string& where);

/// A channel of conda by its name: `conda-forge`, `nvidia/label/cuda-12.1.1`.
Expected<void> check_conda_channel(std::string_view text, const std::string& where);

/// An image: `[REGISTRY[:PORT]/]NAME[:TAG][@DIGEST]`, the grammar of the distribution project's reference package.
Expected<void> check_image(std::string_view text, const std::string& where);

/// A path that needs no quotes in a shell, in an option of docker that is parted by commas, and in YAML.
Expected<void> check_path(std::string_view text, const std::string& where);

/// A release of envgen: `1.0.0`, `1.1.0-rc.1`. It is part of a path.
Expected<void> check_envgen_version(std::string_view text, const std::string& where);

/// A SHA-256 as sha256sum writes it.
Expected<void> check_sha256(std::string_view text, const std::string& where);

/// A label of a runner of GitHub, or a tag of one of GitLab, without spaces: `self-hosted`.
Expected<void> check_runner_label(std::string_view text, const std::string& where);

/// A size of memory as docker takes it: `512m`, `8g`, `8gb`.
Expected<void> check_size(std::string_view text, const std::string& where);

}  // namespace envgen::files
