#!/usr/bin/env bash
# What matrix/torch.json says of releases agrees with the wheels themselves: the architectures, the CUDA of the build, cuDNN, NCCL and
# triton; and `envgen inspect` reads each in less than 15 s and 200 MB. Each wheel is downloaded from the package index (up to 0.9 GB), read
# and deleted. `--keep` keeps them in build/inspect.
# usage: inspect_torch.sh [--keep] [RELEASE...]    inspect_torch.sh 2.9.1 2.15.0; without a release the last of each minor
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
keep=false
if [[ "${1:-}" == --keep ]]; then
  keep=true
  shift
fi
(($# > 0)) || set -- 1.13.1 2.0.1 2.1.2 2.2.2 2.3.1 2.4.1 2.5.1 2.6.0 2.7.1 2.8.0 2.9.1 2.10.0 2.11.0 2.12.1 2.13.0 2.14.1 2.15.0
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
  {
    python3 scripts/checks/within.py 15 200 "$envgen" inspect "$folder"/*.whl --format json >"$root/torch-$release.json" &&
      python3 scripts/checks/inspect_torch.py matrix/torch.json "$release" "$root/torch-$release.json"
  } || bad=$((bad + 1))
  "$keep" || rm -rf "$folder"
done
[[ -z "${COUNTS:-}" ]] || echo "$(($# - bad)) $bad" >"$COUNTS"
printf '%d releases compared, %d differ\n' "$#" "$bad"
((bad == 0))
