# shellcheck shell=bash
# shellcheck disable=SC2034  # bad is read by the caller
# Sourced: how a command has to end. What does not is shown, and leaves $bad at 1.
bad=0

# expect STATUS TEXT COMMAND...: the command ends so and prints the text
expect() {
  local status=$1 text=$2 got=0 out
  shift 2
  out=$("$@" 2>&1) || got=$?
  if [[ "$got" != "$status" || "$out" != *"$text"* ]]; then
    printf '%s\n  expected status %s and: %s\n  got status %s and: %s\n' "$*" "$status" "$text" "$got" "$out"
    bad=1
  fi
}
