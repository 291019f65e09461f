#!/usr/bin/env bash
# torch 2.5.1, CUDA 12.4, cuDNN 9.1.0.70, Python 3.10 on Ubuntu 22.04, for A100 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:dd4ab33984f3f094734b86944350fcad3a7030306534625ba293b6a886cd676f
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#   ./run.sh jupyter             JupyterLab on http://127.0.0.1:8888, with the token it prints; JUPYTER_TOKEN sets the token, JUPYTER_PORT the port
#   ./run.sh ssh                 sshd on 127.0.0.1, port 2222 (SSH_PORT), with your keys ~/.ssh/*.pub (SSH_AUTHORIZED_KEYS): ssh -p 2222 dev@127.0.0.1
#                                From another machine: ssh -J THIS_MACHINE -p 2222 dev@127.0.0.1
#                                The container's host key changes at every start: ssh-keygen -R '[127.0.0.1]:2222' removes the old one
#
# Build the image with: docker build --tag torch2.5-flash-attn --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # remove the container when it exits
  --gpus all                                 # every GPU
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm; the default is 64 MB
  --ulimit memlock=-1                        # pinned memory and InfiniBand
  --ulimit stack=67108864                    # deep recursion in compilers; NVIDIA's images recommend this limit
  --volume "$PWD:/workspace"                 # this folder
)
if [[ "$*" == jupyter ]]; then
  flags+=(--publish "127.0.0.1:${JUPYTER_PORT:-8888}:8888" --env JUPYTER_TOKEN)
  set -- jupyter lab --ip=0.0.0.0 --no-browser --allow-root
fi
if [[ "$*" == ssh ]]; then
  keys=${SSH_AUTHORIZED_KEYS:-$(cat "$HOME"/.ssh/*.pub 2>/dev/null || true)}
  if [[ -z "$keys" ]]; then
    echo "error: no public key found: set SSH_AUTHORIZED_KEYS, or create ~/.ssh/*.pub with ssh-keygen" >&2
    exit 1
  fi
  flags+=(--publish "127.0.0.1:${SSH_PORT:-2222}:2222" --env "SSH_AUTHORIZED_KEYS=$keys")
  set -- bash /usr/local/bin/envgen-sshd.sh
fi
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.5-flash-attn}" "$@"
