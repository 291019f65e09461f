#!/usr/bin/env bash
# Every `console` block of the README is run again and must print what stands there (the one that builds: tests/e2e/readme.sh). ENVGEN names the tool (default: the release build).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
[[ -x "$envgen" ]] || die "$envgen is not built"

PATH=$(dirname "$envgen"):$PATH python3 scripts/checks/readme.py README.md console
