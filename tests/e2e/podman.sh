#!/usr/bin/env bash
# `envgen validate` with a real podman: that of Debian 13 (5.4) and of Debian 12 (4.3), each in a root and a mount namespace of its own. IPC modes are
# told apart, nothing is left behind, and GPUs come by a CDI spec that mounts doubles of libcuda and NVML, which proves nothing about a GPU.
# usage: podman.sh [SUITE...]    default: trixie bookworm
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: podman runs no container here, or nothing to build the doubles with can be had.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
suites=("$@")
((${#suites[@]})) || suites=(trixie bookworm)
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
skip() {
  echo "$*" >&2
  exit 77
}
# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/doubles.sh
source tests/e2e/doubles.sh
for suite in "${suites[@]}"; do "$here/engine_root.sh" "$suite" podman crun conmon >/dev/null || exit; done

work=$(mktemp -d)
mkdir "$work"/{bin,doubles,specs}
keeper=
leave() {
  [[ -z "$keeper" ]] || { kill "$keeper" && wait "$keeper"; } 2>/dev/null || true
  keeper=
}
trap 'leave; rm -rf --one-file-system "$work"' EXIT
cp -r build/e2e/doubles/driver "$work/doubles/libraries"
PATH=$work/bin:$PATH
export ENGINE=podman DOCKER=podman # what base_image.sh makes is imported there
base="localhost/envgen-test/debian:12-slim"
doubles="localhost/envgen-test/doubles"

# settings SUITE: what a user of a machine like this one has to tell podman. Where no cgroup can be had, or only those of version 1, which crun
# takes in no mixture; where no systemd runs; and where root cannot raise limits, of which podman 4.3 asks for more than there are.
settings() {
  local files processes
  files=$(ulimit -H -n) processes=$(cat /proc/sys/kernel/pid_max)
  [[ "$files" =~ ^[0-9]+$ ]] || files=1048576
  cat >"$work/containers.conf" <<CONF
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=$files:$files", "nproc=$processes:$processes"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "crun"
CONF
  printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "%s"\n' "$work/$1/storage" "$work/$1/run" >"$work/storage.conf"
}

# enter SUITE: `podman` is the one of that suite. It sees this machine's /proc, /sys, /dev and /tmp, this folder, and CDI specs of ours.
enter() {
  local root
  root=$("$here/engine_root.sh" "$1" podman) || exit
  settings "$1"
  # shellcheck disable=SC2016  # the inner shell expands them
  unshare --mount --propagation private bash -c '
    root=$1 work=$2
    mount --bind "$root" "$root"
    for place in proc sys dev; do mount --rbind "/$place" "$root/$place"; done
    mount -t cgroup2 none "$root/sys/fs/cgroup" # one of version 2 alone; in a mixture crun does not start
    mkdir -p "$root$work" "$root$PWD" "$root/etc/cdi"
    mount --bind /tmp "$root/tmp"
    [[ "$work" == /tmp/* ]] || mount --bind "$work" "$root$work"
    [[ "$PWD" == /tmp/* ]] || mount --bind "$PWD" "$root$PWD"
    mount --bind "$work/specs" "$root/etc/cdi"
    touch "$work/entered"
    exec sleep infinity
  ' - "$root" "$work" </dev/null >"$work/enter.log" 2>&1 &
  keeper=$!
  cat >"$work/bin/podman" <<SH
#!/bin/sh
exec nsenter --mount=/proc/$keeper/ns/mnt chroot "$root" env PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf" podman "\$@"
SH
  chmod 755 "$work/bin/podman"
  for ((i = 0; i < 100; i++)); do
    [[ ! -e "$work/entered" ]] || break
    sleep 0.1
  done
  rm "$work/entered" 2>/dev/null || skip "no mounts can be made here: $(tail -n 1 "$work/enter.log")"
}

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
# shellcheck source=tests/e2e/report.sh
source tests/e2e/report.sh
# shellcheck source=tests/e2e/ends.sh
source tests/e2e/ends.sh
# shellcheck source=tests/e2e/bare_images.sh
source tests/e2e/bare_images.sh

images() { bare_images && doubles_image "$doubles"; }

as_default() { report 0 "$base" && says engine pass "podman $version" && says ipc pass shareable: && says shm warn 62 && says removed pass && says python skip; }
as_host() { report 0 "$base" --ipc host --require ipc-host,shm && says ipc pass host: && says shm pass; }
as_private() { report 0 "$base" --ipc private && says ipc pass private:; }
as_shareable() { report 0 "$base" --ipc shareable && says ipc pass shareable:; }
as_none() { report 0 "$base" --ipc none && says ipc pass none:; }
with_host_shm() { report 0 "$base" --volume /dev/shm:/dev/shm && says ipc pass private-host-shm:; }
with_size() { report 0 "$base" --shm-size 512m && says shm-size pass 512 && says shm pass; }
host_with_size() { report 5 "$base" --ipc host --shm-size 512m && diagnosed start podman-shm-with-host-ipc; }
not_host() { report 5 "$base" --require ipc-host && says ipc fail "--require ipc-host"; }
# of_donor MODE: its namespace is to be joined.
of_donor() {
  podman run --detach --name donor --ipc "$1" --network none "$base" sleep 600 >/dev/null
  local status=0
  "of_$1_donor" || status=1
  podman rm --force --time 0 donor >/dev/null
  return "$status"
}
of_shareable_donor() { report 0 "$base" --ipc container:donor && says ipc pass container:; }
of_private_donor() { report 5 "$base" --ipc container:donor && says start fail non-shareable && diagnosed start ipc-not-shareable; }

no_image() { report 6 no-such-image:1 && says image fail "podman has no image"; }
unknown_runtime() { report 6 "$base" --runtime nvidia && diagnosed start runtime-unknown; }

without_spec() { report 6 "$base" --gpus all && says start fail "nvidia.com/gpu=all" && diagnosed start cdi-unresolvable; }
spec() { python3 "$here/cdi_spec.py" "$1" >"$work/specs/nvidia.json"; }
on_doubles() { ENVGEN_BENCH=$work/scaled report "$@"; }
# sees COUNT GPUS: so many are seen where `--gpus GPUS` was asked for.
sees() {
  spec "$work/doubles/libraries"
  on_doubles 0 "$doubles" --gpus "$2" --require gpu && says gpu pass "$1 GPU" && says kernel pass "words compared" &&
    says gpu-cdi pass "this run got its GPUs" && says gpu-hook skip "podman takes CDI names" && says removed pass
}
unknown_device() { on_doubles 6 "$doubles" --gpus device=7 && says start fail "nvidia.com/gpu=7" && diagnosed start cdi-unresolvable; }
stale_spec() {
  spec "$work/gone"
  on_doubles 6 "$doubles" --gpus all && says start fail "$work/gone" && diagnosed start cdi-stale && says removed pass
}

scaled_bench
export ENVGEN_BENCH=$program

began=$SECONDS
for suite in "${suites[@]}"; do
  enter "$suite"
  if ! version=$(podman version --format '{{.Client.Version}}'); then
    left_out "podman of $suite does not start"
    leave
    continue
  fi
  "$here/base_image.sh" bookworm "$base"
  if ! ran=$(podman run --rm --network none "$base" true 2>&1); then
    left_out "podman $version runs no container here: $(tail -n 1 <<<"$ran")"
    leave
    continue
  fi
  must "$version: images" images
  must "$version: default" as_default
  must "$version: --ipc host" as_host
  must "$version: --ipc private" as_private
  must "$version: --ipc shareable" as_shareable
  must "$version: --ipc none" as_none
  must "$version: --ipc container:X" of_donor shareable
  must "$version: --ipc container:X of a private one" of_donor private
  must "$version: a mounted /dev/shm" with_host_shm
  must "$version: --shm-size" with_size
  must "$version: --ipc host with --shm-size" host_with_size
  must "$version: --require ipc-host" not_host
  must "$version: no image" no_image
  must "$version: --runtime nvidia without it" unknown_runtime
  must "$version: an image without a shell" without_shell
  must "$version: an image without anything" without_anything
  must "$version: --gpus without a CDI spec" without_spec
  must "$version: --gpus all" sees 2 all
  must "$version: --gpus device=0" sees 1 device=0
  must "$version: a device that no spec names" unknown_device
  must "$version: a spec whose files are gone" stale_spec
  rm -f "$work/specs/nvidia.json"
  must "$version: a killed run" killed
  must "$version: SIGTERM" interrupted TERM
  must "$version: SIGINT" interrupted INT
  leave
done
say "podman: $((SECONDS - began)) s"
((passed + failed)) || skip "no podman runs a container here"
book
