#!/usr/bin/env bash
# torch 2.8.0, CUDA 12.8, cuDNN 9.10.2.21, Python 3.12 on ubuntu24.04, for A100 under driver >=525.60.13
# Made by envgen; edits are kept unless --force. sha256:61f21b2340835926827099a07ab15830f17532f9c0da524d37daee5b73a19e04
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: podman build --format docker --tag torch2.8-podman-mig --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # nothing is left of the container when it ends
  --device nvidia.com/gpu=0:0                # a GPU by its CDI name
  --security-opt label=disable               # SELinux would keep the devices away
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm, of which a container has 64 MB
  --ulimit host                              # the limits of the host, which a user without root cannot raise
  --userns=keep-id                           # files in the mount belong to who starts this, not to root
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec podman run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.8-podman-mig}" "$@"
