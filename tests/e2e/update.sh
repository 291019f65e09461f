#!/usr/bin/env bash
# A torch that the built-in facts lack resolves after one `matrix update` from a package index (local_index.py), and offline from then on.
# $ENVGEN is the tool (default: build/release/src/envgen).
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
source tests/e2e/must.sh
source tests/e2e/serve.sh
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")

work=$(mktemp -d)
trap 'stop_servers; rm -rf "$work"' EXIT
mkdir "$work/wheels"
python3 tests/e2e/update_wheels.py "$work/wheels"
serve "$work/address" python3 tests/e2e/local_index.py "$work/wheels"
export XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/data PIP_CONFIG_FILE=/dev/null
PIP_INDEX_URL=$(head -n 1 "$work/address")
export PIP_INDEX_URL
unset PIP_EXTRA_INDEX_URL ENVGEN_MATRIX ENVGEN_BUILT_IN

# resolved: torch 2.16 for a GPU, by the pins of its wheel.
resolved() {
  "$envgen" resolve --torch 2.16 --gpu "RTX 4090" --format json >"$work/answer"
  python3 - "$work/answer" <<'PYTHON'
import json
import sys
environment = json.load(open(sys.argv[1], encoding="utf-8"))["environment"]
assert environment["torch"]["version"] == "2.16.0", environment["torch"]
assert environment["torch"]["cuda"] == "13.2" and environment["torch"]["nccl"] == "2.30.7", environment["torch"]
assert environment["torch"]["torchvision"] == "0.30.0", environment["torch"]
PYTHON
}

unknown_before() {
  fails "$envgen" resolve --torch 2.16 --gpu "RTX 4090"
  [[ ! -e "$work/data" ]]
}
dry_run_writes_nothing() {
  blocks() { find "$work/cache/envgen" -name '*.block' 2>/dev/null; }
  local before
  before=$(blocks)
  "$envgen" matrix update --source package-index --dry-run >"$work/dry" 2>"$work/err"
  grep -q '^  torch 2.16.0: new, CUDA 13.2 (default); Python 3.13 to 3.14' "$work/dry"
  grep -q '^no facts were written (--dry-run)$' "$work/dry"
  [[ ! -e "$work/data" && -d "$work/cache/envgen/http" && "$(blocks)" == "$before" ]] # what was fetched is kept, and nothing else
}
updates() {
  "$envgen" matrix update --source package-index >"$work/out" 2>"$work/err"
  grep -q '^  torchvision 0.30.0 linux-x86_64: new' "$work/out"
  grep -q '^  torchaudio 2.12.0 linux-x86_64: new' "$work/out"
  grep -q "^written to $work/data/envgen/matrix: matrix.json, torch.json$" "$work/out"
}
# One wheel of the package index serves every torch of its CUDA major there; what PyTorch's own index has was not read.
one_torchaudio_for_cuda_13() {
  local status=0
  "$envgen" render requirements --torch 2.16 --torchaudio 2.12.0 >"$work/answer"
  grep -qx 'torchaudio==2.12.0' "$work/answer"
  "$envgen" resolve --torch 2.13 --torchaudio 2.12.0 --cuda 12.6 >"$work/out" 2>"$work/err" || status=$?
  ((status == 8))
  tr -s ' \n' ' ' <"$work/out" | grep -qF "whether PyTorch's wheel index has torchaudio 2.12.0 for torch 2.13.0+cu126"
}
nothing_new() {
  "$envgen" matrix update --source package-index >"$work/out" 2>"$work/err"
  grep -q '^nothing is new$' "$work/out"
}
offline() {
  resolved
  "$envgen" matrix info >"$work/info"
  grep -q "$work/data/envgen/matrix" "$work/info"
}

# Whether 2.16.0 exists was not read when 2.17.0 alone was added: that is unknown, and no proof. An update reads it.
added_alone() {
  local status=0
  export XDG_DATA_HOME=$work/alone
  "$envgen" matrix add torch 2.17.0 >"$work/out" 2>"$work/err"
  "$envgen" resolve --torch 2.17 >"$work/answer"
  "$envgen" resolve --torch 2.16 >"$work/out" 2>"$work/err" || status=$?
  ((status == 8))
  tr -s ' \n' ' ' <"$work/out" | grep -qF "envgen does not know whether torch 2.16 exists: its data goes from 2.15.0 straight to 2.17.0, which was added separately"
  "$envgen" matrix add torch 2.17.0 >"$work/out" 2>"$work/err"
  status=0
  "$envgen" resolve --torch 2.16 >"$work/out" 2>"$work/err" || status=$?
  ((status == 8))
  "$envgen" matrix update --source package-index >"$work/out" 2>"$work/err"
  "$envgen" resolve --torch 2.16 >"$work/answer"
  status=0
  "$envgen" resolve --torch 2.16.1 >"$work/out" 2>"$work/err" || status=$?
  ((status == 3))
}

