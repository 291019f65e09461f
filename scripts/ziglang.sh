# shellcheck shell=bash
# Sourced after common.sh by what builds for an older glibc than this machine's: `portable_cxx ARCHITECTURE WORD...` is the clang of the
# package ziglang, for the oldest glibc that envgen-bench is meant for. Exit status 77: it cannot be installed.
ziglang_version=0.17.1
glibc=2.28
out=$PWD/build/bench
venv=$out/ziglang-$ziglang_version
if [[ ! -x "$venv/bin/python" ]] || ! "$venv/bin/python" -c 'import ziglang' 2>/dev/null; then
  say "installing ziglang $ziglang_version into $venv"
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet "ziglang==$ziglang_version"; } || {
    echo "ziglang $ziglang_version cannot be installed with pip (package python3-venv, and a package index)"
    exit 77
  }
fi
export ZIG_GLOBAL_CACHE_DIR=$out/cache ZIG_LOCAL_CACHE_DIR=$out/cache

portable_cxx() {
  local architecture=$1
  shift
  "$venv/bin/python" -m ziglang c++ -target "$architecture-linux-gnu.$glibc" -std=c++20 "$@"
}
