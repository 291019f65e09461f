#!/usr/bin/env bash
# Each file of the matrix and of the diagnoses against its schema, by check-jsonschema; each schema against its metaschema;
# each project and lock of images/ and examples/ against the schemas of people's files, which must refuse a wrong type; and the reports
# of the golden tests against that of reports; and our own workflows against GitHub's.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

checker=$(schema_checker) || exit

bad=0
"$checker" --check-metaschema {matrix/schema,diagnoses/schema,schema}/*.schema.json || bad=1
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
subjects=diagnoses/subjects.json
mapfile -t diagnoses < <(find diagnoses -maxdepth 1 -name '*.json' ! -path "$subjects" | sort)
((${#diagnoses[@]})) || die "diagnoses/ holds no subject"
"$checker" --quiet --schemafile diagnoses/schema/subjects.schema.json "$subjects" || bad=1
"$checker" --quiet --schemafile diagnoses/schema/diagnoses.schema.json "${diagnoses[@]}" || bad=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# without_comments FILE...: copies in $work without `//`, `/* */` and the comma after a last member, which a project may have.
without_comments() {
  python3 - "$work" "$@" <<'PYTHON'
import pathlib
import re
import sys

string = r'("(?:\\.|[^"\\])*")'
for name in sys.argv[2:]:
    text = pathlib.Path(name).read_text(encoding="utf-8")
    for dropped in (r"//[^\n]*|/\*.*?\*/", r",(?=\s*[\]}])"):
        text = re.sub(f"{string}|{dropped}", lambda match: match[1] or "", text, flags=re.DOTALL)
    copy = pathlib.Path(sys.argv[1], name)
    copy.parent.mkdir(parents=True)
    copy.write_text(text, encoding="utf-8")
PYTHON
}

# fits SCHEMA FILE...
fits() { "$checker" --default-filetype json --schemafile "$@"; }

mapfile -t projects < <(find images examples -mindepth 2 -maxdepth 2 -name envgen.json | sort)
mapfile -t locks < <(find images examples -mindepth 2 -maxdepth 2 -name envgen.lock | sort)
((${#projects[@]} && ${#locks[@]})) || die "images/ and examples/ hold no project or no lock"
without_comments "${projects[@]}"
fits schema/envgen.schema.json "${projects[@]/#/$work/}" || bad=1
fits schema/lock.schema.json "${locks[@]}" || bad=1
fits schema/validate.schema.json tests/golden/reports/*.json || bad=1
"$checker" --builtin-schema vendor.github-workflows .github/workflows/*.yml || bad=1

# refuses SCHEMA FILE: because a member has the wrong type, and for nothing else.
refuses() {
  grep -q "is not of type 'string'" <<<"$(fits "$@" 2>&1)" || {
    echo "$1 lets a number pass where a text belongs: $2"
    bad=1
  }
}
sed 's/"python": "\([0-9.]*\)"/"python": \1/' "${locks[0]}" >"$work/wrong.lock"
refuses schema/lock.schema.json "$work/wrong.lock"
echo '{"request": {"cudnn": 8}}' >"$work/wrong.json"
refuses schema/envgen.schema.json "$work/wrong.json"

# What docs/editors.md tells each editor: the project file and its lock, by the schema that a line there has written.
for name in envgen lock; do
  written=$(sed -n "s|^envgen schema $name > ~/\([^ ]*\).*|\1|p" docs/editors.md)
  mapped=$(grep -cE "fileMatch.*\"envgen\.(json|lock)\".*\"file:///HOME/${written:-no such line}\"" docs/editors.md)
  ((mapped == 2)) || {
    echo "docs/editors.md maps the schema $name for $mapped of two editors"
    bad=1
  }
done
exit "$bad"
