# shellcheck shell=bash
# Sourced by tests of `envgen validate` after report.sh: runs that are ended from outside. $base is an image, $ENGINE its engine (default: docker).

# shellcheck disable=SC2154  # envgen, base and work are the caller's

# ours OPTION...: the ids of the containers that validate has.
ours() { "${ENGINE:-docker}" ps --quiet --filter label=envgen.validate "$@"; }
# begin COMMAND...: a run that does not end by itself, by such a command.
begin() {
  printf '#!/bin/sh\nexec sleep 60\n' >"$work/sleeps"
  chmod 755 "$work/sleeps"
  "$@" "$envgen" validate --engine "${ENGINE:-docker}" --bench "$work/sleeps" "$base" >/dev/null 2>&1 &
}

# killed: what SIGKILL leaves is there, and goes with the next run.
killed() {
  begin env
  local run=$!
  for ((i = 0; i < 200; i++)); do
    [[ -z "$(ours)" ]] || break
    sleep 0.02
  done
  kill -KILL "$run"
  wait "$run" 2>/dev/null || true
  [[ -n "$(ours --all)" ]] || {
    echo "the kill came too late"
    return 1
  }
  report 0 "$base" && says engine pass "left by an earlier run"
}
# interrupted SIGNAL [SECONDS]
interrupted() {
  local status=0
  begin env --default-signal="$1" # a shell starts it deaf to SIGINT
  local run=$!
  sleep "${2:-0.5}"
  kill "-$1" "$run"
  wait "$run" || status=$?
  ((status == 128 + $(kill -l "$1"))) && leaves_nothing
}
