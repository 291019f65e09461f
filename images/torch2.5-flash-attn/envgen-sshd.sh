#!/usr/bin/env bash
# torch 2.5.1, CUDA 12.4, cuDNN 9.1.0.70, Python 3.10 on Ubuntu 22.04, for A100 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:fd8427767ff880c9bc037e5bbd51062e81ec7916dc9910bec79c296b33f9ebe3
#
# Starts sshd on port 2222 as the container's user, for the public keys in SSH_AUTHORIZED_KEYS. The host key is generated at start.
set -euo pipefail
if [[ -z "${SSH_AUTHORIZED_KEYS:-}" ]]; then
  echo "error: SSH_AUTHORIZED_KEYS contains no public key" >&2
  exit 1
fi
folder=$HOME/.ssh
mkdir -p "$folder"
chmod 700 "$folder"
printf '%s\n' "$SSH_AUTHORIZED_KEYS" >"$folder/authorized_keys"
chmod 600 "$folder/authorized_keys"
[[ -e "$folder/host_key" ]] || ssh-keygen -q -t ed25519 -N "" -f "$folder/host_key"
# sshd does not pass the image's environment to sessions.
env | grep -E '^(PATH|VIRTUAL_ENV|LD_LIBRARY_PATH|CC|CXX|HF_HOME|(CONDA|CUDA|NCCL|NVCC|NVIDIA|TORCH|TF)_[A-Z_]*)=' >"$folder/environment" || true
cat >"$folder/sshd_config" <<END
Port 2222
HostKey $folder/host_key
PidFile $folder/sshd.pid
AuthorizedKeysFile $folder/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
PermitUserEnvironment yes
Subsystem sftp internal-sftp
END
if ((EUID == 0)); then
  mkdir -p /run/sshd # sshd needs it for privilege separation when run as root
fi
exec /usr/sbin/sshd -D -e -f "$folder/sshd_config"
