#!/usr/bin/env bash
# torch 2.12.1, CUDA 13.0, cuDNN 9.20.0.48, Python 3.12 on Ubuntu 24.04, for H100 with driver >=580.65.06
# Made by envgen; hand edits are kept unless --force is used. sha256:1726995c47775b23f46eb4809deab5e1070995eeb27fbd59d65e9e482e44ee7c
#
#   ./setup.sh      creates or completes this environment on a machine without containers; safe to run again
#
# It is created in .venv (on AutoDL: on the data disk), or in the folder that ENVGEN_HOME names. Creating it needs no GPU.
set -euo pipefail

say() { printf '== %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

if [[ -d /root/autodl-tmp ]]; then
  # AutoDL: the system disk is small and is saved in images; the data disk is large and is not saved.
  place=${ENVGEN_HOME:-/root/autodl-tmp/envs/$(basename "$PWD")-$(cksum <<<"$PWD" | cut -d " " -f 1)}
  caches=/root/autodl-tmp/cache
  export PIP_CACHE_DIR=$caches/pip UV_CACHE_DIR=$caches/uv CONDA_PKGS_DIRS=$caches/conda HF_HOME=${HF_HOME:-$caches/huggingface}
else
  place=${ENVGEN_HOME:-$PWD/.venv}
fi

# AutoDL's proxy reaches GitHub but slows package mirrors down, so it is enabled for one command at a time.
from_github() {
  if [[ -f /etc/network_turbo ]]; then
    (
      set +eu
      # shellcheck source=/dev/null
      source /etc/network_turbo >/dev/null
      set -eu
      "$@"
    )
  else
    "$@"
  fi
}

# An environment with a different Python is left alone.
version() { "$1" -c 'import sys, sysconfig; print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'; }
made=false
if [[ -x "$place/bin/python" ]]; then
  found=$(version "$place/bin/python") || die "$place has no working Python: remove it, or set ENVGEN_HOME to another folder"
  [[ "$found" == 3.12 ]] || die "$place has Python $found, not 3.12: remove it, or set ENVGEN_HOME to another folder"
  made=true
elif [[ -n "$(ls -A "$place" 2>/dev/null)" ]]; then
  die "$place already exists and is not an environment: set ENVGEN_HOME to another folder"
fi

# install_miniforge FOLDER
install_miniforge() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  from_github curl --fail --silent --show-error --location --output "$scratch/miniforge.sh" https://github.com/conda-forge/miniforge/releases/download/26.3.2-3/Miniforge3-26.3.2-3-Linux-x86_64.sh
  echo "848194851a98903134187fbb4ab50efe87b003e0c0f808f97644b7524a62bf2c  $scratch/miniforge.sh" | sha256sum --check --quiet
  bash "$scratch/miniforge.sh" -b -u -p "$1"
}

# uv installs this Python if the machine lacks it.
uv=
# install_uv PYTHON: verified by hash, whichever index provides it.
install_uv() {
  "$1" -m pip install --quiet --upgrade --target "$place.uv" --require-hashes --requirement /dev/stdin <<<'uv==0.13.9 --hash=sha256:d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19'
}
find_uv() {
  if [[ -n "$uv" ]]; then return; fi
  if command -v uv >/dev/null; then
    uv=uv
    return
  fi
  say "installing uv 0.13.9 next to the environment"
  if python3 -c 'import sys, pip; assert sys.version_info >= (3, 8)' >/dev/null 2>&1; then
    install_uv python3
  elif command -v curl >/dev/null; then
    say "python3 has no suitable pip: installing Miniforge temporarily to get one"
    install_miniforge "$place.miniforge"
    install_uv "$place.miniforge/bin/python"
    rm -rf "$place.miniforge"
  else
    die "cannot install uv: it needs curl, or python3 3.8 or later with pip"
  fi
  uv=$place.uv/bin/uv
}

if ! "$made"; then
  say "creating $place with Python 3.12"
  mkdir -p "$(dirname "$place")"
  find_uv
  from_github "$uv" venv --python 3.12 "$place"
fi

find_uv
say "installing torch 2.12.1, CUDA 13.0"
"$uv" pip install --python "$place/bin/python" torch==2.12.1 torchvision==0.27.1

say "comparing the installed packages with the lock"
"$place/bin/python" -c 'import torch; found = {"torch": torch.__version__.partition("+")[0], "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(), "archs": sorted(torch._C._cuda_getArchFlags().split())}; locked = {"torch": "2.12.1", "cuda": "13.0", "cudnn": 92000, "archs": ["sm_100", "sm_120", "sm_75", "sm_80", "sm_86", "sm_90"]}; assert found == locked, f"installed {found}, locked {locked}"'
has_headers='import os, sysconfig; raise SystemExit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
if ! "${CXX:-g++}" --version >/dev/null 2>&1 || ! "$place/bin/python" -c "$has_headers"; then
  say "torch.compile will not work until a C++ compiler and the Python headers are installed (Debian and Ubuntu: g++ python3-dev)"
fi
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  "$place/bin/python" -c 'import torch; count = torch.cuda.device_count(); print("GPUs:", [torch.cuda.get_device_name(i) for i in range(count)]); assert count' || say "the framework sees no GPU, although this machine has a GPU driver"
else
  say "no GPU found (none is needed to install)"
fi
say "done: $place/bin/python, or: source '$place/bin/activate'"
