#!/usr/bin/env bash
# Each matrix file against its schema, by check-jsonschema, and each schema, of the matrix and of people's files, against its
# metaschema.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

checker=$(first_of check-jsonschema) || {
  checker=build/venv/bin/check-jsonschema
  if [[ ! -x "$checker" ]]; then
    echo "check-jsonschema: installing it into build/venv with pip"
    { python3 -m venv build/venv && build/venv/bin/pip install --quiet check-jsonschema; } || {
      echo "check-jsonschema is not installed, and pip could not install it (package python3-venv, and a package index)"
      exit 77
    }
  fi
}

bad=0
"$checker" --check-metaschema matrix/schema/*.schema.json schema/*.schema.json || bad=1
for file in matrix/*.json; do
  schema=matrix/schema/$(basename "$file" .json).schema.json
  if [[ ! -f "$schema" ]]; then
    echo "$file has no schema at $schema"
    bad=1
  else
    "$checker" --quiet --schemafile "$schema" "$file" || {
      echo "$file does not fit $schema"
      bad=1
    }
  fi
done
exit "$bad"
