#!/usr/bin/env bash
# A Docker engine for the tests: the one that answers already, or one of our own with everything it keeps in build/e2e.
# usage: engine=$(engine.sh) && set -a && eval "$engine" && set +a
#                        prints DOCKER_HOST=... and DOCKER=..., a client that can do BuildKit
#        engine.sh stop  ends our own; what it holds stays for the next start
#        engine.sh --hook FOLDER [stop]  the same for one of our own, in any case, whose daemon finds the executables of FOLDER first: with
#                        nvidia-container-runtime-hook among them, it accepts --gpus. It listens on tcp://127.0.0.1:$TCP_PORT, too, where
#                        that is set
# $E2E_LANE: a name; tests of other lanes then run beside these, with an engine of their own.
# Our own has no bridge: builds and runs need --network host or none. Exit status 77: there is no engine and none can be had.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

state=$PWD/build/e2e${E2E_LANE:+/$E2E_LANE}
hook=
if [[ "${1:-}" == --hook ]]; then
  hook=$(realpath "${2:?usage: engine.sh --hook FOLDER [stop]}")
  state+=/with-hook
  shift 2
fi
socket=$state/docker.sock
pid_file=$state/docker.pid
log=$state/docker.log

skip() {
  echo "$*" >&2
  exit 77
}

# answers CLIENT HOST: whether an engine is behind that address; none names the default one.
answers() { DOCKER_HOST=$2 timeout 20 "$1" version --format '{{.Server.Version}}' >/dev/null 2>&1; }

# The pid of our own daemon, if it lives: a pid file alone may name somebody else's process by now.
own_pid() {
  local pid
  pid=$(cat "$pid_file" 2>/dev/null) && [[ -n "$pid" ]] &&
    tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep -qxF -- "--pidfile=$pid_file" && echo "$pid"
}

# A client of 23 and later leaves BuildKit to the buildx plugin; one before it has it built in.
client() {
  local name version
  while read -r name; do
    version=$("$name" --version 2>/dev/null | grep -oE '[0-9]+' | head -n 1) || continue
    if ((version < 23)) || "$name" buildx version >/dev/null 2>&1; then
      echo "$name"
      return 0
    fi
  done < <(type -ap docker)
  return 1
}

# What a daemon leaves mounted when it ends would keep build/ from being removed.
clean_up() {
  local path
  rm -f "$pid_file" # dockerd does not start while a process, whichever it is, has the pid of an old file
  while read -r path; do umount "$path"; done < <(cut -d ' ' -f 2 /proc/self/mounts | grep -F "$state/docker-" | sort -r)
}

stop() {
  local pid
  if pid=$(own_pid); then
    kill "$pid"
    for ((i = 0; i < 300; i++)); do
      own_pid >/dev/null || break
      sleep 0.1
    done
    if own_pid >/dev/null; then die "the docker daemon $pid does not end, see $log"; fi
  fi
  clean_up
}

# start STORAGE: 0 once it answers.
start() {
  mkdir -p "$state"
  clean_up
  # Without a bridge and rules of its own it changes nothing in this machine's network; builds and runs use the host's.
  local hosts=("--host=unix://$socket")
  [[ -z "${TCP_PORT:-}" ]] || hosts+=("--host=tcp://127.0.0.1:$TCP_PORT")
  PATH=${hook:+$hook:}$PATH setsid dockerd "${hosts[@]}" --pidfile="$pid_file" --data-root="$state/docker-$1" --exec-root="$state/docker-exec" \
    --storage-driver="$1" --iptables=false --ip6tables=false --bridge=none ${hook:+--label=envgen.doubles=nvidia-container-runtime-hook} </dev/null >"$log" 2>&1 &
  local daemon=$!
  for ((i = 0; i < 300; i++)); do
    if answers "$client" "unix://$socket"; then return 0; fi
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
  done
  stop
  return 1
}

case "${1:-}" in
  "") ;;
  stop)
    stop
    exit 0
    ;;
  *) die "usage: engine.sh [--hook FOLDER] [stop]" ;;
esac

if ! client=$(client); then
  # An engine is more than a test should put on somebody's machine.
  in_ci || skip "docker is not installed (under CI=true it is)"
  # Debian 12 and Ubuntu 22.04 have all in docker.io; later ones split the client and its plugin off.
  mapfile -t packages < <(apt_offers docker.io docker-cli docker-buildx)
  apt_install "${packages[@]}" || skip "docker is not installed"
  client=$(client) || skip "no docker client here can do BuildKit"
fi

found=
hosts=("unix://$socket" "${DOCKER_HOST:-}")
if [[ -n "$hook" ]]; then
  stop # one that a killed test left has another folder on its PATH
  hosts=()
fi
for host in "${hosts[@]}"; do
  # One on another machine sees neither our folders nor the index on this machine's loopback.
  [[ -z "$host" || "$host" == unix://* ]] || continue
  if answers "$client" "$host"; then
    found=${host:-$(DOCKER_HOST='' "$client" context inspect --format '{{.Endpoints.docker.Host}}')}
    break
  fi
done
if [[ -z "$found" ]]; then
  [[ "$EUID" == 0 ]] || skip "no docker engine answers, and starting one needs root"
  ((${#socket} < 90)) || skip "a socket's path has room for 107 bytes: $socket"
  command -v dockerd >/dev/null || { in_ci && apt_install docker.io; } || skip "dockerd is not installed"
  # overlay2 does not work on top of another overlay, as in a container; vfs copies whole layers but works anywhere.
  start overlay2 || start vfs || skip "dockerd does not start: $(grep -E 'level=(fatal|error)|^failed' "$log" | tail -n 1)"
  found=unix://$socket
fi
printf 'DOCKER_HOST=%s\nDOCKER=%s\n' "$found" "$client"
