#!/usr/bin/env bash
# Builds what runs wherever glibc is 2.17 or newer, with the clang of the package ziglang: build/portable/{x86_64,aarch64}, each what
# `cmake --install` puts below a prefix, with the envgen-bench of scripts/bench.sh; and build/portable/{x86_64,aarch64}-musl, what runs on
# Alpine, whose envgen-bench is the same, because it runs in images for CUDA, which all have glibc. scripts/checks/portable.sh holds it to its promises.
# The other processor's programs run under qemu-user while they are built.
# usage: portable.sh [TARGET...]    x86_64, aarch64, x86_64-musl, aarch64-musl (default: the first two)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

targets=("$@")
((${#targets[@]})) || targets=(x86_64 aarch64)
declare -A debian_name=([x86_64]=amd64 [aarch64]=arm64)

tools_of_host=(cmake ninja-build python3-venv g++ libcli11-dev nlohmann-json3-dev) # the last three for scripts/bench.sh
for target in "${targets[@]}"; do
  [[ -n "${debian_name[${target%-musl}]:-}" ]] || die "usage: scripts/portable.sh [x86_64] [aarch64] [x86_64-musl] [aarch64-musl]"
  [[ "${target%-musl}" == "$(uname -m)" ]] || tools_of_host+=(qemu-user-static)
  [[ "$target" != *-musl ]] || tools_of_host+=(musl)
done
apt_install "${tools_of_host[@]}" || exit 77

mapfile -t architectures < <(printf '%s\n' "${targets[@]%-musl}" | sort -u)
scripts/bench.sh "${architectures[@]}"
# shellcheck source=scripts/ziglang.sh
source scripts/ziglang.sh

# The libraries of the target, which is another than this machine: apt keeps lists and packages of its own for it, and installs nothing.
# The distribution's build_packages but the compiler, and its C library, which qemu starts programs with.
fetch_libraries() { # TARGET WORK
  local debian=${debian_name[${1%-musl}]} apt=$2/apt package wanted=(libc6)
  [[ "$1" != *-musl ]] || wanted=(musl)
  for package in "${build_packages[@]}"; do
    [[ "$package" != *-dev ]] || wanted+=("$package")
  done
  [[ "$(cat "$apt/wanted" 2>/dev/null)" != "${wanted[*]}" ]] || return 0
  rm -rf "$apt"
  mkdir -p "$apt"/{lists/partial,cache/archives/partial,debs}
  local options=(-o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache"
    -o Dir::State::status=/dev/null -o APT::Sandbox::User=root --quiet=2)
  apt-get "${options[@]}" update
  # CMake wants to see fmt's shared library, whose package is named by its version.
  package=$(apt-cache "${options[@]}" depends libfmt-dev | sed -nE 's/.*Depends: (libfmt[0-9]+)$/\1/p')
  (cd "$apt/debs" && apt-get "${options[@]}" download "${wanted[@]}" "$package") ||
    die "apt's mirror does not have the libraries for $debian: ${wanted[*]}"
  rm -rf "$apt/lists" "$apt/cache" "$2/root" "$2/libc"
  for package in "$apt"/debs/*.deb; do
    case ${package##*/} in
      libc6_* | musl_*) dpkg-deb --extract "$package" "$2/libc" ;;
      *) dpkg-deb --extract "$package" "$2/root" ;;
    esac
  done
  # dtl 1.20 has a const member that assigns to another, which clang refuses although nothing calls it.
  sed -i 's/void enableTrivial () const/void enableTrivial ()/' "$2/root/usr/include/dtl/Diff.hpp"
  printf '%s\n' "${wanted[*]}" >"$apt/wanted"
}

build_one() { # TARGET
  local target=$1 processor=${1%-musl} work=$PWD/build/portable/work/$1 prefix=$PWD/build/portable/$1 options emulator
  mkdir -p "$work"
  fetch_libraries "$target" "$work"
  # The build runs what it has compiled: the packers, and envgen for its manual. To CMake even this machine's processor is another one here,
  # whose programs it starts by an emulator or not at all.
  emulator="env"
  [[ "$processor" == "$(uname -m)" ]] || emulator="qemu-$processor-static;-L;$work/libc"
  options=("-DENVGEN_PORTABLE_PROCESSOR=$processor" "-DENVGEN_PORTABLE_TOOLS=$(zig_tools "$target")" "-DENVGEN_PORTABLE_ROOT=$work/root"
    "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator")

  cmake --no-warn-unused-cli -S . -B "$work/build" -G Ninja --toolchain cmake/Portable.cmake "${options[@]}" \
    -DCMAKE_BUILD_TYPE=Release -DENVGEN_TESTS=OFF -DENVGEN_UNITY=ON -DENVGEN_SMALL=ON -DENVGEN_WERROR=ON >"$work/cmake.log" || {
    cat "$work/cmake.log"
    return 1
  }
  NINJA_STATUS='[%f/%t] ' with_ccache "$target" cmake --build "$work/build" --target envgen envgen_printed
  rm -rf "$prefix"
  cmake --install "$work/build" --prefix "$prefix" >/dev/null
  # That of the other processor, which may have been built here too, would be a fifth of a wheel.
  find "$prefix/libexec/envgen" -mindepth 1 -maxdepth 1 ! -name "$processor" -exec rm -r {} +
}

for target in "${targets[@]}"; do
  say "envgen for $target$([[ "$target" == *-musl ]] || echo ", glibc $glibc")"
  build_one "$target"
  printf 'build/portable/%s/bin/envgen: %d bytes\n' "$target" "$(stat -c %s "build/portable/$target/bin/envgen")"
done
