#!/usr/bin/env bash
# The real libraries of CUDA 11, 12 and 13, from their wheels: envgen-bench finds them where pip puts them, opens them, and binds
# every function that it declares; and its declarations are those of the wheels' headers. No GPU is needed, and the wheels are large
# (some 2.5 GB unpacked, below build/wheels).
# usage: bench_libraries.sh [MAJOR...]    default: 11 12 13
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

declare -A wheels=(
  [11]="nvidia-cuda-runtime-cu11 nvidia-cublas-cu11 nvidia-cuda-nvcc-cu11 nvidia-cuda-cccl-cu11"
  [12]="nvidia-cuda-runtime-cu12 nvidia-cublas-cu12 nvidia-cuda-nvcc-cu12 nvidia-cuda-cccl-cu12 nvidia-nvml-dev-cu12 nvidia-nccl-cu12"
  [13]="nvidia-cuda-runtime nvidia-cublas nvidia-cuda-crt nvidia-cuda-cccl nvidia-nvml-dev nvidia-nccl-cu13"
)
# Where the wheels of 13 put a library, and those of 11 and 12.
folder_of() { if (($1 == 13)); then echo nvidia/cu13/lib; else echo "nvidia/$2/lib"; fi; }

program=${ENVGEN_BENCH:-}
for each in build/bench/x86_64/envgen-bench build/asan/bench/envgen-bench build/debug/bench/envgen-bench; do
  if [[ -z "$program" && -x $each ]]; then program=$PWD/$each; fi
done
[[ -n "$program" ]] || {
  echo "envgen-bench is not built (scripts/bench.sh x86_64)"
  exit 77
}
majors=("$@")
((${#majors[@]})) || majors=(11 12 13)
passed=0 failed=0

ok() { # WHAT COMMAND...: books what the command says
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: $what"
  fi
}

# found MAJOR SITE REPORT LIBRARY FOLDER: it was opened there, all its functions were bound, and its version is of that major.
found() {
  python3 - "$@" <<'PYTHON'
import json
import sys

major, site, report, name, folder = sys.argv[1:]
library = next(each for each in json.load(open(report))["libraries"] if each["name"] == name)
expected = f"{site}/{folder}/{name}.so."
good = (library["path"] or "").startswith(expected) and library["problem"] is None
version = library["version"] or ""
if name == "libnccl":
    good = good and version.startswith("2.")
elif name != "libcudart" or major != "11":  # that one says error 35 to every question where there is no driver
    good = good and version.startswith(major)
print(f"CUDA {major}: {name} {library['version']} {library['path']} {library['problem'] or ''}")
sys.exit(not good)
PYTHON
}

for major in "${majors[@]}"; do
  root=$PWD/build/wheels/cu$major
  if [[ ! -e "$root/complete" ]]; then
    say "CUDA $major: ${wheels[$major]}"
    # shellcheck disable=SC2086  # a list of packages
    { python3 -m venv "$root" && "$root/bin/pip" install --quiet ${wheels[$major]} && touch "$root/complete"; } || {
      echo "the wheels of CUDA $major cannot be installed with pip"
      exit 77
    }
  fi
  site=$("$root/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  report=$root/report.json
  # Nothing but this environment: no other Python, no toolkit on the linker's path.
  env -i HOME=/nonexistent VIRTUAL_ENV="$root" PATH="$root/bin" "$program" --format json --tests probe -o "$report"
  ok "libcudart of $major" found "$major" "$site" "$report" libcudart "$(folder_of "$major" cuda_runtime)"
  ok "cublasLt of $major" found "$major" "$site" "$report" libcublasLt "$(folder_of "$major" cublas)"
  ok "cuBLAS of $major" found "$major" "$site" "$report" libcublas "$(folder_of "$major" cublas)"
  if ((major != 11)); then ok "NCCL beside $major" found "$major" "$site" "$report" libnccl nvidia/nccl/lib; fi

  includes=()
  while read -r folder; do includes+=(-isystem "$folder"); done < <(find "$site/nvidia" -name include -type d -prune)
  has=(-DENVGEN_HAVE_CUDA -DENVGEN_HAVE_CUDART -DENVGEN_HAVE_CUBLAS)
  if ((major != 11)); then has+=(-DENVGEN_HAVE_NVML); fi
  compare() { c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-deprecated-declarations -Ibench/src -Itests/bench "${includes[@]}" "$@"; }
  ok "headers of $major" compare "${has[@]}" tests/bench/api_headers.cpp
  if ((major != 11)); then ok "header of NCCL beside $major" compare tests/bench/api_headers_nccl.cpp; fi
done

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ -z "${COUNTS:-}" ]] || echo "$passed $failed" >"$COUNTS"
((failed == 0))
