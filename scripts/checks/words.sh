#!/usr/bin/env bash
# What users read says one term for one thing: the words that the glossary of CONTRIBUTING.md replaces stand nowhere in it. Looked at are the
# transcripts of the golden tests, which hold what the tool prints, and the texts that are written by hand.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# shellcheck disable=SC2016  # the backquotes are those of the table
mapfile -t words < <(sed -n '/^## Words$/,/^## /p' CONTRIBUTING.md | awk -F'|' 'NR > 1 && NF > 3 { print $4 }' | grep -o '`[^`]*`' | tr -d '`')
((${#words[@]} > 10)) || die "the glossary of CONTRIBUTING.md was not read"
pattern=$(printf '%s|' "${words[@]}")
mapfile -t examples < <(find examples -name '*.md' -o -name '*.py')
if grep -nwE "${pattern%|}" README.md ARCHITECTURE.md docs/*.md templates/* tests/golden/cases/* tests/golden/sessions/* images/README.md \
  {diagnoses,schema,diagnoses/schema,matrix/schema}/*.json "${examples[@]}"; then
  die "these words are replaced by others: see \"Words\" in CONTRIBUTING.md"
fi
say "none of the ${#words[@]} replaced words is used"
