CA_CERT={{{file}}}
if [ ! -f "$CA_CERT" ]; then
  if [ -z "${ENVGEN_CA_CERT:-}" ]; then
    echo "error: $CA_CERT is not in the repository, and {{{holder}}} ENVGEN_CA_CERT, which can provide it, is not set" >&2
    exit 1
  fi
{{#github}}
  CA_CERT=$(mktemp)
  printf '%s\n' "$ENVGEN_CA_CERT" >"$CA_CERT"
{{/github}}
{{^github}}
  CA_CERT=$ENVGEN_CA_CERT
{{/github}}
fi
{{#github}}
echo "CA_CERT=$CA_CERT" >>"$GITHUB_ENV"
{{/github}}
