#!/usr/bin/env bash
# Prints the mirror of Debian that apt here is configured for: http://mirror.example.org/debian. Exit status 77: there is none.
set -euo pipefail
# shellcheck disable=SC2016  # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sed 's#/$##' | grep -m 1 -E '/(debian|ubuntu)$') || {
  echo "apt has no mirror of Debian or Ubuntu configured" >&2
  exit 77
}
printf '%s/debian\n' "${mirror%/*}"
