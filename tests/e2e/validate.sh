#!/usr/bin/env bash
# `envgen validate` with a real Docker engine: IPC modes are told apart, an engine that has no way to a GPU is recognised, images without a
# shell or Python are taken as they are, and no run leaves a container, not even one that was killed.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, no envgen-bench, or no check-jsonschema, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
checker=$(schema_checker) || exit
engine=$("$here/engine.sh") || exit
set -a && eval "$engine" && set +a
# The client that was found, as `docker`, for envgen runs what is on PATH.
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"; "$here/engine.sh" stop' EXIT
mkdir "$work/bin"
ln -s "$(command -v "$DOCKER")" "$work/bin/docker"
PATH=$work/bin:$PATH
base="envgen-test/debian:12-slim"
"$here/base_image.sh" bookworm "$base"
ENVGEN_BENCH=$PWD/build/bench/$(uname -m)/envgen-bench
export ENVGEN_BENCH
[[ -x "$ENVGEN_BENCH" ]] || scripts/bench.sh "$(uname -m)" || exit

# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
# shellcheck source=tests/e2e/report.sh
source tests/e2e/report.sh
# shellcheck source=tests/e2e/ends.sh
source tests/e2e/ends.sh
# shellcheck source=tests/e2e/bare_images.sh
source tests/e2e/bare_images.sh
# shellcheck source=tests/e2e/trust.sh
source tests/e2e/trust.sh

as_default() { report 0 "$base" && says ipc pass private: && says shm warn 64 && says removed pass && says python skip; }
as_host() { report 0 "$base" --ipc host --require ipc-host,shm && says ipc pass host: && says shm pass; }
as_private() { report 0 "$base" --ipc private && says ipc pass private:; }
as_shareable() { report 0 "$base" --ipc shareable && says ipc pass shareable:; }
as_none() { report 0 "$base" --ipc none && says ipc pass none:; }
with_size() { report 0 "$base" --shm-size 512m && says ipc pass private: && says shm-size pass 512 && says shm pass; }
small_size() { report 5 "$base" --shm-size 128m && says shm-size pass 128 && says shm fail; }
not_host() { report 5 "$base" --require ipc-host && says ipc fail "--require ipc-host"; }
of_donor() {
  local status=0
  docker run --detach --name donor --ipc shareable --network none "$base" sleep 600 >/dev/null
  report 0 "$base" --ipc container:donor && says ipc pass container: || status=1
  docker rm --force donor >/dev/null
  return "$status"
}
of_private_donor() {
  local status=0
  docker run --detach --name donor --ipc private --network none "$base" sleep 600 >/dev/null
  report 5 "$base" --ipc container:donor && says start fail non-shareable || status=1
  docker rm --force donor >/dev/null
  return "$status"
}

# Each writes its batches into this machine's /dev/shm, by processes of the same numbers.
two_at_once() {
  local status=0 other
  "$envgen" validate "$base" --ipc host --require ipc-host,shm >/dev/null &
  other=$!
  report 0 "$base" --ipc host --require ipc-host,shm || status=1
  wait "$other" && return "$status"
}

batches() { find /dev/shm -name '*envgen-bench*' | sort; }
killed_with_batches() {
  local run tenth before left
  before=$(batches)
  for tenth in 2 3 4 5 6 7 8; do
    "$envgen" validate "$base" --ipc host >/dev/null 2>&1 &
    run=$!
    sleep "0.$tenth"
    kill -TERM "$run" 2>/dev/null || true
    wait "$run" || true
    left=$(comm -13 <(echo "$before") <(batches))
    [[ -z "$left" ]] || {
      echo "left: $left"
      return 1
    }
  done
  report 0 "$base" --ipc host --require shm
}

without_hook() {
  report 6 "$base" --gpus all && says start fail "could not select device driver" &&
    grep -q '"id": "engine-no-gpu-driver"' "$work/report.json" && grep -q 'apt-get install -y nvidia-container-toolkit' "$work/report.json"
}
by_cdi() { report 6 "$base" --gpus all --cdi && says start fail "is not an absolute path" && diagnosed start engine-no-cdi; }
unknown_runtime() { report 6 "$base" --runtime nvidia && grep -q '"id": "runtime-unknown"' "$work/report.json"; }
no_image() { report 6 no-such-image:1 && says image fail "docker has no image"; }
no_daemon() {
  DOCKER_HOST=unix://$work/none.sock ends_with 6 "$base"
  leaves_nothing
  says engine fail && grep -q '"id": "docker-daemon-down"' "$work/report.json"
}

# A double of an image's Python: it answers as torch 2.6.0 of another CUDA would.
of_another_torch() {
  python_double '"framework": "torch", "version": "2.6.0", "cuda": "12.6", "sees_gpu": false, "file": "/opt/site/torch/__init__.py"'
  image_of python <<END || return
FROM $base
COPY python /usr/bin/python
$(torch_files 12.6)
LABEL envgen.lock=sha256:other
USER 1234
END
  "$envgen" lock --torch 2.6.0 --cuda 12.4 -o "$work/envgen.lock" >/dev/null
  report 5 envgen-test/python --lock "$work/envgen.lock" && says lock-label fail "built from a lock other than" && says framework pass 2.6.0 &&
    says framework-cuda fail 12.6 && says self-report pass "torch 2.6.0, CUDA 12.6"
}

