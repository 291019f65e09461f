#!/usr/bin/env bash
# A root of another Debian suite with an engine in it, for the engine to run in by chroot; made once, kept in build/e2e/roots.
# usage: root=$(engine_root.sh SUITE PACKAGE...)   its path; the first package gives its name
# Exit status 77: it cannot be made here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

suite=${1:?usage: engine_root.sh SUITE PACKAGE...}
shift
root=$PWD/build/e2e/roots/$suite-${1:?usage: engine_root.sh SUITE PACKAGE...}
skip() {
  echo "$*" >&2
  exit 77
}
[[ "$EUID" == 0 ]] || skip "an engine in a root of its own needs root"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
if [[ ! -e "$root.made" ]]; then
  mirror=$(tests/e2e/apt_mirror.sh) || exit
  rm -rf --one-file-system "$root"
  mkdir -p "${root%/*}"
  packages=$(IFS=,; echo "$*")
  # A mirror that stands still serves lists that are signed and past their date.
  mmdebstrap --quiet --variant=essential --skip=check/qemu --include="$packages,ca-certificates,python3" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    skip "no root with $1 can be made: $(tail -n 1 "$root.log")"
  touch "$root.made"
fi
echo "$root"
