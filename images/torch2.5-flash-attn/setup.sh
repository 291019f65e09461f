#!/usr/bin/env bash
# torch 2.5.1, CUDA 12.4, cuDNN 9.1.0.70, Python 3.10 on ubuntu22.04, for A100 under driver >=550.54.14
# Made by envgen; edits are kept unless --force. sha256:b40000e5d675acfdc9695c5d78877d01a43c85b214ba6d84812165cd42c84b19
#
#   ./setup.sh      makes this environment on a machine without containers, or completes it; run it again at will
#
# It lies in .venv, on AutoDL on the data disk; ENVGEN_HOME names another place. No GPU is needed to make it.
set -euo pipefail

say() { printf '== %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

if [[ -d /root/autodl-tmp ]]; then
  # AutoDL: the system disk is small, and is saved in images; the data disk is neither.
  place=${ENVGEN_HOME:-/root/autodl-tmp/envs/$(basename "$PWD")-$(cksum <<<"$PWD" | cut -d " " -f 1)}
  caches=/root/autodl-tmp/cache
  export PIP_CACHE_DIR=$caches/pip UV_CACHE_DIR=$caches/uv CONDA_PKGS_DIRS=$caches/conda HF_HOME=${HF_HOME:-$caches/huggingface}
else
  place=${ENVGEN_HOME:-$PWD/.venv}
fi

# AutoDL's proxy reaches GitHub and slows mirrors of packages down, so it is on for one command and off again.
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

export FLASH_ATTN_CUDA_ARCHS=${FLASH_ATTN_CUDA_ARCHS:-80}
# Extensions are compiled for these, whatever GPU is here now.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-8.0}
if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
  export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH
fi
if ! nvcc --version 2>/dev/null | grep -q 'release 12.4,'; then
  say "nvcc of CUDA 12.4 is not here: extensions cannot be compiled until it is"
fi
# nvcc of this CUDA takes GCC up to 13.
gcc_major() { "$1" -dumpversion 2>/dev/null | cut -d . -f 1; }
for compiler in "${CXX:-g++}" g++-13 ""; do
  major=$(gcc_major "${compiler:-false}" || true)
  if [[ -n "$major" ]] && ((major <= 13)); then break; fi
done
if [[ -z "$compiler" ]]; then
  say "no g++ up to 13 is here, and nvcc takes no newer one: extensions cannot be compiled until it is"
elif [[ "$compiler" == g++-* ]]; then
  export CC=gcc-${compiler#g++-} CXX=$compiler NVCC_PREPEND_FLAGS=-ccbin=$compiler
fi
# Nothing but an environment of this Python is touched.
version() { "$1" -c 'import sys, sysconfig; print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'; }
made=false
if [[ -x "$place/bin/python" ]]; then
  found=$(version "$place/bin/python") || die "$place holds no Python that runs: remove it, or name another place by ENVGEN_HOME"
  [[ "$found" == 3.10 ]] || die "$place holds Python $found and not 3.10: remove it, or name another place by ENVGEN_HOME"
  made=true
elif [[ -n "$(ls -A "$place" 2>/dev/null)" ]]; then
  die "$place is there and holds no environment: name another place by ENVGEN_HOME"
fi

# uv brings a Python that the machine lacks.
uv=
fetch_uv() {
  curl --fail --silent --show-error --location https://astral.sh/uv/0.13.9/install.sh | env UV_UNMANAGED_INSTALL="$1" sh
}
find_uv() {
  if [[ -n "$uv" ]]; then return; fi
  if command -v uv >/dev/null; then
    uv=uv
  elif python3 -m pip --version >/dev/null 2>&1; then
    say "installing uv 0.13.9 beside the environment"
    python3 -m pip install --quiet --upgrade --target "$place.uv" uv==0.13.9
    uv=$place.uv/bin/uv
  else
    say "fetching uv 0.13.9"
    from_github fetch_uv "$place.uv/bin"
    uv=$place.uv/bin/uv
  fi
}

if ! "$made"; then
  say "making $place with Python 3.10"
  mkdir -p "$(dirname "$place")"
  # Debian leaves ensurepip out of python3, and Colab out of its own: uv does without.
  if ! python3.10 -m venv "$place" >/dev/null 2>&1; then
    # What was begun goes; the folder itself may be a link or a mount.
    if [[ -d "$place" ]]; then find "$place/" -mindepth 1 -delete; fi
    find_uv
    from_github "$uv" venv --seed --python 3.10 "$place"
  fi
fi

if ! "$place/bin/python" -m pip --version >/dev/null 2>&1; then # a run that was interrupted, or uv, left it without
  find_uv
  "$uv" pip install --python "$place/bin/python" pip==25.0.1
fi
say "installing torch 2.5.1, CUDA 12.4"
"$place/bin/python" -m pip install torch==2.5.1 torchvision==0.20.1 torchaudio==2.5.1 'setuptools<82' jupyterlab==4.3.8 ninja==1.13.0 packaging==24.2 psutil==7.2.2 wheel==0.45.1
"$place/bin/python" -m pip install --no-build-isolation torch==2.5.1 flash-attn==2.7.4.post1

say "comparing what is installed with what is locked"
"$place/bin/python" -c 'import torch; found = {"torch": torch.__version__.partition("+")[0], "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(), "archs": sorted(torch._C._cuda_getArchFlags().split())}; locked = {"torch": "2.5.1", "cuda": "12.4", "cudnn": 90100, "archs": ["sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"]}; assert found == locked, f"installed {found}, locked {locked}"'
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  "$place/bin/python" -c 'import torch; count = torch.cuda.device_count(); print("GPUs:", [torch.cuda.get_device_name(i) for i in range(count)]); assert count' || say "the framework sees no GPU, although this machine has a driver for one"
else
  say "no GPU is here now, and none was needed"
fi
say "JupyterLab: $place/bin/jupyter lab"
say "done: $place/bin/python, or: source '$place/bin/activate'"
