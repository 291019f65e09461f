#!/usr/bin/env bash
# Holds what scripts/packages.sh makes to what its users' tools ask of it: the same bytes when it is made again from another folder, accepted by
# twine, check-wheel-contents, auditwheel, lintian, rpm, shellcheck and conda's own reader of recipes, and installed, used, upgraded and removed.
# usage: packages.sh [--full]
#   --full  also for the other processor, and in roots of every system that README.md names
# Exit status 77: a tool is missing.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

full=false
[[ "${1:-}" != --full ]] || full=true
here=$(uname -m)
targets=("$here")
if "$full"; then targets=(x86_64 aarch64); fi
apt_install lintian rpm shellcheck || { echo "lintian, rpm and shellcheck cannot be installed" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

dist=$work/dist
scripts/packages.sh --out "$dist" "${targets[@]}"

# Again from a copy in another folder, whose files are younger.
cp -r build/portable "$work/elsewhere"
scripts/packages.sh --prefixes "$work/elsewhere" --base-url "file://$dist" --out "$work/again" "${targets[@]}" >/dev/null
diff -r "$dist" "$work/again" || die "made twice, the packages differ"
(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
printf 'made twice, all %d files are the same\n' "$(find "$dist" -type f | wc -l)"

tools=$work/tools
python3 -m venv "$tools" || { echo "a venv cannot be made (package python3-venv)" && exit 77; }
"$tools/bin/pip" install auditwheel==6.8.2 py-rattler-build==0.73.0 || { echo "the checkers of packages cannot be installed with pip" && exit 77; }
most_bytes=2500000
for wheel in "$dist"/*.whl; do
  size=$(stat -c %s "$wheel")
  ((size <= most_bytes)) || die "$wheel has $size bytes, more than $most_bytes"
  "$tools/bin/auditwheel" show "$wheel" >"$work/audit"
  tag=${wheel##*-}
  grep -qF "\"${tag%.whl}\"" "$work/audit" || { cat "$work/audit" && die "$wheel does not hold its tag"; }
done

lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$dist"/*.deb || die "lintian finds something"
for package in "$dist"/*.rpm; do
  rpm --checksig --nosignature "$package"
  rpm --query --package --nosignature --requires "$package"
done
shellcheck "$dist/install.sh"
scripts/checks/wheel.sh "build/portable/$here"
