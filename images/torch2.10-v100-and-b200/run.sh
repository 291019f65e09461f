#!/usr/bin/env bash
# torch 2.10.0, CUDA 12.8, cuDNN 9.10.2.21, Python 3.12 on ubuntu24.04, for V100 under driver >=525.60.13,<581, for B200 under driver >=570.26
# Made by envgen; edits are kept unless --force. sha256:bafb9e2f91a461e40fbdf67d013a9dc22d0ef3de73e3be7d90569dcd08a8cf92
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch2.10-v100-and-b200 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.10-v100-and-b200}" "$@"
