#!/usr/bin/env bash
# What a machine with a GPU can prove and this repository's doubles cannot. Reports with their commands go to bench/results/DATE-gpu-*.
#   scripts/gpu_day.sh [FOLDER [REPORT...]]     FOLDER: where the reports go (default: bench/results); REPORT: only these: smoke, full, memcheck,
#   initcheck, racecheck, torch, here, validate
# envgen-bench --profile smoke and full; its functional tests under compute-sanitizer (speeds mean nothing there); where $PYTHON (default: python3) has
# a torch that sees the GPU, products of bf16 8192 and copies beside those of torch, and envgen validate --here ($ENVGEN, default:
# build/release/src/envgen); and, where an engine and an image are named by $IMAGE, envgen validate of it. What could not be done is said at the end.
# $ENVGEN_BENCH is the program (default: build/bench/ARCH/envgen-bench, which is built where it is not there). $BENCH_OPTIONS are added to its runs.
# Exit status: 0; 1 something that was done failed; 6 there is no GPU, and nothing is written.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

machine=$(uname -m)
bench=${ENVGEN_BENCH:-build/bench/$machine/envgen-bench}
envgen=${ENVGEN:-build/release/src/envgen}
python=${PYTHON:-python3}
folder=${1:-bench/results}
only=${*:2}
# shellcheck disable=SC2206  # a list of options
options=(${BENCH_OPTIONS:-})
[[ -x "$bench" ]] || scripts/bench.sh "$machine"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$bench" --tests probe --require-gpu "${options[@]}" >"$work/probe" 2>&1 || status=$?
if ((status == 6)); then
  echo "no GPU here, so nothing is proven: $(grep -m 1 -i 'gpu' "$work/probe" || true)"
  exit 6
fi
mkdir -p "$folder"

made=0 failed=0 left=()
# kept NAME COMMAND...: the report is headed by the command and the time; a failure is counted.
kept() {
  local name=$1 file status=0
  shift
  [[ -z "$only" || " $only " == *" $name "* ]] || return 0
  made=$((made + 1))
  file=$folder/$(date -u +%F)-gpu-$name.txt
  say "$name"
  { printf '# %s   %s\n' "$*" "$(date -u +%FT%TZ)"; } >"$file"
  "$@" >>"$file" 2>&1 || status=$?
  printf '# exit status %d\n' "$status" >>"$file"
  printf '%-12s exit status %d, %s\n' "$name" "$status" "$file"
  ((status == 0)) || failed=$((failed + 1))
}

kept smoke "$bench" --profile smoke "${options[@]}"
kept full "$bench" --profile full "${options[@]}"

# compute-sanitizer is part of the toolkit; its wheel has it, too.
sanitizer=$(command -v compute-sanitizer || true)
if [[ -z "$sanitizer" ]]; then
  site=build/gpu-day
  if [[ -x $site/bin/pip ]] || python3 -m venv "$site" >"$work/pip" 2>&1; then
    "$site/bin/pip" install --quiet nvidia-cuda-sanitizer-api >"$work/pip" 2>&1 || true
  fi
  sanitizer=$(find "$site" -name compute-sanitizer -type f -perm -u+x 2>/dev/null | head -n 1)
fi
if [[ -n "$sanitizer" ]]; then
  # A test is a child; tools other than memcheck do not know the libraries' own kernels well enough to be heard.
  sanitized=("$sanitizer" --target-processes all --error-exitcode 1)
  kept memcheck "${sanitized[@]}" "$bench" --profile smoke --tests kernel,runtime,h2d,d2h,d2d,gemm "${options[@]}"
  for tool in initcheck racecheck; do kept "$tool" "${sanitized[@]}" --tool "$tool" "$bench" --profile smoke --tests kernel,d2d "${options[@]}"; done
else
  left+=("compute-sanitizer: it is neither on PATH nor to be had by pip: $(tail -n 1 "$work/pip")")
fi

# The same two figures by torch, right after each other and on the same GPU, after as much work as envgen-bench does before it measures: a GPU slows down
# when it has drawn its power limit for some 100 ms.
beside_torch() {
  local warm_up
  warm_up=$(sed -nE 's/^ *double warm_up_seconds = ([0-9.]+);$/\1/p' bench/src/sizes.hpp)
  echo "# $bench --format json --device 0 --tests gemm-bf16,d2d ${options[*]}; then $python: torch.matmul and Tensor.copy_"
  "$bench" --format json --device 0 --tests gemm-bf16,d2d "${options[@]}" >"$work/ours.json" || return
  "$python" - "$work/ours.json" "$warm_up" <<'PYTHON'
import json
import sys
import time

import torch

warm_up_seconds = float(sys.argv[2])


def seconds(call):
    warm = time.monotonic() + warm_up_seconds
    while time.monotonic() < warm:
        call()
        torch.cuda.synchronize()
    samples = []
    for _ in range(20):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        end.synchronize()
        samples.append(begin.elapsed_time(end) / 1e3)
    return sorted(samples)[len(samples) // 2]


with open(sys.argv[1], encoding="utf-8") as file:
    tests = {row["id"]: row["evidence"] for row in json.load(file)["tests"]}
n = tests["gemm-bf16"]["sizes"][-1]["n"]
a, b = (torch.randn(n, n, device="cuda:0", dtype=torch.bfloat16) for _ in range(2))
product = 2 * n**3 / seconds(lambda: torch.matmul(a, b))
size = tests["d2d"]["bytes"]
source = torch.randint(0, 256, (size,), device="cuda:0", dtype=torch.uint8)
target = torch.empty_like(source)
copy = 2 * size / seconds(lambda: target.copy_(source))  # read and written
print(f"torch {torch.__version__}, CUDA {torch.version.cuda}, {torch.cuda.get_device_name(0)}")
for what, unit, ours, theirs in (
    (f"product of bf16, n = {n}", "TFLOP/s", tests["gemm-bf16"]["sizes"][-1]["flop_per_second"], product),
    (f"copy of {size} bytes", "TB/s", tests["d2d"]["bytes_per_second"], copy),
):
    print(f"{what}: envgen-bench {ours / 1e12:.3f} {unit}, torch {theirs / 1e12:.3f} {unit}, ratio {ours / theirs:.3f}")
PYTHON
}
if "$python" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>"$work/torch"; then
  kept torch beside_torch
  if [[ -x "$envgen" ]]; then kept here "$envgen" validate --here --python-executable "$python" --profile full --require gpu --bench "$bench"; fi
else
  left+=("torch: $python has none that sees the GPU: $(tail -n 1 "$work/torch")")
fi

if [[ -z "${IMAGE:-}" ]]; then
  left+=("envgen validate: \$IMAGE names no image")
elif [[ ! -x "$envgen" ]]; then
  left+=("envgen validate: there is no $envgen (scripts/quickstart.sh builds it)")
else
  kept validate "$envgen" validate "$IMAGE" --gpus all --profile full --bench "$bench"
fi

for each in "${left[@]}"; do printf 'not done: %s\n' "$each"; done
((made > 0)) || die "none of these is a report that can be made here: $only"
((failed == 0))
