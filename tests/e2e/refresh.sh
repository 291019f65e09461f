#!/usr/bin/env bash
# What a full `matrix update` costs: all sources, as large as they are, behind a latency of 50 ms; and a second one when nothing has changed.
# $ENVGEN is the tool (default: build/release/src/envgen).
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
source tests/e2e/must.sh
source tests/e2e/serve.sh
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")

work=$(mktemp -d)
trap 'stop_servers; rm -rf "$work"' EXIT
python3 tests/e2e/nvidia_mirror.py "$work/published" matrix "$work/facts"
serve "$work/address" python3 tests/e2e/published.py matrix "$work/published" 0.05
root=$(<"$work/address")
export XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/data PIP_CONFIG_FILE=/dev/null PIP_INDEX_URL=$root/simple
unset PIP_EXTRA_INDEX_URL ENVGEN_MATRIX ENVGEN_BUILT_IN

update() {
  "$envgen" --matrix "$work/facts" matrix update --mirror "wheel-index=$root/whl" --mirror "nvidia-release-notes=$root/notes" \
    --mirror "nvidia-redist=$root/nvidia" --mirror "docker-hub=$root/hub" --mirror "conda=$root/conda" >"$work/$1" 2>"$work/$1.err" || { cat "$work/$1" "$work/$1.err"; return 1; }
  tail -n 1 "$work/$1"
}
# traffic FILE: requests, MB and seconds of its last line, `54 requests, 0 unchanged, 20.6 MB received, 3.1 s`
traffic() { sed -nE '$s/^([0-9]+) requests, [0-9]+ unchanged, ([0-9.]+ [kM]?B) received, ([0-9.]+) s$/\1 \2 \3/p' "$work/$1"; }
bytes() { numfmt --from=si "$(tr -d ' B' <<<"${1^^}")"; }

cold() {
  update cold
  local requests number unit seconds
  read -r requests number unit seconds < <(traffic cold)
  ((requests < 900)) && ((${seconds%.*} < 60)) && [[ $unit == MB ]] && ((${number%.*} >= 10))
}
unchanged() {
  update settled >"$work/settling" # the first one has written what it learned
  update again
  grep -q '^nothing is new$' "$work/again"
  local requests number unit seconds first first_unit
  read -r requests number unit seconds < <(traffic again)
  read -r _ first first_unit _ < <(traffic cold)
  ((requests < 80)) && ((${seconds%.*} < 60)) && ((20 * $(bytes "$number$unit") < $(bytes "$first$first_unit")))
}

must "a full refresh takes less than 900 requests and a minute" cold
must "one when nothing has changed takes less than 80 requests and a twentieth of the bytes" unchanged
printf 'all is new to the cache: %s\nnothing has changed: %s\n' "$(tail -n 1 "$work/cold")" "$(tail -n 1 "$work/again")"
book
