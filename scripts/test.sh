#!/usr/bin/env bash
# Command two: everything that CI runs. It ends with a summary and the line `N passed, N failed`.
#   scripts/test.sh          unit, property and golden tests under ASan and UBSan, the goldens once more with the release
#                            build, static checks, images/, examples/, envgen-bench, a wheel, and what a real engine
#                            makes of Dockerfiles, the dev container, the README's transcript and the workflows
#   scripts/test.sh --full   also clang-tidy, 10 minutes of each fuzzer, what the tests above take a share of (hostile words, the walk of `--all`, properties), the speed that is promised, what the tests
#                            notice of small changes, larger images, the portable programs and packages for both processors in roots of old and new systems, builds in two
#                            folders, and both README commands in clean roots of every system that README names
# What cannot be done because a tool is missing is told in the summary; under CI=true it is a failure.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

full=false
case "${1:-}" in
  "") ;;
  --full) full=true ;;
  *) die "usage: scripts/test.sh [--full]" ;;
esac

apt_install "${build_packages[@]}" libgtest-dev libgmock-dev zsh fish mandoc openssl || die "what the build and the tests need is missing; see above"
# These only serve checks; each check says what it lacks. Ubuntu 22.04 has no libclang-rt-14-dev: there it is part of clang.
mapfile -t check_packages < <(apt_offers clang-14 libclang-rt-14-dev lld-14 clang-tidy-14 clang-format-14 shellcheck python3-venv git ccache valgrind)
apt_install "${check_packages[@]}" || say "continuing without the packages that could not be installed"

export PIP_NO_COMPILE=1 # what is installed here is run a few times: to compile all of torch to bytecode costs more
logs=$PWD/build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
# shellcheck source=scripts/suites.sh
source scripts/suites.sh

# build PRESET CMAKE_OPTION [BUILD OPTION...]
build() {
  cmake --preset "$1" "$2" >/dev/null
  NINJA_STATUS='[%f/%t] ' cmake --build --preset "$1" "${@:3}"
}

# Release optimises most and so sees most; users build it without -Werror, so its warnings are looked for here.
build_release() {
  local log=$logs/release-warnings
  build release -DENVGEN_TESTS=OFF --target envgen envgen_printed 2>&1 | tee "$log"
  if grep ' warning: ' "$log"; then
    cmake --build --preset release --target clean # or the next run would not compile, and so not warn
    return 1
  fi
}

# run_tests NAME [CTEST OPTION...]: of the asan build
run_tests() {
  # Each allocation keeps its whole stack otherwise, a tenth of the time; who looks into a failure runs its test again.
  local -x ASAN_OPTIONS=malloc_context_size=2
  local junit=$logs/$1.xml status=0 all bad out
  shift
  ctest --test-dir build/asan --output-on-failure --timeout 900 -j "$(($(nproc) + 1))" --output-junit "$junit" --no-tests=error "$@" || status=$?
  attribute() { sed -nE "/<testsuite/,/>/s/.*[[:space:]]$1=\"([0-9]+)\".*/\1/p" "$junit" | head -n 1; }
  all=$(attribute tests) bad=$(attribute failures) out=$(($(attribute skipped) + $(attribute disabled)))
  echo "$((all - bad - out)) $((bad + out))" >"$COUNTS" # a test that does not run is not a test
  return "$status"
}

# What runs the goldens is not compiled twice, only the tool is.
goldens_of_release() {
  export ENVGEN_GOLDEN_TOOL=$PWD/build/release/src/envgen
  run_tests goldens --tests-regex '^Cases/Golden'
}

# Those of which plain CI takes a share (tests/support/thorough.hpp).
thorough() {
  ENVGEN_THOROUGH=1 run_tests thorough --tests-regex '^(HostileWords|Bench\.Shows|Walk|ResolverProperty)'
}

# Two lanes, each with an engine of its own: what builds images, and what validates them and looks for what is left. Beside the compilers
# and the tests they leave neither core idle, so what takes long without an engine stands at their ends.
that_build() {
  local scripts=("dockerfiles.sh frozen login compat" extensions.sh reproduced.sh devcontainer.sh readme.sh workflow.sh registry.sh examples.sh update.sh refresh.sh hostile.sh)
  in_turn "${scripts[@]/#/tests/e2e/}"
}
that_validate() {
  export E2E_LANE=validate
  local scripts=(validate.sh ipc_modes.sh bench_containers.sh gpu_path.sh faults.sh setup.sh)
  in_turn "${scripts[@]/#/tests/e2e/}" scripts/checks/ptx.sh scripts/checks/images.sh
}

aside bench scripts/bench.sh x86_64
suite release build_release
suite bench joined bench
aside built that_build
aside validated that_validate
suite build build asan -DENVGEN_TESTS=ON
suite tests run_tests tests
suite goldens goldens_of_release
suite unknowns scripts/unknowns.sh
suite instructions scripts/checks/instructions.sh
for check in install library revision reproducible wheel ci pre_commit release matrix_workflow readme words rooms names format shell schemas bench_report self counts mutants; do
  suite "$check" "scripts/checks/$check.sh"
done
suite validated joined validated
suite built joined built
if "$full"; then
  # Minutes of clang for each processor; a release is made of them, and so is its dry run.
  for check in portable packages reproducible; do
    suite "$check-full" "scripts/checks/$check.sh" --full
  done
  suite tidy scripts/checks/tidy.sh
  suite speed scripts/checks/speed.sh
  suite inspect scripts/checks/inspect.sh
  suite inspect-torch scripts/checks/inspect_torch.sh 2.9.1
  suite mutate scripts/mutate.sh
  suite thorough thorough
  suite fuzz scripts/fuzz.sh 600
  suite dockerfiles-full tests/e2e/dockerfiles.sh classic uv pip devel services layers
  suite all-faults tests/e2e/faults.sh --all
  suite cdi tests/e2e/cdi.sh
  suite oci tests/e2e/oci.sh
  suite podman tests/e2e/podman.sh
  suite real-torch tests/e2e/real_torch.sh
  suite bench-aarch64 scripts/bench.sh aarch64
  suite libraries tests/e2e/bench_libraries.sh
  suite containers tests/e2e/bench_containers.sh --full
  suite ipc-modes tests/e2e/ipc_modes.sh 12
  for root in debian:bookworm debian:trixie ubuntu:jammy ubuntu:noble ubuntu:resolute; do
    suite "root-${root#*:}" tests/e2e/clean_root.sh "${root%:*}" "${root#*:}"
  done
fi

say "summary"
summary
