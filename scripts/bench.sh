#!/usr/bin/env bash
# Builds the portable binaries build/bench/{x86_64,aarch64}/envgen-bench, which run wherever glibc is 2.17 or newer, with the clang of
# the package ziglang, and holds them to that: no symbol above GLIBC_2.17, 2 MB at most, nothing but the C library's parts linked.
# usage: bench.sh [ARCHITECTURE...]    x86_64, aarch64 (default: both)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# shellcheck source=scripts/ziglang.sh
source scripts/ziglang.sh
most_bytes=2000000

targets=("$@")
((${#targets[@]})) || targets=(x86_64 aarch64)

# The headers of the two libraries, and of no other: the system's own would come before those of the target's C library.
header_folder() { # NAME: the folder that holds the header NAME, as the host's compiler finds it
  local files
  files=$(c++ -std=c++20 -x c++ -M - <<<"#include <$1>" 2>/dev/null) || return 1
  sed -n "s#^\(/.*\)/$1\$#\1#p" <<<"${files// /$'\n'}" | sed -n 1p | grep .
}
include=$out/include
mkdir -p "$include"
for library in CLI/CLI.hpp nlohmann/json.hpp; do
  folder=$(header_folder "$library") || die "<$library> is not installed (packages libcli11-dev and nlohmann-json3-dev)"
  ln -sfn "$folder/${library%%/*}" "$include/${library%%/*}"
done

cmake -DOUTPUT="$out/embedded_ptx.hpp" -P bench/EmbedPtx.cmake bench/kernels/ptx/*.ptx
# One translation unit: a third of the time that one a file takes, and the smaller binary.
find "$PWD/bench/src" "$PWD"/src/{model/printable,model/utf8,util/table,cli/help_formatter,cli/help_text}.cpp "$PWD/cmake/no_demangler.cpp" -name '*.cpp' | sort | sed 's/.*/#include "&"/' >"$out/all.cpp"

version=$(sed -n 's/^project(envgen VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
bad=0
for target in "${targets[@]}"; do
  binary=$out/$target/envgen-bench
  mkdir -p "${binary%/*}"
  say "envgen-bench for $target, glibc $glibc"
  portable_cxx "$target" -Os -Xclang -Oz -DNDEBUG "-DENVGEN_VERSION=\"$version\"" -fno-pie -ffunction-sections -fdata-sections \
    -Ibench/src -Ibench/kernels -Isrc -I"$out" -isystem "$include" -c "$out/all.cpp" -o "$binary.o"
  portable_cxx "$target" -Os -s -no-pie -Wl,--gc-sections "$binary.o" -o "$binary"
  size=$(stat -c %s "$binary")
  needed=$(objdump -p "$binary" | sed -n 's/^ *NEEDED *//p' | tr '\n' ' ')
  newest=GLIBC_$(newest_glibc "$binary")
  printf '%s: %d bytes, needs %s, newest symbol %s\n' "build/bench/$target/envgen-bench" "$size" "$needed" "$newest"
  ((size <= most_bytes)) || {
    echo "$binary is larger than $most_bytes bytes"
    bad=1
  }
  [[ "$(printf '%s\n' "GLIBC_$glibc" "$newest" | sort -V | tail -n 1)" == "GLIBC_$glibc" ]] || {
    echo "$binary asks for $newest"
    bad=1
  }
  for library in $needed; do
    [[ "$library" =~ ^(libc|libm|libdl|libpthread|ld-linux-(x86-64|aarch64))\.so ]] || {
      echo "$binary links $library"
      bad=1
    }
  done
done
exit "$bad"
