#!/usr/bin/env bash
# Every C++ file is as clang-format 14 writes it (other versions differ in details).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
clang_format=$(first_of clang-format-14) || {
  echo "clang-format-14 is not installed"
  exit 77
}
mapfile -d '' files < <(find src tests bench -name '*.cpp' -print0 -o -name '*.hpp' -print0) && wait $! # mapfile hides how find ended
((${#files[@]})) || die "no C++ file was found"
printf '%s\0' "${files[@]}" | xargs -0 "$clang_format" --dry-run -Werror
