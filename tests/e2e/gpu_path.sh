#!/usr/bin/env bash
# The whole way to a GPU through a real Docker engine, on a machine without one: a double of NVIDIA's hook (tests/support/hook) puts doubles of
# libcuda and NVML into the containers, and it and they fail in every known way. This proves the flow and the diagnoses, and nothing about a GPU.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, nothing to build the doubles with, or no check-jsonschema, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
checker=$(schema_checker) || exit
base="envgen-test/debian:12-slim"
# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/doubles.sh
source tests/e2e/doubles.sh

work=$(mktemp -d)
hook=$work/hook # on the daemon's PATH
trap '"$here/engine.sh" --hook "$hook" stop; rm -rf --one-file-system "$work"' EXIT
mkdir "$work"/{bin,hook}
cp tests/support/hook/nvidia-container-runtime-hook "$hook"
ln -s "$PWD/build/e2e/doubles/driver" "$hook/libraries"
engine=$("$here/engine.sh" --hook "$hook") || exit
set -a && eval "$engine" && set +a
# The client that was found, as `docker`, for envgen runs what is on PATH.
ln -s "$(command -v "$DOCKER")" "$work/bin/docker"
PATH=$work/bin:$PATH
"$here/base_image.sh" bookworm "$base"

scaled_bench
export ENVGEN_BENCH=$work/scaled

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
# shellcheck source=tests/e2e/report.sh
source tests/e2e/report.sh

images() {
  doubles_image envgen-test/doubles
  doubles_image envgen-test/demanding "ENV NVIDIA_REQUIRE_CUDA=cuda>=99.0"
  doubles_image envgen-test/no-compute "ENV NVIDIA_DRIVER_CAPABILITIES=utility"
  doubles_image envgen-test/with-driver "USER root" "RUN cp /usr/lib/$(uname -m)-linux-gnu/libnccl.so.2 /usr/lib/$(uname -m)-linux-gnu/libcuda.so.1"
}

# told NAME VALUE: what the hook is told (its head says what there is), and nothing else.
told() {
  rm -f "$hook"/{gpus,migs,cuda,doubles,fails,hangs,lies}
  [[ -z "$1" ]] || printf '%s\n' "$2" >"$hook/$1"
}

# sees COUNT GPUS: so many are seen where `--gpus GPUS` was asked for.
sees() {
  told "" ""
  report 0 envgen-test/doubles --gpus "$2" --require gpu && says gpu pass "$1 GPU" && says kernel pass "words compared" && says runtime pass "sees $1 GPU" &&
    says gpu-hook pass "this run got its GPUs" && says gpu-cdi skip "does not support CDI" &&
    says removed pass && by_doubles libcuda
}
# by_doubles [LIBRARY...]: the report names the double of the hook, and these.
by_doubles() {
  python3 - "$work/report.json" nvidia-container-runtime-hook "$@" <<'PYTHON'
import json
import sys

path, *wanted = sys.argv[1:]
named = json.load(open(path, encoding="utf-8"))["doubles"]
if missing := set(wanted) - set(named):
    print(f"the report names {named}, and not {missing}")
sys.exit(bool(missing))
PYTHON
}
# by_name NAME: a slice of MIG, which is one GPU to CUDA.
by_name() {
  local slice=MIG-c7384736-a75d-5afc-978f-d2f1294409fd other=MIG-3c4d4736-a75d-5afc-978f-d2f1294409fd
  told migs "$slice"
  report 0 envgen-test/doubles --gpus "$slice" --require gpu && says gpu pass "1 GPU" && says start pass "device=$slice" && by_doubles libcuda &&
    report 6 envgen-test/doubles --gpus "$other" && says start fail "$other: unknown device" && diagnosed start hook-unknown-device
}
none_asked() {
  told "" ""
  report 0 envgen-test/doubles --gpus none && says gpu skip "--gpus none" && without_double nvidia-container-runtime-hook
}
too_many() {
  told gpus 1
  report 6 envgen-test/doubles --gpus device=0,1 && says start fail "device error: 1: unknown device (test double)" && by_doubles && diagnosed start hook-unknown-device
}

