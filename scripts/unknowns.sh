#!/usr/bin/env bash
# How often the answer is "unknown", and for want of which fact: 2,000 random requests of the kind that people have, for each seed.
#   scripts/unknowns.sh [--requests N] [--at-most PERCENT] [--show N] [SEED...]      default: seeds 1 2 3, at most 1 %
# ENVGEN names the tool (default: the release build). Fails where more is unknown than that, or where an unknown answer names no nearest environment.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
[[ -x "$envgen" ]] || die "$envgen is not built"
exec python3 scripts/checks/unknowns.py "$envgen" "$@"
