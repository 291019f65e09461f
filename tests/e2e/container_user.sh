#!/usr/bin/env bash
# The user of an image owns what a container of it writes into a mounted folder: a container is run on a fresh folder that
# belongs to UID:GID, and every file that it leaves must belong to them, too.
# usage: container_user.sh IMAGE UID [GID [DOCKER_RUN_OPTION...]]   UID and GID as the image was built for, or as --user says
# Needs root, to give the folder to UID; DOCKER_HOST and DOCKER as engine.sh prints them. Exit status 77: not root.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

usage="usage: container_user.sh IMAGE UID [GID [DOCKER_RUN_OPTION...]]"
image=${1:?$usage}
uid=${2:?$usage}
gid=${3:-$uid}
options=("${@:4}")
docker=${DOCKER:-docker}
if ((EUID != 0)); then
  echo "giving a folder to $uid:$gid needs root" >&2
  exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
chown "$uid:$gid" "$folder"
chmod 0750 "$folder" # so that it must be this user, or root

# run COMMAND: in a shell of the container; what it prints.
run() { "$docker" run --rm --network none "${options[@]}" "$image" bash -c "$1"; }
# expect WHAT WANTED GOT
bad=0
expect() {
  if [[ "$2" != "$3" ]]; then
    printf '%s: %s is not %s but %s\n' "$image" "$1" "$2" "$3"
    bad=1
  fi
}

# shellcheck disable=SC2016  # expanded in the container
{
  expect "the user" "$uid:$gid" "$(run 'echo "$(id -u):$(id -g)"')"
  expect "the working folder" "writable $uid:$gid" "$(run 'touch file && echo "writable $(stat -c %u:%g file)"' 2>&1)"
  expect "HOME" "writable $uid:$gid" "$(run 'touch "$HOME/file" && echo "writable $(stat -c %u:%g "$HOME")"' 2>&1)"
}
options+=(--volume "$folder:/workspace")
run 'umask 022 && echo text >written && mkdir -p deep/er && echo text >deep/er/written && chmod +x written' || bad=1
expect "what lies in the mount" "./deep ./deep/er ./deep/er/written ./written" "$(cd "$folder" && find . -mindepth 1 | sort | xargs)"
while read -r path owner; do expect "the owner of $path" "$uid:$gid" "$owner"; done < <(find "$folder" -printf '%p %U:%G\n')
((bad == 0)) && echo "$image writes as $uid:$gid"
