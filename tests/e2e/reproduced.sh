#!/usr/bin/env bash
# Runs the command of each log of tests/diagnosis/logs that is from `# reproduced: COMMAND / tests/e2e/reproduced.sh`: it must fail, and
# `envgen explain` must take what it says for that failure before all others. IMAGE is a base image, ROOT an empty root, PRIVATE a container that keeps
# its IPC to itself. The engine is one without GPUs; another release of it may use other words, and they must be known too.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, or no base image, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
engine=$("$here/engine.sh") || exit
set -a && eval "$engine" && set +a
work=$(mktemp -d)
podman=$(command -v podman || { in_ci && apt_install podman && command -v podman; } || true)
stop() {
  docker rm --force "$private" >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"
  "$here/engine.sh" stop
}
private=envgen-test-private-$$
trap stop EXIT
mkdir -p "$work/bin" "$work/root/bin"
ln -s "$(command -v "$DOCKER")" "$work/bin/docker"
# What podman keeps goes with the rest.
printf '#!/bin/sh\nexec %q --storage-driver vfs --root %q --runroot %q "$@"\n' "$podman" "$work/storage" "$work/run" >"$work/bin/podman"
chmod 755 "$work/bin/podman"
PATH=$work/bin:$PATH
base="envgen-test/debian:12-slim"
"$here/base_image.sh" bookworm "$base" || exit
docker run --detach --name "$private" --ipc private --network none "$base" sleep 600 >/dev/null

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

# can COMMAND: whether what it needs is here, and what would let it succeed is not.
can() {
  case "$1" in
    podman\ *) [[ -n "$podman" ]] ;;
    python3\ *libcuda*) [[ "$(/sbin/ldconfig -p)" != *"libcuda.so.1 "* ]] ;;
  esac
}

# reproduces ID COMMAND
reproduces() {
  local command=$2 said status=0
  command=${command//IMAGE/--network none $base}
  command=${command//PRIVATE/$private}
  command=${command//ROOT/$work/root}
  said=$(bash -c "$command" 2>&1) || status=$?
  echo "$command (exit status $status): $said"
  ((status != 0)) || return 1
  # grep reads to the end, or envgen would meet a closed pipe.
  [[ "$("$envgen" explain --format json <<<"$said" | grep -o '"id": "[^"]*"' | sed -n '1s/.*"id": "\(.*\)"/\1/p')" == "$1" ]]
}

while IFS=: read -r sample head; do
  command=${head#"# reproduced: "}
  command=${command%" / $here/reproduced.sh"}
  id=$(basename "$sample" .txt)
  if can "$command"; then
    must "$id: $command" reproduces "$id" "$command"
  else
    left_out "$id: $command"
  fi
done < <(grep -r --include='*.txt' "^# reproduced: .* / $here/reproduced.sh$" tests/diagnosis/logs | sort)
book
