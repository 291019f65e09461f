#!/usr/bin/env bash
# What `cmake --install` puts down works by itself: no checkout, no environment, another folder. The release build must be there.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install build/release --prefix "$prefix" >/dev/null
cd /

# expect TEXT COMMAND...: it succeeds and prints the text
expect() {
  local text=$1 out
  shift
  out=$(env -i PATH=/usr/bin:/bin "$@" 2>&1) || die "$*: $out"
  [[ "$out" == *"$text"* ]] || die "$*: expected $text, got: $out"
}
expect "torch 2.3.1 + CUDA 12.1" "$prefix/bin/envgen" resolve --torch 2.3 --cuda 12.1
expect "revision" "$prefix/bin/envgen" matrix info
for file in share/man/man1/envgen.1 share/bash-completion/completions/envgen share/zsh/site-functions/_envgen \
  share/fish/vendor_completions.d/envgen.fish share/envgen/schema/{envgen,lock,validate,bench}.schema.json; do
  [[ -s "$prefix/$file" ]] || die "$file was not installed"
done