# An image with what no image should hold: a driver's library, and a second cuDNN.
of_baked_in() {
  drop_image envgen-test/baked
  docker build --quiet --network none --tag envgen-test/baked - >/dev/null <<END
FROM $base
RUN mkdir -p /opt/venv/lib/python3.11/site-packages/nvidia/cudnn/lib /usr/local/cuda-12.4/compat /usr/local/cuda-12.4/lib64/stubs /closed &&   echo a >/usr/lib/libcuda.so.550.54.14 && ln -s libcuda.so.550.54.14 /usr/lib/libcuda.so.1 &&   echo b >/usr/local/cuda-12.4/compat/libcuda.so.550.54.15 && echo c >/usr/local/cuda-12.4/lib64/stubs/libcuda.so &&   echo d >/usr/lib/libcudnn.so.9.8.0 && echo e >/opt/venv/lib/python3.11/site-packages/nvidia/cudnn/lib/libcudnn.so.9 &&   chmod 700 /closed
USER 1234
END
  report 5 envgen-test/baked --require second-libraries && says second-libraries fail "not proven: 2 copies of cuDNN 9" &&
    report 5 envgen-test/baked && says driver-files fail "the image's layers contain driver libraries: /usr/lib/libcuda.so.1" &&
    says second-libraries warn "2 copies of cuDNN 9" && says mount-owner pass 1234 && grep -q '"id": "driver-in-image"' "$work/report.json"
}

# The versions without a lock, and a GPU that the build has no code for.
without_a_lock() {
  report 5 envgen-test/python --torch 2.6 --cuda 12.4 --python 3.12 && says framework pass "as requested" && says framework-cuda fail 12.4 &&
    says python pass
}
not_the_gpu() {
  python_double '"framework": "torch", "version": "2.6.0", "cuda": "12.4", "archs": ["sm_90"], "sees_gpu": false, "file": "/opt/site/torch/__init__.py"'
  image_of archs <<END || return
FROM $base
COPY python /usr/bin/python
$(torch_files 12.4)
END
  report 5 envgen-test/archs --gpu 5090 && says gpu-archs fail "envgen resolve --gpu 12.0" && report 0 envgen-test/archs --gpu H100 &&
    says gpu-archs pass
}

# here_in_a_container: envgen itself inside, without an engine; it needs the C library alone.
here_in_a_container() {
  local status=0
  docker create --name here --network none --entrypoint /envgen "$base" validate --here --format json --bench /envgen-bench >/dev/null
  docker cp "$envgen" here:/envgen && docker cp "$ENVGEN_BENCH" here:/envgen-bench
  docker start --attach here >"$work/report.json" || status=$?
  docker rm --force here >/dev/null
  ((status == 0)) && says ipc pass "of a container" && says shm warn 64 && says engine skip "--here" && says python skip "no Python"
}

# here_in_a_venv: a tiny double of torch, in an environment of its own.
here_in_a_venv() {
  python3 -m venv --without-pip "$work/venv"
  local torch
  torch="$(echo "$work"/venv/lib/python3*/site-packages)/torch"
  mkdir "$torch"
  printf "__version__ = '2.6.0+cpu'\ncuda = None\n" >"$torch/version.py"
  cat >"$torch/__init__.py" <<'PYTHON'
import types
__version__ = "2.6.0+cpu"
version = types.SimpleNamespace(cuda=None)
cuda = types.SimpleNamespace(is_available=lambda: False)
PYTHON
  local status=0
  (cd "$work" && PATH=$work/venv/bin:$PATH "$envgen" validate --here --torch 2.6 --cuda cpu --gpus none --format json) >"$work/report.json" || status=$?
  ((status == 0)) && says framework pass 2.6.0 && says framework-cuda pass cpu && says second-libraries pass && says self-report pass "torch 2.6.0" &&
    says ipc pass
}

overhead() { beside_tests 5 "$base" --profile build; }

must "two bare images" bare_images
must "default" as_default
must "the schema" fits_schema
must "the time beside the tests" overhead
cat "$work/said"
must "--ipc host" as_host
must "--ipc private" as_private
must "--ipc shareable" as_shareable
must "--ipc none" as_none
must "--ipc container:X" of_donor
must "--ipc container:X of a private one" of_private_donor
must "--shm-size" with_size
must "a --shm-size that is too small" small_size
must "--require ipc-host" not_host
must "--gpus without the hook" without_hook
must "the schema of a failure" fits_schema
case $(docker version --format '{{.Client.Version}}') in
  1?.* | 20.* | 23.* | 24.*) must "--cdi on an engine without CDI" by_cdi ;;
  *) left_out "--cdi on an engine without CDI: this engine may have it" ;;
esac
must "--runtime nvidia without it" unknown_runtime
must "no image" no_image
must "no daemon" no_daemon
must "an image without a shell" without_shell
must "an image without anything" without_anything
must "an image of another torch" of_another_torch
must "a driver and a second cuDNN in the image" of_baked_in
must "a script that says torch" a_script_that_says_torch
must "a script that knows the nonce" a_script_that_knows_the_nonce
must "a preloaded library that forges the report" a_library_that_is_preloaded
must "a made-up mode of IPC" a_made_up_mode
must "versions without a lock" without_a_lock
must "a GPU that the build has no code for" not_the_gpu
must "--here in a container" here_in_a_container
must "--here in a venv" here_in_a_venv
must "the schema of --here" fits_schema
must "two at once in the memory of this machine" two_at_once
must "killed while batches lie there" killed_with_batches
must "a killed run" killed
must "SIGTERM" interrupted TERM
must "SIGINT" interrupted INT
book
