# shellcheck shell=bash
# Sourced: serves the wheels of wheels.sh as a simple index at $index until stop_servers. $work is a folder of the caller's.
# start_index FILE FOLDER [USER:PASSWORD]: one more, of the wheels in FOLDER, whose address then stands in FILE.
# $index keeps the port it had in this lane, where that is free: it stands in Dockerfiles, and an engine that has built one need not do it again.
# stand_in_wheels: makes a folder $work/stand-in of these wheels, with a stand-in for torch: for what does not depend on torch.
source tests/e2e/serve.sh
served=$(tests/e2e/wheels.sh)
start_index() { INDEX_LOGIN=${3:-} serve "$1" python3 tests/e2e/local_index.py "$2" ${port:+"$port"}; }
# shellcheck disable=SC2154  # envgen and work are the caller's
stand_in_wheels() {
  mkdir "$work/stand-in"
  ln -s "$served"/*.whl "$work/stand-in"
  rm "$work"/stand-in/torch{,vision}-*.whl
  "$envgen" resolve --torch 2.13 --cuda cpu --python 3.11 --format json >"$work/stand-in.json"
  python3 tests/e2e/stand_ins.py "$work/stand-in" "$work/stand-in.json"
}
port_file=$PWD/build/e2e/index-port${E2E_LANE:+-$E2E_LANE}
port=$(cat "$port_file" 2>/dev/null || true) start_index "$work/index" "$served"
# shellcheck disable=SC2034  # read by the scripts that source this
index=$(head -n 1 "$work/index")
[[ "$index" =~ ^http://127\.0\.0\.1:([0-9]+)/ ]] || die "the local index of wheels does not start" # an empty one is the public index to pip
echo "${BASH_REMATCH[1]}" >"$port_file"
