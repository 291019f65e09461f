#!/usr/bin/env bash
# The wheel of a prefix: made twice it is the same, its users' tools accept it, and it is installed, used and removed.
# usage: wheel.sh [PREFIX]    default: what `cmake --install` puts down of build/release; then also what pip and uv make of the checkout itself
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

prefix=${1:-$work/prefix}
[[ -n "${1:-}" ]] || cmake --install build/release --prefix "$prefix" --strip >/dev/null
wheel=$(scripts/wheel.sh "$prefix" "$work/first")
again=$(scripts/wheel.sh "$prefix" "$work/second")
cmp "$wheel" "$again" || die "two wheels of one build differ"
printf '%s: %d bytes\n' "${wheel##*/}" "$(stat -c %s "$wheel")"

python3 -m venv "$work/tools" || { echo "a venv cannot be made (package python3-venv)" && exit 77; }
"$work/tools/bin/pip" install twine==6.2.0 check-wheel-contents==0.6.3 uv==0.13.9 mypy==2.4.1 'readme-renderer[md]==46.0' || { echo "the checkers of wheels cannot be installed with pip" && exit 77; }
"$work/tools/bin/twine" check --strict "$wheel"
"$work/tools/bin/check-wheel-contents" "$wheel"
# On the page that a package index shows, every link leads somewhere: to nothing of this repository where nobody says where that is, else to its files.
leads_to() { # WHEEL [HOMEPAGE]
  "$work/tools/bin/python" - "$@" <<'END'
import email, pathlib, re, sys, zipfile
from readme_renderer import markdown
wheel = zipfile.ZipFile(sys.argv[1])
metadata = email.message_from_bytes(wheel.read(next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))))
links = re.findall('(?:href|src)="([^#"][^"]*)"', markdown.render(metadata.get_payload(decode=True).decode()))
relative = [link for link in links if not re.match("https?://", link)]
assert not relative, relative
for homepage in sys.argv[2:]:
    assert f"Repository, {homepage}" in metadata.get_all("Project-URL"), metadata.items()
    files = [re.sub(f"^{homepage}/(blob|raw)/v{metadata['Version']}/|#.*", "", link) for link in links]
    assert len(files) > 10 and all(map(pathlib.Path.exists, map(pathlib.Path, files))), files
END
}
leads_to "$wheel"
leads_to "$(ENVGEN_HOMEPAGE=https://git.example.org/owner/envgen scripts/wheel.sh "$prefix" "$work/at-home")" https://git.example.org/owner/envgen

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --no-index "$wheel"
ENVGEN_BUILT_IN=1 "$work/venv/bin/python" tests/python/test_api.py
"$work/tools/bin/mypy" --strict --python-executable "$work/venv/bin/python" --cache-dir "$work/mypy" tests/python/typed.py
"$work/tools/bin/mypy" --strict --cache-dir "$work/mypy" packaging/python/envgen
[[ -s "$work/venv/share/man/man1/envgen.1" ]] || die "the wheel has no manual page"
"$work/venv/bin/pip" install --no-index --force-reinstall "$wheel" # as an upgrade does
"$work/venv/bin/pip" uninstall --yes envgen
left=$(find "$work/venv" -type f -iname '*envgen*' | head -n 5)
[[ -z "$left" ]] || die "left by pip uninstall: $left"

export UV_CACHE_DIR=$work/cache UV_TOOL_DIR=$work/uv UV_TOOL_BIN_DIR=$work/uv-bin
# uvx_takes [FORGET]: the milliseconds of the fastest of five runs, before each of which FORGET is removed: by the clock, or, where others keep the
# processor from it, by what it had of that.
uvx_takes() {
  local found TIMEFORMAT='%3R %3U %3S'
  : >"$work/times"
  for _ in {1..5}; do
    rm -rf "${1:-$work/nothing}"
    { time found=$("$work/tools/bin/uvx" --quiet --offline --from "$wheel" envgen resolve --torch 2.3 2>&1); } 2>>"$work/times"
    [[ "$found" == "torch 2.3.1 + CUDA 12.1"* ]] || die "uvx prints: $found"
  done
  awk '{ used = $2 + $3; print int(1000 * ($1 < used ? $1 : used)) }' "$work/times" | sort -n | head -n 1
}
cold=$(uvx_takes "$UV_CACHE_DIR")
warm=$(uvx_takes)
printf 'uvx --from %s envgen resolve: %d ms, and from its cache %d ms\n' "${wheel##*/}" "$cold" "$warm"
# Twice what docs/speed.md promises, because the tests run beside others, whose work also makes processor time longer.
((cold <= 2000 && warm <= 500)) || die "1000 ms were promised, and 250 ms from the cache"
"$work/tools/bin/uv" tool install --quiet --offline "$wheel"
"$work/uv-bin/envgen" --version
"$work/tools/bin/uv" tool uninstall --quiet envgen
[[ -z "${1:-}" ]] || exit 0

# From the checkout (packaging/backend.py), whose release build is there already.
# shellcheck source=scripts/checks/expect.sh
source scripts/checks/expect.sh
"$work/tools/bin/uv" tool install --quiet .
expect 0 "torch 2.3.1 + CUDA 12.1" "$work/uv-bin/envgen" resolve --torch 2.3 --cuda 12.1
"$work/venv/bin/pip" wheel --no-deps --wheel-dir "$work/from-checkout" .
members() { python3 -c 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\n")' "$1"; }
diff <(members "$wheel") <(members "$work/from-checkout/${wheel##*/}") || die "pip makes another wheel of the checkout than scripts/wheel.sh"
# hook PYTHON: what is in packaging/backend.py, called as pip and uv do
# shellcheck disable=SC2317  # called by expect
hook() { PYTHONPATH=packaging "$work/venv/bin/python" -c "import backend; print($1)"; }
PATH=$work/none expect 0 "['cmake', 'ninja']" hook 'backend.get_requires_for_build_wheel()'
expect 0 "[]" hook 'backend.get_requires_for_build_wheel()'
expect 1 "backend.UnsupportedOperation: envgen is built from a checkout; it has no source distribution (sdist)" hook 'backend.build_sdist("/")'
mkdir "$work/stubs" && printf '#!/bin/sh\necho "no CLI11 here" >&2\nexit 1\n' >"$work/stubs/cmake" && chmod +x "$work/stubs/cmake"
PATH=$work/stubs:$PATH expect 1 "no CLI11 here

error: a compiler or a library is missing, see above. Debian and Ubuntu have all of them: apt install ${build_packages[*]}" hook 'backend.build_wheel("/")'
exit "$bad"
