# shellcheck shell=bash
# Sourced by the scripts beside it: where the repository is, messages, and packages. Bash only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What envgen needs to be built, by the names that Debian 12 and Ubuntu 22.04 and 24.04 share.
# shellcheck disable=SC2034  # read by the scripts that source this
build_packages=(g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev libexpected-dev libdtl-dev libkainjow-mustache-dev libmd-dev zlib1g-dev libcurl4-openssl-dev)

# What a person keeps as facts of their own is no part of a check or a measurement.
export ENVGEN_BUILT_IN=1

say() { printf '== %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# untested WHAT: an error where errexit is ignored: whoever tests a function (`if f`, `f || ...`, `f && ...`, `! f`) lets it go on after a command
# that failed, and so does whoever tests its caller.
untested() {
  set +e
  (
    set -e
    false
    true
  )
  local goes_on=$((! $?))
  set -e
  ((goes_on == 0)) || die "$1 is tested where it is called, so what it runs would go on after a failure"
}

# strictly COMMAND...: runs it in a shell of its own that ends at the first command that fails, and leaves its exit status in $outcome. The
# command changes no variable of the caller's.
# shellcheck disable=SC2034  # read by the caller
strictly() {
  set +e
  (
    set -e
    "$@"
  )
  outcome=$?
  set -e
}

# left_out WHAT: a part of a test was not made. The summary of scripts/test.sh tells it, and under CI=true it is a failure.
left_out() {
  printf 'left out: %s\n' "$*"
  [[ -z "${LEFT_OUT:-}" ]] || printf '%s\n' "$*" >>"$LEFT_OUT"
}

# CI=true makes a missing tool a failure instead of a skip.
in_ci() { [[ -n "${CI:-}" && "${CI:-}" != false && "${CI:-}" != 0 ]]; }

# newest_glibc FILE: `2.17`, that of the newest symbol which a program asks glibc for.
newest_glibc() { objdump -T "$1" | sed -nE 's/.*GLIBC_([0-9.]+).*/\1/p' | sort -uV | tail -n 1; }

# copy_checkout FOLDER: what git would check out of this one, as it is now, and an empty build/.
copy_checkout() {
  mkdir -p "$1/build"
  git ls-files -z | tar --create --null --files-from=- | tar --extract --directory="$1"
}

installed() { [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]; }

# apt_install NAME...: installs those that are not there yet. Fails, with a message, where that is not possible.
apt_install() {
  local missing=() name
  for name; do installed "$name" || missing+=("$name"); done
  ((${#missing[@]})) || return 0
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    say "no apt-get here: install the equivalents of these Debian packages, then run this again: ${missing[*]}"
    return 1
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "neither root nor sudo: have an administrator install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "installing with apt-get: ${missing[*]}"
  # The lanes of test.sh may want something at once; apt waits for the locks of dpkg, and not for that of its lists.
  local waiting=(-o DPkg::Lock::Timeout=600)
  flock --wait 600 "${TMPDIR:-/tmp}/envgen-apt-$UID.lock" "${as_root[@]}" apt-get update -qq >&2 || return 1
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${waiting[@]}" -o Dpkg::Use-Pty=0 "${missing[@]}" >&2
}

# apt_offers NAME...: those of the packages that this distribution has.
apt_offers() {
  local name
  for name; do
    if installed "$name" || apt-cache show "$name" >/dev/null 2>&1; then printf '%s\n' "$name"; fi
  done
}

# first_of NAME...: the first of these programs that is on PATH.
first_of() {
  local name
  for name; do
    if command -v "$name" >/dev/null; then
      printf '%s\n' "$name"
      return 0
    fi
  done
  return 1
}

# schema_checker: prints the program check-jsonschema, installed into build/venv where there is none; 77: it cannot be had.
schema_checker() {
  local ours=build/venv/bin/check-jsonschema
  if first_of check-jsonschema; then return 0; fi
  mkdir -p build
  # Suites that run side by side ask for it at once, and pip must not write into one folder twice.
  (
    flock 9
    [[ ! -x "$ours" ]] || exit 0
    echo "check-jsonschema: installing it into build/venv with pip" >&2
    python3 -m venv build/venv && build/venv/bin/pip install --quiet check-jsonschema
  ) 9>build/venv.lock >&2 || {
    echo "check-jsonschema is not installed, and pip could not install it (package python3-venv, and a package index)" >&2
    return 77
  }
  printf '%s\n' "$ours"
}
