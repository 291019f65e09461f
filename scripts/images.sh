#!/usr/bin/env bash
# Makes the catalogue of images/ anew: each lock and each file from its envgen.json, and the index page.
# usage: images.sh [ENVGEN [FOLDER]]    default: build/release/src/envgen, images
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
envgen=$(realpath "${1:-build/release/src/envgen}")
images=${2:-images}

# shellcheck disable=SC2016  # the backquotes are Markdown's
{
  printf '# Images\nReady-made files for combinations that people ask for most, made by `scripts/images.sh`; CI holds them to what envgen makes today.\n'
  printf 'Take a folder, or start your own: `envgen init`.\n\n| folder | for | environment |\n|---|---|---|\n'
  for folder in "$images"/*/; do
    name=$(basename "$folder")
    (cd "$folder" && "$envgen" lock && "$envgen" generate) >/dev/null
    what=$(sed -n '1s#^// \(.*\)\.$#\1#p' "$folder/envgen.json")
    printf '| [%s](%s) | %s | %s |\n' "$name" "$name" "$what" "$(sed -n '1s/^# //p' "$folder/Dockerfile")"
  done
} >"$images/README.md.new"
mv "$images/README.md.new" "$images/README.md"
