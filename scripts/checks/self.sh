#!/usr/bin/env bash
# The checks that are our own find what they are there for: each is given a tree with one mistake, and one without.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
checks=$PWD/scripts/checks
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
# shellcheck source=scripts/checks/expect.sh
source scripts/checks/expect.sh

mkdir -p "$tree/src/model" "$tree/src/resolver" "$tree/src/attic" "$tree/src/cli"
echo '#include "model/version.hpp"' >"$tree/src/resolver/search.cpp"
expect 0 '' "$checks/rooms.sh" "$tree/src"
echo '#include "resolver/query.hpp"' >"$tree/src/model/version.cpp"
expect 1 "src/model/version.cpp:1: model may not import resolver" "$checks/rooms.sh" "$tree/src"
echo '#include "model/version.hpp"' >"$tree/src/attic/x.cpp"
expect 1 "the room attic is not in the table" "$checks/rooms.sh" "$tree/src"
rm -r "$tree/src/attic" "$tree/src/model"
echo '#include "resolver/materialize.hpp"' >"$tree/src/cli/why.cpp"
expect 1 "src/cli/why.cpp:1: cli may not import resolver" "$checks/rooms.sh" "$tree/src"
rm "$tree/src/cli/why.cpp"
expect 0 '' "$checks/rooms.sh" "$tree/src"
expect 1 "there is no folder $tree/none" "$checks/rooms.sh" "$tree/none"
mkdir "$tree/bare"
expect 1 "no file of a room below $tree/bare includes another" "$checks/rooms.sh" "$tree/bare"

names=$tree/names
mkdir "$names"
echo "the wheels of https://download.pytorch.org/whl/cu121" >"$names/fine.md"
expect 0 '' "$checks/names.sh" "$names"
echo "built in $PWD/build" >"$names/path.md"
expect 1 "path.md:1:built in" "$checks/names.sh" "$names"
rm "$names/path.md"
echo "pip install --index-url https://pypi"".org/simple" >"$names/host.sh"
expect 1 "host.sh:1:pip install" "$checks/names.sh" "$names"
expect 1 "No such file" "$checks/names.sh" "$tree/none"
expect 1 "no file that could be committed was found" "$checks/names.sh" "$tree/bare"
HOME='/home/[' expect 1 "make no pattern" "$checks/names.sh" "$names"

exit "$bad"
