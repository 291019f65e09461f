#!/usr/bin/env python3
"""Runs clang-tidy over every file of src/, a processor each, and remembers what passed.

A file passes for as long as its preprocessed text (comments kept, for NOLINT), .clang-tidy and the clang-tidy stay the same.
usage: tidy.py BUILD_FOLDER CLANG_TIDY [FILE...]    exit status 0 clean, 1 findings
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys


def key_of(entry, common):
    words = [w for w in shlex.split(entry["command"]) if w != "-c"]
    while "ccache" in os.path.basename(words[0]) or not os.path.basename(words[0]).startswith("clang"):
        words.pop(0)  # the launcher
    out = words.index("-o")
    del words[out : out + 2]
    text = subprocess.run(words + ["-E", "-C", "-o", "-"], cwd=entry["directory"], capture_output=True)
    if text.returncode != 0:
        return None  # clang-tidy will say why
    return hashlib.sha256(common + text.stdout).hexdigest()


def judge(entry, build, tidy, common, passed):
    key = key_of(entry, common)
    if key and (passed / key).exists():
        return 0, ""
    run = subprocess.run(
        [tidy, "-p", build, "--quiet", "--warnings-as-errors=*", entry["file"]], capture_output=True, text=True
    )
    if run.returncode == 0 and key:
        (passed / key).touch()
    # Its error output is a count of the findings in system headers, except where it failed without a finding.
    return run.returncode, run.stdout or (run.stderr if run.returncode else "")


def main():
    build, tidy, only = sys.argv[1], sys.argv[2], [os.path.abspath(f) for f in sys.argv[3:]]
    source = os.path.abspath("src") + os.sep
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    entries = [e for e in entries if e["file"].startswith(source) and e["file"].endswith(".cpp")]
    entries = [e for e in entries if not only or e["file"] in only]
    version = subprocess.run([tidy, "--version"], capture_output=True).stdout
    common = version + pathlib.Path(".clang-tidy").read_bytes()
    passed = pathlib.Path("build/tidy-passed")
    passed.mkdir(parents=True, exist_ok=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        work = {pool.submit(judge, e, build, tidy, common, passed): e for e in entries}
        for done in concurrent.futures.as_completed(work):
            status, text = done.result()
            if status:
                failed += 1
                print(f"{os.path.relpath(work[done]['file'])}:\n{text}", flush=True)
    print(f"clang-tidy: {len(entries) - failed} files clean, {failed} with findings")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
