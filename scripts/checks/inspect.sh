#!/usr/bin/env bash
# `envgen inspect` finds in real libraries what NVIDIA's cuobjdump lists in them; both come from the package index. cuobjdump names a
# cubin for sm_100f as one for sm_100, so the f is left out of the comparison.
# usage: inspect.sh [PACKAGE...]
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
packages=("$@")
((${#packages[@]})) || packages=(nvidia-curand-cu12==10.3.10.19 nvidia-nccl-cu12==2.27.5 nvidia-cusparselt-cu12==0.8.1 torchvision==0.24.1)
envgen=${ENVGEN:-build/release/src/envgen}
[[ -x "$envgen" ]] || die "there is no $envgen: build it, or name another with ENVGEN"

root=build/inspect
if [[ ! -x "$root/venv/bin/pip" ]]; then python3 -m venv "$root/venv"; fi
cuobjdump=$(find "$root/venv" -name cuobjdump -type f | head -n 1)
if [[ -z "$cuobjdump" ]]; then
  "$root/venv/bin/pip" install --quiet --no-deps nvidia-cuda-cuobjdump || {
    echo "nvidia-cuda-cuobjdump cannot be installed with pip"
    exit 77
  }
  cuobjdump=$(find "$root/venv" -name cuobjdump -type f | head -n 1)
fi

# listed OPTION LIBRARY: the architectures that cuobjdump lists, one a line; none where it has no code for GPUs.
listed() {
  local out
  out=$("$cuobjdump" "$1" "$2" 2>&1) || true
  sed -nE 's/.*\.(sm_[0-9]+a?)\.(cubin|ptx)$/\1/p' <<<"$out" | sort -u
}

compared=0 with_code=0 bad=0
for package in "${packages[@]}"; do
  folder=$root/$package
  if [[ ! -e "$folder/complete" ]]; then
    rm -rf "$folder"
    "$root/venv/bin/pip" download --quiet --no-deps --only-binary :all: --python-version 3.12 --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 \
      --platform manylinux2014_x86_64 --dest "$folder" "$package" || {
      echo "$package cannot be downloaded with pip"
      exit 77
    }
    python3 -m zipfile -e "$folder"/*.whl "$folder/unpacked"
    : >"$folder/complete"
  fi
  report=$folder/report.json
  "$envgen" inspect "$folder"/*.whl --format json >"$report"
  while IFS=$'\t' read -r library ours; do
    theirs=$({
      listed --list-elf "$folder/unpacked/$library"
      listed --list-ptx "$folder/unpacked/$library" | sed 's/^sm_/compute_/'
    } | tr '\n' ' ')
    if [[ "$ours" != "$theirs" ]]; then
      printf '%s in %s: envgen finds %s, cuobjdump %s\n' "$library" "$package" "${ours:-nothing}" "${theirs:-nothing}"
      bad=$((bad + 1))
    fi
    compared=$((compared + 1))
    [[ -z "$theirs" ]] || with_code=$((with_code + 1))
  done < <(python3 - "$report" <<'END'
import json, sys

for library in json.load(open(sys.argv[1]))["libraries"]:
    targets = library["targets"]
    lists = [sorted({name.removesuffix("f") for name in targets[kind]}) for kind in ("sass", "ptx")]
    # Behind each word a space, as tr leaves one.
    print(library["path"], "".join(name + " " for names in lists for name in names), sep="\t")
END
  )
done
((with_code > 0)) || die "cuobjdump found no code in any library"
printf '%d libraries compared, %d of them with code, %d differ\n' "$compared" "$with_code" "$bad"
[[ -z "${COUNTS:-}" ]] || echo "$((compared - bad)) $bad" >"$COUNTS"
((bad == 0))
