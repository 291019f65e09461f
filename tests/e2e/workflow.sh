#!/usr/bin/env bash
# The CPU jobs of both workflows that `envgen render ci` makes, each script in its order, with a real engine and to the report: for the
# project of the README's transcript, whose image the engine then has already. Then the action and the component validate that image.
# envgen's release is a double here, which holds the tool that is tested; all else is what a runner does.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, no CPU torch, or no PyYAML can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

repository=$PWD
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
bench=$PWD/build/bench/$(uname -m)/envgen-bench
[[ -x "$bench" ]] || scripts/bench.sh "$(uname -m)" || exit
# shellcheck source=tests/e2e/yaml_python.sh
source tests/e2e/yaml_python.sh
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

# The release that is downloaded is the tool that is here.
machine=$(uname -m)
release=envgen-1.0.0-linux-$machine
mkdir -p "$work/releases/v1.0.0" "$work/$release/bin" "$work/$release/libexec/envgen/$machine"
cp "$envgen" "$work/$release/bin/envgen"
cp "$bench" "$work/$release/libexec/envgen/$machine/envgen-bench"
tar -czf "$work/releases/v1.0.0/$release.tar.gz" -C "$work" "$release"
sum=$(sha256sum <"$work/releases/v1.0.0/$release.tar.gz" | cut -c 1-64)

# project SERVICE: with its files, as a repository has them.
project() {
  local folder=$work/$1
  mkdir "$folder"
  printf '{"request": {"torch": "2.13", "cuda": "cpu", "os": "debian12"}, "outputs": {"files": ["dockerfile", "run", "ci"], "ci_for": "%s"}}\n' "$1" \
    >"$folder/envgen.json"
  (cd "$folder" && "$envgen" lock && "$envgen" generate)
}

# job SERVICE VERSION SHA256 FILE JOB
job() {
  (cd "$work/$1" && HOME=$work/home ENVGEN_RELEASES_URL=file://$work/releases ENVGEN_VERSION=$2 ENVGEN_SHA256=$3 PATH=$work/bin:$PATH \
    "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" "$4" "$5")
}

# proves SERVICE: what is uploaded has a report that passed, in each form.
proves() {
  local report=$work/$1/envgen-report/cpu
  [[ -s "$report.xml" && -s "$report.html" ]] &&
    python3 -c 'import json, sys; rows = json.load(open(sys.argv[1]))["checks"]
assert "framework" in [row["id"] for row in rows if row["status"] == "pass"] and not [row for row in rows if row["status"] == "fail"]' "$report.json"
}

mkdir "$work/home"
for service in github gitlab; do
  case $service in
    github) file=.github/workflows/envgen.yml name=cpu ;;
    gitlab) file=.gitlab/envgen.gitlab-ci.yml name=envgen ;;
  esac
  must "$service: the project" project "$service"
  must "$service: no envgen is named" refuses "error: set all of ENVGEN_RELEASES_URL (where envgen's releases are), ENVGEN_VERSION and ENVGEN_SHA256 " job "$service" "" "$sum" "$file" "$name"
  must "$service: a version that is none" refuses "error: ENVGEN_VERSION is not a release such as 1.0.0" job "$service" "1/\$(y)" "$sum" "$file" "$name"
  must "$service: another hash" refuses ".tar.gz is $sum, not $(printf '%064d' 0)" job "$service" 1.0.0 "$(printf '%064d' 0)" "$file" "$name"
  began=$SECONDS
  must "$service: the job" job "$service" 1.0.0 "$sum" "$file" "$name"
  took=$((SECONDS - began))
  must "$service: its report" proves "$service"
  echo >>"$work/$service/Dockerfile"
  must "$service: a file that was edited" refuses Dockerfile job "$service" 1.0.0 "$sum" "$file" "$name"
done

# The second project has the Dockerfile of the first, so its image was built already: what its job takes is what envgen adds to a project's CI.
in_half_a_minute() {
  echo "the job takes $took s beside the build of its image"
  ((took < 30))
}
must "its time" in_half_a_minute
cat "$work/said"

# validated_by FILE JOB VALIDATE [INPUT=VALUE]...: in the project of that service, as its file was committed.
validated_by() {
  local inputs=("version=1.0.0" "sha256=$sum" "validate=$3") input words=()
  for input in "${inputs[@]}" "${@:4}"; do words+=(--input "$input"); done
  (cd "$work/github" && HOME=$work/home RUNNER_TEMP=$work GITHUB_ACTION_PATH=$repository GITHUB_SERVER_URL=file://$work PATH=$work/bin:$PATH \
    "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" "${words[@]}" "$repository/$1" "$2")
}
by_the_action() { validated_by action.yml action "$@" "releases-url=file://$work/releases"; }
by_the_component() { validated_by packaging/gitlab/templates/envgen.yml envgen-validate "$@" "releases_url=file://$work/releases"; }
reports_pass() {
  python3 -c 'import json, sys; rows = json.load(open(sys.argv[1]))["checks"]
assert "framework" in [row["id"] for row in rows if row["status"] == "pass"]' "$work/github/envgen-report/report.json" && [[ -s "$work/github/envgen-report/report.xml" ]]
}
image=envgen # as the job of the workflow tags it
sed -i '$d' "$work/github/Dockerfile"
must "action: the image" by_the_action "$image --profile build --ipc host"
must "action: an image that is not there" refuses no-such-image by_the_action "no-such-image --profile build"
must "component: the image" by_the_component "$image --profile build --ipc host"
must "component: its report" reports_pass
must "component: an image that is not there" refuses no-such-image by_the_component "no-such-image --profile build"
book
