#!/usr/bin/env bash
# Builds build/portable/{x86_64,aarch64}/envgen, which run wherever glibc is 2.17 or newer, with the clang of the package ziglang, and holds
# them to that: no newer symbol, nothing but the C library's parts linked, the same answers as the native build.
# usage: portable.sh [ARCHITECTURE...]    x86_64, aarch64 (default: both)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# shellcheck source=scripts/ziglang.sh
source scripts/ziglang.sh
newest_glibc=2.17
here=$(uname -m)
targets=("$@")
((${#targets[@]})) || targets=(x86_64 aarch64)
portable=$PWD/build/portable
export CCACHE_COMPILERTYPE=clang

# The headers and CMake files of the libraries, and of no other package: the system's own would come before those of the target's C library.
headers=(libcli11-dev nlohmann-json3-dev libfmt-dev libexpected-dev libdtl-dev libkainjow-mustache-dev libcurl4-openssl-dev)
archives=(libmd-dev zlib1g-dev)
copy_package() { # PACKAGE ROOT
  local file
  while read -r file; do
    [[ -f "$file" || -L "$file" ]] || continue
    mkdir -p "$2${file%/*}"
    cp --no-dereference "$file" "$2$file"
  done < <(dpkg -L "$1" | grep -E '^/usr/(include|share/cmake|lib/.*(/cmake/|\.a$|\.so))')
}

# Those of another processor are unpacked beside it; apt keeps lists of its own for them.
fetch_packages() { # ARCHITECTURE ROOT PACKAGE...
  local debian=$1 root=$2 apt=$portable/apt-$1
  shift 2
  [[ "$debian" != aarch64 ]] || debian=arm64
  [[ "$debian" != x86_64 ]] || debian=amd64
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
  local options=(-o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache"
    -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
  (cd "$apt/debs" && apt-get "${options[@]}" --quiet=2 update && apt-get "${options[@]}" --quiet=2 download "$@")
  for package in "$apt"/debs/*.deb; do dpkg-deb --extract "$package" "$root"; done
}

build_one() { # ARCHITECTURE
  local target=$1 tools=$portable/$1/tools root=$portable/$1/root build=$portable/$1/build
  mkdir -p "$tools" "$root"
  local tool
  for tool in cc c++; do
    printf '#!/bin/sh\nexec %q -m ziglang %s -target %s-linux-gnu.%s "$@"\n' "$venv/bin/python" "$tool" "$target" "$newest_glibc" >"$tools/$tool"
  done
  for tool in ar ranlib; do printf '#!/bin/sh\nexec %q -m ziglang %s "$@"\n' "$venv/bin/python" "$tool" >"$tools/$tool"; done
  chmod +x "$tools"/*
  local package
  for package in "${headers[@]}"; do copy_package "$package" "$root"; done
  if [[ "$target" == "$here" ]]; then
    for package in "${archives[@]}"; do copy_package "$package" "$root"; done
  else
    fetch_packages "$target" "$root" "${archives[@]}"
    # shellcheck source=/dev/null
    export ENVGEN_PORTABLE_EMULATOR="qemu-$target-static;-L;/usr/$target-linux-gnu"
  fi
  # dtl 1.20 has a const member that assigns to another, which clang refuses although nothing calls it.
  sed -i 's/void enableTrivial () const/void enableTrivial ()/' "$root/usr/include/dtl/Diff.hpp"
  export ENVGEN_PORTABLE_ARCHITECTURE=$target ENVGEN_PORTABLE_TOOLS=$tools ENVGEN_PORTABLE_ROOT=$root
  cmake -S . -B "$build" -G Ninja --toolchain cmake/Portable.cmake -DCMAKE_BUILD_TYPE=Release -DENVGEN_TESTS=OFF -DENVGEN_UNITY=ON >/dev/null
  NINJA_STATUS='[%f/%t] ' cmake --build "$build" --target envgen
  cp "$build/src/envgen" "$portable/$target/envgen"
}

for target in "${targets[@]}"; do
  say "envgen for $target, glibc $newest_glibc"
  build_one "$target"
done
