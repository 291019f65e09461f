#!/usr/bin/env bash
# The same source gives the same bytes. The packers of the release build, which must be there, are run in two folders and with two fillings of the
# memory that they do not set; scripts/checks/packages.sh makes the packages twice.
# usage: reproducible.sh [--full]
#   --full  also builds twice in two folders, with and without ccache: the release build, and all packages for this processor
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

full=false
[[ "${1:-}" != --full ]] || full=true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# glibc fills what a program allocates, and what it frees, with that byte: what is written without having been set differs.
pack() { # FOLDER FILLING
  mkdir -p "$1"
  cp -r matrix diagnoses "$1"
  (
    packers=$PWD/build/release/src
    cd "$1"
    export MALLOC_PERTURB_=$2
    "$packers/envgen_pack" "$PWD/matrix" matrix.blob matrix.documents
    "$packers/envgen_pack_diagnoses" "$PWD/diagnoses" diagnoses.cpp
  )
}
pack "$work/one" 85
pack "$work/another-folder/of-a-longer-name" 170
for file in matrix.blob matrix.documents diagnoses.cpp; do
  cmp "$work/one/$file" "$work/another-folder/of-a-longer-name/$file" || die "two runs of the packers differ in $file"
done
cmp "$work/one/matrix.blob" build/release/src/matrix.blob || die "the packer makes another block than the build did"
echo "the packers write the same in two folders"
"$full" || exit 0

SOURCE_DATE_EPOCH=$(python3 packaging/product.py epoch)
export SOURCE_DATE_EPOCH
# shellcheck source=scripts/ziglang.sh
source scripts/ziglang.sh
# build_in FOLDER: what git would check out, with the tools that are here already.
build_in() {
  local here=$PWD tool
  copy_checkout "$1"
  for tool in "bench/${venv##*/}" bench/cache packages/tools; do
    [[ -e "build/$tool" ]] || continue
    mkdir -p "$1/build/${tool%/*}"
    ln -s "$here/build/$tool" "$1/build/$tool"
  done
  (
    cd "$1"
    cmake --preset release -DENVGEN_TESTS=OFF >/dev/null
    cmake --build --preset release --target envgen envgen_printed
    scripts/packages.sh --base-url "file:///dist" "$(uname -m)"
  )
}
say "without ccache"
CCACHE_DISABLE=1 build_in "$work/first"
say "with ccache, in another folder"
build_in "$work/another-folder/of-the-second-build"
cmp "$work"/{first,another-folder/of-the-second-build}/build/release/src/envgen || die "the release build differs"
diff -r "$work"/{first,another-folder/of-the-second-build}/dist || die "the packages differ"
echo "two builds in two folders are the same: the release build, and $(find "$work/first/dist" -type f | wc -l) packages and files beside them"
