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
trap 'stop_servers; rm -rf --one-file-system "$work"' EXIT
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
must_fail "another file" env "ENVGEN_HOME=$work/forged" ./setup.sh
must "another file is refused" says "THESE PACKAGES DO NOT MATCH THE HASHES"
cd - >/dev/null

# A machine whose python3 has neither venv nor pip: uv comes by its hash from the pip of Miniforge, whose installer is a double that only a
# double of sha256sum takes for the real one. curl writes what was asked of it.
mkdir -p "$work/bare/bin" "$work/bare/forged"
printf '#!/bin/sh\nexit 1\n' | tee "$work/bare/bin/python3" >"$work/bare/bin/python3.11"
cat >"$work/bare/bin/curl" <<'END'
#!/bin/bash
printf '%s\n' "${!#}" >>"$ASKED"
while [[ "$1" != --output ]]; do shift; done
cat >"$2" <<'MINIFORGE'
[[ "$1 $2 $3" == "-b -u -p" ]] && touch "$ASKED.ran" && mkdir -p "$4/bin" && ln -s "$REAL_PYTHON" "$4/bin/python"
MINIFORGE
END
# shellcheck disable=SC2016  # expanded in the double
printf '#!/bin/sh\nexec cat >>"$ASKED.sums"\n' >"$work/bare/forged/sha256sum"
chmod +x "$work"/bare/bin/* "$work/bare/forged/sha256sum"
bare() {
  ASKED=$work/bare/asked REAL_PYTHON=$(command -v python3.11) ENVGEN_HOME=$work/bare/$1 PATH=${2:+$work/bare/forged:}$work/bare/bin:/usr/bin:/bin \
    UV_PYTHON=$(command -v python3.11) UV_PYTHON_DOWNLOADS=never ./setup.sh
}
refuses_miniforge() { ! bare refused && [[ ! -e "$work/bare/asked.ran" ]]; }
cd "$work/uv"
must "no pip here: a Miniforge of another hash is not run" refuses_miniforge
must "no pip here: the pip of Miniforge brings uv" bare made taken
must "no pip here: what came of it" here_is "$work/bare/made/bin/python"
must "no pip here: the address of Miniforge" grep -qE '^https://github.com/conda-forge/miniforge/releases/download/[0-9.-]+/Miniforge3-[0-9.-]+-Linux-[a-z0-9_]+\.sh$' "$work/bare/asked"
must "no pip here: Miniforge went again" test ! -e "$work/bare/made.miniforge"
# A uv of another hash is not installed.
sed -i -E "s/(uv==[0-9.]+ --hash=sha256:)[0-9a-f]+/\\1$(printf '%064d' 0)/" setup.sh
refuses_uv() { ! ENVGEN_HOME=$work/other-uv ./setup.sh >"$work/other-uv.said" 2>&1 && grep -q "THESE PACKAGES DO NOT MATCH THE HASHES" "$work/other-uv.said"; }
must "another uv is refused" refuses_uv
cd - >/dev/null

# Another Python where the environment should be is not touched.
cd "$work/pip"
printf '#!/bin/sh\necho 3.9\n' >"$work/other"
chmod +x "$work/other"
mkdir -p "$work/taken/bin"
cp "$work/other" "$work/taken/bin/python"
must_fail "another Python" env "ENVGEN_HOME=$work/taken" ./setup.sh
must "another Python is named" says "error: $work/taken has Python 3.9, not 3.11: remove it, or set ENVGEN_HOME to another folder"
must "another Python is left alone" cmp "$work/other" "$work/taken/bin/python"
mkdir "$work/full"
touch "$work/full/precious"
must_fail "a folder of other files" env "ENVGEN_HOME=$work/full" ./setup.sh
must "a folder of other files is named" says "error: $work/full already exists and is not an environment: set ENVGEN_HOME to another folder"
must "a folder of other files is left alone" test -f "$work/full/precious"
cd - >/dev/null

# AutoDL: a data disk, and a proxy that reaches GitHub alone, so it is on for one command; with neither GPU nor driver. In a mount
# namespace of its own: the folders are made there, and go with it.
on_autodl() {
  # shellcheck disable=SC2016  # expanded in the namespace
  unshare --mount bash -euo pipefail -c '
    mount --make-rprivate / && mount -t tmpfs none /root && mkdir /root/autodl-tmp
    cp -a /etc "$1/etc" && echo "export https_proxy=http://127.0.0.1:9 http_proxy=http://127.0.0.1:9; echo on >>$1/proxy" >"$1/etc/network_turbo"
    mount --bind "$1/etc" /etc
    cd "$1/project" && ./setup.sh && ./setup.sh
    find /root -maxdepth 3 >"$1/placed"' bash "$1"
}
if ((EUID == 0)) && unshare --mount true 2>/dev/null; then
  mkdir -p "$work/autodl/project"
  "$envgen" render setup --torch 2.13 --cuda cpu --python 3.11 --installer uv -o "$work/autodl/project/setup.sh" >/dev/null
  must "AutoDL: both runs" on_autodl "$work/autodl"
  must "AutoDL: the second run too says done" says "== done: /root/autodl-tmp/envs/project-"
  must "AutoDL: the environment is on the data disk" grep -qE '^/root/autodl-tmp/envs/project-[0-9]+$' "$work/autodl/placed"
  must "AutoDL: the cache is on the data disk" grep -qx /root/autodl-tmp/cache/uv "$work/autodl/placed"
  must "AutoDL: nothing is on the system disk" test ! -e "$work/autodl/project/.venv"
  # With the proxy left on, the index on 127.0.0.1 could not have been reached.
  must "AutoDL: the proxy was on once, where uv makes the environment" test "$(wc -l <"$work/autodl/proxy")" == 1
else
  left_out "AutoDL: no mount namespace can be had here"
fi

# conda, by a double that makes what conda would and says what it was asked.
mkdir -p "$work/conda/bin" "$work/conda/torch" "$work/conda/project"
printf '__version__ = "2.8.0"\nclass version:\n    cuda = None\n' >"$work/conda/torch/torch.py"
cat >"$work/conda/bin/conda" <<'END'
#!/usr/bin/env bash
printf '%s\n' "$*" >>"$ASKED"
while [[ "$1" != --prefix ]]; do shift; done
mkdir -p "$2/conda-meta" "$2/bin"
printf '#!/bin/sh\nPYTHONPATH=%s exec python3.11 "$@"\n' "$TORCH" >"$2/bin/python"
chmod +x "$2/bin/python"
END
chmod +x "$work/conda/bin/conda"
"$envgen" render setup --torch 2.8 --cuda cpu --python 3.11 --installer conda -o "$work/conda/project/setup.sh" >/dev/null
cd "$work/conda/project"
for run in create install; do
  must "conda: $run" env "PATH=$work/conda/bin:$PATH" CONDA_EXE= "ASKED=$work/conda/asked" "TORCH=$work/conda/torch" ./setup.sh
  must "conda: says done" says "== done: $PWD/.conda/bin/python"
  must "conda: was asked to $run" grep -qxF \
    "$run --yes --prefix $PWD/.conda --override-channels --strict-channel-priority --channel conda-forge python=3.11 pytorch==2.8.0=cpu* setuptools<82" "$work/conda/asked"
done
printf '__version__ = "2.7.1"\nclass version:\n    cuda = None\n' >"$work/conda/torch/torch.py"
must_fail "conda: another torch" env "PATH=$work/conda/bin:$PATH" CONDA_EXE= "ASKED=$work/conda/asked" "TORCH=$work/conda/torch" ./setup.sh
must "conda: another torch is named" says "AssertionError: installed {'torch': '2.7.1', 'cuda': None}, locked {'torch': '2.8.0', 'cuda': None}"
cd - >/dev/null

book
