#!/usr/bin/env bash
# Prints what CHANGELOG.md says of the release TAG, and refuses one that is not ready: the tag is not v and the version of CMakeLists.txt, or
# CHANGELOG.md has no section of that version.
# usage: release_notes.sh TAG [FOLDER]    FOLDER holds the two files (default: this repository)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
tag=${1:?usage: release_notes.sh TAG [FOLDER]}
cd "${2:-.}"
version=$(sed -nE 's/^project\(envgen VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
[[ "$tag" == "v$version" ]] || die "the tag is $tag, but CMakeLists.txt is of version $version"
# `## 1.0.0 - 2026-12-01`, up to the next one
notes=$(awk -v version="$version" '/^## / { here = $2 == version || $2 == "[" version "]"; next } here' CHANGELOG.md)
[[ -n "${notes//[[:space:]]/}" ]] || die "CHANGELOG.md says nothing of version $version: its 'Unreleased' has to become '## $version - YYYY-MM-DD'"
printf '%s\n' "$notes" | sed '1{/^$/d}'
