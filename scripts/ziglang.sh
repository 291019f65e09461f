# shellcheck shell=bash
# Sourced after common.sh by what builds for an older glibc than this machine's, with the clang of the package ziglang: 2.17 is the first
# glibc that has aarch64, and the oldest that the name of a wheel can ask for. Exit status 77: the package cannot be installed.
#   zig_tools TARGET           prints a folder with its cc, c++, ar and ranlib
#   portable_cxx TARGET WORD...  its C++20 compiler; ccache keeps what `-c` makes
# TARGET: x86_64 or aarch64, and with -musl behind it for Alpine, whose C library can load libcurl only into a program that is linked to it dynamically.
ziglang_version=0.17.1
glibc=2.17
out=$PWD/build/bench
venv=$out/ziglang-$ziglang_version
if [[ ! -x "$venv/bin/python" ]] || ! "$venv/bin/python" -c 'import ziglang' 2>/dev/null; then
  say "installing ziglang $ziglang_version into $venv"
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet "ziglang==$ziglang_version"; } || {
    echo "ziglang $ziglang_version cannot be installed with pip (package python3-venv, and a package index)"
    exit 77
  }
fi
ziglang=$("$venv/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')
export ZIG_GLOBAL_CACHE_DIR=$out/cache ZIG_LOCAL_CACHE_DIR=$out/cache

# script FILE WORD...: a program of one name for several words, which adds its own arguments.
script() {
  printf '#!/bin/sh\nexec' >"$1"
  printf ' %q' "${@:2}" >>"$1"
  printf ' "$@"\n' >>"$1"
  chmod +x "$1"
}

# By itself zig makes debug information, which only the next step would strip; and it compiles its C++ library once for each degree of
# optimisation that a program is linked with, CMake's trials of the compiler included. Functions that are the same are there once, and only those that
# an exception can leave have an entry in the unwind tables: 5 % of the code and a fifth of the tables.
zig_words() {
  case $1 in
    *-musl) printf '%s\n' -target "${1%-musl}-linux-musl" -dynamic ;;
    *) printf '%s\n' -target "$1-linux-gnu.$glibc" ;;
  esac
  printf '%s\n' -g0 -O2 -Xclang -fmerge-functions -Xclang -funwind-tables=0
}

zig_tools() {
  local folder=$out/tools/$1 words
  mapfile -t words < <(zig_words "$1")
  mkdir -p "$folder"
  script "$folder/cc" "$ziglang/zig" cc "${words[@]}"
  script "$folder/c++" "$ziglang/zig" c++ "${words[@]}"
  script "$folder/ar" "$ziglang/zig" ar
  script "$folder/ranlib" "$ziglang/zig" ranlib
  printf '%s\n' "$folder"
}

# with_ccache ARCHITECTURE COMMAND...: ccache can tell neither what kind of compiler stands behind a script nor which.
with_ccache() {
  CCACHE_COMPILERTYPE=clang CCACHE_COMPILERCHECK="string:ziglang $ziglang_version $(zig_words "$1" | tr '\n' ' ')" "${@:2}"
}

portable_cxx() {
  local compiler launcher=()
  compiler=$(zig_tools "$1")/c++
  if command -v ccache >/dev/null; then launcher=(ccache); fi
  with_ccache "$1" "${launcher[@]}" "$compiler" -std=c++20 "${@:2}"
}
