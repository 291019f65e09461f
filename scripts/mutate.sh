#!/usr/bin/env bash
# Makes small changes to the code, one at a time (a flipped comparison, a dropped condition, a skipped check or call, an off-by-one), and
# runs the unit, property and golden tests on each: what none of them notices is not tested. One build holds all changes behind a switch.
#   scripts/mutate.sh                     40 changes of each room of src/, and of bench; exit 1 where too few are noticed
#   scripts/mutate.sh check --sample 0    every change of one room
#   scripts/mutate.sh --by-hand bench     those of tests/mutants/by_hand.txt
#   scripts/mutate.sh --seed 7            other changes; --keep writes tests/mutants/score.md (score_by_hand.md); --list prints the changes
#   scripts/mutate.sh ROOM --again        plays only what the last run did not notice, after tests were added
# A change can be tried alone with its number: ENVGEN_MUTANT=12 build/mutants/build/tests/ROOM/envgen_ROOM_test.
# Exit status 77: clang's Python bindings cannot be had.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

apt_install "${build_packages[@]}" libgtest-dev libgmock-dev git python3-clang-14 || {
  echo "clang's Python bindings are not installed (package python3-clang-14)"
  exit 77
}
exec /usr/bin/python3 scripts/mutants/main.py "$@"
