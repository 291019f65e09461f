#!/usr/bin/env bash
# torch 1.12.1, CUDA 10.2, cuDNN 7.6.5.32, Python 3.10 on ubuntu22.04, for Tesla K80 under driver >=440.33,<471
# Made by envgen; edits are kept unless --force. sha256:6ea3cb765eafbfa4396bf876b9282eddd66d913da39dc5e7f62191413be7f2d7
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch1.12-k80 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch1.12-k80}" "$@"
