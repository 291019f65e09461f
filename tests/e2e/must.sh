# shellcheck shell=bash
# Sourced after common.sh: counts what must succeed. $work is a folder of the caller's.
passed=0 failed=0

# must WHAT COMMAND...: one that fails is shown, and counted; what it printed stands in $work/said, whether it was $good. A function ends at
# its first command that fails, and changes no variable of the caller's.
# shellcheck disable=SC2034,SC2154  # good is for the caller, work the caller's, outcome that of strictly
must() {
  untested "must '$1'"
  strictly "${@:2}" >"$work/log" 2>&1
  mv "$work/log" "$work/said"
  if ((outcome == 0)); then
    good=true
    passed=$((passed + 1))
  else
    good=false
    failed=$((failed + 1))
    printf '%s failed (exit status %d):\n' "$1" "$outcome"
    tail -n 40 "$work/said"
  fi
}

# must_fail WHAT COMMAND...: as must, for a program that has to end with a failure of its own: none of timeout, docker, or a shell that could not run it
# (124 to 127), and no signal.
must_fail() { must "$1" fails "${@:2}"; }
# shellcheck disable=SC2154  # outcome is that of strictly
fails() {
  strictly "$@"
  echo "exit status $outcome"
  ((outcome > 0 && outcome < 124))
}

# refuses MESSAGE COMMAND...: fails, and says so.
refuses() {
  local said status=0
  said=$("${@:2}" 2>&1) || status=$?
  [[ $status != 0 && "$said" == *"$1"* ]] || {
    printf 'exit status %d, expected another one, and %s in:\n%s\n' "$status" "$1" "$said"
    return 1
  }
}

# The last line, and the exit status of the script.
book() {
  [[ -z "${COUNTS:-}" ]] || echo "$passed $failed" >"$COUNTS"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0 && passed > 0))
}
