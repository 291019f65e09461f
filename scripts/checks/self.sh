#!/usr/bin/env bash
# The checks that are our own find what they are there for: each is given a tree with one mistake, and one without.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
checks=$PWD/scripts/checks
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
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

mkdir -p "$tree/src/model" "$tree/src/resolver" "$tree/src/attic"
echo '#include "model/version.hpp"' >"$tree/src/resolver/search.cpp"
expect 0 '' "$checks/rooms.sh" "$tree/src"
echo '#include "resolver/query.hpp"' >"$tree/src/model/version.cpp"
expect 1 "src/model/version.cpp:1: model may not import resolver" "$checks/rooms.sh" "$tree/src"
echo '#include "model/version.hpp"' >"$tree/src/attic/x.cpp"
expect 1 "the room attic is not in the table" "$checks/rooms.sh" "$tree/src"
rm -r "$tree/src/attic" "$tree/src/model"
mkdir "$tree/src/cli"
echo 'auto e = resolver::materialize(m, q, s);' | tee "$tree/src/cli/verified.cpp" >"$tree/src/cli/why.cpp"
expect 1 "src/cli/why.cpp:1:auto e" "$checks/rooms.sh" "$tree/src"
rm "$tree/src/cli/why.cpp"
expect 0 '' "$checks/rooms.sh" "$tree/src"

names=$tree/names
mkdir "$names"
echo "the wheels of https://download.pytorch.org/whl/cu121" >"$names/fine.md"
expect 0 '' "$checks/names.sh" "$names"
echo "built in $PWD/build" >"$names/path.md"
expect 1 "path.md:1:built in" "$checks/names.sh" "$names"
rm "$names/path.md"
echo "pip install --index-url https://pypi"".org/simple" >"$names/host.sh"
expect 1 "host.sh:1:pip install" "$checks/names.sh" "$names"
exit "$bad"
