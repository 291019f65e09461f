#!/usr/bin/env bash
# Faults into `envgen validate`, with an engine of its own that is killed again and again: tests/e2e/faults.py, which takes the same arguments.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, or no envgen-bench, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
ENVGEN=$(realpath "${ENVGEN:-build/release/src/envgen}")
ENVGEN_BENCH=${ENVGEN_BENCH:-$PWD/build/bench/$(uname -m)/envgen-bench}
ROOT=$PWD/build/e2e/bookworm.tar
export ENVGEN ENVGEN_BENCH ROOT
[[ -x "$ENVGEN_BENCH" ]] || scripts/bench.sh "$(uname -m)" || exit
if [[ ! -f "$ROOT" ]]; then # base_image.sh leaves it there
  engine=$("$here/engine.sh") || exit
  (set -a && eval "$engine" && "$here/base_image.sh" bookworm envgen-test/debian:12-slim) || exit
  "$here/engine.sh" stop
fi
exec python3 "$here/faults.py" "$@"
