#!/usr/bin/env bash
# {{{title}}}
{{#notes}}
# {{{item}}}
{{/notes}}
# {{{mark}}}
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
{{#jupyter}}
#   ./run.sh jupyter             JupyterLab on http://127.0.0.1:8888, with the token it prints; JUPYTER_TOKEN sets the token, JUPYTER_PORT the port
{{/jupyter}}
{{#ssh}}
#   ./run.sh ssh                 sshd on 127.0.0.1, port 2222 (SSH_PORT), with your keys ~/.ssh/*.pub (SSH_AUTHORIZED_KEYS): ssh -p 2222 {{{user}}}@127.0.0.1
#                                From another machine: ssh -J THIS_MACHINE -p 2222 {{{user}}}@127.0.0.1
#                                The container's host key changes at every start: ssh-keygen -R '[127.0.0.1]:2222' removes the old one
{{/ssh}}
#
# Build the image with: {{{engine}}} build {{#podman}}--format docker {{/podman}}--tag {{{image}}} --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)"{{#ca_cert}} --secret id=ca-cert,src={{{ca_source}}}{{/ca_cert}} .
{{#netrc}}
# If its index needs a password, add: --secret id=netrc,src=FILE
{{/netrc}}
set -euo pipefail

flags=(
{{{flags}}}
{{#podman}}
  --userns=keep-id                           # files in the mount belong to the user who starts this, not to root
{{/podman}}
  --volume "$PWD:/workspace"                 # this folder
)
{{#jupyter}}
if [[ "$*" == jupyter ]]; then
  flags+=(--publish "127.0.0.1:${JUPYTER_PORT:-8888}:8888" --env JUPYTER_TOKEN)
  set -- jupyter lab --ip=0.0.0.0 --no-browser --allow-root
fi
{{/jupyter}}
{{#ssh}}
if [[ "$*" == ssh ]]; then
  keys=${SSH_AUTHORIZED_KEYS:-$(cat "$HOME"/.ssh/*.pub 2>/dev/null || true)}
  if [[ -z "$keys" ]]; then
    echo "error: no public key found: set SSH_AUTHORIZED_KEYS, or create ~/.ssh/*.pub with ssh-keygen" >&2
    exit 1
  fi
  flags+=(--publish "127.0.0.1:${SSH_PORT:-2222}:2222" --env "SSH_AUTHORIZED_KEYS=$keys")
  set -- bash /usr/local/bin/envgen-sshd.sh
fi
{{/ssh}}
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec {{{engine}}} run "${flags[@]}" "${ENVGEN_IMAGE:-{{{image}}}}" "$@"
