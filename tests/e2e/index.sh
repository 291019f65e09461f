# shellcheck shell=bash
# Sourced: serves the wheels of wheels.sh as a simple index at $index until stop_index. $work is a folder of the caller's.
# start_index FILE [USER:PASSWORD]: one more, whose address then stands in FILE.
index_pids=()
stop_index() { ((${#index_pids[@]} == 0)) || kill "${index_pids[@]}" 2>/dev/null || true; }
served=$(tests/e2e/wheels.sh)
start_index() {
  INDEX_LOGIN=${2:-} python3 tests/e2e/local_index.py "$served" >"$1" &
  index_pids+=($!)
  for _ in {1..50}; do
    [[ ! -s "$1" ]] || break
    sleep 0.1
  done
}
# shellcheck disable=SC2154  # work is the caller's
start_index "$work/index"
# shellcheck disable=SC2034  # read by the scripts that source this
index=$(head -n 1 "$work/index")
[[ "$index" == http* ]] || die "the local index of wheels does not start" # an empty one is the public index to pip
