if ! "$ENVGEN_HOME/bin/envgen" --version >/dev/null 2>&1; then
  source=$(mktemp -d)
  git init --quiet "$source"
  git -C "$source" fetch --quiet --depth 1 -- "$ENVGEN_SOURCE" "$ENVGEN_REF"
  git -C "$source" checkout --quiet --detach FETCH_HEAD
  "$source/scripts/quickstart.sh"
  "$source/scripts/bench.sh" "$(uname -m)"
  cmake --install "$source/build/release" --prefix "$ENVGEN_HOME"
  rm -rf "$source"
fi
