#!/usr/bin/env bash
# torch 2.8.0, CUDA 12.9, cuDNN 9.10.2.21, Python 3.13 on ubuntu24.04, for A100 under driver >=525.60.13
# Made by envgen; edits are kept unless --force. sha256:206635ccee113f42d220a258b3880a8472048018da2d974b213570c5a1b177da
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch2.8-conda-forge --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # nothing is left of the container when it ends
  --gpus all                                 # every GPU
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm, of which a container has 64 MB
  --ulimit memlock=-1                        # pinned memory and InfiniBand
  --ulimit stack=67108864                    # deep recursion in compilers, as NVIDIA's images ask
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.8-conda-forge}" "$@"
