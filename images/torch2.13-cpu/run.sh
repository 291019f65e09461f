#!/usr/bin/env bash
# torch 2.13.0, CPU, Python 3.11 on debian12
# Made by envgen; edits are kept unless --force. sha256:b36b4726cb4628d53f9d887ef43380e0c1815139a5f69fb5cb1739744c4e89c3
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch2.13-cpu --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # nothing is left of the container when it ends
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm, of which a container has 64 MB
  --ulimit stack=67108864                    # deep recursion in compilers, as NVIDIA's images ask
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.13-cpu}" "$@"
