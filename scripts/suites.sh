# shellcheck shell=bash
# Sourced after common.sh: runs suites, one after the other or side by side, and books what each counts and what it leaves out. $logs is a
# folder of the caller's that was empty.
#   $COUNTS    the file to which a command that counts writes `PASSED FAILED`; any other counts as one
#   $LEFT_OUT  the file to which left_out adds a line for each part that was not made
# shellcheck disable=SC2030,SC2031,SC2154  # a suite beside others has $COUNTS and $LEFT_OUT of its own; outcome is that of strictly, logs the caller's
# Exit status 77 says that a tool is missing for all of it.
passed=0 failed=0
table=() all_left_out=() all_failed=()

# tally STATUS: what a command that ended so has counted, in $good and $bad. A failure that was not counted is one, and so is a
# success in which nothing was tested.
tally() {
  good=0 bad=0
  if [[ -s "$COUNTS" ]]; then
    read -r good bad <"$COUNTS" || true
    [[ "$good $bad" =~ ^[0-9]+\ [0-9]+$ ]] || good=0 bad=1
  elif (($1 == 0)); then
    good=1
  fi
  (($1 == 77 || bad > 0)) || (($1 == 0 && good > 0)) || bad=1
}

# suite NAME COMMAND...: runs it and books what it reports.
suite() {
  local name=$1 status began=$SECONDS good bad verdict=ok left
  shift
  untested "suite"
  say "$name"
  export COUNTS=$logs/$name.counts LEFT_OUT=$logs/$name.left-out
  set +e
  (
    set -e
    "$@"
  ) 2>&1 | tee "$logs/$name.log"
  status=${PIPESTATUS[0]}
  set -e
  tally "$status"
  if ((status == 77)) && [[ ! -s "$LEFT_OUT" ]]; then tail -n 1 "$logs/$name.log" >"$LEFT_OUT"; fi
  left=()
  [[ ! -s "$LEFT_OUT" ]] || mapfile -t left <"$LEFT_OUT"
  if ((${#left[@]})); then
    verdict="${#left[@]} left out, see below"
    all_left_out+=("${left[@]/#/$name: }")
    if in_ci; then bad=$((bad + ${#left[@]})); fi
  fi
  if ((good + bad == 0)); then verdict="skipped, see below"; fi
  if ((bad > 0)); then
    all_failed+=("$name")
    verdict="failed, see build/test-logs/$name.log"
    if ((good == 0 && status == 0 && ${#left[@]} == 0)) && [[ "$(cat "$COUNTS" 2>/dev/null)" == "0 0" ]]; then verdict="failed: nothing was tested"; fi
  fi
  passed=$((passed + good)) failed=$((failed + bad))
  table+=("$(printf '%-16s %5d passed %3d failed %5d s  %s' "$name" "$good" "$bad" $((SECONDS - began)) "$verdict")")
}

# aside NAME COMMAND...: starts beside the suites that follow what waits more than it works; `suite NAME joined NAME` books it.
aside() {
  local name=$1
  shift
  {
    export COUNTS=$logs/$name.counts LEFT_OUT=$logs/$name.left-out
    strictly "$@" >"$logs/$name.out" 2>&1
    echo "$outcome" >"$logs/$name.end"
  } &
}

joined() {
  until [[ -s "$logs/$1.end" ]]; do sleep 1; done
  cat "$logs/$1.out"
  return "$(cat "$logs/$1.end")"
}

# in_turn COMMAND...: each, words and all, one after the other; the counts are added up. One that lacks a tool is left out.
in_turn() {
  local all=$COUNTS status=0 one began passes=0 fails=0 good bad
  for one; do
    began=$SECONDS
    export COUNTS=$all.one
    rm -f "$COUNTS"
    set +e
    # shellcheck disable=SC2086  # a command and its arguments
    $one 2>&1 | tee "$all.log"
    local result=${PIPESTATUS[0]}
    set -e
    echo "== $one: $((SECONDS - began)) s"
    if ((result == 77)); then left_out "$one: $(tail -n 1 "$all.log")"; fi
    tally "$result"
    passes=$((passes + good)) fails=$((fails + bad))
    if ((bad > 0)); then status=1; fi
  done
  ((passes + fails)) || return 77
  echo "$passes $fails" >"$all"
  return "$status"
}

# summary: the table, what failed by its logs (where CI shows the end alone, that is all there is to see), what was left out, and the line that
# counts; its status is that of the whole.
summary() {
  local name
  printf '%s\n' "${table[@]}"
  for name in "${all_failed[@]}"; do
    printf '%s: what its log says of failures\n' "$name"
    grep --ignore-case --extended-regexp 'fail|error|wrong' "$logs/$name.log" | head -n 30 || true
  done
  ((${#all_left_out[@]} == 0)) || printf 'left out: %s\n' "${all_left_out[@]}"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0 && passed > 0))
}
