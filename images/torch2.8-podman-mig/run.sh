#!/usr/bin/env bash
# torch 2.8.0, CUDA 12.8, cuDNN 9.10.2.21, Python 3.12 on Ubuntu 24.04, for A100 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:716befbd5c051260d17ee27b43c3151b38f1293671a6295ca24939704350f8b4
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: podman build --format docker --tag torch2.8-podman-mig --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # remove the container when it exits
  --device nvidia.com/gpu=0:0                # this GPU, by CDI name
  --security-opt label=disable               # SELinux would block the devices
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm; the default is 64 MB
  --ulimit host                              # the host's limits, which a non-root user cannot raise
  --userns=keep-id                           # files in the mount belong to the user who starts this, not to root
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec podman run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.8-podman-mig}" "$@"
