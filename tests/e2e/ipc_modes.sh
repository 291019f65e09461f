#!/usr/bin/env bash
# The ways of sharing IPC are told apart, again and again: the default, --ipc=host, private, shareable, none, container:, --shm-size, and a mounted
# /dev/shm; and the first two where the engine counts as one on another machine, for it is reached by TCP.
# usage: ipc_modes.sh [ROUNDS]    of these ten runs; default: 1
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, or no envgen-bench, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
rounds=${1:-1}
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
ENVGEN_BENCH=$PWD/build/bench/$(uname -m)/envgen-bench
export ENVGEN_BENCH
[[ -x "$ENVGEN_BENCH" ]] || scripts/bench.sh "$(uname -m)" || exit
work=$(mktemp -d)
mkdir "$work/bin"
# A daemon of our own, for it has to listen on TCP, too.
trap '"$here/engine.sh" --hook "$work/bin" stop; rm -rf --one-file-system "$work"' EXIT
TCP_PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
engine=$(TCP_PORT=$TCP_PORT "$here/engine.sh" --hook "$work/bin") || exit
set -a && eval "$engine" && set +a
ln -s "$(command -v "$DOCKER")" "$work/bin/docker"
PATH=$work/bin:$PATH
base="envgen-test/debian:12-slim"
"$here/base_image.sh" bookworm "$base"

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
# shellcheck source=tests/e2e/report.sh
source tests/e2e/report.sh

# mode TEXT OPTION...: what the check ipc says of it.
mode() {
  local text=$1
  shift
  report 0 "$base" "$@" && says ipc pass "$text" && holds_nothing
}
# holds_nothing: what was held on the engine's machine is gone; a test of envgen-bench that runs beside this one holds some for seconds.
holds_nothing() {
  local held
  for ((try = 0; try < 50; try++)); do
    if held=$(find /dev/shm -name 'envgen-canary-*' && ipcs -m | sed -n '/^0x4557/p') && [[ -z "$held" ]]; then return 0; fi
    sleep 0.1
  done
  echo "held still, or not to be found out: $held"
  return 1
}
of_donor() {
  local status=0
  docker run --detach --name donor --ipc shareable --network none "$base" sleep 600 >/dev/null
  mode container: --ipc container:donor || status=1
  docker rm --force donor >/dev/null
  return "$status"
}
# sized: a size leaves the namespace private, and is that of /dev/shm.
sized() { mode private: --shm-size 512m && says shm-size pass 512 && says shm pass; }
remotely() {
  DOCKER_HOST=tcp://127.0.0.1:$TCP_PORT mode "$@" && says engine pass "another machine" && says mount-owner skip
}

began=$SECONDS
for ((i = 0; i < rounds; i++)); do
  must "default" mode private:
  must "host" mode host: --ipc host
  must "private" mode private: --ipc private
  must "shareable" mode shareable: --ipc shareable
  must "none" mode none: --ipc none
  must "container:" of_donor
  must "--shm-size" sized
  must "a mounted /dev/shm" mode private-host-shm: --volume /dev/shm:/dev/shm
  must "host, remotely" remotely host: --ipc host
  must "default, remotely" remotely private:
done
say "$((10 * rounds)) runs of ten modes: $((SECONDS - began)) s"
book
