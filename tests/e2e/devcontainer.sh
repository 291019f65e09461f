#!/usr/bin/env bash
# Dev containers that envgen makes: those of images/ read by the Dev Containers CLI, and that of examples/jupyter built by it with a Docker
# engine, from a base that mmdebstrap makes and with a CPU torch. $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no npm, engine or CPU torch can be had.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
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
trap 'stop_servers; rm -rf --one-file-system "$work"; tests/e2e/engine.sh stop' EXIT
# shellcheck source=tests/e2e/index.sh
source tests/e2e/index.sh

# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

folder=$work/project
for config in images/*/.devcontainer; do
  must "reading $config" "$cli" read-configuration --docker-path "$DOCKER" --workspace-folder "$(dirname "$config")"
done

# The example, for the CPU, and with what it would fetch from elsewhere from here.
cp -R examples/jupyter "$folder"
python3 - "$folder/envgen.json" "$base" "$(tests/e2e/apt_mirror.sh)" "$index" <<'PY'
import json, sys
path, base, apt_mirror, pip_index = sys.argv[1:]
project = json.load(open(path))
project["request"] = {"torch": "2.13", "cuda": "cpu", "os": "debian12"}
project["outputs"].update(base_image=base, apt_mirror=apt_mirror, pip_index=pip_index)
json.dump(project, open(path, "w"))
PY
generated() (cd "$folder" && "$envgen" lock && "$envgen" generate && "$envgen" generate --check)
must "the files of examples/jupyter" generated
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
drop_image envgen-test:devcontainer
must "building" env DOCKER_BUILDKIT=1 "$cli" build --docker-path "$DOCKER" --buildkit auto --workspace-folder "$folder" --image-name envgen-test:devcontainer
must "torch in it" "$DOCKER" run --rm --network none envgen-test:devcontainer python -c 'import torch; assert torch.__version__.startswith("2.13.0")'
must "JupyterLab in it" "$DOCKER" run --rm --network none envgen-test:devcontainer jupyter lab --version
# shellcheck disable=SC2016  # expanded in the container
must "a volume for caches belongs to the user" "$DOCKER" run --rm --network none --mount type=volume,target=/home/dev/.cache \
  envgen-test:devcontainer bash -c 'touch "$HOME/.cache/mine"'
book
