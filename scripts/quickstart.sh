#!/usr/bin/env bash
# Command one: sets a fresh Debian 12 or Ubuntu 22.04 / 24.04 machine up, builds envgen into build/release and runs its main
# job. It can be run again at any time; what is there already is not done twice.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

apt_install "${build_packages[@]}" || die "what the build needs is missing; see above"

say "building envgen into build/release"
cmake --preset release -DENVGEN_TESTS=OFF >/dev/null || die "cmake could not configure the build; see above"
NINJA_STATUS='[%f/%t] ' cmake --build --preset release --target envgen envgen_printed >&2 || die "the build failed; see above"
envgen=build/release/src/envgen

say "one environment: envgen resolve --torch 2.3 --cuda 12.1 --gpu 4090"
"$envgen" resolve --torch 2.3 --cuda 12.1 --gpu 4090

say "a proof that none exists (exit status 3): envgen resolve --torch 2.3 --gpu 5090"
status=0
"$envgen" resolve --torch 2.3 --gpu 5090 || status=$?
[[ $status == 3 ]] || die "expected exit status 3, got $status"

say "done: $envgen is ready. For 'envgen validate': scripts/bench.sh \"\$(uname -m)\". To install both: cmake --install build/release --prefix ~/.local"
