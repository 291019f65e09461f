#!/usr/bin/env bash
# What an image of --multi-stage and --ssh must not hold: a compiler, and keys that every container would share. Runs in the image.
# usage: left_overs.sh [ROOT]    ROOT stands for /
root=${1:-}
bad=0
for file in "$root"/usr/bin/gcc "$root"/usr/bin/*-gcc "$root"/usr/local/bin/gcc "$root"/etc/ssh/ssh_host_* "$root"/home/*/.ssh "$root"/root/.ssh; do
  if [[ -e "$file" || -L "$file" ]]; then
    echo "$file is left in the image"
    bad=1
  fi
done
if [[ -z "$root" ]] && command -v gcc cc; then bad=1; fi
exit "$bad"
