#!/usr/bin/env bash
# The hooks of .pre-commit-hooks.yaml, as pre-commit runs them in a project: they let pass what is up to date, and stop a commit that is not.
# ENVGEN names the tool (default: the release build).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
[[ -x "$envgen" ]] || die "$envgen is not built"
venv=$PWD/build/e2e/pre-commit
if ! "$venv/bin/pre-commit" --version >/dev/null 2>&1; then
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet pre-commit; } || {
    echo "pip could not install pre-commit (package python3-venv, and a package index)"
    exit 77
  }
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
export PRE_COMMIT_HOME=$work/cache HOME=$work
PATH=$(dirname "$envgen"):$venv/bin:$PATH
git config --global user.name envgen
git config --global user.email envgen@localhost
git config --global init.defaultBranch main
git config --global protocol.file.allow always

pre-commit validate-manifest .pre-commit-hooks.yaml || die ".pre-commit-hooks.yaml is malformed"
hooks=$work/hooks project=$work/project
mkdir "$hooks" "$project"
cp .pre-commit-hooks.yaml "$hooks"
(cd "$hooks" && git init --quiet && git add . && git commit --quiet --message hooks && git tag v1.0.0)

cd "$project"
mkdir below
printf '{"request": {"torch": "2.3"}, "outputs": {"files": ["requirements"]}}\n' | tee envgen.json >below/envgen.json
for folder in . below; do (cd "$folder" && envgen lock && envgen generate) >/dev/null; done
cat >.pre-commit-config.yaml <<END
repos:
  - repo: $hooks
    rev: v1.0.0
    hooks:
      - {id: envgen-lock-check}
      - {id: envgen-lock-check, alias: below, args: [--project, below/envgen.json]}
      - {id: envgen-generate-check}
END
git init --quiet && git add . && pre-commit install >/dev/null

# stopped MESSAGE: a commit of what is staged is stopped, and says so.
stopped() {
  local said status=0
  said=$(git commit --message change 2>&1) || status=$?
  [[ $status != 0 && "$said" == *"$1"* ]] || {
    printf 'exit status %d, expected another one, and %s in:\n%s\n' "$status" "$1" "$said"
    return 1
  }
}
begin() { git commit --quiet --message begin; }
edit() {
  echo numpy >>requirements.txt
  git add .
}
ask_other() {
  sed -i 's/2\.3/2.4/' "$1"
  git add .
}
restore() { git reset --quiet --hard; }

must "a commit of what is up to date" begin
must "an edit" edit
must "a file that was edited" stopped "envgen's files are up to date"
must "the project" restore
must "another request" ask_other envgen.json
must "a lock that is out of date" stopped "envgen.lock is out of date"
must "the project" restore
must "another request below" ask_other below/envgen.json
must "a lock below that is out of date" stopped "below/envgen.lock is out of date"
book
