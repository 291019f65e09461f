#!/usr/bin/env bash
# Every `console` block of the README is run again and must print what stands there. ENVGEN names the tool (default: the release build).
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
envgen=$(realpath "${ENVGEN:-build/release/src/envgen}")
[[ -x "$envgen" ]] || die "$envgen is not built"

PATH=$(dirname "$envgen"):$PATH python3 - README.md <<'PY'
import difflib, re, subprocess, sys

wrong = count = 0
for block in re.findall(r"^```console\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S):
    for entry in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, written = entry.partition("\n")
        count += 1
        run = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.stdout == written:
            continue
        wrong += 1
        print(f"$ {command}")
        sys.stdout.writelines(difflib.unified_diff(written.splitlines(True), run.stdout.splitlines(True), "README.md", "printed"))
print(f"{count} commands of the README, {wrong} print something else")
sys.exit(wrong != 0 or count == 0)
PY
