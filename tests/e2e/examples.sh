#!/usr/bin/env bash
# Runs every project of examples/ on the CPU, with small settings, on copies; the virtual environment is kept in
# build/e2e/examples. Where the tool is built, what each envgen.json asks for is made, too.
# Exit status 77: no CPU build of torch can be installed.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

work=$PWD/build/e2e/examples
venv=$work/venv
# +cpu: a build with CUDA would run here as well, but weighs gigabytes.
packages=(torch==2.13.0+cpu numpy setuptools ninja nbclient nbformat ipykernel)

skip() {
  echo "$*"
  exit 77
}

# The first Python that can make a virtual environment; CI's torch is one for 3.11.
find_python() {
  local name
  for name in python3.11 python3; do
    if "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      printf '%s\n' "$name"
      return 0
    fi
  done
  return 1
}

make_venv() {
  local python
  [[ "$(cat "$venv/packages" 2>/dev/null)" == "${packages[*]}" ]] && return 0
  python=$(find_python) || skip "no Python 3.10 or later with venv (package python3-venv)"
  rm -rf "$venv"
  say "installing into $venv: ${packages[*]}"
  "$python" -m venv "$venv"
  "$venv/bin/pip" install -qq "${packages[@]}" || skip "pip could not install ${packages[*]}"
  echo "${packages[*]}" >"$venv/packages"
}

passed=0 failed=0

in_example() {
  cd "$copies/$1"
  "${@:2}"
}
# check EXAMPLE COMMAND...: runs it in that example's folder.
check() {
  local example=$1 began=$SECONDS
  shift
  printf '\n+ examples/%s: %s\n' "$example" "$*"
  strictly in_example "$example" "$@"
  if ((outcome == 0)); then
    passed=$((passed + 1))
    printf 'ok, %d s\n' $((SECONDS - began))
  else
    failed=$((failed + 1))
    printf 'FAILED, %d s\n' $((SECONDS - began))
  fi
}

# generates: prints what the environment is, and makes its files, which are then current.
generates() { "$envgen" lock && "$envgen" generate && "$envgen" generate --check; }

# learns COMMAND...: the loss of its last epoch is below that of its first.
learns() {
  "$@" | tee output.txt &&
    awk '/^epoch/ { sub(/.* loss /, ""); if (!epochs++) first = $1; last = $1 } END { exit !(epochs > 1 && last < first) }' output.txt
}

# Ranks that end apart make the status 1; the line has to be there besides.
agrees() { learns "$@" && grep -q 'weights equal on all 2 ranks' output.txt; }

# build_and_test: as the example's README says.
build_and_test() { pip install -qq --no-deps --no-build-isolation . && python test.py; }

# run_notebook FILE: valid before and after, and no cell raises.
run_notebook() {
  python - "$1" <<'PYTHON'
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=nbformat.NO_CONVERT)
nbformat.validate(notebook)
NotebookClient(notebook, timeout=100).execute()
nbformat.validate(notebook)
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        print(output.get("text", ""), end="")
PYTHON
}

# one_json_object COMMAND...: with the figures that people read.
one_json_object() {
  "$@" | tee output.txt &&
    python -c 'import json; r = json.load(open("output.txt")); assert min(r["samples_per_second"], r["tokens_per_second"], r["tflops"]) > 0'
}

make_venv
tests=$PWD/tests/e2e copies=$work/copies
rm -rf "$copies"
cp -R examples "$copies"
export PATH=$venv/bin:$PATH
export CUDA_VISIBLE_DEVICES="" OMP_NUM_THREADS=1
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1

envgen=$(first_of "$PWD/build/release/src/envgen" "$PWD/build/debug/src/envgen" "$PWD/build/asan/src/envgen") ||
  left_out "the examples' files: envgen is not built"
if [[ -n "$envgen" ]]; then
  for file in "$copies"/*/envgen.json; do
    check "$(basename "$(dirname "$file")")" generates
  done
fi

small=(--epochs 2 --batch 32 --size 16 --width 8 --classes 4)
check train-mixed-precision learns python train.py "${small[@]}" --samples 320 --dtype fp32
check train-mixed-precision learns python train.py "${small[@]}" --samples 160 --dtype bf16
check ddp-torchrun agrees torchrun --standalone --nproc-per-node=2 "$tests/no_gloo_threads.py" train.py \
  --epochs 2 --samples 8192 --batch 128 --hidden 64
check cuda-extension build_and_test
check jupyter run_notebook device_speeds.ipynb
check transformer-benchmark python test_benchmark.py
check transformer-benchmark python benchmark.py --model tiny --steps 5 --warmup 1
check transformer-benchmark one_json_object python benchmark.py --model tiny --dtype bf16 --batch 2 --seq 32 --steps 3 --warmup 1 --json
check old-and-new-gpu python check_gpus.py
check old-and-new-gpu python test_check_gpus.py

[[ -z "${COUNTS:-}" ]] || echo "$passed $failed" >"$COUNTS"
printf '\n%d passed, %d failed, %d s\n' "$passed" "$failed" "$SECONDS"
((failed == 0))
