#!/usr/bin/env bash
# {{{title}}}
{{#notes}}
# {{{item}}}
{{/notes}}
# {{{mark}}}
#
#   ./setup.sh      creates or completes this environment on a machine without containers; safe to run again
#
# It is created in {{{place}}} (on AutoDL: on the data disk), or in the folder that ENVGEN_HOME names. Creating it needs no GPU.
{{#netrc}}
# If the index needs a password, put a line 'machine HOST login USER password PASSWORD' into ~/.netrc, which pip and uv read.
{{/netrc}}
{{#has_compiled}}
# MAX_JOBS=N limits how many compilers run at once, if memory is short.
{{/has_compiled}}
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
  place=${ENVGEN_HOME:-$PWD/{{{place}}}}
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

{{#has_apt}}
packages=({{{apt}}})
missing=()
for package in "${packages[@]}"; do
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || missing+=("$package")
done
if ((${#missing[@]})); then
  say "installing with apt-get: ${missing[*]}"
  as_root=()
  ((EUID == 0)) || as_root=(sudo)
  ${as_root[@]+"${as_root[@]}"} apt-get update
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
fi

{{/has_apt}}
{{#exports}}
export {{{item}}}
{{/exports}}
{{#has_archs}}
# Extensions are compiled for these, regardless of the GPU present now.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-{{{archs}}}}
{{/has_archs}}
{{#devel}}
if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
  export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH
fi
if ! nvcc --version 2>/dev/null | grep -q 'release {{{cuda}}},'; then
  say "nvcc {{{cuda}}} was not found: extensions cannot be compiled until it is installed"
fi
{{#has_gcc_max}}
# nvcc in this CUDA version accepts GCC up to {{{gcc_max}}}{{#has_gcc_min}}, and torch's headers need {{{gcc_min}}} or newer{{/has_gcc_min}}.
gcc_major() { "$1" -dumpversion 2>/dev/null | cut -d . -f 1; }
for compiler in "${CXX:-g++}" {{{gcc_names}}} ""; do
  major=$(gcc_major "${compiler:-false}" || true)
  if [[ -n "$major" ]] && ((major <= {{{gcc_max}}}{{#has_gcc_min}} && major >= {{{gcc_min}}}{{/has_gcc_min}})); then break; fi
done
if [[ -z "$compiler" ]]; then
  say "{{^has_gcc_min}}nvcc needs g++ {{{gcc_max}}} or older{{/has_gcc_min}}{{#has_gcc_min}}compiling extensions needs g++ {{{gcc_min}}} to {{{gcc_max}}}{{/has_gcc_min}}, and none was found: install one"
elif [[ "$compiler" == g++-* ]]; then
  export CC=gcc-${compiler#g++-} CXX=$compiler NVCC_PREPEND_FLAGS=-ccbin=$compiler
fi
{{/has_gcc_max}}
{{/devel}}
# An environment with a different Python is left alone.{{#conda}} 'conda create' would empty an existing folder.{{/conda}}
version() { "$1" -c 'import sys, sysconfig; print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'; }
made=false
{{#conda}}
if [[ "$place" == "$HOME/.conda" ]]; then die "$place is conda's own folder: run this elsewhere, or set ENVGEN_HOME to another folder"; fi
{{/conda}}
if [[ {{#conda}}-d "$place/conda-meta" && {{/conda}}-x "$place/bin/python" ]]; then
  found=$(version "$place/bin/python") || die "$place has no working Python: remove it, or set ENVGEN_HOME to another folder"
  [[ "$found" == {{{python}}} ]] || die "$place has Python $found, not {{{python}}}: remove it, or set ENVGEN_HOME to another folder"
  made=true
elif [[ -n "$(ls -A "$place" 2>/dev/null)" ]]; then
  die "$place already exists and is not an environment: set ENVGEN_HOME to another folder"
fi

# install_miniforge FOLDER
install_miniforge() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  from_github curl --fail --silent --show-error --location --output "$scratch/miniforge.sh" {{{miniforge}}}
  echo "{{{miniforge_sum}}}  $scratch/miniforge.sh" | sha256sum --check --quiet
  bash "$scratch/miniforge.sh" -b -u -p "$1"
}

{{^conda}}
{{#has_index}}
TORCH_INDEX_URL=${TORCH_INDEX_URL:-{{{index}}}}
{{/has_index}}
# uv installs this Python if the machine lacks it.
uv=
# install_uv PYTHON: verified by hash, whichever index provides it.
install_uv() {
  "$1" -m pip install --quiet --upgrade --target "$place.uv" --require-hashes --requirement /dev/stdin <<<'{{{uv}}}'
}
find_uv() {
  if [[ -n "$uv" ]]; then return; fi
  if command -v uv >/dev/null; then
    uv=uv
    return
  fi
  say "installing uv {{{uv_version}}} next to the environment"
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
  say "creating $place with Python {{{python}}}"
  mkdir -p "$(dirname "$place")"
{{#by_pip}}
  # Debian's python3 and Colab's lack ensurepip; uv does not need it.
  if ! python{{{python}}} -m venv "$place" >/dev/null 2>&1; then
    # Remove the partial environment; the folder itself may be a link or a mount.
    if [[ -d "$place" ]]; then find "$place/" -mindepth 1 -delete; fi
    find_uv
    from_github "$uv" venv --python {{{python}}} "$place"
  fi
{{/by_pip}}
{{^by_pip}}
  find_uv
  from_github "$uv" venv --python {{{python}}} "$place"
{{/by_pip}}
fi

{{#by_pip}}
if ! "$place/bin/python" -m pip --version >/dev/null 2>&1; then # an interrupted run, or uv, left it without pip
  find_uv
  "$uv" pip install --python "$place/bin/python" --require-hashes --requirement /dev/stdin <<<'{{{pip}}}'
fi
{{#has_old_pip}}
# A pip before 20.3 misses many wheels and ignores what packages require of each other.
if ! "$place/bin/python" -c 'import pip; assert [int(part) for part in pip.__version__.split(".")[:2]] >= [20, 3]' 2>/dev/null; then
  "$place/bin/python" -m pip install --require-hashes --requirement /dev/stdin <<<'{{{pip}}}'
fi
{{/has_old_pip}}
{{/by_pip}}
{{^by_pip}}
find_uv
{{/by_pip}}
say "installing {{{what}}}"
{{#frozen}}
# The full dependency tree, with the hash of each file.
frozen=$place.frozen.txt
cat >"$frozen" <<'END'
{{#frozen_lines}}
{{{item}}}
{{/frozen_lines}}
END
{{/frozen}}
{{#steps}}
{{{item}}}
{{/steps}}
{{/conda}}
{{#conda}}
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
say "$conda $what: {{{what}}}"
"$conda" "$what" --yes --prefix "$place" --override-channels --strict-channel-priority {{{channels}}} \
  {{{specs}}}
{{#has_toolkit}}
# Builds find nvcc, its headers and its libraries through these, now and whenever the environment is activated.
[[ -e "$place/lib64" ]] || ln -s lib "$place/lib64"
mkdir -p "$place/etc/conda/activate.d"
cat >"$place/etc/conda/activate.d/envgen.sh" <<'END'
export CUDA_HOME=$CONDA_PREFIX CUDA_INC_PATH=$CONDA_PREFIX/{{{headers}}} CPATH=$CONDA_PREFIX/{{{headers}}}${CPATH:+:$CPATH}
END
export CUDA_HOME=$place CUDA_INC_PATH=$place/{{{headers}}} CPATH=$place/{{{headers}}}${CPATH:+:$CPATH} PATH=$place/bin:$PATH
# Not the system compiler, which may be missing, or newer than nvcc accepts.
export CC=$place/bin/{{{compiler}}}-gcc CXX=$place/bin/{{{compiler}}}-g++ NVCC_PREPEND_FLAGS=-ccbin=$place/bin/{{{compiler}}}-g++
{{/has_toolkit}}
{{#steps}}
{{{item}}}
{{/steps}}
{{/conda}}
{{#has_compiled}}

# Packages compiled against torch get a separate cache for each key of what they depend on, because pip's and uv's caches do not tell such builds apart.
# An installed package that was compiled for another or an unknown torch, or for other GPUs, is recompiled.
extensions=$place.extensions.py
cat >"$extensions" <<'END'
{{{program}}}
END
stale=$("$place/bin/python" "$extensions" {{{stale}}})
if [[ -n "$stale" ]]; then
  mapfile -t stale <<<"$stale"
  say "recompiling: ${stale[*]}"
  {{{uninstall}}} "${stale[@]}"
fi
built=${caches:-${XDG_CACHE_HOME:-$HOME/.cache}}/envgen-built/$("$place/bin/python" "$extensions" key)
PIP_CACHE_DIR=$built UV_CACHE_DIR=$built {{{compile}}}
"$place/bin/python" "$extensions" record {{{names}}}
{{/has_compiled}}

say "comparing the installed packages with the lock"
"$place/bin/python" -c '{{{assertion}}}'
{{#has_compiled}}
"$place/bin/python" "$extensions" {{{check}}}
{{/has_compiled}}
{{#has_run_time_compiler}}
has_headers='import os, sysconfig; raise SystemExit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
if ! "${CXX:-g++}" --version >/dev/null 2>&1 || ! "$place/bin/python" -c "$has_headers"; then
  say "torch.compile will not work until a C++ compiler and the Python headers are installed (Debian and Ubuntu: {{{run_time_compiler}}})"
fi
{{/has_run_time_compiler}}
{{#has_notes}}
printf '== %s\n' {{{said_notes}}} >&2
{{/has_notes}}
{{#has_gpu_check}}
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  "$place/bin/python" -c '{{{gpu_check}}}' || say "the framework sees no GPU, although this machine has a GPU driver"
else
  say "no GPU found (none is needed to install)"
fi
{{/has_gpu_check}}
{{#jupyter}}
say "JupyterLab: $place/bin/jupyter lab"
{{/jupyter}}
say "done: $place/bin/python{{^conda}}, or: source '$place/bin/activate'{{/conda}}"
