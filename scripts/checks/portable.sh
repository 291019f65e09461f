#!/usr/bin/env bash
# Holds the programs of scripts/portable.sh to what they promise, beside the release build of this machine, which must be there:
#   they ask for no glibc above 2.17 and link nothing but its parts; they start within 1.35 times its time; they print the same bytes: a thousand answers, and
#   all golden transcripts.
# usage: portable.sh [--full]
#   --full  also those of the other processor, under qemu-user, and both processors' in roots of old and new systems
# Exit status 77: a tool is missing.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

full=false
[[ "${1:-}" != --full ]] || full=true
here=$(uname -m)
other=aarch64
[[ "$here" == x86_64 ]] || other=x86_64
targets=("$here")
if "$full"; then targets+=("$other"); fi
scripts/portable.sh "${targets[@]}"
native=$PWD/build/release/src/envgen
goldens=$PWD/build/${GOLDENS:-asan}/tests/golden/envgen_golden_test
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
# shellcheck source=scripts/ziglang.sh
source scripts/ziglang.sh

# linked FILE: it asks for no newer glibc, and for no library but the parts of that.
linked() {
  local needed newest
  needed=$(objdump -p "$1" | sed -n 's/^ *NEEDED *//p')
  newest=$(newest_glibc "$1")
  printf '%s: glibc %s, needs %s, %d bytes\n' "${1#"$PWD/"}" "$newest" "${needed//$'\n'/ }" "$(stat -c %s "$1")"
  [[ -n "$newest" && "$(printf '%s\n' "$glibc" "$newest" | sort -V | tail -n 1)" == "$glibc" ]] || die "$1 asks for glibc $newest, and $glibc was promised"
  ! grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux-(x86-64|aarch64))\.so' <<<"$needed" || die "$1 links more than the C library"
  [[ "$needed" == *libc.so.6* ]] || die "what $1 links was not read"
}

# A thousand requests, some of which have no answer.
for torch in 1.13 2.0 2.1 2.3 2.4 2.6 2.7 2.9 2.12 2.13; do
  for gpu in 4090 A100 T4 V100 3090 H100 L4 5090 B200 GB10; do
    for rest in '' ',"driver":"525"' ',"driver":"550"' ',"driver":"580"' ',"python":"3.9"' ',"python":"3.13"' ',"os":"ubuntu20.04"' ',"os":"debian13"' \
      ',"cuda":"12.1"' ',"variant":"devel"'; do
      printf '{"torch":"%s","gpus":["%s"]%s}\n' "$torch" "$gpu" "$rest"
    done
  done
done >"$work/requests"
"$native" resolve --batch "$work/requests" >"$work/expected"
(($(wc -l <"$work/expected") == 1000)) || die "the native build does not answer a thousand requests"

# same_answers WHAT COMMAND...: the envgen that this command is prints the same.
same_answers() {
  "${@:2}" resolve --batch "$work/requests" >"$work/found"
  cmp "$work/expected" "$work/found" || die "$1 answers differently from the native build"
  printf '%s: 1000 answers are those of the native build\n' "$1"
}

# same_transcripts WHAT PROGRAM
same_transcripts() {
  [[ -x "$goldens" ]] || die "$goldens is not there: build its preset first"
  ENVGEN_GOLDEN_TOOL=$2 "$goldens" --gtest_brief=1 --gtest_filter='*/Golden.*' | tee "$work/goldens"
  grep -qE '\[  PASSED  \] [1-9][0-9]+ tests' "$work/goldens" || die "$1: the golden transcripts were not played"
}

for target in "${targets[@]}"; do
  program=$PWD/build/portable/$target/bin/envgen
  linked "$program"
  linked "$PWD/build/portable/$target/libexec/envgen/$target/envgen-bench"
  if [[ "$target" != "$here" ]]; then
    emulated=$work/envgen-$target
    script "$emulated" "qemu-$target-static" -L "$PWD/build/portable/work/$target/libc" "$program"
    program=$emulated
  fi
  same_answers "envgen for $target" "$program"
  same_transcripts "envgen for $target" "$program"
done

# Until glibc 2.34 threads and dlopen were in libraries of their own, and to load those takes 0.1 ms: 1.07 times the other where nothing else
# runs, and up to 1.27 beside what CI does at once.
python3 scripts/checks/start.py "$PWD/build/portable/$here/bin/envgen" "$native" 1.35
"$full" || exit 0

# shellcheck source=tests/e2e/fresh_root.sh
source tests/e2e/fresh_root.sh
systems=(debian:bookworm debian:trixie ubuntu:jammy ubuntu:noble ubuntu:resolute)
for oldest in ubuntu:trusty ubuntu:xenial ubuntu:bionic ubuntu:focal; do
  if offered "${oldest%:*}" "${oldest#*:}"; then
    systems+=("$oldest")
    break
  fi
done
for system in "${systems[@]}"; do
  root=$work/root
  strictly fresh_root "${system%:*}" "${system#*:}" "$root" base-files libc6 libc-bin
  if ((outcome == 77)); then
    left_out "$system"
    continue
  fi
  ((outcome == 0)) || die "no root of $system could be made"
  mkdir -p "$root/opt/envgen"
  cp -r "build/portable/$here/." "$root/opt/envgen"
  cp "$work/requests" "$root/opt/requests"
  chroot "$root" /opt/envgen/bin/envgen resolve --batch /opt/requests >"$work/found"
  cmp "$work/expected" "$work/found" || die "envgen answers differently on $system"
  chroot "$root" "/opt/envgen/libexec/envgen/$here/envgen-bench" --version >/dev/null || die "envgen-bench does not run on $system"
  printf '%s, %s: envgen and envgen-bench run\n' "$system" "$(chroot "$root" getconf GNU_LIBC_VERSION)"
  rm -rf --one-file-system "$root"
done
