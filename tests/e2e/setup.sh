#!/usr/bin/env bash
# setup.sh as envgen makes it, run for real and twice, by pip and by uv, with a CPU torch, and from a lock that uv froze for real; and on a machine with a data disk, as AutoDL has.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no CPU torch, or no Python 3.11, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

envgen=${ENVGEN:-build/release/src/envgen}
envgen=$(realpath "$envgen")
command -v python3.11 >/dev/null || {
  echo "python3.11 is not installed"
  exit 77
}
work=$(mktemp -d)
trap 'stop_index; rm -rf --one-file-system "$work"' EXIT
# shellcheck source=tests/e2e/index.sh
source tests/e2e/index.sh
export PIP_INDEX_URL=$index UV_DEFAULT_INDEX=$index TORCH_INDEX_URL=$index PIP_CONFIG_FILE=/dev/null UV_NO_CONFIG=1
unset PIP_FIND_LINKS PIP_EXTRA_INDEX_URL

# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

here_is() { "$1" -c 'import torch; assert torch.__version__.startswith("2.13.0")'; }
says() { grep -qF -- "$1" "$work/said"; }

# frozen FOLDER: the project and its lock; the wheel index is the local one, too.
frozen() {
  printf '{"request": {"torch": "2.13", "cuda": "cpu", "python": "3.11"}, "outputs": {"files": ["setup"], "torch_mirror": "%s"}}' "${index%/}" >"$1/envgen.json"
  python3.11 -m pip install --quiet --target "$work/uv" uv
  (cd "$1" && PATH=$work/uv/bin:$PATH "$envgen" lock --freeze && "$envgen" generate)
}

for installer in pip uv frozen; do
  folder=$work/$installer
  mkdir "$folder"
  if [[ "$installer" == frozen ]]; then
    must "lock --freeze by uv" frozen "$folder"
  else
    "$envgen" render setup --torch 2.13 --cuda cpu --python 3.11 --installer "$installer" -o "$folder/setup.sh" >/dev/null
  fi
  cd "$folder"
  must "$installer: the first run" ./setup.sh
  must "$installer: what it made" here_is .venv/bin/python
  before=$(stat --format %Y .venv/bin/python)
  began=$SECONDS
  must "$installer: the second run" ./setup.sh
  must "$installer: the second run says done" says "== done: $folder/.venv/bin/python"
  say "$installer: the second run took $((SECONDS - began)) s"
  must "$installer: the second run kept what was there" test "$before" == "$(stat --format %Y .venv/bin/python)"
  cd - >/dev/null
done

# A file of another hash is not installed.
cd "$work/frozen"
must "the tree is whole" grep -qE '^torch==2\.13\.0\+cpu --hash=sha256:' setup.sh
sed -i -E 's/^(filelock==[^ ]*) .*/\1 --hash=sha256:0000000000000000000000000000000000000000000000000000000000000000/' setup.sh
! ENVGEN_HOME=$work/forged ./setup.sh >"$work/forged.said" 2>&1 || failed=$((failed + 1))
must "another file is refused" grep -q "THESE PACKAGES DO NOT MATCH THE HASHES" "$work/forged.said"
cd - >/dev/null

# Another Python where the environment should be is not touched.
cd "$work/pip"
printf '#!/bin/sh\necho 3.9\n' >"$work/other"
chmod +x "$work/other"
mkdir -p "$work/taken/bin"
cp "$work/other" "$work/taken/bin/python"
! ENVGEN_HOME=$work/taken ./setup.sh >"$work/taken.said" 2>&1 || failed=$((failed + 1))
mkdir "$work/full"
touch "$work/full/precious"
! ENVGEN_HOME=$work/full ./setup.sh >"$work/full.said" 2>&1 || failed=$((failed + 1))
must "a folder of other files is left alone" test -f "$work/full/precious"
must "and named" grep -qF "error: $work/full is there and holds no environment: name another place by ENVGEN_HOME" "$work/full.said"
must "another Python is named" grep -qF "error: $work/taken holds Python 3.9 and not 3.11: remove it, or name another place by ENVGEN_HOME" "$work/taken.said"
cd - >/dev/null

book
