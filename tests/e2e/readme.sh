#!/usr/bin/env bash
# The transcript of docs/containers.md that ends in a container, run again for real: from a base that mmdebstrap makes and with a CPU torch.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, or no CPU torch, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

repository=$PWD
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
engine=$(tests/e2e/engine.sh) || exit
set -a && eval "$engine" && set +a
work=$(mktemp -d)
trap 'stop_servers; cd "$repository"; rm -rf --one-file-system "$work"; "$repository/tests/e2e/engine.sh" stop' EXIT
# shellcheck source=tests/e2e/index.sh
source tests/e2e/index.sh
# shellcheck source=tests/e2e/public_names.sh
source tests/e2e/public_names.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

mkdir "$work/project"
cd "$work/project"
must "the transcript" env "PATH=$work/bin:$(dirname "$envgen"):$PATH" \
  python3 "$repository/scripts/checks/readme.py" "$repository/docs/containers.md" "console build"
book