must "torch 2.16 is unknown before" unknown_before
must "a release that was added alone proves nothing of those before it" added_alone
must "a dry run tells it and writes nothing" dry_run_writes_nothing
must "an update writes the facts of this user" updates
must "torch 2.16 resolves" resolved
must "a torchaudio that links with CUDA 13 goes to the builds of CUDA 13" one_torchaudio_for_cuda_13
must "a second update finds nothing new" nothing_new
stop_servers
must "torch 2.16 resolves offline" offline

# NVIDIA's manifests as a mirror has them: what is newest there comes into facts that lack it.
python3 tests/e2e/nvidia_mirror.py "$work/mirror" matrix "$work/facts"
serve "$work/mirror.address" python3 -u -m http.server --bind 127.0.0.1 --directory "$work/mirror" 0
mirror=http://127.0.0.1:$(sed -nE 's/.* port ([0-9]+) .*/\1/p' "$work/mirror.address")/nvidia

python3 - "$work/facts" <<'PYTHON'
import json
import pathlib
import sys

for file, table, key, newest in (
    ("cuda.json", "toolkits", "version", "13.5.0"),
    ("cuda.json", "minors", "cuda", "13.5"),
    ("cudnn.json", "releases", "version", "9.28.1.4"),
):
    path = pathlib.Path(sys.argv[1]) / file
    document = json.loads(path.read_text(encoding="utf-8"))
    document[table] = [row for row in document[table] if row[key] != newest]
    path.write_text(json.dumps(document), encoding="utf-8")
PYTHON

by_mirror() {
  fails "$envgen" --matrix "$work/facts" show driver 620
  fails "$envgen" --matrix "$work/facts" show cudnn 9.28.1.4
  "$envgen" --matrix "$work/facts" matrix update --source nvidia-redist --mirror "nvidia-redist=$mirror" >"$work/out" 2>"$work/err"
  grep -q '^  CUDA 13.5: new, native driver 620.70.06' "$work/out"
  grep -q '^  cuDNN 9.28.1.4: new, for CUDA 13' "$work/out"
  grep -q '^  driver R620: new, CUDA 13.5; latest 620.70.06' "$work/out"
  "$envgen" --matrix "$work/facts" show cudnn 9.28.1.4 >"$work/answer"
  "$envgen" --matrix "$work/facts" resolve --driver 620 --torch 2.15 --json >"$work/answer"
  grep -q 'supports CUDA 13.2 natively' "$work/answer"
}
must "CUDA 13.5, R620 and cuDNN 9.28.1 come in from a mirror of NVIDIA's manifests" by_mirror

# NVIDIA's release notes, of which the facts lack a driver and a branch.
python3 - matrix "$work/older" <<'PYTHON'
import json
import pathlib
import shutil
import sys

older = pathlib.Path(shutil.copytree(sys.argv[1], sys.argv[2]))


def change(file, alter):
    document = json.loads((older / file).read_text(encoding="utf-8"))
    alter(document)
    (older / file).write_text(json.dumps(document), encoding="utf-8")


def forget(document):
    next(row for row in document["minors"] if row["cuda"] == "13.3")["native_driver"] = None


change("cuda.json", forget)
change("drivers.json", lambda document: document["branches"].remove(next(row for row in document["branches"] if row["branch"] == "620")))
PYTHON
serve "$work/published.address" python3 tests/e2e/published.py matrix "$work/mirror" 0
root=$(<"$work/published.address")

notes() {
  "$envgen" --matrix "$work/$1" matrix update --source nvidia-release-notes --mirror "nvidia-release-notes=$root/notes" >"$work/out" 2>"$work/err"
}
by_release_notes() {
  fails "$envgen" --matrix "$work/older" show driver 620
  notes older
  grep -q '^  CUDA 13.3: native driver unknown -> 610.43.02$' "$work/out"
  grep -q '^  driver R620: new, CUDA 13.5' "$work/out"
  "$envgen" --matrix "$work/older" resolve --driver 620 --torch 2.15 --json >"$work/answer"
  grep -q 'supports CUDA 13.2 natively' "$work/answer"
  grep -q '"url": "'"$root"'/notes/index.html"' "$work/older/cuda.json"
  notes older
  grep -q '^nothing is new$' "$work/out"
}
must "CUDA 13.3 and R620 come in from NVIDIA's release notes" by_release_notes
book
