#!/usr/bin/env bash
# What matrix/torch.json says of releases agrees with the wheels themselves: the architectures, the CUDA of the build, cuDNN, NCCL and
# triton. Each wheel is downloaded from the package index (up to 0.9 GB), read and deleted. `--keep` keeps them in build/inspect.
# usage: inspect_torch.sh [--keep] RELEASE...    inspect_torch.sh 2.9.1 2.15.0
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
keep=false
if [[ "${1:-}" == --keep ]]; then
  keep=true
  shift
fi
(($# > 0)) || die "usage: inspect_torch.sh [--keep] RELEASE..."
envgen=${ENVGEN:-build/release/src/envgen}
[[ -x "$envgen" ]] || die "there is no $envgen: build it, or name another with ENVGEN"

root=build/inspect
if [[ ! -x "$root/venv/bin/pip" ]]; then python3 -m venv "$root/venv"; fi
bad=0
for release; do
  folder=$root/torch-$release
  if ! compgen -G "$folder/*.whl" >/dev/null; then
    platforms=()
    for glibc in manylinux1 manylinux2014 manylinux_2_17 manylinux_2_27 manylinux_2_28; do platforms+=(--platform "${glibc}_x86_64"); done
    for python in 3.12 3.10 3.8; do
      "$root/venv/bin/pip" download --quiet --no-deps --only-binary :all: --python-version "$python" "${platforms[@]}" --dest "$folder" "torch==$release" \
        2>"$root/pip.log" && break
    done
  fi
  compgen -G "$folder/*.whl" >/dev/null || die "torch $release cannot be downloaded with pip: $(tail -n 1 "$root/pip.log")"
  "$envgen" inspect "$folder"/*.whl --format json >"$root/torch-$release.json"
  python3 scripts/checks/inspect_torch.py matrix/torch.json "$release" "$root/torch-$release.json" || bad=$((bad + 1))
  "$keep" || rm -rf "$folder"
done
[[ -z "${COUNTS:-}" ]] || echo "$(($# - bad)) $bad" >"$COUNTS"
printf '%d releases compared, %d differ\n' "$#" "$bad"
((bad == 0))
