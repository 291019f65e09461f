#!/usr/bin/env bash
# The transcript of the README that ends in a container, run again for real: from a base that mmdebstrap makes and with a CPU torch.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, or no CPU torch, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

repository=$PWD
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
engine=$(tests/e2e/engine.sh) || exit
set -a && eval "$engine" && set +a
base="envgen-test/debian:12-slim"
tests/e2e/base_image.sh bookworm "$base"
mirror=$(tests/e2e/apt_mirror.sh) || exit
work=$(mktemp -d)
trap 'stop_index; cd "$repository"; rm -rf --one-file-system "$work"; "$repository/tests/e2e/engine.sh" stop' EXIT
# shellcheck source=tests/e2e/index.sh
source tests/e2e/index.sh

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

# What the transcript asks the network for is here: the base by its public name, and docker with this machine's indexes.
mkdir "$work/bin" "$work/project" "$work/base"
printf 'FROM %s\nRUN sed -i "s#http://[a-z.]*/debian#%s#" /etc/apt/sources.list.d/debian.sources\n' "$base" "$mirror" >"$work/base/Dockerfile"
DOCKER_BUILDKIT=1 "$DOCKER" build --quiet --network none --tag debian:12-slim "$work/base" >/dev/null
cat >"$work/bin/docker" <<END
#!/usr/bin/env bash
command=\$1
shift
case \$command in
  build) DOCKER_BUILDKIT=1 exec "$DOCKER" build --network host --build-arg PIP_INDEX_URL=$index --build-arg TORCH_INDEX_URL=$index "\$@" ;;
  *) exec "$DOCKER" "\$command" --network none "\$@" ;;
esac
END
chmod +x "$work/bin/docker"
cd "$work/project"
must "the transcript" env "PATH=$work/bin:$(dirname "$envgen"):$PATH" \
  python3 "$repository/scripts/checks/readme.py" "$repository/README.md" "console build"
book
