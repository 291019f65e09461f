#!/usr/bin/env bash
# Every `console` block of README.md and docs/ is run again and must print what stands there (those that build: tests/e2e/readme.sh), and the
# pictures must show what is printed. ENVGEN names the tool (default: the release build).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
[[ -x "$envgen" ]] || die "$envgen is not built"

mapfile -t pages < <(grep -l '^```console$' README.md docs/*.md)
for page in "${pages[@]}"; do PATH=$(dirname "$envgen"):$PATH python3 scripts/checks/readme.py "$page" console; done
pictures=$(mktemp -d)
trap 'rm -rf "$pictures"' EXIT
ENVGEN=$envgen scripts/pictures.sh "$pictures"
diff --brief docs/pictures "$pictures" || die "docs/pictures is out of date: scripts/pictures.sh writes it"
