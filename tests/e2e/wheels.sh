#!/usr/bin/env bash
# The wheels that real builds install: a CPU torch for Python 3.11 as pip finds it here, what it depends on, and the tools.
# usage: wheels.sh   prints the folder; nothing is downloaded where it is complete
# What no build here uses is taken out of two of them: of torch its headers and its own tests, nine of ten of its files; of torchvision
# the compiled libraries, for the package index has it for CUDA alone, and beside a CPU torch these do not load.
# Exit status 77: pip is missing, or it does not find them.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

wanted=(torch==2.13.0 torchvision==0.28.0 numpy uv==0.13.9 ninja setuptools pip==25.0.1 wheel jupyterlab)
of_torch='^torch/(include/|test/|bin/(test_|protoc))' of_torchvision='\.so(\.\d+)*$'
answers="${wanted[*]} without $of_torch $of_torchvision"
folder=$PWD/build/e2e/wheels
complete=$folder/complete # what these wheels answer

skip() {
  echo "$*" >&2
  exit 77
}
if [[ "$(cat "$complete" 2>/dev/null)" != "$answers" ]]; then
  python=$(first_of python3.11 python3) || skip "python3 is not installed"
  "$python" -m pip --version >/dev/null 2>&1 || skip "pip is not installed"
  rm -rf "$folder.new"
  "$python" -m pip download --quiet --dest "$folder.new" --only-binary=:all: --python-version 3.11 "${wanted[@]}" >&2 ||
    skip "pip does not find ${wanted[*]} for Python 3.11"
  # Without a CPU build torch brings gigabytes of CUDA, which these tests do not need.
  compgen -G "$folder.new/torch-*+cpu-*.whl" >/dev/null || skip "pip finds no CPU build of torch here"
  "$python" tests/e2e/trimmed_wheel.py "$of_torch" "$folder.new"/torch-*.whl
  "$python" tests/e2e/trimmed_wheel.py "$of_torchvision" "$folder.new"/torchvision-*.whl
  printf '%s' "$answers" >"$folder.new/complete"
  rm -rf "$folder" "$PWD"/build/e2e/index-port* # at another port no engine takes what it built of the old ones for built of these
  mv "$folder.new" "$folder"
fi
echo "$folder"
