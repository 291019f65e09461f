# shellcheck shell=bash
# Sourced after common.sh. serve FILE COMMAND...: starts a server, which runs until stop_servers; the first line that it prints, where it listens, then
# stands in FILE, and what it complains of in FILE.log.
server_pids=()
stop_servers() {
  ((${#server_pids[@]} == 0)) || kill "${server_pids[@]}" 2>/dev/null || true
  server_pids=()
}
serve() {
  "${@:2}" >"$1" 2>"$1.log" &
  server_pids+=($!)
  for _ in {1..100}; do
    [[ ! -s "$1" ]] || return 0
    sleep 0.1
  done
  cat "$1.log" >&2
  die "it does not start: ${*:2}"
}
