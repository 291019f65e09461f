#!/usr/bin/env bash
# Holds what scripts/packages.sh makes to what its users' tools ask of it: the same bytes when it is made again from another folder; accepted by
# twine, check-wheel-contents, auditwheel, lintian, rpmlint, ruby, shellcheck and rattler-build; and the installer with all that can go wrong.
# usage: packages.sh [--full]
#   --full  also for the other processor, and tests/e2e/packages.sh: each in clean roots
# Exit status 77: a tool is missing.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

full=false
[[ "${1:-}" != --full ]] || full=true
here=$(uname -m)
targets=("$here")
if "$full"; then targets=(x86_64 aarch64); fi
apt_install busybox lintian rpm ruby shellcheck || { echo "busybox, lintian, rpm, ruby and shellcheck cannot be installed" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
tools=$work/tools
python3 -m venv "$tools" || { echo "a venv cannot be made (package python3-venv)" && exit 77; }
"$tools/bin/pip" install auditwheel==6.8.2 py-rattler-build==0.73.0 || { echo "the checkers of packages cannot be installed with pip" && exit 77; }

# shellcheck source=scripts/checks/expect.sh
source scripts/checks/expect.sh
version=$(python3 packaging/product.py VERSION)
answer="torch 2.3.1 + CUDA 12.1"
ask=(resolve --torch 2.3 --cuda 12.1)

# left_below FOLDER: fails, and says what, where a file of envgen is left there.
left_below() {
  local left
  left=$(find "$1" -xdev -path "$1/proc" -prune -o -iname '*envgen*' -print | head -n 5)
  [[ -z "$left" ]] || die "left after the removal: $left"
}

made_twice() {
  scripts/packages.sh --out "$dist" "${targets[@]}"
  # Again from a copy, in another folder and with other times.
  cp -r build/portable "$work/elsewhere"
  scripts/packages.sh --prefixes "$work/elsewhere" --base-url "file://$dist" --out "$work/again" "${targets[@]}" >/dev/null
  diff -r "$dist" "$work/again" || die "made twice, the packages differ"
  (cd "$dist" && sha256sum --quiet --check SHA256SUMS)
  printf 'made twice, all %d files are the same\n' "$(find "$dist" -type f | wc -l)"
}

most_bytes=2500000 # of a wheel
wheels() {
  local wheel tag size
  for wheel in "$dist"/*.whl; do
    size=$(stat -c %s "$wheel")
    printf '%s: %d bytes, %d.%d %% of what is promised\n' "${wheel##*/}" "$size" $((size * 100 / most_bytes)) $((size * 1000 / most_bytes % 10))
    ((size <= most_bytes)) || die "${wheel##*/} has $size bytes, more than $most_bytes"
    tag=${wheel##*-} tag=${tag%.whl}
    [[ "$tag" == *.manylinux2014_* ]] || die "${wheel##*/}: a pip before 20.3 does not know that tag"
    tag=${tag%%.*}
    "$tools/bin/auditwheel" show "$wheel" >"$work/audit"
    grep -qF "\"$tag\"" <(tr '\n' ' ' <"$work/audit") || { cat "$work/audit" && die "${wheel##*/} does not hold its tag"; }
  done
  scripts/checks/wheel.sh "build/portable/$here"
}

debs() {
  lintian --allow-root --fail-on error,warning "$dist"/*.deb || die "lintian finds something"
}

rpms() {
  local package
  rpm --checksig --nosignature "$dist"/*.rpm
  for package in "$dist"/*.rpm; do
    expect 0 $'/usr/share/doc/envgen/LICENSE\n/usr/share/doc/envgen/copyright' rpm --query --package --licensefiles "$package"
    expect 0 "/usr/share/doc/envgen/NEWS.gz" rpm --query --package --docfiles "$package"
  done
  # Debian 12 and Ubuntu 22.04 and newer have it.
  apt_install rpmlint || { left_out "rpmlint, which cannot be installed" && return; }
  rpmlint --strict --config packaging/rpmlint.toml "$dist"/*.rpm || die "rpmlint finds something"
}

# Nothing of Alpine is here but its C library, which Debian has too: the program of the .apk runs with that.
apks() {
  local target root found
  for target in "${targets[@]}"; do
    root=$work/apk-$target
    # Several archives in one, of which only the last ends as an archive does.
    python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1], ignore_zeros=True).extractall(sys.argv[2])' "$(echo "$dist"/*_"$target".apk)" "$root"
    expect 0 "pkgver = $version"$'\n'"arch = $target" cat "$root/.PKGINFO"
    expect 0 $'depend = musl\ndepend = libcurl' cat "$root/.PKGINFO"
    found=$(objdump -p "$root/usr/bin/envgen" | sed -n 's/^ *NEEDED *//p')
    [[ "$found" == libc.so ]] || die "the program of the .apk for $target needs $found"
    [[ -x "$root/usr/libexec/envgen/$target/envgen-bench" && -s "$root/usr/share/man/man1/envgen.1.gz" ]] || die "the .apk for $target lacks a file"
  done
  root=$work/apk-$here
  expect 0 "$answer" "$root/usr/bin/envgen" "${ask[@]}"
  expect 6 "apk add libcurl" env -u ENVGEN_BUILT_IN "$root/usr/bin/envgen" matrix update --dry-run # this machine's libcurl needs glibc
}

# What a bill of materials says of the program, of the packages it was built from, and of what it opens at run time.
sboms() {
  local target
  for target in "${targets[@]}"; do
    tar -xzf "$dist/envgen-$version-linux-$target.tar.gz" -C "$work" "envgen-$version-linux-$target/bin/envgen"
    python3 - "$dist/envgen-$version-linux-$target.cdx.json" "$work/envgen-$version-linux-$target/bin/envgen" <<'END'
import hashlib, json, pathlib, sys
bill = json.load(open(sys.argv[1]))
tool = bill["metadata"]["component"]
assert tool["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(pathlib.Path(sys.argv[2]).read_bytes()).hexdigest()}], tool
assert tool["purl"].startswith(f"pkg:generic/envgen@{tool['version']}?arch="), tool
debs = [part["purl"] for part in bill["components"] if part.get("purl", "").startswith("pkg:deb/")]
assert debs and all("&distro=" in purl for purl in debs), debs
assert [part["name"] for part in bill["components"] if part.get("scope") == "optional"] == ["libcurl"]
END
  done
}

# Where the repository is stands in each package if somebody said it, and in none if not.
a_homepage() {
  local homepage=https://git.example.org/owner/envgen out=$work/at-home
  scripts/packages.sh --prefixes "$work/elsewhere" --homepage "$homepage" --out "$out" "$here" >/dev/null
  expect 0 "$homepage" dpkg-deb --field "$out"/*.deb Homepage
  expect 0 "$homepage" rpm --query --package --queryformat '%{URL}' "$out"/*.rpm
  expect 0 "homepage \"$homepage\"" cat "$out/envgen.rb"
  expect 0 "homepage: $homepage" cat "$out/recipe.yaml"
  expect 0 "Syntax OK" ruby -c "$out/envgen.rb"
  expect 0 "Syntax OK" ruby -c "$dist/envgen.rb"
  [[ "$(grep -oE '^  (depends_on|on_linux)' "$dist/envgen.rb")" == $'  depends_on\n  on_linux' ]] || die "the formula has its parts in another order than Homebrew's"
  ! grep -i homepage "$dist"/{envgen.rb,recipe.yaml} || die "a homepage that nobody named"
  [[ -z "$(for deb in "$dist"/*.deb; do dpkg-deb --field "$deb" Homepage; done)" ]] || die "a .deb has a homepage that nobody named"
}

# installer WORD...: what somebody runs who has nothing but it; $file names another one
# shellcheck disable=SC2317  # called by expect
installer() { (cd "$work" && env -i PATH="$path" HOME="$work/home" "${settings[@]}" sh "${file:-$dist/install.sh}" "$@"); }

# double NAME: a program of that name, whose script is read, comes before the real one, which is "$real" to it.
double() {
  mkdir -p "$work/doubles"
  { printf '#!/bin/sh\nreal=%q\n' "$(command -v "$1")" && cat; } >"$work/doubles/$1"
  chmod +x "$work/doubles/$1"
}

an_installer() {
  local settings=() path=$PATH file='' prefix=$work/home/.local archive=$dist/envgen-$version-linux-$here.tar.gz
  local list=$prefix/share/envgen/installed-files
  shellcheck "$dist/install.sh"
  mkdir "$work/home"
  expect 0 "envgen $version is installed in $prefix" installer
  expect 0 "$answer" "$prefix/bin/envgen" "${ask[@]}"
  echo old >"$prefix/share/envgen/of-an-older-version"
  echo share/envgen/of-an-older-version >>"$list"
  # The program of an older version is not run: it may hang.
  printf '#!/bin/sh\n: >%q\n' "$work/was-run" >"$prefix/bin/envgen"
  sed -i '1s/.*/# envgen 0.0.1/' "$list"
  expect 0 "envgen $version is installed in $prefix, replacing 0.0.1" installer "$archive"
  [[ ! -e "$work/was-run" ]] || die "the installer runs the program that it replaces"
  [[ ! -e "$prefix/share/envgen/of-an-older-version" ]] || die "an upgrade leaves files of the version before it"

  # A download that was cut off, and a folder that takes no file, leave what is there.
  head -n -1 "$dist/install.sh" >"$work/cut.sh"
  expect 0 "" env -i PATH="$PATH" HOME="$work/home" sh "$work/cut.sh"
  mkdir "$work/fewest" "$work/few" && ln -s "$(command -v sh)" "$(command -v uname)" "$work/fewest" && ln -s "$(command -v sh)" "$work/few"
  for program in uname getconf sort head mktemp rm tar gzip sha256sum mkdir dirname sed cat cp mv grep; do ln -s "$(command -v "$program")" "$work/few"; done
  expect 1 "getconf, which reports the version of glibc, is not installed" env -i PATH="$work/fewest" HOME="$work/home" sh "$dist/install.sh"
  expect 1 "is find installed?" env -i PATH="$work/few" HOME="$work/home" sh "$dist/install.sh" "$archive"
  mv "$prefix/share/man" "$work/man" && : >"$prefix/share/man"
  expect 1 "cannot be written; nothing was changed" installer "$archive"
  rm "$prefix/share/man" && mv "$work/man" "$prefix/share/man"
  # Nor does a signal while files are put beside their places, or a program that does not start here.
  double cp <<'END'
"$real" "$@"
kill -TERM "$PPID"
END
  path=$work/doubles:$PATH
  expect 1 "" installer "$archive"
  rm "$work/doubles/cp"
  a_program_that_does_not_start
  expect 0 "$answer" "$prefix/bin/envgen" "${ask[@]}"
  [[ -z "$(find "$prefix" -name '*.new.*')" ]] || die "the installer leaves files of an installation that failed"

  cp "$archive" "$work/changed.tar.gz"
  echo changed >>"$work/changed.tar.gz"
  expect 1 "is not the archive of this installer" installer "$work/changed.tar.gz"
  expect 1 "there is no file $work/none" installer "$work/none"
  expect 0 "usage: sh install.sh" installer --help
  expect 1 "--instal is not an option" installer --instal
  expect 1 "only one FILE can be given, not both" installer "$archive" "$archive"
  expect 1 "--uninstall takes no other argument" installer --uninstall "$archive"
  # An archive that changes once it has its hash.
  cp "$archive" "$work/back\\slash.tar.gz"
  double sha256sum <<END
"\$real" "\$@" && : >'$work/back\slash.tar.gz'
END
  expect 0 "is installed in $prefix" installer "$work/back\\slash.tar.gz"
  rm "$work/doubles/sha256sum"
  expect 0 "$answer" "$prefix/bin/envgen" "${ask[@]}"
  settings=("ENVGEN_BASE_URL=http://127.0.0.1:9")
  expect 1 "could not be downloaded" installer
  settings=("ENVGEN_BASE_URL=file://$work/nowhere")
  expect 1 "there is no file $work/nowhere/" installer
  settings=("ENVGEN_BASE_URL=$dist" "PREFIX=elsewhere-installed")
  expect 0 "is installed in $work/elsewhere-installed" installer
  expect 0 "was removed" installer --uninstall
  expect 1 "nothing to remove" installer --uninstall
  settings=("PREFIX=~/.local")
  expect 1 "PREFIX is '~/.local': the shell did not expand the ~" installer
  an_envgen_of_others

  # With the programs of busybox, and a list from before it said its version.
  settings=() path=$work/busybox
  sed -i 1d "$list"
  mkdir "$path" && busybox --install -s "$path" && ln -s "$(command -v getconf)" "$path"
  expect 0 "is installed in $prefix" installer "$archive"
  expect 0 "was removed" installer --uninstall
  left_below "$work/home"
  [[ ! -e "$work/elsewhere-installed/bin" ]] || die "the installer leaves folders"
}

a_program_that_does_not_start() {
  local name=envgen-$version-linux-$here
  mkdir -p "$work/broken/$name/bin"
  printf '#!/no/such/interpreter\n' >"$work/broken/$name/bin/envgen" && chmod +x "$work/broken/$name/bin/envgen"
  tar -czf "$work/broken/$name.tar.gz" -C "$work/broken" "$name"
  file=$work/broken/install.sh
  sed "s/^sha256_$here=.*/sha256_$here=$(sha256sum <"$work/broken/$name.tar.gz" | cut -c 1-64)/" "$dist/install.sh" >"$file"
  expect 1 "the program does not start here" installer "$work/broken/$name.tar.gz"
  file=''
}

an_envgen_of_others() {
  local others=$work/others/bin/envgen
  settings=("ENVGEN_BASE_URL=$dist" "PREFIX=$work/others")
  mkdir -p "${others%/*}" && echo theirs >"$others"
  expect 1 "$others exists, but this installer did not install it" installer
  [[ "$(<"$others")" == theirs ]] || die "the installer replaces an envgen that is not its own"
  expect 0 "is installed in $work/others" installer --force
  expect 0 "$answer" "$others" "${ask[@]}"
}

# The recipe is built and its tests are run; it needs no package of any channel.
recipe() {
  local platform
  mkdir -p "$work/channel/noarch"
  echo '{"info":{},"packages":{},"packages.conda":{}}' >"$work/channel/noarch/repodata.json"
  for platform in linux-64 linux-aarch64; do cp -r "$work/channel/noarch" "$work/channel/$platform"; done
  "$tools/bin/python" scripts/checks/recipe.py "$dist/recipe.yaml" "file://$work/channel" "$work/conda"
  [[ -n "$(find "$work/conda" -name "envgen-$version-*.conda")" ]] || die "no conda package was made"
}

dist=$work/dist
made_twice
debs
rpms
apks
sboms
a_homepage
an_installer
recipe
wheels
if "$full"; then tests/e2e/packages.sh "$dist"; fi
exit "$bad"
