#!/usr/bin/env bash
# The dev container that envgen makes, read and built by the Dev Containers CLI with a Docker engine, from a base that mmdebstrap makes and
# with a CPU torch. $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no npm, engine or CPU torch can be had.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

envgen=${ENVGEN:-build/release/src/envgen}
version=0.89.0
cli=$PWD/build/npm/node_modules/.bin/devcontainer
if [[ "$("$cli" --version 2>/dev/null)" != "$version" ]]; then
  command -v npm >/dev/null || {
    echo "npm is not installed"
    exit 77
  }
  npm install --silent --prefix build/npm "@devcontainers/cli@$version" >/dev/null || {
    echo "npm could not install @devcontainers/cli $version"
    exit 77
  }
fi
engine=$(tests/e2e/engine.sh) || exit
set -a && eval "$engine" && set +a
base="envgen-test/debian:12-slim"
tests/e2e/base_image.sh bookworm "$base"
work=$(mktemp -d)
trap 'stop_index; rm -rf --one-file-system "$work"; tests/e2e/engine.sh stop' EXIT
# shellcheck source=tests/e2e/index.sh
source tests/e2e/index.sh

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

folder=$work/project
"$envgen" render devcontainer --torch 2.13 --cuda cpu --os debian12 --base-image "$base" --apt-mirror "$(tests/e2e/apt_mirror.sh)" --pip-index "$index" -o "$folder/" >/dev/null
must "reading" "$cli" read-configuration --docker-path "$DOCKER" --workspace-folder "$folder"
must "what was read" grep -q '"remoteUser":"dev"' "$work/said"
# This engine has no bridge, and the wheel index here is the local one, too.
python3 - "$folder/.devcontainer/devcontainer.json" "$index" <<'PY'
import json, re, sys
path, index = sys.argv[1:]
config = json.loads(re.sub(r"^//.*$", "", open(path).read(), flags=re.M))
config["build"]["options"] = ["--network=host"]
config["build"]["args"] = {"TORCH_INDEX_URL": index}
json.dump(config, open(path, "w"))
PY
must "building" env DOCKER_BUILDKIT=1 "$cli" build --docker-path "$DOCKER" --buildkit auto --workspace-folder "$folder" --image-name envgen-test:devcontainer
must "torch in it" "$DOCKER" run --rm --network none envgen-test:devcontainer python -c 'import torch; assert torch.__version__.startswith("2.13.0")'
# shellcheck disable=SC2016  # expanded in the container
must "a volume for caches belongs to the user" "$DOCKER" run --rm --network none --mount type=volume,target=/home/dev/.cache \
  envgen-test:devcontainer bash -c 'touch "$HOME/.cache/mine"'
book
