#!/usr/bin/env bash
# clang-tidy over src/, by .clang-tidy; only what changed since it last passed is read again.
# usage: tidy.sh [FILE...]
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
for tool in clang-tidy-14 clang++-14 python3; do
  command -v "$tool" >/dev/null || {
    echo "$tool is not installed"
    exit 77
  }
done
cmake --preset tidy >/dev/null
cmake --build build/tidy --target src/generated/util/embedded_templates.hpp src/generated/cli/embedded_schemas.hpp >/dev/null # which files include
python3 scripts/checks/tidy.py build/tidy clang-tidy-14 "$@"
