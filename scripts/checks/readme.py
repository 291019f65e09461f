"""Runs the transcripts of a Markdown file again: exit status 1, and a diff, where one prints something else.

usage: readme.py FILE FENCE    FENCE is what stands behind the three backquotes: `console`, `console build`.
In a block whose fence goes on with ` figures`, each number and version may be another one.
"""
import difflib
import re
import subprocess
import sys


def without_figures(text):
    return re.sub(r"sha256:\w+|\b\d[\w.+~-]*", "N", text)


path, fence = sys.argv[1:]
wrong = count = 0
for figures, block in re.findall(rf"^```{fence}( figures)?\n(.*?)^```$", open(path, encoding="utf-8").read(), re.M | re.S):
    shown = without_figures if figures else str
    for entry in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, written = entry.partition("\n")
        count += 1
        run = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if shown(run.stdout) == shown(written):
            continue
        wrong += 1
        print(f"$ {command}")
        sys.stdout.writelines(difflib.unified_diff(written.splitlines(True), run.stdout.splitlines(True), path, "printed"))
print(f"{count} commands of {path}, {wrong} print something else")
sys.exit(wrong != 0 or count == 0)
