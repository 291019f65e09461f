#!/usr/bin/env bash
# Builds the fuzz targets (clang 14, preset `fuzz`) and runs each for some seconds, as many at a time as there are processors.
# What a target finds lies in build/fuzz/found; run it again with: build/fuzz/tests/fuzz/NAME_fuzz build/fuzz/found/...
# usage: fuzz.sh SECONDS [TARGET...]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}
shift

if ! command -v clang++-14 >/dev/null || ! ls /usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-* >/dev/null 2>&1; then
  echo "clang-14 with libclang-rt-14-dev is not installed"
  exit 77
fi
cmake --preset fuzz >/dev/null
NINJA_STATUS='[%f/%t] ' cmake --build --preset fuzz --target fuzz_targets

targets=("$@")
if ((${#targets[@]} == 0)); then
  for file in tests/fuzz/*_fuzz.cpp; do
    name=$(basename "$file" _fuzz.cpp)
    targets+=("$name")
  done
fi

# fuzz_one NAME SECONDS: seeds are read only; what the run discovers stays in build/.
fuzz_one() {
  local name=$1 found=build/fuzz/found/$1 corpus=build/fuzz/corpus/$1 log=build/fuzz/$1.log status=0
  mkdir -p "$found" "$corpus"
  local dictionary=()
  [[ ! -f tests/fuzz/dictionary/$name.dict ]] || dictionary=("-dict=tests/fuzz/dictionary/$name.dict")
  "build/fuzz/tests/fuzz/${name}_fuzz" -max_total_time="$2" -timeout=20 -rss_limit_mb=2048 -max_len=65536 -verbosity=1 \
    -print_final_stats=1 -artifact_prefix="$found/" "${dictionary[@]}" "$corpus" "tests/fuzz/corpus/$name" >"$log" 2>&1 || status=$?
  if ((status == 0)); then
    echo "ok      $name: $(sed -nE 's/^stat::number_of_executed_units: *//p' "$log") runs"
  else
    echo "FAILED  $name: exit status $status, see $log and $found"
    tail -n 40 "$log"
  fi
  return "$status"
}
export -f fuzz_one

# The count of failures is xargs' to tell only as yes or no, so each failure leaves a mark.
marks=$(mktemp -d)
trap 'rm -rf "$marks"' EXIT
# shellcheck disable=SC2016  # expanded by the inner bash
printf '%s\n' "${targets[@]}" | MARKS=$marks xargs -P "$(nproc)" -I{} bash -c 'fuzz_one "$1" "$2" || touch "$MARKS/$1"' _ {} "$seconds"
bad=$(find "$marks" -type f | wc -l)
[[ -z "${COUNTS:-}" ]] || echo "$((${#targets[@]} - bad)) $bad" >"$COUNTS"
((bad == 0))
