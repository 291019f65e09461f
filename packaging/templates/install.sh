#!/bin/sh
# Installs envgen {{version}} for one user, without root: bin/envgen, its manual, completions and schemas, and envgen-bench.
#   sh install.sh [FILE]       installs into ~/.local; FILE is an archive that was downloaded before
#   sh install.sh --uninstall  removes what it installed
# PREFIX           another folder than ~/.local
# ENVGEN_BASE_URL  where the archives are: a URL or a folder
# The archive must have the hash that stands below, wherever it comes from.
set -eu

version='{{version}}'
sha256_x86_64='{{sha256_x86_64}}'
sha256_aarch64='{{sha256_aarch64}}'
base_url=${ENVGEN_BASE_URL:-'{{base_url}}'}
oldest_glibc='{{glibc}}'

usage='usage: sh install.sh [FILE | --uninstall]
  FILE             an archive that was downloaded before (default: it is downloaded)
  PREFIX           where to install (default: ~/.local)
  ENVGEN_BASE_URL  where the archives are: a URL or a folder'

fail() {
  printf 'envgen: %s\n' "$*" >&2
  exit 1
}

if [ -z "${PREFIX:-}" ] && [ -z "${HOME:-}" ]; then fail "neither PREFIX nor HOME is set"; fi
prefix=${PREFIX:-"$HOME/.local"}
list=$prefix/share/envgen/installed-files

# remove LIST [KEPT]: each file of the list that is not in KEPT, and the folders that are empty then.
remove() {
  while IFS= read -r file; do
    case $file in
      /* | *..*) fail "$1 names $file, which is not below $prefix" ;;
    esac
    if [ -n "${2:-}" ] && grep -Fqx -e "$file" "$2"; then continue; fi
    rm -f "$prefix/$file"
    folder=$(dirname "$file")
    while [ "$folder" != . ] && rmdir "$prefix/$folder" 2>/dev/null; do folder=$(dirname "$folder"); done
  done <"$1"
}

uninstall() {
  [ -f "$list" ] || fail "nothing to remove: there is no $list"
  remove "$list"
  rm -f "$list"
  for folder in share/envgen share; do rmdir "$prefix/$folder" 2>/dev/null || true; done
}

# The files of an installation that could not be completed; what was there before stays.
discard() {
  while IFS= read -r staged; do rm -f "$prefix/$staged$suffix"; done <"$work/files"
}

# The last line calls it, so that a download that was cut off does nothing.
main() {
  archive=
  case ${1:-} in
    --uninstall)
      uninstall
      printf 'envgen was removed from %s\n' "$prefix"
      exit 0
      ;;
    -h | --help)
      printf '%s\n' "$usage"
      exit 0
      ;;
    -*) fail "$1 is not an option of this installer
$usage" ;;
    *) archive=${1:-} ;;
  esac

  [ "$(uname -s)" = Linux ] || fail "envgen runs on Linux; this is $(uname -s)"
  case $(uname -m) in
    x86_64 | amd64) machine=x86_64 sha256=$sha256_x86_64 ;;
    aarch64 | arm64) machine=aarch64 sha256=$sha256_aarch64 ;;
    *) fail "there is no envgen for $(uname -m), only for x86_64 and aarch64" ;;
  esac
  [ -n "$sha256" ] || fail "this installer has no archive for $machine"
  command -v getconf >/dev/null || fail "getconf, which tells the version of glibc, is not installed"
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || fail "envgen needs glibc $oldest_glibc or newer, which this system does not have (musl?)"
  glibc=${glibc#glibc }
  [ "$(printf '%s\n' "$oldest_glibc" "$glibc" | sort -V | head -n 1)" = "$oldest_glibc" ] || fail "envgen needs glibc $oldest_glibc or newer; this is $glibc"

  name=envgen-$version-linux-$machine
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  if [ -z "$archive" ]; then
    [ -n "$base_url" ] || fail "set ENVGEN_BASE_URL to the URL or folder that has $name.tar.gz"
    archive=$work/$name.tar.gz
    case $base_url in
      file://*) archive=${base_url#file://}/$name.tar.gz ;;
      *://*)
        if command -v curl >/dev/null; then
          curl --fail --silent --show-error --location --output "$archive" "$base_url/$name.tar.gz" || fail "$base_url/$name.tar.gz could not be downloaded"
        elif command -v wget >/dev/null; then
          wget --quiet --output-document="$archive" "$base_url/$name.tar.gz" || fail "$base_url/$name.tar.gz could not be downloaded"
        else
          fail "neither curl nor wget is installed"
        fi
        ;;
      *) archive=$base_url/$name.tar.gz ;;
    esac
  fi
  [ -f "$archive" ] || fail "there is no file $archive"

  found=$(sha256sum "$archive") || fail "sha256sum failed"
  found=${found%% *}
  [ "$found" = "$sha256" ] || fail "$archive is not the archive of this installer: its sha256 is $found, and should be $sha256"

  tar -xzf "$archive" -C "$work" || fail "$archive cannot be unpacked"
  mkdir -p "$prefix" || fail "$prefix cannot be made"
  [ -w "$prefix" ] || fail "$prefix cannot be written; set PREFIX to another folder"
  # First every file beside its place, then all of them into it, and only then what an older version had besides: a full disk or a folder
  # that cannot be written leaves what was there. A program that runs is not overwritten but replaced.
  (cd "$work/$name" && find . -type f) >"$work/found" || fail "the files of $archive cannot be listed: is find installed?"
  sed 's#^\./##' "$work/found" | sort >"$work/files"
  [ -s "$work/files" ] || fail "$archive has no files"
  before=
  if [ -x "$prefix/bin/envgen" ]; then before=$("$prefix/bin/envgen" --version 2>/dev/null | sed -n 's/^envgen \([^ ]*\).*/\1/p'); fi
  suffix=.new.$$
  while IFS= read -r file; do
    { mkdir -p "$prefix/$(dirname "$file")" && cp -p "$work/$name/$file" "$prefix/$file$suffix"; } || {
      discard
      fail "$prefix/$file cannot be written; nothing was changed"
    }
  done <"$work/files"
  while IFS= read -r file; do
    mv -f "$prefix/$file$suffix" "$prefix/$file" || {
      discard
      fail "$prefix/$file cannot be replaced; run this again"
    }
  done <"$work/files"
  if [ -f "$list" ]; then remove "$list" "$work/files"; fi
  mkdir -p "${list%/*}"
  cp "$work/files" "$list"

  replaced=
  if [ -n "$before" ] && [ "$before" != "$version" ]; then replaced=", in place of $before"; fi
  printf 'envgen %s is installed in %s%s\n' "$version" "$prefix" "$replaced"
  case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) printf 'add it to PATH: export PATH="%s/bin:%s"\n' "$prefix" "\$PATH" ;;
  esac
}

main "$@"
