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

# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
# shellcheck source=tests/e2e/report.sh
source tests/e2e/report.sh

# The newer release has two builds for one GPU: another CUDA is another torch.
declare -A torch=([older]="--torch 2.6 --cuda 12.4" [newer]="--torch 2.7 --cuda 12.6")
mkdir "$work/served"
for age in older newer; do
  # shellcheck disable=SC2086  # words
  "$envgen" resolve ${torch[$age]} --format json >"$work/$age.json"
done
python3 "$here/stand_ins.py" "$work/served" "$work"/{older,newer}.json
# setup.sh is run by this machine's Python, images by Debian's.
own=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
for python in $(printf '%s\n' 3.11 "$own" | sort -u); do
  python3 -m pip download --quiet --no-deps --dest "$work/served" --only-binary=:all: --python-version "$python" \
    ninja==1.13.0 packaging==24.2 pip==25.0.1 psutil==7.2.2 setuptools==75.3.2 wheel==0.45.1 uv==0.13.9 || {
    echo "pip does not find what extensions are built with" >&2
    exit 77
  }
done
python3 "$here/local_index.py" "$work/served" >"$work/index" &
index_pid=$!
until [[ -s "$work/index" ]]; do sleep 0.1; done
index=$(head -n 1 "$work/index")

# A base as nvidia/cuda is one: with an nvcc. apt asks the mirror.
debian="http://deb.""debian.org/debian" # in parts: no committed line names a registry
"$DOCKER" build --quiet --network none --tag envgen-test/toolkit - >/dev/null <<END
FROM envgen-test/debian:12-slim
RUN find /etc/apt -name '*.sources' -exec sed -i 's#$debian#$mirror#' {} + \
 && mkdir -p /usr/local/cuda/bin && printf '#!/bin/sh\necho release 12.4\n' >/usr/local/cuda/bin/nvcc && chmod +x /usr/local/cuda/bin/nvcc
END

# render KIND FOLDER AGE GPU OPTION...
render() {
  # shellcheck disable=SC2086  # words
  "$envgen" render "$1" ${torch[$3]} --gpu "$4" --variant devel --pip flash-attn "${@:5}" --force -o "$2" >/dev/null
}

# build NAME AGE GPU OPTION...: the image envgen-test:NAME. What the build printed stands in $work/said, where `must` puts it.
build() {
  drop_image "envgen-test:$1"
  render dockerfile "$work/$1/" "$2" "$3" --base-image envgen-test/toolkit "${@:4}"
  build_again "$1"
}
build_again() {
  DOCKER_BUILDKIT=1 "$DOCKER" build --progress plain --network host --tag "envgen-test:$1" --build-arg "PIP_INDEX_URL=$index" \
    --build-arg "UV_DEFAULT_INDEX=$index" --build-arg "TORCH_INDEX_URL=$index" "${@:2}" "$work/$1"
}

# Python that passes where flash-attn was compiled for this torch and these targets, and loads.
fits() { printf 'import torch, flash_attn as f; found = (torch.__version__.partition("+")[0], f.built_for, f.archs); assert found == ("%s", "%s", "%s"), found' "$1" "$1" "$2"; }
inside() { "$DOCKER" run --rm --network none "envgen-test:$1" "${@:2}"; }
printed() { # all of it, by what the command before printed
  local text
  for text; do grep -qF -- "$text" "$work/said" || return; done
}
not_printed() { [[ -s "$work/said" ]] && ! grep -F -- "$1" "$work/said"; }

for installer in pip uv; do
  must "$installer: torch 2.6 for a 4090" build "$installer-older" older 4090 --installer "$installer" --pip of-its-own
  must "$installer: its flash-attn" inside "$installer-older" python -c "$(fits 2.6.0 8.9)"
  must "$installer: torch 2.7 for a 4090" build "$installer-newer" newer 4090 --installer "$installer"
  must "$installer: its flash-attn is for 2.7" inside "$installer-newer" python -c "$(fits 2.7.1 8.9)"
  must "$installer: torch 2.7 for an H100" build "$installer-h100" newer H100 --installer "$installer" --pip of-its-own
  must "$installer: its flash-attn is for an H100" inside "$installer-h100" python -c "$(fits 2.7.1 9.0)"
done
must "pip: what is built in isolation, too" inside pip-h100 python -c 'import of_its_own; assert of_its_own.archs == "9.0", of_its_own.archs'
# What was compiled once for all of this is not compiled again; how many compilers run at once is nothing that it depends on.
must "the same installation once more" build_again pip-older --build-arg MAX_JOBS=2
must "nothing was compiled" not_printed "Building wheel for flash-attn"

