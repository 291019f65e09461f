#!/usr/bin/env bash
# Both README commands in a fresh root of a distribution, made by mmdebstrap from the mirror that apt here is configured for.
# usage: clean_root.sh DISTRIBUTION SUITE [quickstart|test]   debian bookworm; both commands unless one is named
# Needs root. Exit status 77: a tool is missing, or the mirror does not have the suite.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

distribution=${1:?usage: clean_root.sh DISTRIBUTION SUITE [quickstart|test]}
suite=${2:?usage: clean_root.sh DISTRIBUTION SUITE [quickstart|test]}
only=${3:-}
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
# shellcheck source=tests/e2e/fresh_root.sh
source tests/e2e/fresh_root.sh
root=$work/root
fresh_root "$distribution" "$suite" "$root"

# The checkout as a clone has it; and what pip here was told, with the local folders that it names.
someone=tester  # no committed line names the path of a checkout (scripts/checks/names.sh)
checkout=/home/$someone/envgen
mkdir -p "$root$checkout"
{ git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print0; } |
  tar --create --null --ignore-failed-read --files-from=- | tar --extract --directory="$root$checkout"
for file in /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
  if [[ -f "$file" ]]; then cp --dereference "$file" "$root$file"; fi
done
cp --dereference /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
folders=()
if command -v pip >/dev/null; then
  mapfile -t folders < <(pip config list 2>/dev/null | grep -oE '(file://|=.?)/[^ '\''",]+' | sed -E 's#^(file://|=.?)##' | while read -r path; do [[ -d "$path" ]] && echo "$path"; done | sort -u)
fi
pip_settings=()
while IFS= read -r line; do pip_settings+=("$line"); done < <(env | grep '^PIP_' || true)

# inside COMMAND: in the root, with its own mounts, which end with it.
inside() {
  # shellcheck disable=SC2016  # expanded by the inner shell
  unshare --mount --pid --fork bash -euc '
    root=$1 checkout=$2 command=$3
    shift 3
    mount --make-rprivate /
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mkdir -p "$root/dev/pts"
    mount -t devpts devpts "$root/dev/pts" -o newinstance,ptmxmode=0666
    ln -sf pts/ptmx "$root/dev/ptmx"
    mount -t tmpfs tmpfs "$root/dev/shm" 2>/dev/null || { mkdir -p "$root/dev/shm" && mount -t tmpfs tmpfs "$root/dev/shm"; }
    while [[ "${1:-}" == /* ]]; do
      mkdir -p "$root$1"
      mount --rbind "$1" "$root$1"
      shift
    done
    exec chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@" \
      bash -c "cd $checkout && exec $command"' _ "$root" "$checkout" "$1" "${folders[@]}" "${pip_settings[@]}" "${ci[@]}"
}

# A root has no engine of its own, and a tool there may be of another version: what is missing is skipped.
ci=(CI=)
if [[ "$only" != test ]]; then
  began=$SECONDS
  inside scripts/quickstart.sh
  echo "quickstart in a clean $suite: $((SECONDS - began)) s"
  began=$SECONDS
  inside scripts/quickstart.sh >/dev/null
  echo "quickstart once more: $((SECONDS - began)) s"
  inside "cmake --install build/release --prefix /usr/local" >/dev/null
  inside "envgen resolve --torch 2.3 --cuda 12.1" >/dev/null
fi
if [[ "$only" != quickstart ]]; then
  began=$SECONDS
  inside scripts/test.sh
  echo "test in a clean $suite: $((SECONDS - began)) s"
fi