# refused ID EXIT_STATUS MESSAGE: the hook fails with it.
refused() {
  told fails "$3"
  report "$2" envgen-test/doubles --gpus all && says start fail "(test double)" && by_doubles && diagnosed start "$1" && says gpu skip
}
# broken CHECK ID SETTING: the doubles are told that.
broken() {
  told doubles "$3"
  report 5 envgen-test/doubles --gpus all --timeout 60 && says "$1" fail && diagnosed "$1" "$2" && says removed pass && by_doubles
}
# hangs CHECK ID SETTING: a test that hangs is its own failure, and the report comes before the container's time is over, of which a busy machine needs
# some seconds to start it.
hangs() {
  told doubles "$3"
  report 5 envgen-test/doubles --gpus all --timeout 25 && says "$1" fail "without a result" && diagnosed "$1" "$2" &&
    says bench fail "ran out of time" && says removed pass && by_doubles
}
# lied HOW GPUS TEXT: the check gpu fails, and says that.
lied() {
  told lies "$1"
  report 5 envgen-test/doubles --gpus "$2" && says gpu fail "$3" && by_doubles
}
hook_hangs() {
  told hangs 5
  report 5 envgen-test/doubles --gpus all --timeout 2 && says removed pass && by_doubles
}
image_demands() {
  told "" ""
  report 5 envgen-test/demanding --gpus all && says start fail "unsatisfied condition: cuda>=99.0" && diagnosed start image-needs-newer-driver
}
without_compute() {
  told "" ""
  report 5 envgen-test/no-compute --gpus all && says gpu fail "no driver library" && diagnosed gpu cuda-35-no-driver
}
driver_in_image() {
  told "" ""
  report 5 envgen-test/with-driver --gpus all && says start fail "file exists" && diagnosed start driver-in-image
}

# whole: --profile full makes every test of a GPU, and its report fits the schema.
whole() {
  local check
  told "" ""
  report 0 envgen-test/doubles --gpus all --require gpu --profile full --timeout 240 && by_doubles && fits_schema || return
  for check in copy-both d2d gemm-fp32 gemm-tf32 gemm-fp16 gemm-bf16 gemm-fp8 vector block peer cuda-ipc nccl; do says "$check" pass || return; done
  cp "$work/report.json" "$work/whole.json"
}
# shown: its speeds are in every view of it; those that a page has to have are counted here, for check_page.py counts what the report has.
shown() {
  "$envgen" report html "$work/whole.json" -o "$work/whole.html" && python3 tests/reports/check_page.py "$work/whole.html" "$work/whole.json" &&
    "$envgen" report junit "$work/whole.json" -o "$work/whole.xml" && python3 - "$work/whole.html" "$work/whole.xml" <<'PYTHON'
import sys
import xml.etree.ElementTree as ElementTree

page = ElementTree.fromstring(open(sys.argv[1], encoding="utf-8").read().removeprefix("<!DOCTYPE html>\n"))
panels = [(panel.findtext("h3") or "", len(panel.findall("div[@class='bar']"))) for panel in page.findall(".//div[@class='panel']")]
for test in ["h2d", "d2h", "copy-both", "d2d", "gemm-fp32", "gemm-tf32", "gemm-fp16", "gemm-bf16", "gemm-fp8", "vector", "block.feed-forward.forward",
             "block.feed-forward.backward", "block.attention.forward", "block.attention.backward"]:
    assert sum(bars for name, bars in panels if name.startswith(test + " ")) == 2, (test, panels)
assert sum(bars for name, bars in panels if name.startswith("nccl ")) == 1, panels
cells = [cell for cell in page.findall(".//table[@class='matrix']//td") if (cell.get("class") or "").startswith("h")]
assert len(cells) == 4, len(cells)  # two GPUs, one way and both ways
assert page.findall(".//svg[@class='chart']"), "no curve"
names = {case.get("name") for case in ElementTree.parse(sys.argv[2]).iter("testcase")}
assert any("nccl" in name for name in names), names
PYTHON
}
# compared: doubles are no baseline, and are told so.
compared() {
  told "" ""
  report 0 envgen-test/doubles --gpus all --baseline "$work/whole.json" && says baseline skip "test doubles replaced" &&
    "$envgen" report diff "$work/whole.json" "$work/whole.json" >/dev/null
}
# faster FILE TIMES: the report as if a GPU had made it, and in one test so many times as fast as it was.
faster() {
  python3 - "$work/whole.json" "$1" "$2" <<'PYTHON'
import json
import sys

report = json.load(open(sys.argv[1], encoding="utf-8"))
report["doubles"] = []
for check in report["checks"]:
    if check["id"] == "vector.speed":
        check["evidence"]["value"] *= float(sys.argv[3])
json.dump(report, open(sys.argv[2], "w", encoding="utf-8"))
PYTHON
}
slower_than_before() {
  local status=0
  faster "$work/before.json" 2 && faster "$work/after.json" 1 || return
  "$envgen" report diff "$work/before.json" "$work/after.json" || status=$?
  ((status == 9))
}

