#!/bin/sh
# Installs envgen {{version}} for one user, without root: bin/envgen, its manual, completions and schemas, and envgen-bench.
#   sh install.sh [FILE]       installs into ~/.local; FILE is an archive that is already downloaded
#   sh install.sh --uninstall  removes what it installed
# PREFIX           a folder other than ~/.local
# ENVGEN_BASE_URL  where the archives are: a URL or a folder
# The archive must have the hash given below, wherever it comes from.
set -eu

version='{{version}}'
sha256_x86_64='{{sha256_x86_64}}'
sha256_aarch64='{{sha256_aarch64}}'
base_url=${ENVGEN_BASE_URL:-'{{base_url}}'}
oldest_glibc='{{glibc}}'

usage='usage: sh install.sh [--force] [FILE]
       sh install.sh --uninstall
  FILE             an archive that is already downloaded (default: it is downloaded)
  --force          also replace an envgen that something else has installed
  PREFIX           where to install (default: ~/.local)
  ENVGEN_BASE_URL  where the archives are: a URL or a folder'

fail() {
  printf 'envgen: %s\n' "$*" >&2
  exit 1
}

if [ -z "${PREFIX:-}" ] && [ -z "${HOME:-}" ]; then fail "neither PREFIX nor HOME is set"; fi
prefix=${PREFIX:-"$HOME/.local"}
case $prefix in
  /*) ;;
  \~*) fail "PREFIX is '$prefix': the shell did not expand the ~; write \$HOME instead" ;;
  *) prefix=$PWD/$prefix ;;
esac
# What is installed, a file a line, below the line `# envgen VERSION`.
list=$prefix/share/envgen/installed-files

# remove LIST [KEPT]: each file of the list that is not in KEPT, and the folders that are empty then.
remove() {
  while IFS= read -r file; do
    case $file in
      '#'*) continue ;;
      /* | *..*) fail "$1 names $file, which is not under $prefix" ;;
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
  printf 'envgen was removed from %s\n' "$prefix"
}

# On every way out: what was put beside its place and did not come into it goes, so that what was there before stays.
clean_up() {
  if [ -f "$work/staged" ]; then remove "$work/staged"; fi
  rm -rf "$work"
}

# The last line calls it, so that a download that was cut off does nothing.
main() {
  given='' force=false
  for argument; do
    case $argument in
      --force) force=true ;;
      --uninstall | -h | --help)
        [ $# -eq 1 ] || fail "$argument takes no other argument
$usage"
        if [ "$argument" = --uninstall ]; then uninstall; else printf '%s\n' "$usage"; fi
        exit 0
        ;;
      -*) fail "$argument is not an option of this installer
$usage" ;;
      *)
        [ -z "$given" ] || fail "only one FILE can be given, not both $given and $argument
$usage"
        given=$argument
        ;;
    esac
  done

  [ "$(uname -s)" = Linux ] || fail "envgen runs on Linux; this is $(uname -s)"
  case $(uname -m) in
    x86_64 | amd64) machine=x86_64 sha256=$sha256_x86_64 ;;
    aarch64 | arm64) machine=aarch64 sha256=$sha256_aarch64 ;;
    *) fail "there is no envgen for $(uname -m), only for x86_64 and aarch64" ;;
  esac
  [ -n "$sha256" ] || fail "this installer has no archive for $machine"
  command -v getconf >/dev/null || fail "getconf, which reports the version of glibc, is not installed"
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || fail "envgen needs glibc $oldest_glibc or newer, which this system does not have (musl?)"
  glibc=${glibc#glibc }
  [ "$(printf '%s\n' "$oldest_glibc" "$glibc" | sort -V | head -n 1)" = "$oldest_glibc" ] || fail "envgen needs glibc $oldest_glibc or newer; this is $glibc"
  before=
  if [ -f "$list" ]; then before=$(sed -n '1s/^# envgen //p' "$list"); fi
  if ! "$force" && [ -e "$prefix/bin/envgen" ] && ! grep -Fqsx bin/envgen "$list"; then
    fail "$prefix/bin/envgen exists, but this installer did not install it (uv or pip did?): uninstall it with that tool, set PREFIX to another folder, or use --force"
  fi

  name=envgen-$version-linux-$machine
  work=$(mktemp -d)
  trap clean_up EXIT
  trap 'exit 1' HUP INT TERM
  archive=$work/$name.tar.gz
  if [ -z "$given" ]; then
    [ -n "$base_url" ] || fail "set ENVGEN_BASE_URL to the URL or folder that has $name.tar.gz"
    case $base_url in
      file://*) given=${base_url#file://}/$name.tar.gz ;;
      *://*)
        if command -v curl >/dev/null; then
          curl --fail --silent --show-error --location --output "$archive" "$base_url/$name.tar.gz" || fail "$base_url/$name.tar.gz could not be downloaded"
        elif command -v wget >/dev/null; then
          wget --quiet --output-document="$archive" "$base_url/$name.tar.gz" || fail "$base_url/$name.tar.gz could not be downloaded"
        else
          fail "neither curl nor wget is installed"
        fi
        ;;
      *) given=$base_url/$name.tar.gz ;;
    esac
  fi
  # What has the hash is what is unpacked, even if somebody writes to the file meanwhile.
  if [ -n "$given" ]; then
    [ -f "$given" ] || fail "there is no file $given"
    cat <"$given" >"$archive" || fail "$given cannot be read"
  fi
  found=$(sha256sum <"$archive") || fail "sha256sum failed"
  found=${found%% *}
  [ "$found" = "$sha256" ] || fail "${given:-"$base_url/$name.tar.gz"} is not the archive of this installer: its sha256 is $found, and should be $sha256"
  tar -xzf "$archive" -C "$work" || fail "the archive cannot be unpacked"

  mkdir -p "$prefix" || fail "$prefix cannot be created"
  [ -w "$prefix" ] || fail "$prefix is not writable; set PREFIX to another folder"
  # First every file beside its place, then all of them into it, and only then what an older version had besides: a full disk or a folder
  # that cannot be written leaves what was there. A program that runs is not overwritten but replaced.
  (cd "$work/$name" && find . -type f) >"$work/found" || fail "the files of the archive cannot be listed: is find installed?"
  sed 's#^\./##' "$work/found" | sort >"$work/files"
  [ -s "$work/files" ] || fail "the archive has no files"
  suffix=.new.$$
  sed "s/\$/$suffix/" "$work/files" >"$work/staged"
  while IFS= read -r file; do
    { mkdir -p "$prefix/$(dirname "$file")" && cp -p "$work/$name/$file" "$prefix/$file$suffix" && [ ! -d "$prefix/$file" ]; } ||
      fail "$prefix/$file cannot be written; nothing was changed"
  done <"$work/files"
  said=$("$prefix/bin/envgen$suffix" --version 2>&1) || fail "the program does not start here: $said
nothing was changed. Is $prefix mounted noexec, or is this a system without the usual 64-bit dynamic linker (NixOS, 32-bit)?"
  # Milliseconds from here on, in which nothing interrupts it.
  trap '' HUP INT TERM
  while IFS= read -r file; do
    mv -f "$prefix/$file$suffix" "$prefix/$file" || fail "$prefix/$file cannot be replaced; run this again"
  done <"$work/files"
  if [ -f "$list" ]; then remove "$list" "$work/files"; fi
  mkdir -p "${list%/*}"
  { printf '# envgen %s\n' "$version" && cat "$work/files"; } >"$list"

  replaced=
  if [ -n "$before" ] && [ "$before" != "$version" ]; then replaced=", replacing $before"; fi
  printf 'envgen %s is installed in %s%s\n' "$version" "$prefix" "$replaced"
  case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) printf 'add it to PATH: export PATH="%s/bin:%s"\n' "$prefix" "\$PATH" ;;
  esac
}

main "$@"
