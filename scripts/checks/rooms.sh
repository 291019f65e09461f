#!/usr/bin/env bash
# A room of src/ imports only itself and the rooms that this table gives it (ARCHITECTURE.md, "The rooms").
# usage: rooms.sh [FOLDER]    FOLDER stands for src/
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
src=${1:-src}

declare -A may_use=(
  [model]=""
  [util]="model"
  [matrix]="model util"
  [resolver]="model matrix"
  [check]="model matrix"
  [host]="model util"
  [net]="model util"
  [inspect]="model util"
  [update]="model util matrix net inspect"
  [answers]="model util matrix resolver"
  [files]="model util"
  [diagnosis]="model util"
  [container]="model util"
  [validate]="model util matrix resolver files diagnosis container"
  [reports]="model util diagnosis validate"
  [project]="model util files"
  [api]="model util matrix resolver check answers files diagnosis project"
  [library]="model util matrix answers files project api"
  [cli]="model util matrix host net inspect update answers files diagnosis container validate reports project api"
)

[[ -d "$src" ]] || die "there is no folder $src"
includes=$(grep -rnE --include='*.cpp' --include='*.hpp' '^ *# *include +"[^"]*/' "$src"/*/) || die "no file of a room below $src includes another"
bad=0
while IFS=: read -r file line include; do
  room=${file#"$src"/}
  room=${room%%/*}
  used=${include#*\"}
  used=${used%%/*}
  if [[ -z "${may_use[$room]+known}" ]]; then
    printf '%s: the room %s is not in the table of scripts/checks/rooms.sh\n' "$file" "$room"
    bad=1
  elif [[ "$used" != "$room" && " ${may_use[$room]} " != *" $used "* ]]; then
    printf '%s:%s: %s may not import %s\n' "$file" "$line" "$room" "$used"
    bad=1
  fi
done <<<"$includes"
exit "$bad"
