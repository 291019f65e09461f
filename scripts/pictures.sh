#!/usr/bin/env bash
# Writes docs/pictures: what the tool prints, as a terminal shows it. scripts/checks/readme.sh fails where a picture is not what it prints now.
#   scripts/pictures.sh [FOLDER]    default: docs/pictures. ENVGEN names the tool (default: the release build).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
folder=${1:-docs/pictures}
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
[[ -x "$envgen" ]] || die "$envgen is not built"

PATH=$(dirname "$envgen"):$PATH
python3 scripts/checks/cast.py "envgen resolve --torch 2.3 --gpu 4090" "envgen resolve --torch 2.3 --gpu 5090" >"$folder/resolve.svg"

# The page of a report that a golden test reads, without the marks that try its escapes.
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT
# shellcheck disable=SC2016  # the marks of a fixture, which nothing expands
sed 's/: <small>[^,]*`workers`"/"/' tests/golden/reports/two-gpus-later.json >"$report/report.json"
envgen report html "$report/report.json" -o "$report/report.html" >/dev/null
python3 scripts/checks/page_picture.py "$report/report.html" 1580 >"$folder/report.svg"
