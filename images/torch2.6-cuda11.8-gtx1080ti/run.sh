#!/usr/bin/env bash
# torch 2.6.0, CUDA 11.8, cuDNN 9.1.0.70, Python 3.10 on ubuntu22.04, for GeForce GTX 1080 Ti under driver >=450.80.02,<581
# Made by envgen; edits are kept unless --force. sha256:17714b50da4b470295b665fddc78bff4da7f2cb6eafd9dae5809a60755dfd1f9
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch2.6-cuda11.8-gtx1080ti --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.6-cuda11.8-gtx1080ti}" "$@"
