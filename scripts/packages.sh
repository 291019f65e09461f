#!/usr/bin/env bash
# Makes everything that a release offers, into dist/: of each processor a wheel, an archive, a .deb, an .rpm and a bill of materials, then
# the installer, the formula of Homebrew, the recipe of conda-forge, and SHA256SUMS of all of them. The same commit gives the same bytes.
# usage: packages.sh [--base-url URL] [--homepage URL] [--prefixes FOLDER] [--out FOLDER] [ARCHITECTURE...]
#   ARCHITECTURE  x86_64, aarch64 (default: both)
#   --base-url    where users will find the archives (default: that folder); the installer, the formula and the recipe name it
#   --homepage    the address of the repository on its forge (default: no package names one)
#   --prefixes    what scripts/portable.sh built, in another folder than build/portable; it is not built again
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

dist=$PWD/dist base_url='' prefixes='' targets=()
while (($#)); do
  case $1 in
    --base-url) base_url=${2:?} && shift ;;
    --homepage) export ENVGEN_HOMEPAGE=${2:?} && shift ;;
    --out) dist=$(realpath "${2:?}") && shift ;;
    --prefixes) prefixes=$(realpath "${2:?}") && shift ;;
    x86_64 | aarch64) targets+=("$1") ;;
    *) die "usage: scripts/packages.sh [--base-url URL] [--homepage URL] [--prefixes FOLDER] [--out FOLDER] [x86_64] [aarch64]" ;;
  esac
  shift
done
((${#targets[@]})) || targets=(x86_64 aarch64)
base_url=${base_url:-file://$dist}
if [[ -z "$prefixes" ]]; then
  scripts/portable.sh "${targets[@]}"
  prefixes=$PWD/build/portable
fi

# shellcheck source=scripts/ziglang.sh
source scripts/ziglang.sh
# shellcheck source=scripts/packaging.sh
source scripts/packaging.sh
version=$(packaging product VERSION) SOURCE_DATE_EPOCH=$(packaging product epoch)
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ "$dist" == "$PWD/dist" ]]; then rm -rf "$dist"; fi
mkdir -p "$dist"
[[ -z "$(ls -A "$dist")" ]] || die "$dist is not empty"

for target in "${targets[@]}"; do
  say "packages for $target"
  root=$work/$target name=envgen-$version-linux-$target
  documents=$root/share/doc/envgen
  cp -r "$prefixes/$target" "$root"
  mkdir -p "$documents"
  from=(--debs "$PWD/build/portable/work/$target/apt/debs" --root "$PWD/build/portable/work/$target/root" --zig "$ziglang")
  cp LICENSE "$documents"
  packaging notices "${from[@]}" --out "$documents/copyright"
  packaging sbom --arch "$target" --program "$root/bin/envgen" "${from[@]}" --out "$documents/envgen.cdx.json"
  cp "$documents/envgen.cdx.json" "$dist/$name.cdx.json"

  scripts/wheel.sh "$root" "$dist"
  packaging tarball --root "$root" --name "$name" --out "$dist/$name.tar.gz"
  packaging system_package --arch "$target" --root "$root" --work "$work/$target-documents" >"$work/nfpm.json"
  for packager in deb rpm; do "$tools/bin/nfpm" package --config "$work/nfpm.json" --packager "$packager" --target "$dist" >/dev/null; done
done

for file in install.sh envgen.rb recipe.yaml; do
  packaging fill --archives "$dist" --base-url "$base_url" "packaging/templates/$file" "$dist/$file" >/dev/null
done
(cd "$dist" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
(cd "$dist" && stat -c '%9s  %n' -- *)
