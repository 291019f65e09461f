# shellcheck shell=bash
# Sourced: counts what must succeed. $work is a folder of the caller's.
passed=0 failed=0

# must WHAT COMMAND...: one that fails is shown, and counted; what it printed stands in $work/said, whether it was $good.
# shellcheck disable=SC2154  # work is the caller's
must() {
  good=true
  "${@:2}" >"$work/log" 2>&1 || good=false
  mv "$work/log" "$work/said"
  if "$good"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s failed:\n' "$1"
    tail -n 40 "$work/said"
  fi
}

# The last line, and the exit status of the script.
book() {
  [[ -z "${COUNTS:-}" ]] || echo "$passed $failed" >"$COUNTS"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}
