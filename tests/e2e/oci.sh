#!/usr/bin/env bash
# packaging/oci/Dockerfile, built by a real engine from a base that mmdebstrap makes: what the image can do, and that it holds nothing else.
# usage: oci.sh [DIST]    what scripts/packages.sh made (default: it makes those of this processor)
# Exit status 77: there is no engine and none can be had.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

repository=$PWD
engine=$(tests/e2e/engine.sh) || exit
set -a && eval "$engine" && set +a
work=$(mktemp -d)
trap 'cd "$repository"; rm -rf --one-file-system "$work"; "$repository/tests/e2e/engine.sh" stop' EXIT
dist=$(realpath "${1:-"$work/dist"}")
[[ -n "${1:-}" ]] || scripts/packages.sh --out "$dist" "$(uname -m)"
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
image=envgen-test:oci
mirror=$(tests/e2e/apt_mirror.sh) || exit
base=debian:13-slim # made here, so it has not the digest that the Dockerfile names
tests/e2e/base_image.sh trixie "$base"

builds() {
  DOCKER_BUILDKIT=1 "$DOCKER" build --network host --build-arg "DEBIAN=$base" --build-arg "APT_MIRROR=$mirror" --file packaging/oci/Dockerfile --tag "$image" "$dist"
}
# within WORD...: envgen in a container without a network, as whoever runs this, with a project of this machine
within() { "$DOCKER" run --rm --network none --volume "$work/project:/work" "$image" "$@"; }
locks() {
  echo '{"request": {"torch": "2.13", "cuda": "cpu", "os": "debian12"}, "outputs": {"files": ["dockerfile"]}}' >"$work/project/envgen.json"
  within lock
  within generate
  within lock --check
  within generate --check
  [[ -s "$work/project/Dockerfile" ]]
}
out_of_date() {
  echo '# by hand' >>"$work/project/Dockerfile"
  within generate --check
}
opens_libcurl() {
  within matrix update --mirror wheel-index=http://127.0.0.1:9/ >"$work/update" 2>&1 || true
  cat "$work/update"
  grep -q 127.0.0.1 "$work/update" # it has tried
  [[ "$(<"$work/update")" != *libcurl* ]]
}
bare() {
  local container
  container=$("$DOCKER" create "$image")
  "$DOCKER" export "$container" | tar --list | tee "$work/files"
  "$DOCKER" rm "$container" >/dev/null
  grep -qx usr/bin/envgen "$work/files"
  ! grep -E 'bin/(ba|da)?sh$|bin/(apt|dpkg)' "$work/files"
}

mkdir "$work/project"
must "the image is built" builds
must "an answer" within resolve --torch 2.3 --cuda 12.1
must "a lock and its files" locks
must_fail "a file that was edited" out_of_date
must "libcurl is opened" opens_libcurl
must "no shell and no package manager" bare
"$DOCKER" image inspect --format 'the image: {{.Size}} bytes' "$image"
book
