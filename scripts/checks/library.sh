#!/usr/bin/env bash
# The C++ library, as others get it: built, installed, moved, found by CMake, and linked into examples/cpp-library, which says what the tool says. A
# program that brings a zlib and a fmt of its own links, too; and a plain installation holds nothing of it. The release build must be there.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
repository=$PWD envgen=$PWD/build/release/src/envgen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

cmake --build --preset release --target envgen_development >/dev/null
cmake --install build/release --prefix "$work/installed" --component Development >/dev/null
cmake --install build/release --prefix "$work/plain" >/dev/null
mv "$work/installed" "$work/moved"

holds_its_api_alone() {
  nm --defined-only --extern-only "$work/moved/lib/libenvgen.a" | awk 'NF == 3 { print $3 }' >"$work/symbols"
  [[ -s "$work/symbols" ]]
  ! grep -v 'N6envgen7library' "$work/symbols" || return
}
is_in_no_plain_installation() {
  local found
  found=$(find "$work/plain" -name '*.a' -o -name '*.hpp' -o -name '*.cmake')
  [[ -z "$found" ]] || {
    printf '%s\n' "$found"
    return 1
  }
}
# built SOURCE BUILD
built() {
  cmake -S "$1" -B "$2" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_BUILD_TYPE=Release
  cmake --build "$2"
}
# says STATUS COMMAND...: with that exit status; what is printed in $work/out
says() {
  local status=0
  "${@:2}" >"$work/out" 2>&1 || status=$?
  ((status == $1)) || {
    printf 'exit status %d, expected %d:\n' "$status" "$1"
    cat "$work/out"
    return 1
  }
}
says_what_is_installed() {
  says 0 "$example" images/torch2.13-cpu/envgen.json
  local words
  words=$("$envgen" resolve --project images/torch2.13-cpu/envgen.json --json | python3 -c 'import json, sys
for command in json.load(sys.stdin)["install"]: print(" ".join(command))')
  [[ -n "$words" && "$(head -n "$(wc -l <<<"$words")" "$work/out")" == "$words" ]]
  grep -qx "Dockerfile: $(stat -c %s images/torch2.13-cpu/Dockerfile) bytes" "$work/out"
}
proves() {
  echo '{"request": {"torch": "2.3", "gpus": ["5090"]}}' >"$work/envgen.json"
  says 3 "$example" "$work/envgen.json"
  grep -qF 'No environment satisfies torch 2.3 and gpu 5090.' "$work/out"
}
refuses_a_bad_request() {
  echo '{"request": {"torch": "2.x"}}' >"$work/envgen.json"
  says 4 "$example" "$work/envgen.json"
  diff - "$work/out" <<'END'
envgen.json#/request/torch: '2.x' is not a version number (only digits and dots are allowed)
  2 means any 2.x; '==2.*' means the same
END
}
# Of what is inside of the library, this has a part of its own: the same release of each, and a type of envgen's by another meaning.
with_libraries_of_its_own() {
  mkdir "$work/own"
  cat >"$work/own/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(own LANGUAGES CXX)
find_package(envgen 0.1 REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
add_executable(own main.cpp)
target_link_libraries(own PRIVATE envgen::envgen fmt::fmt-header-only ZLIB::ZLIB)
END
  cat >"$work/own/main.cpp" <<'END'
#include <envgen/envgen.hpp>
#include <fmt/format.h>
#include <zlib.h>
namespace envgen {
struct Request {
  int value = 7;
  ~Request() { fmt::print("{} {}\n", value, 1.5); }
};
}  // namespace envgen
int main() {
  const envgen::Request mine;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>("a"), 1);
  const auto answer = envgen::library::resolve(R"({"request": {"torch": "2.3"}})");
  return sum == 0xe8b7be43 && !answer.lock.empty() ? 0 : 1;
}
END
  built "$work/own" "$work/own-build"
  says 0 "$work/own-build/own"
  diff - "$work/out" <<<"7 1.5"
}
another_version_is_refused() {
  sed -i 's/envgen 0.1 REQUIRED/envgen 9.0 REQUIRED/' "$work/own/CMakeLists.txt"
  ! cmake -S "$work/own" -B "$work/refused" -DCMAKE_PREFIX_PATH="$work/moved" >"$work/out" 2>&1 || return
  grep -qF "requested version \"9.0\"" "$work/out" || { cat "$work/out"; return 1; }
}

example=$work/example/install_line
must "nothing is seen but the API" holds_its_api_alone
must "a plain installation" is_in_no_plain_installation
must "the example is built" built "$repository/examples/cpp-library" "$work/example"
must "the example: an environment" says_what_is_installed
must "the example: a proof" proves
must "the example: a refusal" refuses_a_bad_request
must "a program with libraries of its own" with_libraries_of_its_own
must "another version" another_version_is_refused
book
