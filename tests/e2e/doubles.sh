# shellcheck shell=bash
# Sourced after common.sh and images.sh: images with doubles of CUDA's libraries, and an envgen-bench for those. $work is a folder, $base an image of the caller's,
# $ENGINE its engine (default: docker).

# shellcheck disable=SC2154  # work and base are the caller's
program=$PWD/build/bench/$(uname -m)/envgen-bench
[[ -x "$program" ]] || scripts/bench.sh "$(uname -m)" || exit
tests/support/doubles/portable.sh || exit

# doubles_image NAME LINE...: an image of that name, with more lines in its Dockerfile.
doubles_image() {
  local name=$1 folder
  shift
  drop_image "$name" || return
  folder=$(mktemp -d -p "$work") || return
  cp build/e2e/doubles/image/* "$program" "$folder" || return
  printf '%s\n' "FROM $base" "COPY lib* /usr/lib/$(uname -m)-linux-gnu/" "COPY envgen-bench /opt/envgen-bench" "USER 1234" "$@" >"$folder/Dockerfile"
  "${ENGINE:-docker}" build --quiet --network none --tag "$name" "$folder" >/dev/null
}

# scaled_bench: leaves $work/scaled. What stands for a GPU computes on the CPU: all sizes are divided.
scaled_bench() {
  printf '#!/bin/sh\nexec /opt/envgen-bench --scale 4096 "$@"\n' >"$work/scaled"
  chmod 755 "$work/scaled"
}
