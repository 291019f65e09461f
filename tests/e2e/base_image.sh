#!/usr/bin/env bash
# A Debian base image as the official slim one is, made by mmdebstrap from the mirror that apt here is configured for. As there, apt in it
# asks Debian itself: a build needs --apt-mirror where that cannot be reached.
# usage: base_image.sh [--taken NAME] SUITE IMAGE:TAG   bookworm debian:12-slim; nothing is done where the engine has it
#   --taken NAME   uid and gid 1000 belong to a user NAME already, as to `ubuntu` in ubuntu:24.04
# Needs root, and DOCKER_HOST and DOCKER as engine.sh prints them. Exit status 77: a tool or the suite is missing.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

usage="usage: base_image.sh [--taken NAME] SUITE IMAGE:TAG"
taken=
if [[ "${1:-}" == --taken ]]; then
  taken=${2:?$usage}
  shift 2
fi
suite=${1:?$usage}
image=${2:?$usage}
docker=${DOCKER:-docker}
cmd=(--change 'CMD ["bash"]')

skip() {
  echo "$*" >&2
  exit 77
}
if "$docker" image inspect "$image" >/dev/null 2>&1; then exit 0; fi
[[ "$EUID" == 0 ]] || skip "a base image needs root"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# What the official images add to a minimal Debian, so that packages install, and leave traces, as they do there:
# no service starts, apt keeps neither packages nor its own caches, dpkg leaves documentation out.
left_out=(path-exclude=/usr/share/{doc,groff,info,linda,lintian,locale,man}'/*' 'path-include=/usr/share/doc/*/copyright')
official_settings() {
  local clean='rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true'
  mkdir -p "$work"/etc/{apt/{apt.conf.d,sources.list.d},dpkg/dpkg.cfg.d} "$work/usr/sbin"
  cd "$work/etc/apt/apt.conf.d"
  cat >docker-clean <<END
DPkg::Post-Invoke { "$clean"; };
APT::Update::Post-Invoke { "$clean"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
END
  echo 'Acquire::GzipIndexes "true";' >docker-gzip-indexes
  echo 'Acquire::Languages "none";' >docker-no-languages
  echo 'Apt::AutoRemove::SuggestsImportant "false";' >docker-autoremove-suggests
  echo force-unsafe-io >"$work/etc/dpkg/dpkg.cfg.d/docker-apt-speedup"
  printf '%s\n' "${left_out[@]}" >"$work/etc/dpkg/dpkg.cfg.d/docker"
  printf '#!/bin/sh\nexit 101\n' >"$work/usr/sbin/policy-rc.d"
  chmod +x "$work/usr/sbin/policy-rc.d"
  cd "$OLDPWD"
}

# paragraph URI SUITES: one of debian.sources
paragraph() {
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n' "$@"
}
offers() { /usr/lib/apt/apt-helper download-file "$1/dists/$2/InRelease" "$work/InRelease" >/dev/null 2>&1; }

# sources ARCHIVE SECURITY: debian.sources with what the mirror has of the suite, by these addresses.
sources() {
  local suites=$suite
  if offers "$mirror" "$suite-updates"; then suites+=" $suite-updates"; fi
  paragraph "$1" "$suites"
  if offers "$mirror-security" "$suite-security"; then paragraph "$2" "$suite-security"; fi
}

# make_root FILE: the root of the image as a tar.
make_root() {
  local tools settings line mirror debian sources=$work/debian.sources include=() options=() hooks
  mapfile -t tools < <(apt_offers mmdebstrap debian-archive-keyring)
  apt_install "${tools[@]}" || skip "mmdebstrap is not installed"
  mirror=$(tests/e2e/apt_mirror.sh) || exit
  offers "$mirror" "$suite" || skip "$mirror does not offer $suite"
  official_settings
  sources "$mirror" "$mirror-security" >"$sources"
  debian="http://deb.""debian.org/debian" # in parts: no committed line names a registry
  sources "$debian" "$debian-security" >"$work/etc/apt/sources.list.d/debian.sources"

  # What this machine tells apt of proxies, certificates and clocks holds in the image, too.
  settings=$(apt-config dump | grep -E '^Acquire::(http|https|ftp|Check|Retries)[A-Za-z:-]* "' || true)
  if grep -q https: "$sources"; then
    include=(--include=ca-certificates)
    settings+=$'\nAcquire::https::CaInfo "/etc/ssl/certs/e2e.crt";'
    mkdir -p "$work/etc/ssl/certs"
    cp --dereference /etc/ssl/certs/ca-certificates.crt "$work/etc/ssl/certs/e2e.crt"
  fi
  printf '%s\n' "$settings" >"$work/etc/apt/apt.conf.d/e2e"
  while IFS= read -r line; do [[ -z "$line" ]] || options+=("--aptopt=$line"); done <<<"$settings"

  # Hooks get the root as $1: what mmdebstrap itself wrote for apt and dpkg goes, and ours comes.
  hooks=("--customize-hook=rm -f \"\$1\"/etc/apt/apt.conf.d/99mmdebstrap \"\$1\"/etc/dpkg/dpkg.cfg.d/99mmdebstrap"
    "--customize-hook=rm -f \"\$1\"/etc/apt/sources.list \"\$1\"/etc/apt/sources.list.d/* \"\$1\"/var/cache/apt/*.bin"
    "--customize-hook=copy-in $work/etc /")
  mmdebstrap --quiet --variant=minbase --format=tar "${include[@]}" "${options[@]}" "${left_out[@]/#/--dpkgopt=}" "${hooks[@]}" \
    "$suite" "$work/root.tar" "$sources"
  # mmdebstrap has a policy-rc.d of its own while it works, and takes it away at the end.
  tar --append --file="$work/root.tar" --directory="$work" --owner=0 --group=0 ./usr/sbin/policy-rc.d
  mv "$work/root.tar" "$1"
}

began=$SECONDS
root=$PWD/build/e2e/$suite.tar # kept: a second image of the suite is then a matter of seconds
mkdir -p "$(dirname "$root")"
exec 9>"$root.lock" # lanes that begin at once make it once
flock 9
[[ -f "$root" ]] || make_root "$root"
exec 9>&-
if [[ -z "$taken" ]]; then
  "$docker" import "${cmd[@]}" "$root" "$image" >/dev/null
else
  plain=$("$docker" import "${cmd[@]}" "$root")
  container=$("$docker" create --network none "$plain" useradd --create-home --uid 1000 --shell /bin/bash "$taken")
  "$docker" start --attach "$container"
  "$docker" export "$container" | "$docker" import "${cmd[@]}" - "$image" >/dev/null
  "$docker" rm "$container" >/dev/null
  "$docker" rmi "$plain" >/dev/null || true # it may have a name: then it stays
fi
say "$image from $suite in $((SECONDS - began)) s"
