#!/usr/bin/env bash
# Shell scripts pass shellcheck, and those that are run can be: what is only sourced has no #! line.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
command -v shellcheck >/dev/null || {
  echo "shellcheck is not installed"
  exit 77
}
mapfile -d '' scripts < <(find .ci packaging scripts tests -name '*.sh' -print0 -o -path .ci/run -print0) && wait $! # mapfile hides how find ended
((${#scripts[@]})) || die "no shell script was found"
shellcheck --external-sources --source-path=SCRIPTDIR "${scripts[@]}"
for script in "${scripts[@]}"; do
  [[ "$(head -c 2 "$script")" != '#!' || -x "$script" ]] || die "$script begins with #! and cannot be executed"
done
