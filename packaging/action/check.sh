#!/usr/bin/env bash
# What action.yml checks of a project. All checks run, so that one run reports everything that is out of date; the job summary shows
# each with its output. The exit status is that of the first that failed, and an output of the step.
set -euo pipefail
result=0
: "${GITHUB_STEP_SUMMARY:=/dev/null}" "${GITHUB_OUTPUT:=/dev/null}"
longest_output=65536 # GitHub takes 1 MiB of all steps

# check COMMAND...
check() {
  local said status=0 mark=passed
  said=$("$@" 2>&1) || status=$?
  printf '%s\n' "$said"
  ((status == 0)) || mark="failed (exit status $status)"
  {
    printf '### %s: %s\n' "$*" "$mark"
    # A file that is shown may hold a fence of its own.
    [[ -z "$said" ]] || printf '~~~~~~~~~~~~ diff\n%s\n~~~~~~~~~~~~\n' "${said:0:longest_output}"
  } >>"$GITHUB_STEP_SUMMARY"
  ((result)) || result=$status
}

check envgen lock --check
check envgen generate --check
echo "exit-status=$result" >>"$GITHUB_OUTPUT"
exit "$result"
