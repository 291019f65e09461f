#!/usr/bin/env bash
# JupyterLab and sshd of an image that envgen made with --multi-stage --jupyter --ssh, started as run.sh starts them, on this machine's
# network. $DOCKER is the engine's client.
# usage: services.sh IMAGE
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
image=${1:?usage: services.sh IMAGE}
work=$(mktemp -d)
started=()
trap '[[ -z "${started[*]}" ]] || "$DOCKER" rm --force "${started[@]}" >/dev/null; rm -rf "$work"' EXIT

start() { started+=("$("$DOCKER" run --detach --rm --network host "$@")"); }
until_it() { for _ in {1..60}; do if "$@" >/dev/null 2>&1; then return; fi; sleep 0.5; done; die "never: $*"; }

# Neither a compiler nor a key is left in the image.
"$DOCKER" run --rm --interactive --network none --user 0 "$image" bash -s <tests/e2e/left_overs.sh

start --env JUPYTER_TOKEN=sesame "$image" jupyter lab --ip=0.0.0.0 --no-browser
until_it curl --fail --silent --noproxy '*' "http://127.0.0.1:8888/api/status?token=sesame"
[[ "$(curl --silent --noproxy '*' --output /dev/null --write-out '%{http_code}' http://127.0.0.1:8888/api/status)" == 403 ]]

ssh-keygen -q -t ed25519 -N "" -f "$work/key"
ssh-keygen -q -t ed25519 -N "" -f "$work/other"
start --env "SSH_AUTHORIZED_KEYS=$(cat "$work/key.pub")" "$image" bash /usr/local/bin/envgen-sshd.sh
log_in() { ssh -F /dev/null -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -i "$1" -p 2222 dev@127.0.0.1 "${@:2}"; }
until_it log_in "$work/key" true
# The environment of the image reaches the session: its Python, and where it lies.
[[ "$(log_in "$work/key" "python -c 'import torch, os; print(torch.ones(2).sum().item(), os.environ[\"VIRTUAL_ENV\"])'" 2>/dev/null)" == "2.0 /opt/venv" ]]
if log_in "$work/other" true 2>"$work/refused"; then die "sshd takes any key"; fi
grep -q "Permission denied" "$work/refused" # an sshd that is gone refuses, too
if "$DOCKER" run --rm --network none "$image" bash /usr/local/bin/envgen-sshd.sh 2>"$work/said"; then die "sshd starts without a key"; fi
grep -qxF "error: SSH_AUTHORIZED_KEYS contains no public key" "$work/said"
