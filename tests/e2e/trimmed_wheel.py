#!/usr/bin/env python3
"""Takes files out of a wheel, whose rest is then as the wheel has it, and not compressed: it is unpacked by every build that follows.

usage: trimmed_wheel.py REGEX WHEEL    rewrites it without the files whose path REGEX is found in
"""
import pathlib
import re
import sys
import zipfile

taken = re.compile(sys.argv[1])
wheel = pathlib.Path(sys.argv[2])
trimmed = wheel.with_suffix(".new")
with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(trimmed, "w") as new:
    for entry in old.infolist():
        if taken.search(entry.filename):
            continue
        text = old.read(entry)
        if entry.filename.endswith(".dist-info/RECORD"):
            text = b"".join(line for line in text.splitlines(True) if not taken.search(line.decode().split(",")[0]))
        entry.compress_type = zipfile.ZIP_STORED
        new.writestr(entry, text)
trimmed.replace(wheel)
