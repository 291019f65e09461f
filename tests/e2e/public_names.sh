# shellcheck shell=bash
# Sourced: what a project asks the network for is here: the base by its public name, and a `docker` in $work/bin with this machine's
# indexes. $work is a folder of the caller's, $index that of index.sh.
base="envgen-test/debian:12-slim"
tests/e2e/base_image.sh bookworm "$base"
mirror=$(tests/e2e/apt_mirror.sh) || exit
# shellcheck disable=SC2154  # work is the caller's
mkdir "$work/bin" "$work/base"
printf 'FROM %s\nRUN sed -i "s#http://[a-z.]*/debian#%s#" /etc/apt/sources.list.d/debian.sources\n' "$base" "$mirror" >"$work/base/Dockerfile"
DOCKER_BUILDKIT=1 "$DOCKER" build --quiet --network none --tag debian:12-slim "$work/base" >/dev/null
# shellcheck disable=SC2154  # index is the caller's
cat >"$work/bin/docker" <<END
#!/usr/bin/env bash
command=\$1
shift
case \$command in
  build) DOCKER_BUILDKIT=1 exec "$DOCKER" build --network host --build-arg PIP_INDEX_URL=$index --build-arg TORCH_INDEX_URL=$index "\$@" ;;
  run) exec "$DOCKER" run --network none "\$@" ;;
  *) exec "$DOCKER" "\$command" "\$@" ;;
esac
END
chmod +x "$work/bin/docker"
