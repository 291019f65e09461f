#!/usr/bin/env bash
# torch 2.13.0, CPU, Python 3.11 on Debian 12
# Made by envgen; hand edits are kept unless --force is used. sha256:f7ed2b552ac2cdeea9ad352d276ffad4065f34d77969f73057bc0a94a21b9b1e
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.13-cpu --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # remove the container when it exits
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm; the default is 64 MB
  --ulimit stack=67108864                    # deep recursion in compilers, as NVIDIA's images recommend
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.13-cpu}" "$@"