# Another torch is put into an image that is there; and into one of before, when nothing was noted.
replaced() {
  drop_image envgen-test:replaced
  drop_image envgen-test:unnoted
  "$DOCKER" build --quiet --network host --tag envgen-test:replaced - <<<"FROM envgen-test:pip-older
USER root
RUN pip install --quiet --no-deps --index-url $index torch==2.7.1
USER 1000" && "$DOCKER" build --quiet --network none --tag envgen-test:unnoted - <<<"FROM envgen-test:replaced
USER root
RUN rm /opt/venv/lib/python*/site-packages/flash_attn-*.dist-info/envgen-built-for.json
USER 1000"
}
must "another torch" replaced
check=(python /opt/envgen/extensions.py --for 8.9 check flash-attn)
must_fail "the build's look at it" inside replaced "${check[@]}"
must "it tells why" printed \
  "error: flash-attn 2.8.3 was compiled for torch 2.6.0+cu124 and CUDA 12.4, but torch 2.7.1+cu126 for CUDA 12.6 is installed" \
  "flash_attn_2_cuda.cpython-311-$(uname -m)-linux-gnu.so: undefined symbol: _ZN3c108of_2_6_0Ev"
must_fail "that at the image of before" inside unnoted "${check[@]}"
must "what does not load" printed "error: flash-attn 2.8.3 does not load: "
must_fail "other GPUs" inside pip-older "${check[@]:0:3}" 9.0 "${check[@]:4}"
must "they are named" printed "error: flash-attn 2.8.3 has no code for compute capability 9.0: it was compiled for sm_89"

validated() { report "$1" "envgen-test:$2" --gpus none --gpu "$3" && says extensions "${@:4}"; }
must "validate: an image that fits" validated 0 pip-newer 4090 pass "flash-attn 2.8.3 loads with torch 2.7.1"
must "validate: another torch" validated 5 replaced 4090 fail "flash-attn 2.8.3 was compiled for torch 2.6.0+cu124, CUDA 12.4, but torch 2.7.1, CUDA 12.6 is installed"
must "validate: another torch, which nobody noted" validated 5 unnoted 4090 fail "flash-attn 2.8.3 does not load: " "undefined symbol: _ZN3c108of_2_6_0Ev"
must "validate: other GPUs" validated 5 pip-older H100 fail "flash-attn 2.8.3 has neither binaries nor PTX for H100" "it was compiled for sm_89"

# A machine, whose cache of pip is that of its user: what pip was told to compile there by hand lies in it.
export HOME=$work/home PIP_INDEX_URL=$index UV_DEFAULT_INDEX=$index TORCH_INDEX_URL=$index PIP_CONFIG_FILE=/dev/null UV_NO_CONFIG=1
export -n PIP_FIND_LINKS PIP_EXTRA_INDEX_URL XDG_CACHE_HOME
mkdir "$HOME"
setup() { render setup "$work/$1/setup.sh" "$2" "$3" --python "$own" && (cd "$work/$1" && ./setup.sh); }
must "setup.sh: torch 2.6" setup machine older 4090
must "pip by hand" env TORCH_CUDA_ARCH_LIST=8.9 "$work/machine/.venv/bin/pip" install --force-reinstall --no-deps --no-build-isolation flash-attn
must "setup.sh: torch 2.7 beside it" setup beside newer 4090
must "setup.sh: its flash-attn is for 2.7" "$work/beside/.venv/bin/python" -c "$(fits 2.7.1 8.9)"
must "setup.sh: torch 2.7 in the place of 2.6" setup machine newer H100
must "setup.sh: it says what it recompiles" printed "== recompiling: flash-attn"
must "setup.sh: its flash-attn is for 2.7 and an H100" "$work/machine/.venv/bin/python" -c "$(fits 2.7.1 9.0)"
must "setup.sh: once more" setup machine newer H100
must "setup.sh: nothing is recompiled" not_printed "recompiling"

# pyproject.toml, by a uv of one's own.
python3 -m pip install --quiet --target "$work/uv" uv==0.13.9
synced() { render pyproject "$work/synced/pyproject.toml" "$1" "$2" --python "$own" --torch-mirror "${index%/}" && env -u UV_NO_CONFIG "$work/uv/bin/uv" sync --project "$work/synced"; }
mkdir "$work/synced"
must "uv sync: what builds" "$work/uv/bin/uv" venv --python "$own" "$work/synced/.venv"
must "uv sync: torch 2.6" synced older 4090
must "uv sync: its flash-attn" "$work/synced/.venv/bin/python" -c "$(fits 2.6.0 8.9)"
must "uv sync: torch 2.7" synced newer H100
must "uv sync: its flash-attn is for 2.7 and an H100" "$work/synced/.venv/bin/python" -c "$(fits 2.7.1 9.0)"

book
