#!/usr/bin/env python3
"""Takes the compiled libraries out of a wheel: the package index has torchvision for CUDA alone, and beside a CPU torch these do not load.

usage: without_cuda.py WHEEL    rewrites it
"""
import pathlib
import re
import sys
import zipfile

wheel = pathlib.Path(sys.argv[1])
lighter = wheel.with_suffix(".new")
compiled = re.compile(r"\.so(\.\d+)*$")
with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(lighter, "w", zipfile.ZIP_DEFLATED) as new:
    for entry in old.infolist():
        text = old.read(entry)
        if entry.filename.endswith(".dist-info/RECORD"):
            text = b"".join(line for line in text.splitlines(True) if not compiled.search(line.decode().split(",")[0]))
        if not compiled.search(entry.filename):
            new.writestr(entry, text)
lighter.replace(wheel)
