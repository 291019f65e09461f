#!/usr/bin/env bash
# torch 2.15.0, CUDA 13.2, cuDNN 9.26.0.51, Python 3.12 on ubuntu22.04, for Tesla T4 under driver >=580.65.06
# Made by envgen; edits are kept unless --force. sha256:821610387ceac09da1be1bc066125254fc0650d89cd592d6ab645d262527f32b
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

# Nothing but an environment of this Python is touched.
version() { "$1" -c 'import sys, sysconfig; print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'; }
made=false
if [[ -x "$place/bin/python" ]]; then
  found=$(version "$place/bin/python") || die "$place holds no Python that runs: remove it, or name another place by ENVGEN_HOME"
  [[ "$found" == 3.12 ]] || die "$place holds Python $found and not 3.12: remove it, or name another place by ENVGEN_HOME"
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
  say "making $place with Python 3.12"
  mkdir -p "$(dirname "$place")"
  # Debian leaves ensurepip out of python3, and Colab out of its own: uv does without.
  if ! python3.12 -m venv "$place" >/dev/null 2>&1; then
    # What was begun goes; the folder itself may be a link or a mount.
    if [[ -d "$place" ]]; then find "$place/" -mindepth 1 -delete; fi
    find_uv
    from_github "$uv" venv --seed --python 3.12 "$place"
  fi
fi

if ! "$place/bin/python" -m pip --version >/dev/null 2>&1; then # a run that was interrupted, or uv, left it without
  find_uv
  "$uv" pip install --python "$place/bin/python" pip==25.0.1
fi
say "installing torch 2.15.0, CUDA 13.2"
"$place/bin/python" -m pip install torch==2.15.0 torchvision==0.29.2

say "comparing what is installed with what is locked"
"$place/bin/python" -c 'import torch; found = {"torch": torch.__version__.partition("+")[0], "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(), "archs": sorted(torch._C._cuda_getArchFlags().split())}; locked = {"torch": "2.15.0", "cuda": "13.2", "cudnn": 92600, "archs": ["sm_100", "sm_120", "sm_75", "sm_80", "sm_86", "sm_90"]}; assert found == locked, f"installed {found}, locked {locked}"'
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  "$place/bin/python" -c 'import torch; count = torch.cuda.device_count(); print("GPUs:", [torch.cuda.get_device_name(i) for i in range(count)]); assert count' || say "the framework sees no GPU, although this machine has a driver for one"
else
  say "no GPU is here now, and none was needed"
fi
say "done: $place/bin/python, or: source '$place/bin/activate'"
