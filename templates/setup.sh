#!/usr/bin/env bash
# {{{title}}}
{{#notes}}
# {{{item}}}
{{/notes}}
# {{{mark}}}
#
#   ./setup.sh      makes this environment on a machine without containers, or completes it; run it again at will
#
# It lies in {{{place}}}, on AutoDL on the data disk; ENVGEN_HOME names another place. No GPU is needed to make it.
{{#netrc}}
# Where the index asks for a password: a line 'machine HOST login USER password PASSWORD' in ~/.netrc, which pip and uv read.
{{/netrc}}
{{#has_compiled}}
# MAX_JOBS=N is how many compilers run at once, where memory is short.
{{/has_compiled}}
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
  place=${ENVGEN_HOME:-$PWD/{{{place}}}}
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
# Extensions are compiled for these, whatever GPU is here now.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-{{{archs}}}}
{{/has_archs}}
{{#devel}}
if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
  export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH
fi
if ! nvcc --version 2>/dev/null | grep -q 'release {{{cuda}}},'; then
  say "nvcc of CUDA {{{cuda}}} is not here: extensions cannot be compiled until it is"
fi
{{#has_gcc_max}}
# nvcc of this CUDA takes GCC up to {{{gcc_max}}}.
gcc_major() { "$1" -dumpversion 2>/dev/null | cut -d . -f 1; }
for compiler in "${CXX:-g++}" g++-{{{gcc_max}}} ""; do
  major=$(gcc_major "${compiler:-false}" || true)
  if [[ -n "$major" ]] && ((major <= {{{gcc_max}}})); then break; fi
done
if [[ -z "$compiler" ]]; then
  say "no g++ up to {{{gcc_max}}} is here, and nvcc takes no newer one: extensions cannot be compiled until it is"
elif [[ "$compiler" == g++-* ]]; then
  export CC=gcc-${compiler#g++-} CXX=$compiler NVCC_PREPEND_FLAGS=-ccbin=$compiler
fi
{{/has_gcc_max}}
{{/devel}}
# Nothing but an environment of this Python is touched.{{#conda}} conda would empty what it makes anew.{{/conda}}
version() { "$1" -c 'import sys, sysconfig; print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'; }
made=false
{{#conda}}
if [[ "$place" == "$HOME/.conda" ]]; then die "$place is conda's own folder: start this elsewhere, or name another place by ENVGEN_HOME"; fi
{{/conda}}
if [[ {{#conda}}-d "$place/conda-meta" && {{/conda}}-x "$place/bin/python" ]]; then
  found=$(version "$place/bin/python") || die "$place holds no Python that runs: remove it, or name another place by ENVGEN_HOME"
  [[ "$found" == {{{python}}} ]] || die "$place holds Python $found and not {{{python}}}: remove it, or name another place by ENVGEN_HOME"
  made=true
elif [[ -n "$(ls -A "$place" 2>/dev/null)" ]]; then
  die "$place is there and holds no environment: name another place by ENVGEN_HOME"
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
# uv brings a Python that the machine lacks.
uv=
# install_uv PYTHON: by its hash, whichever index has it.
install_uv() {
  "$1" -m pip install --quiet --upgrade --target "$place.uv" --require-hashes --requirement /dev/stdin <<<'{{{uv}}}'
}
find_uv() {
  if [[ -n "$uv" ]]; then return; fi
  if command -v uv >/dev/null; then
    uv=uv
    return
  fi
  say "installing uv {{{uv_version}}} beside the environment"
  if python3 -c 'import sys, pip; assert sys.version_info >= (3, 8)' >/dev/null 2>&1; then
    install_uv python3
  elif command -v curl >/dev/null; then
    say "python3 has no pip that could, so Miniforge brings one, and goes again"
    install_miniforge "$place.miniforge"
    install_uv "$place.miniforge/bin/python"
    rm -rf "$place.miniforge"
  else
    die "none of uv, pip for a python3 of 3.8 or later, and curl is here, and one of them has to bring uv"
  fi
  uv=$place.uv/bin/uv
}

if ! "$made"; then
  say "making $place with Python {{{python}}}"
  mkdir -p "$(dirname "$place")"
{{#by_pip}}
  # Debian leaves ensurepip out of python3, and Colab out of its own: uv does without.
  if ! python{{{python}}} -m venv "$place" >/dev/null 2>&1; then
    # What was begun goes; the folder itself may be a link or a mount.
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
if ! "$place/bin/python" -m pip --version >/dev/null 2>&1; then # a run that was interrupted, or uv, left it without
  find_uv
  "$uv" pip install --python "$place/bin/python" --require-hashes --requirement /dev/stdin <<<'{{{pip}}}'
fi
{{/by_pip}}
{{^by_pip}}
find_uv
{{/by_pip}}
say "installing {{{what}}}"
{{#frozen}}
# The whole tree, each file by its hash.
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
# The conda that is there, AutoDL's among them; else Miniforge.
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
# What compiles finds nvcc, its headers and its libraries by these, now and whenever the environment is activated.
[[ -e "$place/lib64" ]] || ln -s lib "$place/lib64"
mkdir -p "$place/etc/conda/activate.d"
cat >"$place/etc/conda/activate.d/envgen.sh" <<'END'
export CUDA_HOME=$CONDA_PREFIX CUDA_INC_PATH=$CONDA_PREFIX/{{{headers}}} CPATH=$CONDA_PREFIX/{{{headers}}}${CPATH:+:$CPATH}
END
export CUDA_HOME=$place CUDA_INC_PATH=$place/{{{headers}}} CPATH=$place/{{{headers}}}${CPATH:+:$CPATH} PATH=$place/bin:$PATH
# Not the system's compiler, which may be none, or newer than nvcc accepts.
export CC=$place/bin/{{{compiler}}}-gcc CXX=$place/bin/{{{compiler}}}-g++ NVCC_PREPEND_FLAGS=-ccbin=$place/bin/{{{compiler}}}-g++
{{/has_toolkit}}
{{#steps}}
{{{item}}}
{{/steps}}
{{/conda}}
{{#has_compiled}}

# What is compiled against torch has a cache of its own for each key of what it depends on; that of pip and uv tells them not apart.
# What is there and was compiled for another torch or other GPUs, or for none that is known, is compiled anew.
extensions=$place.extensions.py
cat >"$extensions" <<'END'
{{{program}}}
END
stale=$("$place/bin/python" "$extensions" {{{stale}}})
if [[ -n "$stale" ]]; then
  mapfile -t stale <<<"$stale"
  say "compiling anew: ${stale[*]}"
  {{{uninstall}}} "${stale[@]}"
fi
built=${caches:-${XDG_CACHE_HOME:-$HOME/.cache}}/envgen-built/$("$place/bin/python" "$extensions" key)
PIP_CACHE_DIR=$built UV_CACHE_DIR=$built {{{compile}}}
"$place/bin/python" "$extensions" record {{{names}}}
{{/has_compiled}}

say "comparing what is installed with what is locked"
"$place/bin/python" -c '{{{assertion}}}'
{{#has_compiled}}
"$place/bin/python" "$extensions" {{{check}}}
{{/has_compiled}}
{{#has_notes}}
printf '== %s\n' {{{said_notes}}} >&2
{{/has_notes}}
{{#has_gpu_check}}
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  "$place/bin/python" -c '{{{gpu_check}}}' || say "the framework sees no GPU, although this machine has a driver for one"
else
  say "no GPU is here now, and none was needed"
fi
{{/has_gpu_check}}
{{#jupyter}}
say "JupyterLab: $place/bin/jupyter lab"
{{/jupyter}}
say "done: $place/bin/python{{^conda}}, or: source '$place/bin/activate'{{/conda}}"
