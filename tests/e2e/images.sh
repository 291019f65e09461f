# shellcheck shell=bash
# Sourced: images that a test builds. $DOCKER is the engine's client.

# drop_image NAME: what an earlier run left goes before a build, so that one that fails leaves no image to be tested.
drop_image() {
  "$DOCKER" image rm --force "$1" >/dev/null 2>&1 || true
  if "$DOCKER" image inspect "$1" >/dev/null 2>&1; then
    echo "the image $1 of an earlier run cannot be removed"
    return 1
  fi
}

# tells_nothing_of TEXT IMAGE: neither its configuration nor its history holds that.
tells_nothing_of() {
  local told
  told=$("$DOCKER" image inspect "$2" && "$DOCKER" history --no-trunc "$2") || return
  [[ "$told" == *"$2"* ]] || { # so that it is this image's that was read
    echo "the engine tells nothing of $2"
    return 1
  }
  if [[ "$told" == *"$1"* ]]; then
    echo "$2 tells of $1"
    return 1
  fi
}
