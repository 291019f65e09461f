#!/usr/bin/env bash
# The revision that a build holds (cmake/Revision.cmake) is a commit only where that commit is what was built, and a commit costs no more than one
# object: the file is left alone where nothing changed.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
script=$PWD/cmake/Revision.cmake
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git() { command git -C "$work/checkout" -c user.name=envgen -c user.email=envgen@localhost -c init.defaultBranch=main "$@"; }

# held SOURCE [GIVEN]: the revision that is written for it
held() {
  cmake -DOUTPUT="$work/revision.cpp" -DSOURCE="$1" -DGIVEN="${2:-}" -P "$script" || return
  sed -nE 's/^std::string_view revision\(\) \{ return "(.*)"; \}$/<\1>/p' "$work/revision.cpp"
}
# expect WHAT HELD EXPECTED
expect() { [[ "$2" == "$3" ]] || die "$1: the revision is $2, expected $3"; }

mkdir "$work/checkout" "$work/plain"
git init --quiet
expect "no commit yet" "$(held "$work/checkout")" "<>"
echo one >"$work/checkout/file"
mkdir "$work/checkout/below"
git add . && git commit --quiet --message one
commit=$(git rev-parse HEAD)
expect "a commit" "$(held "$work/checkout")" "<$commit>"
before=$(stat --format=%y "$work/revision.cpp")
held "$work/checkout" >/dev/null
[[ "$(stat --format=%y "$work/revision.cpp")" == "$before" ]] || die "the file was written though nothing changed"
echo new >"$work/checkout/untracked"
expect "a file that git does not know" "$(held "$work/checkout")" "<$commit>"
expect "a folder of another's checkout" "$(held "$work/checkout/below")" "<>"
echo two >"$work/checkout/file"
expect "a change" "$(held "$work/checkout")" "<>"
expect "no checkout" "$(held "$work/plain")" "<>"
expect "one that is given" "$(held "$work/plain" 0123abcd)" "<0123abcd>"
refused=$(held "$work/plain" 'v1"x' 2>&1) && die "a revision that is none was taken"
[[ "$refused" == *"ENVGEN_REVISION: 'v1\"x' is not the hash of a commit"* ]] || die "the refusal says: $refused"
