#!/usr/bin/env bash
# No file that can be committed names a package registry or mirror, or a path of the machine it was written on: what works
# only here would look as if it worked everywhere. The machine's own names are read from its configuration.
# usage: names.sh [FOLDER]
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
here=$PWD
cd "${1:-.}"

hosts() {
  {
    pip config list 2>/dev/null
    cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null
    npm config get registry 2>/dev/null
  } | grep -oE '(https?|file)://[^][ /"'\'']*/?[^][ "'\'']*' | sed -E 's#^https?://([^/]*@)?([^/:]+).*#\2#; s#^file://(/[^/]+/[^/]+).*#\1#' | sort -u
}

patterns=('pypi[.]org' 'pythonhosted[.]org' 'registry[.]npmjs' 'index[.]crates[.]io' 'proxy[.]golang[.]org' '(^|[^a-z.])deb[.]debian[.]org' 'archive[.]ubuntu[.]com')
while read -r host; do
  # download.pytorch.org and developer.download.nvidia.com are facts of the field, whatever apt here is told.
  [[ "$host" =~ ^(download\.pytorch\.org|.*\.nvidia\.com)$ ]] || patterns+=("${host//./[.]}")
done < <(hosts)
start='(^|[^A-Za-z0-9_./-])'
[[ "$here" == / ]] || patterns+=("$start$here(/|$|[^A-Za-z0-9_-])")
parent=$(dirname "$here")
case $parent in
  / | /tmp | /var/tmp | /home | /opt | /srv | /mnt) ;; # folders that every machine has
  *) patterns+=("$start$parent/") ;;
esac
[[ "${HOME:-/root}" == /root ]] || patterns+=("$start$HOME/")

files() { git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print0; }
all=$(
  IFS='|'
  printf '%s' "${patterns[*]}"
)
mapfile -d '' all_files < <(files) && wait $! # mapfile hides how that ended
((${#all_files[@]})) || die "no file that could be committed was found"
status=0
grep -E "$all" /dev/null || status=$?
((status == 1)) || die "the names that were found make no pattern: $all" # which would be found nowhere
if printf '%s\0' "${all_files[@]}" | xargs -0 grep -InE "$all" /dev/null | cut -c1-200 | grep .; then
  printf 'these lines name a registry, a mirror or a path of this machine\n'
  exit 1
fi
