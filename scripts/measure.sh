#!/usr/bin/env bash
# Prints the figures of the README, all from one run on this machine:
#   scripts/measure.sh [ENVGEN]      default: build/release/src/envgen
# uv is asked for the comparison where it is installed; its cache is warmed first.
set -euo pipefail
cd "$(dirname "$0")/.."
envgen=${1:-build/release/src/envgen}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Median of many whole processes, in milliseconds, without a shell between.
median() {
  python3 - "$@" <<'PY'
import os, sys, time
count, *command = sys.argv[1:]
times = []
for _ in range(int(count)):
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                                                                        (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    os.waitpid(child, 0)
    times.append(time.perf_counter() - start)
times.sort()
print(f"{times[len(times) // 2] * 1e3:.2f}")
PY
}

true_ms=$(median 400 /bin/true)
envgen_ms=$(median 400 "$envgen" resolve --torch 2.3 --cuda 12.1)
echo "/bin/true                                   $true_ms ms"
echo "envgen resolve --torch 2.3 --cuda 12.1      $envgen_ms ms  ($(python3 -c "print(f'{$envgen_ms/$true_ms:.1f}')") x /bin/true)"

if command -v uv >/dev/null; then
  request=$work/requirements.in
  echo 'torch==2.3.1' > "$request"
  if uv pip compile --python-version 3.10 "$request" >/dev/null 2>&1; then
    uv_ms=$(median 20 uv pip compile --offline --python-version 3.10 "$request")
    echo "uv pip compile --offline (torch==2.3.1)     $uv_ms ms  ($(python3 -c "print(f'{$uv_ms/$envgen_ms:.0f}')") x envgen)"
  else
    echo "uv pip compile: the package index could not be reached, no comparison"
  fi
else
  echo "uv is not installed, no comparison"
fi

lines=20000
stream=$work/stream.jsonl
python3 - "$lines" > "$stream" <<'PY'
import itertools, json, sys
gpus = ["4090", "A100", "T4", "V100", "3090", "H100", "L4", "5090"]
drivers = ["535", "550", "570", "580"]
kinds = itertools.cycle([{"torch": "2.3", "cuda": "12.1"}] + [{"gpus": [g]} for g in gpus] + [{"gpus": ["4090"], "driver": d} for d in drivers])
for _ in range(int(sys.argv[1])):
    print(json.dumps(next(kinds)))
PY
python3 - "$envgen" "$stream" "$lines" <<'PY'
import subprocess, sys, time
envgen, stream, lines = sys.argv[1:]
start = time.perf_counter()
out = subprocess.run([envgen, "resolve", "--batch", stream], stdout=subprocess.PIPE).stdout
seconds = time.perf_counter() - start
assert out.count(b"\n") == int(lines), "an answer is missing"
print(f"--batch                                     {int(lines) / seconds:,.0f} full JSON answers/s ({len(out) / int(lines) / 1024:.1f} KiB each)")
PY

cp -r images "$work/images"
python3 - "$(realpath "$envgen")" "$work/images" <<'PY'
import pathlib, subprocess, sys, time
envgen, images = sys.argv[1:]
folders = sorted(path.parent for path in pathlib.Path(images).glob("*/envgen.json"))
times = []
for _ in range(5):
    start = time.perf_counter()
    for folder in folders:
        subprocess.run([envgen, "generate"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    times.append(time.perf_counter() - start)
print(f"envgen generate, all {len(folders)} projects in images/ {sorted(times)[2] * 1e3:.0f} ms")
PY

if command -v valgrind >/dev/null; then
  counts=$(valgrind --tool=callgrind --callgrind-out-file="$work/profile" "$envgen" resolve --torch 2.3 --cuda 12.1 2>&1 >/dev/null | sed -n 's/.*Collected : //p')
  echo "instructions (callgrind)                    $counts"
fi
