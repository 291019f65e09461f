#!/usr/bin/env bash
# Reports of envgen-bench against schema/bench.schema.json, by check-jsonschema: without a GPU, on doubles of CUDA's libraries where
# all is well, where calls fail, hang and crash, and where it is interrupted. A report that was tampered with must be refused.
# usage: bench_report.sh [BUILD FOLDER]    default: the first of build/asan, build/debug, build/release that has the program
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

build=${1:-}
for each in build/asan build/debug build/release; do
  if [[ -z "$build" && -x $each/bench/envgen-bench && -e $each/tests/support/doubles/libcuda.so.1 ]]; then build=$each; fi
done
[[ -n "$build" ]] || {
  echo "envgen-bench and its doubles are not built (cmake --build --preset debug)"
  exit 77
}
checker=$(schema_checker) || exit

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
doubles=$build/tests/support/doubles
on_doubles=()
for pair in libcuda.so.1 libcudart.so.12 libnvidia-ml.so.1 libcublas.so.12 libcublasLt.so.12 libnccl.so.2; do
  on_doubles+=(--library "${pair%%.so*}=$doubles/$pair")
done

bad=0
# report NAME EXIT_STATUS ARGUMENT...: runs the program and holds it to its exit status.
report() {
  local name=$1 expected=$2 status=0
  shift 2
  "$build/bench/envgen-bench" --format json --scale 512 --work "$work" -o "$work/$name.json" "$@" || status=$?
  ((status == expected)) || {
    echo "$name: exit status $status, expected $expected"
    bad=1
  }
}
report absent 0 --library libcuda=/nonexistent/libcuda.so.1
ENVGEN_DOUBLE_DEVICES=2 ENVGEN_DOUBLE_NAME="NVIDIA H200" report whole 0 "${on_doubles[@]}"
ENVGEN_DOUBLE_FAULTS=cuLaunchKernel=crash,cublasGemmEx=hang report faults 5 "${on_doubles[@]}" --timeout 0.5
ENVGEN_DOUBLE_FAULTS=cuInit=803 report probe 5 "${on_doubles[@]}"
ENVGEN_DOUBLE_FAULTS=cuLaunchKernel=hang timeout --preserve-status --signal=INT 1 "$build/bench/envgen-bench" --format json \
  "${on_doubles[@]}" -o "$work/interrupted.json" || status=$?
[[ "${status:-0}" == 130 && -s "$work/interrupted.json" ]] || {
  echo "interrupted: exit status ${status:-0}, expected 130 and a report"
  bad=1
}
# A container's own 64 MiB: the exchange does not fit, and is told so by ENOSPC and no SIGBUS. Needs the right to mount.
if unshare --mount true 2>/dev/null; then
  # shellcheck disable=SC2016  # for the inner shell
  unshare --mount sh -c 'mount -t tmpfs -o size=64m shm /dev/shm && exec "$@"' sh "$build/bench/envgen-bench" --format json --tests shm \
    --library libcuda=/nonexistent/libcuda.so.1 -o "$work/small_shm.json" || (($? == 5)) || bad=1
  grep -q '"id": "shm-bus-error"' "$work/small_shm.json" || {
    echo "a /dev/shm of 64 MiB is not told"
    bad=1
  }
else
  left_out "a /dev/shm of 64 MiB: no mount namespace can be had here"
fi
"$checker" --schemafile schema/bench.schema.json "$work"/*.json || bad=1
sed 's/"status": "pass"/"status": "good"/' "$work/whole.json" >"$work/forged.json"
if "$checker" --quiet --schemafile schema/bench.schema.json "$work/forged.json"; then
  echo "the schema lets a status pass that there is not"
  bad=1
fi
exit "$bad"