# With GPUs there are more containers than one.
overhead_with_gpus() {
  told "" ""
  beside_tests 13 envgen-test/doubles --gpus all
}

began=$SECONDS
images
must "--profile full" whole
must "its views" shown
must "its baseline" compared
must "a slower GPU" slower_than_before
must "the time beside the tests" overhead_with_gpus
cat "$work/said"
for gpus in all 2 device=0,1; do must "--gpus $gpus" sees 2 "$gpus"; done
must "--gpus 1" sees 1 1
must "--gpus MIG-..." by_name
must "--gpus none" none_asked
must "a GPU that is not there" too_many

cli="nvidia-container-cli: "
must "no driver" refused host-no-driver 6 "${cli}initialization error: load library failed: libnvidia-ml.so.1: cannot open shared object file: no such file or directory"
must "driver and library differ" refused driver-library-mismatch 6 "${cli}initialization error: nvml error: driver/library version mismatch"
must "an old driver" refused image-needs-newer-driver 5 "${cli}requirement error: unsatisfied condition: cuda>=12.8, please update your driver to a newer version, or use an earlier cuda container"
must "no ldconfig" refused ldconfig-path 6 "${cli}ldcache error: open failed: /sbin/ldconfig.real: no such file or directory"
must "ldconfig dies" refused ldconfig-failed 6 "${cli}ldcache error: process /sbin/ldconfig.real terminated with signal 9"
must "rootless" refused rootless-cgroup 6 "${cli}mount error: failed to add device rules: unable to find any existing device filters attached to the cgroup: bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted"
must "the kernel refuses eBPF" refused cgroup-ebpf 6 "${cli}mount error: failed to add device rules: unable to generate new device filter program from existing programs: unable to create new device filters program: load program: invalid argument"
must "the hook's mode" refused hook-mode 6 "invoking the NVIDIA Container Runtime Hook directly (e.g. specifying the docker --gpus flag) is not supported. Please use the NVIDIA Container Runtime (e.g. specify the --runtime=nvidia flag) instead."
must "an image that asks for more" image_demands
must "a driver in the image" driver_in_image
must "no compute capability" without_compute

for code in 34 100 802 803 804 999; do must "cuInit says $code" broken gpu "cuda-$code" "ENVGEN_DOUBLE_FAULTS=cuInit=$code"; done
must "cuDeviceGetCount says 100" broken gpu cuda-100 "ENVGEN_DOUBLE_FAULTS=cuDeviceGetCount=100"
for code in 209 221 222; do must "cuModuleLoadData says $code" broken kernel "cuda-$code" "ENVGEN_DOUBLE_FAULTS=cuModuleLoadData=$code"; done
must "the runtime says 35" broken runtime cuda-35-old-driver "ENVGEN_DOUBLE_FAULTS=cudaGetDeviceCount=35"
must "the runtime says 209" broken runtime cuda-209 "ENVGEN_DOUBLE_FAULTS=cudaMemset=209"
must "CUDA IPC fails" broken cuda-ipc cuda-ipc "ENVGEN_DOUBLE_FAULTS=cuIpcOpenMemHandle_v2=1"
must "the GPU's memory is full" broken kernel cuda-oom "ENVGEN_DOUBLE_FAULTS=cuMemAlloc_v2=2"
must "cuInit says 3" broken gpu cuda-3 "ENVGEN_DOUBLE_FAULTS=cuInit=3"
must "a kernel that hangs" hangs kernel - "ENVGEN_DOUBLE_FAULTS=cuLaunchKernel=hang"
must "a copy between GPUs that hangs" hangs peer p2p-hang "ENVGEN_DOUBLE_FAULTS=cuMemcpyPeerAsync=hang"
must "a kernel that miscomputes" broken kernel - "ENVGEN_DOUBLE_FAULTS=cuMemcpyDtoHAsync_v2=corrupt"
must "a library that crashes" broken gpu - "ENVGEN_DOUBLE_FAULTS=cuInit=crash"

must "a hook that injects nothing" lied nothing all "CUDA sees no GPU"
must "a hook that injects fewer" lied fewer 2 "--gpus 2 was requested, but CUDA sees 1"
must "a hook that injects no nodes" lied no-nodes all "no device node"
must "a hook that injects no libraries" lied no-libraries all "no driver library"
must "a hook that hangs" hook_hangs
say "the GPU path on doubles: $((SECONDS - began)) s"
book
