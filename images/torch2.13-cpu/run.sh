#!/usr/bin/env bash
# torch 2.13.0, CPU, Python 3.11 on debian12
# Made by envgen; hand edits are kept unless --force is used. sha256:05861ca5bd390dcec4f166543b011fc7e65948e8a2510fff703daac6bf841f21
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
