#!/bin/sh
# A double of docker and podman for tests: notes each call in $ENGINE_DOUBLE/calls, a line each with `|` between words, and answers what
# lies in $ENGINE_DOUBLE/COMMAND.{out,err,exit,sleep}, or COMMAND.N.* for the N-th call of that command. Where a file `deaf` lies there, no
# signal but SIGKILL ends it; where `writes` does, `start` writes into the mount of the last container.
PATH=/usr/bin:/bin
[ ! -e "$ENGINE_DOUBLE/deaf" ] || trap '' TERM INT HUP
command=$1
[ "$1" != image ] || command=image-inspect
{
  printf '%.2000s|' "$@" | tr '\n' ' '  # a script that is a word is known by its beginning
  echo
} >>"$ENGINE_DOUBLE/calls"
answer=$ENGINE_DOUBLE/$command.$(grep -c "^$1|" "$ENGINE_DOUBLE/calls")
[ -e "$answer.exit" ] || answer=$ENGINE_DOUBLE/$command
[ ! -e "$answer.sleep" ] || sleep "$(cat "$answer.sleep")"
# A report in the form of envgen-bench or of the Python brings back the nonce of the last container, unless it says another one.
nonce=$(sed -n 's/^create|.*|--report-nonce=\([0-9a-f]*\)|.*/\1/p; s/^create|.*|\([0-9a-f]\{32\}\)|$/\1/p' "$ENGINE_DOUBLE/calls" | tail -1)
if [ "$command" = start ] && [ -e "$ENGINE_DOUBLE/writes" ]; then
  mount=$(sed -n 's/^create|.*|--mount=type=bind,"source=\([^"]*\)",target=.*/\1/p' "$ENGINE_DOUBLE/calls" | tail -1)
  echo >"$mount/written"
fi
if [ -e "$answer.out" ]; then
  if [ "$command" != start ] || grep -q '"nonce"' "$answer.out"; then
    cat "$answer.out"
  else
    sed "s/^{\(\"schema_version\"\|\"python\"\)/{\"nonce\": \"$nonce\", \1/; s/{\\\\\"python\\\\\"/{\\\\\"nonce\\\\\": \\\\\"$nonce\\\\\", \\\\\"python\\\\\"/" "$answer.out"
  fi
fi
[ ! -e "$answer.err" ] || cat "$answer.err" >&2
[ -e "$answer.exit" ] || exit 0
exit "$(cat "$answer.exit")"
