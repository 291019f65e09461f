#!/usr/bin/env bash
# A run of .github/workflows/matrix.yml in a clone, against a package index that has more than the facts (tests/e2e/update_wheels.py): with doubles of
# quickstart.sh, which has checks of its own, and of gh. $ENVGEN is the tool (default: build/release/src/envgen).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
repository=$PWD workflow=$PWD/.github/workflows/matrix.yml
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
# shellcheck source=tests/e2e/yaml_python.sh
source tests/e2e/yaml_python.sh
source tests/e2e/must.sh
source tests/e2e/serve.sh
work=$(mktemp -d)
trap 'stop_servers; rm -rf "$work"' EXIT

mkdir "$work/wheels" "$work/bin"
python3 tests/e2e/update_wheels.py "$work/wheels"
serve "$work/address" python3 tests/e2e/local_index.py "$work/wheels"
PIP_INDEX_URL=$(head -n 1 "$work/address")
export PIP_INDEX_URL PIP_CONFIG_FILE=/dev/null XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/data
unset PIP_EXTRA_INDEX_URL ENVGEN_MATRIX ENVGEN_BUILT_IN

git init --quiet --bare "$work/remote"
mkdir -p "$work/project"/{scripts,docs,build/release/src}
cd "$work/project"
cp -r "$repository/matrix" .
cp "$repository/docs/compatibility.md" docs
printf '#!/bin/sh\n' >scripts/quickstart.sh
# Of the sources only the package index is served here.
cat >build/release/src/envgen <<END
#!/bin/sh
case "\$*" in *"matrix update") set -- "\$@" --source package-index ;; esac
exec "$envgen" "\$@"
END
cat >"$work/bin/gh" <<END
#!/bin/sh
[ "\$1" = auth ] || printf '%s\n' "\$@" >$work/gh-was-told
END
chmod +x scripts/quickstart.sh build/release/src/envgen "$work/bin/gh"
git init --quiet --initial-branch main
printf 'build\n' >.gitignore
git add .
git -c user.name=somebody -c user.email=somebody@example.org commit --quiet --message facts
git remote add origin "$work/remote"

job() {
  GITHUB_RUN_ID=7 GITHUB_REF_NAME=main GITHUB_TOKEN=token HOME=$work PATH=$work/bin:$PATH "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" "$workflow" update
}
opens_a_change() {
  job >"$work/out" 2>&1
  grep -qx -- "--title" "$work/gh-was-told"
  [[ $(git rev-parse HEAD) == "$(git --git-dir "$work/remote" rev-parse "$(git branch --show-current)")" ]]
}
changes() { diff <(printf '%s\n' docs/compatibility.md matrix/matrix.json matrix/torch.json) <(git diff --name-only main HEAD); }
is_current() { diff docs/compatibility.md <("$envgen" --matrix matrix matrix export markdown); }
finds_nothing_new() {
  rm "$work/gh-was-told"
  job >"$work/out" 2>&1
  [[ ! -e "$work/gh-was-told" ]]
}
passes_shellcheck() {
  mkdir "$work/steps"
  "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" --scripts "$work/steps" "$workflow" update
  shellcheck "$work/steps"/*.sh
}

must "shellcheck" passes_shellcheck
must "what is new becomes a change" opens_a_change
must "its files" changes
must "the page of the facts belongs to them" is_current
must "nothing new, no change" finds_nothing_new
book
