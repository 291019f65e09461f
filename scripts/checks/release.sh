#!/usr/bin/env bash
# A dry run of .github/workflows/release.yml, each script in its order: with a double of scripts/packages.sh, which has a check of its own
# (scripts/checks/packages.sh), and one of gh, so nothing is built and nothing published.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
repository=$PWD workflow=$PWD/.github/workflows/release.yml
# shellcheck source=tests/e2e/yaml_python.sh
source tests/e2e/yaml_python.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

mkdir -p "$work/bin" "$work/project/scripts"
cd "$work/project"
printf 'project(envgen VERSION 1.2.3 LANGUAGES C CXX)\n' >CMakeLists.txt
printf '# Changelog\n\n## Unreleased\n\n- not yet\n\n## 1.2.3 - 2026-12-01\n\n### Added\n- one thing\n\n## 1.2.2 - 2026-11-01\n- before\n' >CHANGELOG.md
cp "$repository"/scripts/{common,release_notes}.sh scripts
cat >scripts/packages.sh <<'END'
#!/bin/sh
set -e
printf '%s\n' "$*" >packages-was-told
mkdir dist
for file in envgen-1.2.3-linux-x86_64.tar.gz envgen-1.2.3-linux-x86_64.cdx.json; do echo "$file" >"dist/$file"; done
cd dist && sha256sum ./* >"$OLDPWD/sums" && mv "$OLDPWD/sums" SHA256SUMS
END
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >%s/gh-was-told\n' "$work" >"$work/bin/gh"
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>%s/apt-was-told\n' "$work" >"$work/bin/apt-get"
for program in docker pipx; do printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>%s/%s-was-told\n' "$work" "$program" >"$work/bin/$program"; done
digest=sha256:$(printf '%064d' 7)
printf 'case "$*" in *" inspect "*) printf "Name: x\\nDigest:    %s\\n\\nManifests:\\n  Digest: other\\n" ;; esac\n' "$digest" >>"$work/bin/docker"
chmod +x scripts/packages.sh "$work"/bin/*

# job NAME KIND REF
job() {
  GITHUB_REF_TYPE=$2 GITHUB_REF_NAME=$3 GITHUB_SERVER_URL=https://git.example.org GITHUB_REPOSITORY=owner/envgen \
    GITHUB_WORKSPACE=/__w/envgen/envgen HOME=$work PATH=$work/bin:$PATH \
    "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" "$workflow" "$1"
}
fresh() { rm -rf dist build packages-was-told "$work/gh-was-told"; }
# The sources of apt there have the libraries of both processors, and what checks out is installed before it is used.
builds_on_debian() {
  "$venv/bin/python" - "$workflow" <<'END'
import sys, yaml
build = yaml.safe_load(open(sys.argv[1]))["jobs"]["build"]
assert build["container"].startswith("debian:12@") and build["defaults"]["run"]["shell"] == "bash"
first, second = build["steps"][:2]
assert "git" in first["run"] and second["uses"].startswith("actions/checkout@")
END
}
is() { diff <(printf '%s\n' "${@:2}") "$1"; }
passes_shellcheck() {
  local scripts
  scripts=$(mktemp -d -p "$work")
  for name in build publish pypi image image-for-both; do "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" --scripts "$scripts" "$workflow" "$name"; done
  shellcheck "$scripts"/*.sh
}

must "shellcheck" passes_shellcheck
must "both processors' libraries" builds_on_debian
must "a dry run builds" job build branch main
must "what the container gets" is "$work/apt-was-told" update "install --yes --no-install-recommends ca-certificates git"
must "whose checkout git reads" is "$work/.gitconfig" "[safe]" $'\tdirectory = /__w/envgen/envgen'
must "a dry run has no notes" test -z "$(find build/release-notes -type f)"
fresh
must "a tag builds" job build tag v1.2.3
must "the addresses that its files name" is packages-was-told \
  "--base-url https://git.example.org/owner/envgen/releases/download/v1.2.3 --homepage https://git.example.org/owner/envgen"
must "its notes" is build/release-notes/notes.md "### Added" "- one thing"
must "a tag is published" job publish tag v1.2.3
must "what is published" is "$work/gh-was-told" release create v1.2.3 dist/SHA256SUMS dist/envgen-1.2.3-linux-x86_64.cdx.json \
  dist/envgen-1.2.3-linux-x86_64.tar.gz --repo owner/envgen --verify-tag --title "envgen 1.2.3" --notes-file build/release-notes/notes.md
must "the wheels go to PyPI" job pypi tag v1.2.3
must "which wheels" is "$work/pipx-was-told" "run --spec uv==0.13.9 uv publish --trusted-publishing always dist/*.whl"
export GITHUB_ACTOR=somebody GITHUB_TOKEN=token MATRIX_ARCHITECTURE=arm64
must "an image is built" job image tag v1.2.3
must "what is built, tried and pushed" is "$work/docker-was-told" \
  "build --file packaging/oci/Dockerfile --tag ghcr.io/owner/envgen:1.2.3-arm64 dist" "run --rm ghcr.io/owner/envgen:1.2.3-arm64 --version" \
  "login ghcr.io --username somebody --password-stdin" "push ghcr.io/owner/envgen:1.2.3-arm64"
rm "$work/docker-was-told"
must "the images have one name" job image-for-both tag v1.2.3
must "what is attested" is <(tail -n 2 "$work/said") name=ghcr.io/owner/envgen "digest=$digest"
must "what stands behind it" is "$work/docker-was-told" "login ghcr.io --username somebody --password-stdin" \
  "buildx imagetools create --tag ghcr.io/owner/envgen:1.2.3 --tag ghcr.io/owner/envgen:latest ghcr.io/owner/envgen:1.2.3-amd64 ghcr.io/owner/envgen:1.2.3-arm64" \
  "buildx imagetools inspect ghcr.io/owner/envgen:1.2.3"
rm "$work/gh-was-told"
echo other >dist/envgen-1.2.3-linux-x86_64.tar.gz
must "what was changed on the way" refuses "envgen-1.2.3-linux-x86_64.tar.gz: FAILED" job publish tag v1.2.3
must_fail "what was changed is not published" test -e "$work/gh-was-told"
fresh
must "a tag of another version" refuses "error: the tag is v1.2.4, but CMakeLists.txt is of version 1.2.3" job build tag v1.2.4
must_fail "a tag of another version builds nothing" test -e packages-was-told
sed -i '/^## 1.2.3/,/^- one thing/d' CHANGELOG.md
must "a version of which nothing is said" \
  refuses "error: CHANGELOG.md says nothing of version 1.2.3: its 'Unreleased' has to become '## 1.2.3 - YYYY-MM-DD'" job build tag v1.2.3
book
