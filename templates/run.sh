#!/usr/bin/env bash
# {{{title}}}
# {{{mark}}}
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: {{{engine}}} build {{#podman}}--format docker {{/podman}}--tag {{{image}}} --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)"{{#ca_cert}} --secret id=ca-cert,src=CERTIFICATES.pem{{/ca_cert}} .
set -euo pipefail

flags=(
{{{flags}}}
{{#podman}}
  --userns=keep-id                           # files in the mount belong to who starts this, not to root
{{/podman}}
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec {{{engine}}} run "${flags[@]}" "${ENVGEN_IMAGE:-{{{image}}}}" "$@"
