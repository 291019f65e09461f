#!/usr/bin/env bash
# torch 2.3.1, CUDA 12.1, cuDNN 8.9.2.26, Python 3.10 on ubuntu22.04, for GeForce RTX 4090 under driver >=525.60.13
# Made by envgen; edits are kept unless --force. sha256:30af2c03287efb2f4191489dc0988c6e77459f6c9dafcd3df3c94bb8103e08fd
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch2.3-cuda12.1 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.3-cuda12.1}" "$@"
