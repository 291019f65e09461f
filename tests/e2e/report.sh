# shellcheck shell=bash
# Sourced by tests of `envgen validate` after must.sh, where $envgen is the tool and $work a folder: its report, and what must be in it.

# shellcheck disable=SC2154  # both are the caller's

# report EXIT_STATUS ARGUMENT...: validates, and keeps the report in $work/report.json; it must end so and leave nothing.
report() { ends_with "$@" && leaves_nothing; }
ends_with() {
  local expected=$1 status=0
  shift
  "$envgen" validate --engine "${ENGINE:-docker}" --format json "$@" >"$work/report.json" || status=$?
  ((status == expected)) || {
    echo "exit status $status, expected $expected"
    python3 -c 'import json, sys; [print(row["status"], row["id"], row["message"]) for row in json.load(sys.stdin)["checks"]]' <"$work/report.json"
    return 1
  }
}
# held_by_nobody: what runs made for IPC that have ended; those beside this one have theirs.
held_by_nobody() {
  local path key creator
  [[ -r /proc/sysvipc/shm ]] || return
  for path in /dev/shm/envgen-validate-*; do
    creator=${path#/dev/shm/envgen-validate-}
    if [[ -e "$path" && ! -e "/proc/${creator%%-*}" ]]; then echo "$path"; fi
  done
  while read -r key _ _ _ creator _; do
    if (((key & 0xffff0000) == 0x45560000)) && [[ ! -e "/proc/$creator" ]]; then printf 'segment 0x%x\n' "$key"; fi
  done < <(sed 1d /proc/sysvipc/shm)
}
# leaves_nothing: neither containers nor anything for IPC. Tests that run beside this one have some for a moment. An engine that does not
# answer says nothing of what is left.
leaves_nothing() {
  local left
  for ((try = 0; try < 50; try++)); do
    if left=$("${ENGINE:-docker}" ps --all --quiet --filter label=envgen.validate && held_by_nobody) && [[ -z "$left" ]]; then
      return 0
    fi
    sleep 0.1
  done
  echo "left, or not to be found out: $left"
  return 1
}

# says CHECK STATUS [TEXT]: what the report has of a check, first of all GPUs.
says() {
  python3 - "$work/report.json" "$@" <<'PYTHON'
import json
import sys

path, check, status, *text = sys.argv[1:]
rows = [row for row in json.load(open(path, encoding="utf-8"))["checks"] if row["id"] == check]
found = rows and rows[0]["status"] == status and all(part in rows[0]["message"] for part in text)
if not found:
    print(f"expected {check} {status} {text}, found {[(row['status'], row['message']) for row in rows]}")
sys.exit(not found)
PYTHON
}

# without_double NAME: the report does not name that double.
without_double() {
  python3 -c 'import json, sys; sys.exit(sys.argv[2] in json.load(open(sys.argv[1], encoding="utf-8"))["doubles"])' "$work/report.json" "$1"
}

# diagnosed CHECK ID: its failure is that one, and `envgen checks` lists it so; - is none that is known.
diagnosed() {
  "$envgen" checks --format json >"$work/checks.json"
  python3 - "$work/report.json" "$work/checks.json" "$@" <<'PYTHON'
import json
import sys

path, checks, check, wanted = sys.argv[1:]
listed = next(row["diagnoses"] for row in json.load(open(checks, encoding="utf-8"))["checks"] if row["id"] == check)
if wanted not in ["-", *listed]:
    sys.exit(f"'envgen checks' does not list {wanted} with {check}")
rows = [row for row in json.load(open(path, encoding="utf-8"))["checks"] if row["id"] == check and row["status"] == "fail"]
found = [row["diagnosis"]["id"] if row["diagnosis"] else "-" for row in rows]
if not found or found[0] != wanted:
    print(f"expected {wanted} of {check}, found {found}: {[row['message'] for row in rows]}")
sys.exit(not found or found[0] != wanted)
PYTHON
}

# fits_schema: the last report fits the schema of reports, by $checker, which is the caller's (schema_checker).
fits_schema() { "$checker" --schemafile schema/validate.schema.json "$work/report.json"; }

# beside_tests TIMES ARGUMENT...: what validate takes beside envgen-bench's tests is less than TIMES what the engine takes to run `true` in $base (300 ms on
# a quiet machine): the fastest of five runs of each in turn, and of fifteen more while it is not. Compilers of other suites run beside, and slow both.
beside_tests() {
  local times=$1 taken began plain='' least=''
  shift
  for ((i = 0; i < 5 || (i < 20 && least >= times * plain); i++)); do
    began=$(date +%s%3N)
    "${ENGINE:-docker}" run --rm --network none "$base" true || return
    taken=$(($(date +%s%3N) - began))
    if [[ -z "$plain" ]] || ((taken < plain)); then plain=$taken; fi
    report 0 "$@" || return
    taken=$(python3 -c 'import json, sys
report = json.load(sys.stdin)
tests = next(row for row in report["checks"] if row["id"] == "bench")["evidence"]["seconds"]
print(round(1000 * (report["seconds"] - tests)))' <"$work/report.json")
    if [[ -z "$least" ]] || ((taken < least)); then least=$taken; fi
  done
  echo "validate $* takes $least ms beside the tests; running 'true' takes $plain ms, and the limit is $times times as long"
  ((least < times * plain))
}
