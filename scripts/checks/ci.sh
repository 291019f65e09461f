#!/usr/bin/env bash
# What others put into their CI: the action (action.yml) and the component of GitLab, each script in its order, with a release that a server here
# offers; and that each fits the schema of its service, pins what it uses by commit, and has the script of templates/ by which a workflow of
# 'envgen render ci' gets envgen. The release is the release build, which must be there.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
checker=$(realpath "$(schema_checker)") || exit
repository=$PWD
# shellcheck source=tests/e2e/yaml_python.sh
source tests/e2e/yaml_python.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh
component=packaging/gitlab/templates/envgen.yml

# A release as scripts/packages.sh has it: one folder in a tarball.
version=1.0.0 name=envgen-1.0.0-linux-$(uname -m)
mkdir -p "$work/releases/v$version"
cmake --install build/release --prefix "$work/$name" --strip >/dev/null
tar -czf "$work/releases/v$version/$name.tar.gz" -C "$work" "$name"
sum=$(sha256sum <"$work/releases/v$version/$name.tar.gz" | cut -c 1-64)
envgen=$work/$name/bin/envgen

parsed() { "$venv/bin/python" -c "import sys, yaml; $1" "${@:2}"; }

fits_their_schemas() {
  "$checker" --quiet --builtin-schema vendor.github-actions action.yml
  # The schema of GitLab takes one document, so the two of a component are shown to it one by one.
  parsed 'documents = list(yaml.safe_load_all(open(sys.argv[1])))
assert len(documents) == 2
for name, document in zip(("spec", "jobs"), documents): yaml.safe_dump(document, open(f"{sys.argv[2]}/{name}.yml", "w"))' "$component" "$work"
  "$checker" --quiet --builtin-schema vendor.gitlab-ci "$work/spec.yml" "$work/jobs.yml"
}
their_schemas_refuse() {
  sed 's/using: composite/using: composed/' action.yml >"$work/refused.yml"
  ! "$checker" --quiet --builtin-schema vendor.github-actions "$work/refused.yml" >/dev/null || return
  sed 's/^  artifacts:/  artefacts:/' "$work/jobs.yml" >"$work/refused.yml"
  ! "$checker" --quiet --builtin-schema vendor.gitlab-ci "$work/refused.yml" >/dev/null
}
pins_what_it_runs() {
  local lines
  lines=$(grep -h 'uses:' action.yml .github/workflows/*.yml)
  [[ -n "$lines" ]]
  ! grep -vE 'uses: actions/[a-z-]+@[0-9a-f]{40}  # v[0-9]+\.[0-9]+\.[0-9]+$' <<<"$lines" || return
  # What a release is built from, too: images by their digests.
  lines=$(grep -hE '^ +(container|image): |^ARG DEBIAN=' .github/workflows/*.yml packaging/oci/Dockerfile)
  (($(wc -l <<<"$lines") == 2))
  ! grep -vE 'debian:[0-9a-z-]+@sha256:[0-9a-f]{64}$' <<<"$lines" || return
}
# shellcheck disable=SC2016  # the variables are those of the component
has_the_scripts_of_templates() {
  parsed 'jobs = list(yaml.safe_load_all(open(sys.argv[1])))[1]
_, release, get = jobs[".$[[ inputs.job_prefix ]]envgen"]["before_script"]
assert release == open("templates/ci-release.sh").read(), "templates/ci-release.sh is another"
assert get == open("templates/ci-envgen.sh").read() + "export PATH=\"$ENVGEN_HOME/bin:$PATH\"\n", "templates/ci-envgen.sh is another"' "$component"
}
# No second pipeline for a branch that has a merge request.
# shellcheck disable=SC2016  # the variables are those of GitLab
runs_when_those_of_templates_do() {
  parsed 'jobs = list(yaml.safe_load_all(open(sys.argv[1])))[1]
rules = jobs[".$[[ inputs.job_prefix ]]envgen"]["rules"]
for rule in rules: assert "    - if: " + rule["if"] + "\n" in open("templates/gitlab-jobs.yml").read(), rule
assert len(rules) == 2 and "rules" not in jobs["$[[ inputs.job_prefix ]]envgen"]
never, *validates = jobs["$[[ inputs.job_prefix ]]envgen-validate"]["rules"]
assert never == {"if": "\"$[[ inputs.validate ]]\" == \"\"", "when": "never"} and validates == rules' "$component"
}
passes_shellcheck() {
  mkdir "$work/scripts"
  "$venv/bin/python" tests/e2e/run_workflow.py --scripts "$work/scripts" action.yml action
  local job
  for job in envgen envgen-validate; do
    "$venv/bin/python" tests/e2e/run_workflow.py --scripts "$work/scripts" --input version=1 --input sha256="$sum" --input releases_url=x "$component" "$job"
  done
  shellcheck --external-sources "$work"/scripts/*.sh
}

project=$work/project
mkdir -p "$project/below"
printf '{"request": {"torch": "2.3", "gpus": ["4090"]}, "outputs": {"files": ["requirements"]}}\n' >"$project/below/envgen.json"
(cd "$project/below" && "$envgen" lock && "$envgen" generate) >/dev/null
cp -r "$project" "$work/as-it-was"

# action [NAME=VALUE]...: in the folder of the project, whose envgen.json lies below; the summary of its steps in $work/summary, its outputs in $work/outputs
action() {
  local inputs=() input
  for input; do inputs+=(--input "$input"); done
  rm -rf "$work/runner" "$work/summary"
  mkdir "$work/runner"
  (cd "$project" && GITHUB_STEP_SUMMARY=$work/summary RUNNER_TEMP=$work/runner GITHUB_ACTION_PATH=$repository GITHUB_SERVER_URL=file://$work \
    GITHUB_ACTION_REPOSITORY=owner/envgen "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" --outputs "$work/outputs" --input directory=below "${inputs[@]}" "$repository/action.yml" action)
}
# component [NAME=VALUE]...: $job names another job than envgen
component() {
  local inputs=() input
  for input; do inputs+=(--input "$input"); done
  (cd "$project" && "$venv/bin/python" "$repository/tests/e2e/run_workflow.py" --input directory=below "${inputs[@]}" "$repository/$component" "${job:-envgen}")
}
release=("version=$version" "sha256=$sum")
at_url=(releases-url="file://$work/releases")
at_mirror=(releases_url="file://$work/releases/")

tells() { grep -qxE -e "$1" "$work/outputs" || { cat "$work/outputs" && return 1; }; }
summary_has() { grep -qF -e "$1" "$work/summary"; }

must "the schemas of both services" fits_their_schemas
must "what they refuse" their_schemas_refuse
must "actions by their commits, images by their digests" pins_what_it_runs
must "one script for all" has_the_scripts_of_templates
must "one pipeline for a change" runs_when_those_of_templates_do
must "shellcheck" passes_shellcheck

must "action: a project that is up to date" action "${release[@]}" "${at_url[@]}"
must "action: its summary" summary_has "### envgen lock --check: passed"
must "action: its summary of files" summary_has "### envgen generate --check: passed"
must "action: its version" tells "version=$(python3 packaging/product.py VERSION)"
must "action: its exit status" tells exit-status=0
mkdir -p "$work/owner/envgen/releases" && ln -s "$work/releases" "$work/owner/envgen/releases/download"
must "action: the releases of its own repository" action "${release[@]}"
must "action: arguments of several lines" refuses "nosuchflag" action "${release[@]}" "${at_url[@]}" "validate=$(printf 'no-such-image --profile build\n--nosuchflag')"
must "action: an image that is not there" refuses "no-such-image" action "${release[@]}" "${at_url[@]}" "validate=no-such-image --profile build"
must "action: the exit status of validate" tells "exit-status=[1-9]"
must "action: another hash" refuses "error: the SHA-256 of file://$work/releases/v$version/$name.tar.gz is $sum, not $(printf '%064d' 0)" \
  action "version=$version" sha256="$(printf '%064d' 0)" "${at_url[@]}"
must "action: no such release" refuses "error: cannot download file://$work/releases/v9.9.9/envgen-9.9.9-linux-$(uname -m).tar.gz" action version=9.9.9 sha256="$sum" "${at_url[@]}"
must "action: no version" refuses "error: set all of ENVGEN_RELEASES_URL (where envgen's releases are), ENVGEN_VERSION and ENVGEN_SHA256 " action version= sha256="$sum"
must "action: a version that is none" refuses "error: ENVGEN_VERSION is not a release such as 1.0.0" action version=v1.0.0 sha256="$sum"
must "action: a hash that is none" refuses "error: ENVGEN_SHA256 is not a SHA-256 (64 hexadecimal digits, lower case)" action "version=$version" sha256="${sum^^}x"
# Other runners, by what uname says of them.
mkdir "$work/runners"
cat >"$work/runners/uname" <<'END'
#!/bin/sh
case $1 in -s) echo "${RUNNER_SYSTEM:-Linux}" ;; *) echo aarch64 ;; esac
END
chmod +x "$work/runners/uname"
[[ "$name" == *-aarch64 ]] || cp "$work/releases/v$version/"{"$name",envgen-$version-linux-aarch64}.tar.gz
RUNNER_SYSTEM=Darwin PATH=$work/runners:$PATH must "action: another system" \
  refuses "error: envgen runs on Linux; this runner is Darwin" action "${release[@]}" "${at_url[@]}"
PATH=$work/runners:$PATH must "action: the other processor" action "version=$version" sha256="$(printf '%064d' 0)" "sha256-aarch64=$sum" "${at_url[@]}"
must "component: a project that is up to date" component "${release[@]}" "${at_mirror[@]}"
PATH=$work/runners:$PATH must "component: the other processor" component "version=$version" sha256="$(printf '%064d' 0)" "sha256_aarch64=$sum" "${at_mirror[@]}"
job=training-envgen must "component: a job for each folder" component "${release[@]}" "${at_mirror[@]}" job_prefix=training- 'tags=[cpu, small]'
for input in version=v1.0.0 "sha256=${sum^^}x" sha256_aarch64=0 "releases_url=file:///a b" 'stage="a' "image=a b" "job_prefix=a " "validate=it's"; do
  must "component: ${input%%=*}" refuses "input ${input%%=*}: " component "${release[@]}" "${at_mirror[@]}" "$input"
done
must "component: what it keeps" cmp "$project/.envgen/envgen.tar.gz" "$work/releases/v$version/$name.tar.gz"
must "component: what is kept is not asked for again" component "${release[@]}" releases_url=file:///nonexistent
must "component: another hash" refuses "not $(printf '%064d' 0)" component "version=$version" sha256="$(printf '%064d' 0)" "${at_mirror[@]}"
must_fail "component: what has another hash is not kept" test -e "$project/.envgen/envgen.tar.gz"
sed -i 's/"2.3"/"2.4"/' "$project/below/envgen.json"
echo "numpy" >>"$project/below/requirements.txt"
must "action: a lock that is out of date" refuses "envgen.lock is out of date" action "${release[@]}" "${at_url[@]}"
must "action: the exit status of that" tells exit-status=9
must "action: its summary of that" summary_has "### envgen lock --check: failed (exit status 9)"
must "action: ... and of the files" summary_has "### envgen generate --check: failed (exit status "
must "action: without its checks" action "${release[@]}" "${at_url[@]}" check=false
must "action: the exit status of none" tells exit-status=
must "component: a lock that is out of date" refuses "envgen.lock is out of date" component "${release[@]}" "${at_mirror[@]}"
must "component: ... and what the files say of it" refuses "its request differs from the project's" component "${release[@]}" "${at_mirror[@]}"
rm -rf "$project" && mv "$work/as-it-was" "$project"
echo "numpy" >>"$project/below/requirements.txt"
must "action: a file that was edited" refuses "requirements.txt" action "${release[@]}" "${at_url[@]}"
must "action: a summary that shows the edit" summary_has "-numpy"
must "component: a file that was edited" refuses "requirements.txt" component "${release[@]}" "${at_mirror[@]}"
book
