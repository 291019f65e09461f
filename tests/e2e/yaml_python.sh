# shellcheck shell=bash
# shellcheck disable=SC2034  # venv is read by the caller
# Sourced after common.sh: $venv, whose Python reads YAML, for run_workflow.py. Exit status 77: it cannot be had.
venv=$PWD/build/e2e/workflow
mkdir -p "${venv%/*}"
# Lanes that run side by side ask for it at once, and pip must not write into one folder twice.
(
  flock 9
  "$venv/bin/python" -c 'import yaml' 2>/dev/null || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet pyyaml; }
) 9>"$venv.lock" || {
  echo "pip could not install pyyaml (package python3-venv, and a package index)"
  exit 77
}
