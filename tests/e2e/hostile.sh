#!/usr/bin/env bash
# An index, or release notes, that answer wrongly in each of the ways of tests/net/hostile_server.py change no fact: `matrix update` says what is wrong with
# them, ends with 7, and leaves every file as it was.
# $ENVGEN is the tool (default: build/release/src/envgen).
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
source tests/e2e/serve.sh
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")

work=$(mktemp -d)
trap 'stop_servers; rm -rf "$work"' EXIT
mkdir "$work/tls"
serve "$work/ports" python3 tests/net/hostile_server.py "$work/tls"
read -r http https nobody <"$work/ports"
export XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/data
unset PIP_EXTRA_INDEX_URL

passed=0 failed=0
# refused NAME URL [SOURCE]: an update from the index at URL, or of SOURCE at its mirror there.
refused() {
  local source=(--source package-index)
  (($# < 3)) || source=(--source "$3" --mirror "$3=$2")
  local status=0 said
  rm -rf "$work/matrix" "$work/cache"
  cp -r matrix "$work/matrix"
  PIP_INDEX_URL=$2 PIP_CONFIG_FILE=/dev/null timeout 120 "$envgen" --matrix "$work/matrix" matrix update "${source[@]}" >"$work/out" 2>"$work/err" || status=$?
  said=$(grep -m 1 '^envgen: ' "$work/err" || true)
  if ((status == 7)) && [[ -n "$said" ]] && diff -r matrix "$work/matrix" >"$work/diff" && [[ ! -e "$work/data" ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s: exit status %d, said "%s"\n' "$1" "$status" "$said"
    head -n 5 "$work/diff" "$work/err"
  fi
}

kinds=(login forbidden proxy-login teapot missing short broken unavailable limited loop to-file bomb endless damaged-gzip ten-gigabytes negative not-http nul-header
  closed large-headers bad-chunks cut-chunks unasked-part unasked-304 empty nul garbage-json cut-json deep-json list-json missing-keys wrong-types wrong-items no-files
  twice version-is-a-path not-utf8 html-login image many-files wheel-that-is-none wheel-elsewhere wheel-without-ranges)
for kind in "${kinds[@]}"; do
  refused "$kind" "http://127.0.0.1:$http/$kind"
done
refused untrusted "https://127.0.0.1:$https/good"
for kind in missing short bomb empty nul html-login image garbage-json cut-table no-driver no-release few-releases; do
  refused "release notes: $kind" "http://127.0.0.1:$http/$kind" nvidia-release-notes
done
# A chain that has come to https is not led back to http: the certificate is trusted here, so it is the redirect that is refused.
SSL_CERT_FILE=$work/tls/certificate.pem refused there-and-back "http://127.0.0.1:$http/there-and-back"
refused nobody "http://127.0.0.1:$nobody/simple"
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ -z "${COUNTS:-}" ]] || echo "$passed $failed" >"$COUNTS"
((failed == 0 && passed > 30))
