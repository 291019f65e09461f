# shellcheck shell=bash
# Sourced after common.sh: fresh roots of a distribution, made by mmdebstrap from the mirror that apt here is configured for. $work is a folder of
# the caller's. Needs root.
#   fresh_root DISTRIBUTION SUITE ROOT [PACKAGE...]   debian bookworm; exit status 77: a tool is missing, or the mirror does not have the suite
# With packages the root has only their files and what they need, unpacked and not set up: in seconds, and of systems whose own tools no
# longer run here.

skip() {
  echo "$*"
  exit 77
}

# mirror_of DISTRIBUTION: its address
mirror_of() {
  local mirror
  mirror=$(tests/e2e/apt_mirror.sh) || return
  printf '%s\n' "${mirror%/*}/$1"
}

# offered DISTRIBUTION SUITE: whether the mirror has it
offered() {
  # shellcheck disable=SC2154  # work is the caller's
  /usr/lib/apt/apt-helper download-file "$(mirror_of "$1")/dists/$2/InRelease" "$work/InRelease" >/dev/null 2>&1
}

# ubuntu_keys: prints the file of Ubuntu's keys. Debian 12 does not have them, Debian 13 does: its package, which Debian's keys vouch for, is
# unpacked here.
ubuntu_keys() {
  local apart ours=/usr/share/keyrings/ubuntu-archive-keyring.gpg
  if [[ ! -f "$ours" ]]; then
    ours=$work/apt/keys$ours
    if [[ ! -f "$ours" ]]; then
      mkdir -p "$work"/apt/{lists/partial,cache/archives/partial,none}
      echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror_of debian) trixie main" >"$work/apt/sources.list"
      apart=(-o "Dir::Etc::SourceList=$work/apt/sources.list" -o "Dir::Etc::SourceParts=$work/apt/none"
        -o "Dir::State::Lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" -o APT::Sandbox::User=root)
      apt-get "${apart[@]}" -qq update >&2
      (cd "$work/apt" && apt-get "${apart[@]}" -qq download ubuntu-keyring >&2)
      dpkg-deb --extract "$work"/apt/ubuntu-keyring_*.deb "$work/apt/keys"
    fi
  fi
  printf '%s\n' "$ours"
}

fresh_root() {
  local distribution=$1 suite=$2 root=$3 tools options=() components=main line packages=apt,ca-certificates began=$SECONDS
  shift 3
  [[ "$EUID" == 0 ]] || skip "a clean root needs root"
  mirror_of "$distribution" >/dev/null || exit
  offered "$distribution" "$suite" || skip "$(mirror_of "$distribution") does not offer $suite"
  mapfile -t tools < <(apt_offers mmdebstrap debian-archive-keyring)
  apt_install "${tools[@]}" || skip "mmdebstrap is not installed"
  if [[ "$distribution" == ubuntu ]]; then
    components=main,universe
    options+=("--keyring=$(ubuntu_keys)")
  fi
  # What this machine tells apt of proxies and clocks holds in the root, too.
  while IFS= read -r line; do options+=("--aptopt=$line"); done < <(apt-config dump | grep -E '^Acquire::(http|https|ftp|Check|Retries)[A-Za-z:-]* "')
  if (($#)); then
    options+=(--variant=extract)
    packages=$(
      IFS=,
      echo "$*"
    )
  else
    options+=(--variant=minbase)
  fi
  mmdebstrap --quiet "--include=$packages" --components="$components" "${options[@]}" "$suite" "$root" "$(mirror_of "$distribution")"
  echo "a fresh $distribution $suite in $((SECONDS - began)) s"
}
