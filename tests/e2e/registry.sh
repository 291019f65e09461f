#!/usr/bin/env bash
# `envgen lock --freeze` with a real docker client, a registry that is a double, and an uv that is one: what the registry has, what was
# pulled here where it is gone, and what nobody knows.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
engine=$(tests/e2e/engine.sh) || exit
set -a && eval "$engine" && set +a
work=$(mktemp -d)
repository=$PWD
source tests/e2e/serve.sh
end() {
  stop_servers
  [[ -z "${image:-}" ]] || "$DOCKER" image rm "$image" >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"
  "$repository/tests/e2e/engine.sh" stop
}
trap end EXIT
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/key" -out "$work/certificate" -days 2 -subj /CN=127.0.0.1 2>/dev/null
serve "$work/registry" python3 tests/e2e/registry.py "$work/certificate" "$work/key"
read -r port whole amd64 _ <"$work/registry"
image=127.0.0.1:$port/debian:12-slim

# The client takes a certificate that nobody signed only when it is told; no buildx, skopeo or podman is on PATH.
mkdir "$work/bin"
# shellcheck disable=SC2016  # expanded in the double
printf '#!/bin/sh\ncase "$1" in\n  buildx) exit 1 ;;\n  manifest) shift 2; exec "%s" manifest inspect --insecure "$@" ;;\nesac\nexec "%s" "$@"\n' "$DOCKER" "$DOCKER" >"$work/bin/docker"
cat >"$work/bin/uv" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo 'uv 9.8.7'; exit 0; }
while [ "$1" != --directory ]; do shift; done
sed -n 's/^  "\([a-z0-9-]*\)[<>=]*\([0-9.]*\)[^"]*",*$/\1==\2\n    --hash=sha256:2222222222222222222222222222222222222222222222222222222222222222/p' "$2/pyproject.toml"
END
for other in skopeo podman; do printf '#!/bin/sh\nexit 1\n' >"$work/bin/$other"; done
chmod +x "$work"/bin/*
mkdir "$work/project"
printf '{"request": {"torch": "2.9", "os": "debian12", "installer": "uv"}, "outputs": {"files": ["dockerfile"], "base_image": "%s"}}' "$image" >"$work/project/envgen.json"
freeze() { (cd "$work/project" && PATH=$work/bin:$PATH "$envgen" lock --freeze && "$envgen" generate); }
starts_from() { grep -qx "FROM $1" "$work/project/Dockerfile" || { grep FROM "$work/project/Dockerfile"; return 1; }; }

must "the lock by the registry" freeze
must "the digest of the platform" starts_from "$image@$amd64"
must "the pull" "$DOCKER" pull --quiet "$image"
stop_servers
must "the lock without the registry" freeze
must "the digest of what was pulled" starts_from "$image@$whole"
must "the image goes" "$DOCKER" image rm "$image"
must "the lock of what nobody knows" freeze
must "that is said" grep -qF "$image stays a tag, which a registry can move to another image: no client here can find its digest" "$work/said"
must "the tag alone" starts_from "$image"
must "and the lock says so" grep -q '"digest": null' "$work/project/envgen.lock"
book
