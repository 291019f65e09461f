#!/usr/bin/env bash
# envgen-bench in containers: in each Debian that the mirror offers it runs and says within a second that there is no GPU, and it finds the real
# libraries of CUDA 11, 12 and 13 where pip and conda put them, and binds what it declares.
# usage: bench_containers.sh [--full]    --full: every Debian, and cuBLAS and NCCL, too (some 2.5 GB of wheels)
# Exit status 77: no engine, or no envgen-bench, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
suites=(bookworm)
declare -A wheels=([11]=nvidia-cuda-runtime-cu11 [12]=nvidia-cuda-runtime-cu12 [13]=nvidia-cuda-runtime)
libraries=(libcudart)
if [[ "${1:-}" == --full ]]; then
  suites=(buster bullseye bookworm trixie)
  wheels[11]+=" nvidia-cublas-cu11" wheels[12]+=" nvidia-cublas-cu12 nvidia-nccl-cu12" wheels[13]+=" nvidia-cublas nvidia-nccl-cu13"
  libraries+=(libcublasLt libcublas)
fi
program=$PWD/build/bench/$(uname -m)/envgen-bench
[[ -x "$program" ]] || scripts/bench.sh "$(uname -m)" || exit
engine=$("$here/engine.sh") || exit
set -a && eval "$engine" && set +a
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"; "$here/engine.sh" stop' EXIT

# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

# in_container IMAGE OPTION... -- ARGUMENT...: its report in $work/report.json
in_container() {
  local image=$1 options=()
  shift
  while [[ "$1" != -- ]]; do
    options+=("$1")
    shift
  done
  "$DOCKER" run --rm --network none --volume "$program:/envgen-bench:ro" "${options[@]}" --entrypoint /envgen-bench "$image" --format json "${@:2}" \
    >"$work/report.json"
}

says_no_gpu() {
  in_container "$1" -- --tests probe,ipc,kernel && python3 - "$1" "$work/report.json" <<'PYTHON'
import json
import sys

report = json.load(open(sys.argv[2], encoding="utf-8"))
probe = next(row for row in report["tests"] if row["id"] == "probe")
good = report["gpu"] == {"present": False, "absent": True} and probe["message"].startswith("no GPU") and report["seconds"] < 1
print(f"{sys.argv[1]}: {report['seconds']:.2f} s, {probe['message']}")
sys.exit(not good)
PYTHON
}

# bound FOLDER LIBRARY MAJOR: it was opened below that folder, all its functions were bound, and its version is of that major.
bound() {
  python3 - "$work/report.json" "$@" <<'PYTHON'
import json
import sys

path, folder, name, major = sys.argv[1:]
library = next(each for each in json.load(open(path, encoding="utf-8"))["libraries"] if each["name"] == name)
good = (library["path"] or "").startswith(folder) and library["problem"] is None and not library["double"]
if not (name == "libcudart" and major == "11"):  # that one says error 35 to every question where there is no driver
    good = good and (library["version"] or "").startswith(major)
print(f"CUDA {major}: {name} {library['version']} {library['path']} {library['problem'] or ''}")
sys.exit(not good)
PYTHON
}
# in_layout MAJOR IMAGE_FOLDER OPTION...: all libraries are found below the folder of the image of that layout.
in_layout() {
  local major=$1 folder=$2 library
  shift 2
  in_container "envgen-test/cuda$major" "$@" -- --tests probe || return
  for library in "${libraries[@]}"; do bound "$folder" "$library" "$major" || return; done
}
# layouts MAJOR: an image with the wheels as pip puts them into a venv, and the libraries as conda puts them into its prefix.
layouts() {
  local root=$work/cuda$1
  drop_image "envgen-test/cuda$1"
  mkdir -p "$root"/{venv/lib/python3.12/site-packages,conda/lib}
  # shellcheck disable=SC2086  # a list of packages
  "$work/venv/bin/pip" install --quiet --no-deps --target "$root/venv/lib/python3.12/site-packages" ${wheels[$1]}
  find "$root/venv" -name 'lib*.so*' -exec cp {} "$root/conda/lib" \;
  printf 'FROM envgen-test/debian:12-slim\nCOPY venv /opt/venv\nCOPY conda /opt/conda\n' |
    "$DOCKER" build --quiet --network none --tag "envgen-test/cuda$1" --file - "$root"
  rm -rf "$root"
}

for suite in "${suites[@]}"; do
  image=envgen-test/debian:$suite
  [[ "$suite" != bookworm ]] || image=envgen-test/debian:12-slim
  if ! "$here/base_image.sh" "$suite" "$image"; then
    if [[ "$suite" == buster ]]; then left_out "Debian buster, glibc 2.28: the mirror has let go of it"; else failed=$((failed + 1)); fi
    continue
  fi
  must "$suite" says_no_gpu "$image"
  cat "$work/said"
done
python3 -m venv "$work/venv"
for major in 11 12 13; do
  must "the wheels of CUDA $major" layouts "$major"
  must "pip's layout of CUDA $major" in_layout "$major" /opt/venv/ --env VIRTUAL_ENV=/opt/venv
  cat "$work/said"
  must "conda's layout of CUDA $major" in_layout "$major" /opt/conda/lib/ --env CONDA_PREFIX=/opt/conda
  cat "$work/said"
done
book
