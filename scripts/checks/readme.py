"""Runs the transcripts of a Markdown file again: exit status 1, and a diff, where one prints something else.

usage: readme.py FILE FENCE    FENCE is what stands behind the three backquotes: `console`, `console build`
"""
import difflib
import re
import subprocess
import sys

path, fence = sys.argv[1:]
wrong = count = 0
for block in re.findall(rf"^```{fence}\n(.*?)^```$", open(path, encoding="utf-8").read(), re.M | re.S):
    for entry in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, written = entry.partition("\n")
        count += 1
        run = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.stdout == written:
            continue
        wrong += 1
        print(f"$ {command}")
        sys.stdout.writelines(difflib.unified_diff(written.splitlines(True), run.stdout.splitlines(True), path, "printed"))
print(f"{count} commands of {path}, {wrong} print something else")
sys.exit(wrong != 0 or count == 0)
