#!/usr/bin/env bash
# The committed PTX is what clang-14 makes of bench/kernels/*.cu, byte for byte, and ptxas of CUDA 11.8, 12.4 and 13 accepts it for
# every architecture from the PTX's own upward that each knows.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/kernels.sh "$work"
diff -r "$work" bench/kernels/ptx || {
  echo "bench/kernels/ptx is not what scripts/kernels.sh makes"
  bad=1
}

# wheel_ptxas FOLDER PACKAGE: the path of a wheel's ptxas, installed below build/ptxas when it is not there yet.
wheel_ptxas() {
  local root=build/ptxas/$1 found
  found=$(find "$root" -name ptxas -type f 2>/dev/null | head -n 1)
  if [[ -z "$found" ]]; then
    python3 -m venv "$root" >&2 && "$root/bin/pip" install --quiet "$2" >&2 || return 1
    found=$(find "$root" -name ptxas -type f | head -n 1)
  fi
  [[ -n "$found" ]] && printf '%s\n' "$found"
}

# accepts PTXAS: assembles every file for every architecture.
accepts() {
  local file base target assembled=0
  for file in bench/kernels/ptx/*.ptx; do
    base=$(sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' "$file")
    for target in $("$1" --help | grep -oE "'sm_[0-9]+'" | grep -oE '[0-9]+' | sort -nu); do
      ((target >= base)) || continue
      "$1" -arch="sm_$target" "$file" -o /dev/null || {
        echo "$1 refuses $file for sm_$target"
        bad=1
      }
      assembled=$((assembled + 1))
    done
  done
  ((assembled > 0)) || bad=1
  printf '%s: %d assembled, %s\n' "$1" "$assembled" "$("$1" --version | tail -n 1)"
}

# CUDA 13 may be installed here; its wheel does the same.
for each in "cu11 nvidia-cuda-nvcc-cu11==11.8.*" "cu12 nvidia-cuda-nvcc-cu12==12.4.*" "cu13 nvidia-cuda-nvcc==13.*"; do
  # shellcheck disable=SC2086  # a folder and a package
  tool=$(wheel_ptxas $each) || {
    echo "${each#* } cannot be installed with pip"
    exit 77
  }
  accepts "$tool"
done
exit "$bad"
