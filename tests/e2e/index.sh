# shellcheck shell=bash
# Sourced: serves the wheels of wheels.sh as a simple index at $index until stop_index. $work is a folder of the caller's.
index_pid=
stop_index() { [[ -z "$index_pid" ]] || kill "$index_pid" 2>/dev/null || true; }
served=$(tests/e2e/wheels.sh)
# shellcheck disable=SC2154  # work is the caller's
python3 tests/e2e/local_index.py "$served" >"$work/index" &
index_pid=$!
for _ in {1..50}; do
  [[ ! -s "$work/index" ]] || break
  sleep 0.1
done
# shellcheck disable=SC2034  # read by the scripts that source this
index=$(head -n 1 "$work/index")
[[ "$index" == http* ]] || die "the local index of wheels does not start" # an empty one is the public index to pip
