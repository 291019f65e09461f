#!/usr/bin/env bash
# Command two: everything that CI runs. It ends with a summary and the line `N passed, N failed`.
#   scripts/test.sh          unit, property and golden tests under ASan and UBSan, the goldens once more with the release
#                            build, static checks, images/, examples/, envgen-bench, and what a real engine makes of Dockerfiles,
#                            the dev container, the README's transcript and the workflows
#   scripts/test.sh --full   also clang-tidy, 10 minutes of each fuzzer, the whole walk of `--all`, the speed that is promised, larger
#                            images, and both README commands in clean roots of every system that the mirror offers and README names
# A tool that cannot be had is a skip with a message; under CI=true it is a failure.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

full=false
case "${1:-}" in
  "") ;;
  --full) full=true ;;
  *) die "usage: scripts/test.sh [--full]" ;;
esac

apt_install "${build_packages[@]}" libgtest-dev libgmock-dev zsh fish mandoc || die "what the build and the tests need is missing; see above"
# These only serve checks; each check says what it lacks. Ubuntu 22.04 has no libclang-rt-14-dev: there it is part of clang.
mapfile -t check_packages < <(apt_offers clang-14 libclang-rt-14-dev clang-tidy-14 clang-format-14 shellcheck python3-venv git ccache valgrind)
apt_install "${check_packages[@]}" || say "going on without what could not be installed"

logs=$PWD/build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0 failed=0 skipped=0
table=()

# suite NAME COMMAND...: runs it and books what it reports. A command that counts writes `PASSED FAILED` to $COUNTS; any
# other counts as one. Exit status 77 says that a tool is missing.
suite() {
  local name=$1 status=0 began=$SECONDS good=0 bad=0 verdict=ok
  shift
  say "$name"
  export COUNTS=$logs/$name.counts
  "$@" 2>&1 | tee "$logs/$name.log" || status=${PIPESTATUS[0]}
  if [[ -s "$COUNTS" ]]; then
    read -r good bad <"$COUNTS"
    ((status == 0 || bad > 0)) || bad=1
  elif ((status == 0)); then
    good=1
  elif ((status != 77)); then
    bad=1
  elif in_ci; then
    bad=1
    verdict="a tool is missing: $(tail -n 1 "$logs/$name.log")"
  else
    skipped=$((skipped + 1))
    verdict="skipped: $(tail -n 1 "$logs/$name.log")"
  fi
  ((bad == 0)) || [[ "$verdict" != ok ]] || verdict="failed, see build/test-logs/$name.log"
  passed=$((passed + good)) failed=$((failed + bad))
  table+=("$(printf '%-16s %5d passed %3d failed %5d s  %s' "$name" "$good" "$bad" $((SECONDS - began)) "$verdict")")
}

# build PRESET CMAKE_OPTION [BUILD OPTION...]
build() {
  cmake --preset "$1" "$2" >/dev/null && NINJA_STATUS='[%f/%t] ' cmake --build --preset "$1" "${@:3}"
}

# Release optimises most and so sees most; users build it without -Werror, so its warnings are looked for here.
build_release() {
  local log=$logs/release-warnings
  build release -DENVGEN_TESTS=ON --target envgen envgen_printed envgen_golden_test 2>&1 | tee "$log" || return 1
  ! grep ' warning: ' "$log"
}

# run_tests PRESET [CTEST OPTION...]
run_tests() {
  local preset=$1 junit=$logs/$1.xml status=0 all bad out
  shift
  ctest --test-dir "build/$preset" --output-on-failure --timeout 900 -j "$(nproc)" --output-junit "$junit" --no-tests=error "$@" || status=$?
  attribute() { sed -nE "/<testsuite/,/>/s/.*[[:space:]]$1=\"([0-9]+)\".*/\1/p" "$junit" | head -n 1; }
  all=$(attribute tests) bad=$(attribute failures) out=$(($(attribute skipped) + $(attribute disabled)))
  echo "$((all - bad - out)) $((bad + out))" >"$COUNTS" # a test that does not run is not a test
  return "$status"
}

# aside NAME COMMAND...: starts beside the suites that follow what waits more than it works; `suite NAME joined NAME` books it.
aside() {
  local name=$1
  shift
  {
    local status=0
    COUNTS=$logs/$name.counts "$@" >"$logs/$name.out" 2>&1 || status=$?
    echo "$status" >"$logs/$name.end"
  } &
}

joined() {
  until [[ -s "$logs/$1.end" ]]; do sleep 1; done
  cat "$logs/$1.out"
  return "$(cat "$logs/$1.end")"
}

# with_engine: what needs a container engine, one after the other; the counts are added up. One that lacks a tool is left out where
# others ran, but not under CI=true.
with_engine() {
  local all=$COUNTS status=0 one result good=0 bad=0 passes fails began
  for one in "dockerfiles.sh frozen classic devel login" reproduced.sh validate.sh faults.sh gpu_path.sh ipc_modes.sh bench_containers.sh devcontainer.sh readme.sh workflow.sh registry.sh; do
    result=0 began=$SECONDS
    rm -f "$all.one"
    # shellcheck disable=SC2086  # a name and its arguments
    COUNTS=$all.one tests/e2e/$one || result=$?
    echo "== $one: $((SECONDS - began)) s"
    if [[ -s "$all.one" ]]; then
      read -r passes fails <"$all.one"
      good=$((good + passes)) bad=$((bad + fails))
    fi
    if ((result != 0)) && { in_ci || ((result != 77)); }; then status=$result; fi
  done
  ((good + bad)) || return 77
  echo "$good $bad" >"$all"
  return "$status"
}

aside bench scripts/bench.sh x86_64
suite release build_release
suite bench joined bench
aside engine with_engine
suite build build asan -DENVGEN_TESTS=ON
suite tests run_tests asan
suite goldens run_tests release --tests-regex '^Cases/Golden'
suite instructions scripts/checks/instructions.sh
# Two at a time: none of these uses more than one core.
aside images scripts/checks/images.sh
suite setup tests/e2e/setup.sh
suite images joined images
aside examples tests/e2e/examples.sh
for check in install readme rooms names format shell schemas bench_report ptx self; do
  suite "$check" "scripts/checks/$check.sh"
done
suite examples joined examples
suite engine joined engine
if "$full"; then
  suite tidy scripts/checks/tidy.sh
  suite speed scripts/checks/speed.sh
  suite walk env ENVGEN_WALK=all build/asan/tests/resolver/envgen_resolver_test --gtest_filter='Walk.*'
  suite fuzz scripts/fuzz.sh 600
  suite dockerfiles-full tests/e2e/dockerfiles.sh uv compat pip services layers
  suite faults tests/e2e/faults.sh --all
  suite cdi tests/e2e/cdi.sh
  suite podman tests/e2e/podman.sh
  suite real-torch tests/e2e/real_torch.sh
  suite bench-aarch64 scripts/bench.sh aarch64
  suite libraries tests/e2e/bench_libraries.sh
  suite containers tests/e2e/bench_containers.sh --full
  suite ipc-modes tests/e2e/ipc_modes.sh 12
  for root in debian:bookworm debian:trixie ubuntu:jammy ubuntu:noble ubuntu:resolute; do
    if tests/e2e/clean_root.sh --offered "${root%:*}" "${root#*:}"; then
      suite "root-${root#*:}" tests/e2e/clean_root.sh "${root%:*}" "${root#*:}"
    fi
  done
fi

say "summary"
printf '%s\n' "${table[@]}"
((skipped == 0)) || printf '%d suites skipped\n' "$skipped"
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
