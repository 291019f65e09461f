#!/usr/bin/env bash
# What compiles against torch when it is installed, in images that a real engine builds one after the other, by pip and by uv, and on a
# machine by setup.sh: each gets an extension that was compiled for its own torch and its own GPU, and one that was not is found by the build
# and by `envgen validate`. torch and flash-attn are stand-ins (stand_ins.py), so this takes a minute and no GPU.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, no envgen-bench, or no package index can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
engine=$("$here/engine.sh") || exit
set -a && eval "$engine" && set +a
work=$(mktemp -d)
index_pid=
trap '[[ -z "$index_pid" ]] || kill "$index_pid" 2>/dev/null || true; rm -rf --one-file-system "$work"; "$here/engine.sh" stop' EXIT
mkdir "$work/bin"
ln -s "$(command -v "$DOCKER")" "$work/bin/docker" # for envgen runs what is on PATH
PATH=$work/bin:$PATH
ENVGEN_BENCH=$PWD/build/bench/$(uname -m)/envgen-bench
export ENVGEN_BENCH
[[ -x "$ENVGEN_BENCH" ]] || scripts/bench.sh "$(uname -m)" || exit
"$here/base_image.sh" bookworm envgen-test/debian:12-slim
mirror=$("$here/apt_mirror.sh") || exit

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

# The newer release has two builds for one GPU: another CUDA is another torch.
declare -A torch=([older]="--torch 2.6 --cuda 12.4" [newer]="--torch 2.7 --cuda 12.6")
mkdir "$work/served"
for age in older newer; do
  # shellcheck disable=SC2086  # words
  "$envgen" resolve ${torch[$age]} --format json >"$work/$age.json"
done
python3 "$here/stand_ins.py" "$work/served" "$work"/{older,newer}.json
# setup.sh is run by this machine's Python, images by Debian's.
for python in 3.11 "$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"; do
  python3 -m pip download --quiet --dest "$work/served" --only-binary=:all: --python-version "$python" \
    ninja==1.13.0 packaging==24.2 psutil==7.2.2 setuptools==75.3.2 wheel==0.45.1 uv==0.13.9 || {
    echo "pip does not find what extensions are built with" >&2
    exit 77
  }
done
python3 "$here/local_index.py" "$work/served" >"$work/index" &
index_pid=$!
until [[ -s "$work/index" ]]; do sleep 0.1; done
index=$(head -n 1 "$work/index")

# A base as nvidia/cuda is one: with an nvcc. apt asks the mirror.
"$DOCKER" build --quiet --network none --tag envgen-test/toolkit - >/dev/null <<END
FROM envgen-test/debian:12-slim
RUN find /etc/apt -name '*.sources' -exec sed -i 's#http://deb.debian.org/debian#$mirror#' {} + \
 && mkdir -p /usr/local/cuda/bin && printf '#!/bin/sh\necho release 12.4\n' >/usr/local/cuda/bin/nvcc && chmod +x /usr/local/cuda/bin/nvcc
END

# render KIND FOLDER AGE GPU OPTION...
render() {
  # shellcheck disable=SC2086  # words
  "$envgen" render "$1" ${torch[$3]} --gpu "$4" --variant devel --pip flash-attn "${@:5}" -o "$2" >/dev/null
}

# build NAME AGE GPU OPTION...: the image envgen-test:NAME. What the build printed stands in $work/said, where `must` puts it.
build() {
  render dockerfile "$work/$1/" "$2" "$3" --base-image envgen-test/toolkit "${@:4}"
  build_again "$1"
}
build_again() {
  DOCKER_BUILDKIT=1 "$DOCKER" build --progress plain --network host --tag "envgen-test:$1" --build-arg "PIP_INDEX_URL=$index" \
    --build-arg "UV_DEFAULT_INDEX=$index" --build-arg "TORCH_INDEX_URL=$index" "${@:2}" "$work/$1"
}

# Python that passes where flash-attn was compiled for this torch and these targets, and loads.
fits() { printf 'import torch, flash_attn as f, flash_attn_2_cuda; found = (torch.__version__.partition("+")[0], f.built_for, f.archs); assert found == ("%s", "%s", "%s"), found' "$1" "$1" "$2"; }
inside() { "$DOCKER" run --rm --network none "envgen-test:$1" python -c "$2"; }
says() { grep -qF -- "$1" "$work/said"; }
fails() { if "$@"; then return 1; fi; }

for installer in pip uv; do
  must "$installer: torch 2.6 for a 4090" build "$installer-older" older 4090 --installer "$installer"
  must "$installer: its flash-attn" inside "$installer-older" "$(fits 2.6.0 8.9)"
  must "$installer: torch 2.7 for a 4090" build "$installer-newer" newer 4090 --installer "$installer"
  must "$installer: its flash-attn is for 2.7" inside "$installer-newer" "$(fits 2.7.1 8.9)"
  [[ "$installer" == pip ]] || continue
  must "$installer: torch 2.7 for an H100" build "$installer-h100" newer H100 --installer "$installer"
  must "$installer: its flash-attn is for an H100" inside "$installer-h100" "$(fits 2.7.1 9.0)"
done

book
