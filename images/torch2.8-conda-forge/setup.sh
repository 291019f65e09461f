#!/usr/bin/env bash
# torch 2.8.0, CUDA 12.9, cuDNN 9.10.2.21, Python 3.12 on Ubuntu 24.04, for A100 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:9c3616adb0f8be0687b59fc7b9a808ff3a606be3c4d0852446a2fd51e929a087
#
#   ./setup.sh      creates or completes this environment on a machine without containers; safe to run again
#
# It is created in .conda (on AutoDL: on the data disk), or in the folder that ENVGEN_HOME names. Creating it needs no GPU.
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
  place=${ENVGEN_HOME:-$PWD/.conda}
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

export CONDA_OVERRIDE_CUDA=12.9
export CONDA_OVERRIDE_CUDA_ARCH=8.0
# An environment with a different Python is left alone. 'conda create' would empty an existing folder.
version() { "$1" -c 'import sys, sysconfig; print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'; }
made=false
if [[ "$place" == "$HOME/.conda" ]]; then die "$place is conda's own folder: run this elsewhere, or set ENVGEN_HOME to another folder"; fi
if [[ -d "$place/conda-meta" && -x "$place/bin/python" ]]; then
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

# An existing conda, including AutoDL's; else Miniforge.
conda=
for candidate in "${CONDA_EXE:-}" conda "$HOME/miniforge3/bin/conda" /root/miniconda3/bin/conda; do
  if [[ -n "$candidate" ]] && command -v "$candidate" >/dev/null; then
    conda=$candidate
    break
  fi
done
if [[ -z "$conda" ]]; then
  say "installing Miniforge into $HOME/miniforge3"
  install_miniforge "$HOME/miniforge3"
  conda=$HOME/miniforge3/bin/conda
fi

what=create
if "$made"; then what=install; fi
say "$conda $what: torch 2.8.0, CUDA 12.9"
"$conda" "$what" --yes --prefix "$place" --override-channels --strict-channel-priority --channel conda-forge \
  python=3.12 'pytorch==2.8.0=cuda129*' cuda-version=12.9 cudnn=9.10.2.21 'setuptools<82'

say "comparing the installed packages with the lock"
"$place/bin/python" -c 'import torch; found = {"torch": torch.__version__.partition("+")[0], "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(), "archs": sorted(torch._C._cuda_getArchFlags().split())}; locked = {"torch": "2.8.0", "cuda": "12.9", "cudnn": 91002, "archs": ["compute_120", "sm_100", "sm_120", "sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"]}; assert found == locked, f"installed {found}, locked {locked}"'
has_headers='import os, sysconfig; raise SystemExit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
if ! "${CXX:-g++}" --version >/dev/null 2>&1 || ! "$place/bin/python" -c "$has_headers"; then
  say "torch.compile will not work until a C++ compiler and the Python headers are installed (Debian and Ubuntu: g++)"
fi
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  "$place/bin/python" -c 'import torch; count = torch.cuda.device_count(); print("GPUs:", [torch.cuda.get_device_name(i) for i in range(count)]); assert count' || say "the framework sees no GPU, although this machine has a GPU driver"
else
  say "no GPU found (none is needed to install)"
fi
say "done: $place/bin/python"
