#!/usr/bin/env bash
# Both ways to a GPU through a real Docker that has them, on a machine without a GPU: a CDI spec that mounts doubles of libcuda and NVML, and the
# double of NVIDIA's hook (tests/support/hook). That Docker (28.2 and later, of Debian's unstable suite) runs in a root and a mount namespace of its own.
# This proves the flow and the verdicts, and nothing about a GPU or about NVIDIA's own specs.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no such Docker, or nothing to build the doubles with, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
base="envgen-test/debian:12-slim"
skip() {
  echo "$*" >&2
  exit 77
}
# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/doubles.sh
source tests/e2e/doubles.sh
root=$("$here/engine_root.sh" sid docker.io iptables) || exit

work=$(mktemp -d)
mkdir "$work"/{bin,hook,specs,data}
daemon=
stop() {
  if [[ -n "$daemon" ]]; then
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" || true
  fi
  rm -rf --one-file-system "$work"
}
trap stop EXIT
cp tests/support/hook/nvidia-container-runtime-hook "$work/hook"
cp -r build/e2e/doubles/driver "$work/hook/libraries"

spec() { python3 "$here/cdi_spec.py" "$1" >"$work/specs/nvidia.json"; }
spec "$work/hook/libraries"

# It sees this machine's /proc, /sys, /dev and /tmp, and its own programs.
# shellcheck disable=SC2016  # the inner shell expands them
unshare --mount --propagation private bash -c '
  root=$1 work=$2
  mount --bind "$root" "$root" # dockerd mounts / anew where it unpacks, so it has to be one
  for place in proc sys dev; do mount --rbind "/$place" "$root/$place"; done
  mkdir -p "$root$work"
  [[ "$work" != /tmp/* ]] || mount --bind /tmp "$root/tmp"
  exec chroot "$root" env PATH="$work/hook:/usr/sbin:/usr/bin:/sbin:/bin" dockerd --host="unix://$work/docker.sock" --pidfile="$work/docker.pid" \
    --data-root="$work/data" --exec-root="$work/exec" --storage-driver=vfs --cdi-spec-dir="$work/specs" --iptables=false --ip6tables=false --bridge=none
' - "$root" "$work" </dev/null >"$work/docker.log" 2>&1 &
daemon=$!
export DOCKER_HOST=unix://$work/docker.sock DOCKER=docker
for ((i = 0; i < 300; i++)); do
  if docker version >/dev/null 2>&1; then break; fi
  kill -0 "$daemon" 2>/dev/null || break
  sleep 0.1
done
docker version --format '{{.Server.Version}}' || skip "dockerd does not start: $(grep -E 'level=(fatal|error)|^failed' "$work/docker.log" | tail -n 1)"
"$here/base_image.sh" bookworm "$base"

scaled_bench
export ENVGEN_BENCH=$work/scaled

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
# shellcheck source=tests/e2e/report.sh
source tests/e2e/report.sh

doubles_image envgen-test/doubles

hook_serves_and_cdi_is_tried() {
  report 0 envgen-test/doubles --gpus all && says gpu pass "2 GPU" && says gpu-hook pass "this run got its GPUs" &&
    says gpu-cdi pass "--device nvidia.com/gpu=all" "a kernel ran correctly" && says removed pass
}
cdi_serves_and_the_hook_is_tried() {
  report 0 envgen-test/doubles --cdi --gpus device=0 && says gpu pass "1 GPU" && says gpu-cdi pass "this run got its GPUs" &&
    says gpu-hook pass '--gpus "device=0": a kernel ran correctly'
}
so_many() { report 0 envgen-test/doubles --gpus 1 && says gpu pass "1 GPU" && says gpu-cdi pass "--device nvidia.com/gpu=0"; }
unknown_device() { report 6 envgen-test/doubles --cdi --gpus device=7 && says start fail "unresolvable CDI devices nvidia.com/gpu=7" && diagnosed start engine-cdi-injection; }
the_hook_is_broken() {
  echo "initialization error: load library failed: libnvidia-ml.so.1: cannot open shared object file: no such file or directory" >"$work/hook/fails"
  report 0 envgen-test/doubles --cdi --gpus all && says gpu-cdi pass "this run got its GPUs" && says gpu-hook warn "load library failed: libnvidia-ml.so.1" &&
    report 5 envgen-test/doubles --cdi --gpus all --require gpu-hook && diagnosed gpu-hook host-no-driver
}
the_spec_is_stale() {
  rm -f "$work/hook/fails"
  spec "$work/gone"
  sleep 1 # the daemon watches the folder
  report 0 envgen-test/doubles --gpus all && says gpu-hook pass "this run got its GPUs" && says gpu-cdi warn "--device nvidia.com/gpu=all"
}

began=$SECONDS
must "--gpus is the hook's, and CDI is tried" hook_serves_and_cdi_is_tried
must "--cdi is served, and the hook is tried" cdi_serves_and_the_hook_is_tried
must "a number of GPUs" so_many
must "a device that no spec names" unknown_device
must "a hook that is broken" the_hook_is_broken
must "a spec whose files are gone" the_spec_is_stale
say "both ways to a GPU on doubles: $((SECONDS - began)) s"
book
