#!/usr/bin/env bash
# Compares the instructions that envgen executes (callgrind) with those kept in bench/host/instructions.txt. A change of more
# than a tenth must be explained there: the new count goes into the file, with a comment why.
#   scripts/checks/instructions.sh [ENVGEN]      default: build/release/src/envgen
set -euo pipefail
cd "$(dirname "$0")/../.."
envgen=${1:-build/release/src/envgen}
if ! command -v valgrind >/dev/null; then
  echo "valgrind is not installed"
  exit 77
fi
# Another C library, linker or compiler counts otherwise.
# shellcheck source=/dev/null
if [[ "$(. /etc/os-release && echo "$ID $VERSION_ID")" != "debian 12" ]]; then
  echo "the counts were taken on Debian 12, so they are not compared here"
  exit 77
fi
failed=0 compared=0
# callgrind moves a file that stands in its way, and as root that would be the device /dev/null itself.
profile=$(mktemp -u)
trap 'rm -f "$profile"' EXIT
while read -r kept command; do
  case $kept in '' | '#'*) continue ;; esac
  read -ra words <<<"$command"
  now=$(valgrind --tool=callgrind --callgrind-out-file="$profile" "$envgen" "${words[@]}" 2>&1 >/dev/null | sed -n 's/.*Collected : //p')
  rm -f "$profile"
  compared=$((compared + 1))
  change=$(((now - kept) * 100 / kept))
  echo "envgen $command: $now instructions, $kept kept ($change %)"
  if [ "${change#-}" -gt 10 ]; then
    echo "  more than 10 %: say why in bench/host/instructions.txt" >&2
    failed=1
  fi
done <bench/host/instructions.txt
((compared)) || failed=1
exit $failed
