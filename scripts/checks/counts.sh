#!/usr/bin/env bash
# What runs the tests fails where one fails, where nothing is tested and, under CI=true, where a part is left out; and what the tests of
# tests/e2e ask of an engine is not answered by one that is not there.
# shellcheck disable=SC2016,SC2317  # texts for an inner shell; functions that `expect` calls
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
# shellcheck source=scripts/checks/expect.sh
source scripts/checks/expect.sh

# run TEXT: in a shell of its own, with a docker that is none before all others
mkdir "$tree/bin"
printf '#!/bin/sh\necho "Cannot connect to the Docker daemon" >&2\nexit 1\n' >"$tree/bin/docker"
chmod +x "$tree/bin/docker"
run() {
  rm -rf "$tree/work"
  mkdir -p "$tree/work/logs"
  env --unset=COUNTS --unset=LEFT_OUT "CI=${ci:-}" "PATH=$tree/bin:$PATH" DOCKER=docker "work=$tree/work" bash -c "source scripts/common.sh
source scripts/suites.sh
logs=$tree/work/logs
$1"
}
must="source tests/e2e/must.sh
"
expect 0 "1 passed, 0 failed" run "$must must fine true; book"
expect 1 "0 passed, 1 failed" run "$must f() { false; true; }; must first f; book"
expect 1 "0 passed, 1 failed" run "$must f() { g; true; }; g() { echo text | false | cat; true; }; must nested f; book"
expect 1 "2 passed, 1 failed" run "$must f() { false; echo goes on; }; must a true; must b f; must c test \$good == false; book"
expect 1 "must 'a' is tested where it is called" run "$must f() { must a true; }; f || true; book"
expect 1 "must 'a' is tested where it is called" run "$must if must a true; then book; fi"
expect 1 "0 passed, 0 failed" run "$must book"
expect 0 "1 passed, 0 failed" run "$must must_fail a false; book"
expect 1 "0 passed, 1 failed" run "$must must_fail a true; book"
expect 1 "0 passed, 1 failed" run "$must must_fail a $tree/none; book"
expect 1 "0 passed, 1 failed" run "$must must_fail a sh -c 'exit 125'; book" # docker without its daemon

# counts TEXT [STATUS]: a suite that writes that
counts() { printf '%s' "c() { echo '$1' >\"\$COUNTS\"; return ${2:-0}; }; suite one c; summary"; }
expect 0 "3 passed, 0 failed" run "$(counts '3 0')"
expect 1 "3 passed, 1 failed" run "$(counts '3 1')"
expect 1 "3 passed, 1 failed" run "$(counts '3 0' 5)"
expect 1 "failed: nothing was tested" run "$(counts '0 0')"
expect 1 "0 passed, 1 failed" run "$(counts 'three none')"
expect 1 "0 passed, 1 failed" run "f() { false; true; }; suite one f; summary"
expect 1 "0 passed, 1 failed" run "f() { false; true; }; aside one f; suite one joined one; summary"
expect 1 "one: what its log says of failures"$'\n'"it failed here"$'\n'"0 passed, 1 failed" run "f() { echo it failed here; echo fine; false; }; suite one f; summary"
expect 1 "0 passed, 1 failed" run "f() { echo fine; false; }; suite one f; summary"
expect 1 "suite is tested where it is called" run "suite one true || true; summary"

# What is left out is told, and under CI=true it is a failure.
part='f() { left_out "a part: no tool"; }; suite one f; summary'
expect 0 "left out: one: a part: no tool" run "$part"
ci=true expect 1 "1 passed, 1 failed" run "$part"
all='f() { echo "no tool"; return 77; }; suite one f; suite two true; summary'
expect 0 "left out: one: no tool" run "$all"
ci=true expect 1 "1 passed, 1 failed" run "$all"
for name in good lacks fails counts-none; do printf '#!/bin/sh\n' >"$tree/$name"; done
echo 'echo "2 0" >"$COUNTS"' >>"$tree/good"
echo 'echo "no engine"; exit 77' >>"$tree/lacks"
echo 'echo "2 0" >"$COUNTS"; exit 1' >>"$tree/fails"
echo 'echo "0 0" >"$COUNTS"' >>"$tree/counts-none"
chmod +x "$tree"/{good,lacks,fails,counts-none}
expect 0 "4 passed, 0 failed" run "suite engine in_turn $tree/good $tree/good; summary"
expect 0 "left out: engine: $tree/lacks: no engine" run "suite engine in_turn $tree/good $tree/lacks $tree/lacks; summary"
ci=true expect 1 "2 passed, 2 failed" run "suite engine in_turn $tree/good $tree/lacks $tree/lacks; summary"
ci=true expect 1 "0 passed, 1 failed" run "suite engine in_turn $tree/lacks; summary"
expect 1 "0 passed, 0 failed" run "suite engine in_turn $tree/lacks; summary"
expect 1 "4 passed, 1 failed" run "suite engine in_turn $tree/good $tree/fails; summary"
expect 1 "2 passed, 1 failed" run "suite engine in_turn $tree/good $tree/counts-none; summary"

# What asks an engine that does not answer, or a report that cannot be read, knows nothing.
expect 1 "left, or not to be found out" run "sleep() { :; }; source tests/e2e/report.sh; leaves_nothing || exit 1"
expect 1 "Cannot connect" run "source tests/e2e/images.sh; tells_nothing_of text image"
expect 1 "FileNotFoundError" run "source tests/e2e/report.sh; without_double hook"
report='source tests/e2e/report.sh; echo "{\"doubles\": [\"hook\"]}" >"$work/report.json"'
expect 0 "" run "$report; without_double other"
expect 1 "" run "$report; without_double hook"

# Of the faults, another commit plays others, and none is content with words that every failure has.
faults() {
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/e2e python3 - "$tree" <<'PYTHON'
import pathlib
import random
import re
import sys

import faults

work = pathlib.Path(sys.argv[1], "faults")
work.mkdir()
(work / "bench").write_bytes(bytes(100_000))
rows = [{"id": name, "status": "pass", "message": "", "evidence": {}} for name in ("probe", "ipc", "shm")]
report = {"program": {}, "gpu": {}, "gpus": [], "summary": {"pass": 3}, "tests": rows}
kinds = faults.everything(work, work / "bench", report, random.Random(1))
for kind, cases in kinds.items():
    played = {case.name for seed in range(40) for case in faults.some_of(kind, cases, seed)}
    assert played == {case.name for case in cases} or len(played) > 30, (kind, len(played))
    for case in cases:
        broad = case.ends != (-9,) and re.search(case.says, "bench: envgen-bench failed", re.IGNORECASE | re.MULTILINE)
        assert not broad, f"{kind}: {case.name}: {case.says}"
print(sum(map(len, kinds.values())), "faults")
PYTHON
}
expect 0 " faults" faults

# left ROOT FILE: an image with that file alone
left() {
  rm -rf "$tree/root"
  mkdir -p "$tree/root/$(dirname "$1")"
  touch "$tree/root/$1"
  tests/e2e/left_overs.sh "$tree/root"
}
expect 0 "" left usr/bin/python3
for file in etc/ssh/ssh_host_rsa_key home/dev/.ssh/authorized_keys usr/bin/x86_64-linux-gnu-gcc; do
  expect 1 "is left in the image" left "$file"
done
exit "$bad"
