#!/usr/bin/env bash
# The CPU jobs of both workflows that `envgen render ci` makes, each script in its order, with a real engine and to the report: for the
# project of the README's transcript, whose image the engine then has already. envgen's own repository is a double here, which brings
# the tool that is tested; all else is what a runner does.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, no CPU torch, or no PyYAML can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

repository=$PWD
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
bench=$PWD/build/bench/$(uname -m)/envgen-bench
[[ -x "$bench" ]] || scripts/bench.sh "$(uname -m)" || exit
venv=$PWD/build/e2e/workflow
if [[ ! -x "$venv/bin/python" ]] || ! "$venv/bin/python" -c 'import yaml' 2>/dev/null; then
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet pyyaml; } || {
    echo "pip could not install pyyaml (package python3-venv, and a package index)"
    exit 77
  }
fi
engine=$(tests/e2e/engine.sh) || exit
set -a && eval "$engine" && set +a
work=$(mktemp -d)
trap 'stop_servers; cd "$repository"; rm -rf --one-file-system "$work"; "$repository/tests/e2e/engine.sh" stop' EXIT
# shellcheck source=tests/e2e/index.sh
source tests/e2e/index.sh
# shellcheck source=tests/e2e/public_names.sh
source tests/e2e/public_names.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

# What is fetched, built and installed of this one is the tool that is here.
double=$work/envgen.git
mkdir -p "$double/scripts"
cat >"$double/scripts/quickstart.sh" <<END
#!/usr/bin/env bash
set -euo pipefail
mkdir -p "\$(dirname "\$0")/../build/release"
cat >"\$(dirname "\$0")/../build/release/cmake_install.cmake" <<'CMAKE'
file(INSTALL DESTINATION "\${CMAKE_INSTALL_PREFIX}/bin" TYPE PROGRAM RENAME envgen FILES "$envgen")
file(INSTALL DESTINATION "\${CMAKE_INSTALL_PREFIX}/libexec/envgen/$(uname -m)" TYPE PROGRAM FILES "$bench")
CMAKE
END
printf '#!/bin/sh\n[ "%s" = %s ]\n' "\$1" "$(uname -m)" >"$double/scripts/bench.sh"
chmod +x "$double"/scripts/*.sh
git() { command git -C "$double" -c user.name=envgen -c user.email=envgen@localhost -c init.defaultBranch=main "$@"; }
git init --quiet && git add . && git commit --quiet --message double && git tag v1.0.0

# project SERVICE: with its files, as a repository has them.
project() {
  local folder=$work/$1
  mkdir "$folder"
  printf '{"request": {"torch": "2.13", "cuda": "cpu", "os": "debian12"}, "outputs": {"files": ["dockerfile", "run", "ci"], "ci_for": "%s"}}\n' "$1" \
    >"$folder/envgen.json"
  (cd "$folder" && "$envgen" lock && "$envgen" generate)
}

# job SERVICE REF FILE JOB
job() {
  (cd "$work/$1" && HOME=$work/home ENVGEN_SOURCE=file://$double ENVGEN_REF=$2 PATH=$work/bin:$PATH \
    "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" "$3" "$4")
}

# proves SERVICE: what is uploaded has a report that passed, in each form.
proves() {
  local report=$work/$1/envgen-report/cpu
  [[ -s "$report.xml" && -s "$report.html" ]] &&
    python3 -c 'import json, sys; rows = json.load(open(sys.argv[1]))["checks"]
assert "framework" in [row["id"] for row in rows if row["status"] == "pass"] and not [row for row in rows if row["status"] == "fail"]' "$report.json"
}

# refuses MESSAGE COMMAND...: fails, and says so.
refuses() {
  local said status=0
  said=$("${@:2}" 2>&1) || status=$?
  [[ $status != 0 && "$said" == *"$1"* ]] || {
    printf 'exit status %d, expected another one, and %s in:\n%s\n' "$status" "$1" "$said"
    return 1
  }
}

mkdir "$work/home"
for service in github gitlab; do
  case $service in
    github) file=.github/workflows/envgen.yml name=cpu ;;
    gitlab) file=.gitlab/envgen.gitlab-ci.yml name=envgen ;;
  esac
  must "$service: the project" project "$service"
  must "$service: no envgen is named" refuses "error: ENVGEN_SOURCE (the URL of envgen's repository) and ENVGEN_REF" job "$service" "" "$file" "$name"
  must "$service: a ref that is none" refuses "error: ENVGEN_REF is neither a tag without slashes nor a commit" job "$service" "x/\$(y)" "$file" "$name"
  must "$service: the job" job "$service" v1.0.0 "$file" "$name"
  must "$service: its report" proves "$service"
  echo >>"$work/$service/Dockerfile"
  must "$service: a file that was edited" refuses Dockerfile job "$service" v1.0.0 "$file" "$name"
done
book
