#!/usr/bin/env bash
# Makes the wheel of a prefix, tagged with the oldest glibc that the programs in it run on.
# usage: wheel.sh PREFIX [OUT]    PREFIX: what `cmake --install` put down, as in build/portable/x86_64; OUT: dist
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=scripts/packaging.sh
source scripts/packaging.sh
prefix=${1:?usage: scripts/wheel.sh PREFIX [OUT]}
out=${2:-dist}

# The processor by its number in the head of the file: this machine's objdump does not know every other.
case $(od --address-radix=n --format=u2 --skip-bytes=18 --read-bytes=2 "$prefix/bin/envgen" | tr -d ' ') in
  62) architecture=x86_64 ;;
  183) architecture=aarch64 ;;
  *) die "a wheel for this processor has no name" ;;
esac
glibc=2.17 # manylinux begins there
for program in "$prefix/bin/envgen" "$prefix"/libexec/envgen/*/envgen-bench; do
  [[ ! -f "$program" ]] || glibc=$(printf '%s\n' "$glibc" "$(newest_glibc "$program")" | sort -V | tail -n 1)
done
tag=manylinux_${glibc/./_}_$architecture
[[ "$glibc" != 2.17 ]] || tag+=.manylinux2014_$architecture # by that name the pip of Ubuntu 20.04 knows it
packaging wheel --root "$prefix" --platform "$tag" --out "$out"
