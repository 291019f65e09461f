#!/usr/bin/env bash
# scripts/mutate.sh finds the changes that it promises, and each of them does what it says: on a small program, compiled and run.
# Exit status 77: clang's Python bindings cannot be had.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

if ! installed python3-clang-14 && ! { in_ci && apt_install python3-clang-14; }; then
  echo "clang's Python bindings are not installed (package python3-clang-14)"
  exit 77
fi
exec /usr/bin/python3 scripts/mutants/self_test.py
