#!/usr/bin/env bash
# Makes the wheel of a build: what `cmake --install` puts down, tagged with the oldest glibc that the program in it runs on.
# usage: wheel.sh [BUILD [OUT]]    default: build/release, dist
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build=${1:-build/release}
out=${2:-dist}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cmake --install "$build" --prefix "$root" --strip >/dev/null

glibc=2.17 # manylinux begins there
for program in "$root"/bin/envgen "$root"/libexec/envgen/"$(uname -m)"/envgen-bench; do
  [[ -f "$program" ]] || continue
  glibc=$(printf '%s\n' "$glibc" "$(newest_glibc "$program")" | sort -V | tail -n 1)
done
case $(objdump -f "$root/bin/envgen" | sed -n 's/^architecture: \([^,]*\).*/\1/p') in
  i386:x86-64) architecture=x86_64 ;;
  aarch64) architecture=aarch64 ;;
  *) die "a wheel for this processor has no name" ;;
esac
python3 packaging/wheel.py --root "$root" --platform "manylinux_${glibc/./_}_$architecture" --out "$out"
