#!/usr/bin/env python3
"""Lists what is wrong in the layers of an image, and exits 1 when anything is.

usage: layers.py [--base IMAGE] [--allow SONAME]... [--never FILE]... IMAGE
  - a library in it twice: the same SONAME (one with a version) for the same processor, in two places or two layers. The
    private copies in wheels have a hash in their SONAME and are nobody's double; neither are stubs, the variants of
    glibc-hwcaps, and what --allow names (libgomp.so.1: the compiler's, and the one in torch's wheel)
  - caches of apt, pip, uv and conda, and what was left in /tmp, in a layer
  - a file of an earlier layer rewritten or deleted by a later one: it then costs its size in both. What every
    installation of a package has to touch is in STATE.
  - a build secret: a file in /run/secrets, or anywhere the text of a FILE given by --never
The base's own layers (those of --base, or else the first) are only looked at for what a later layer doubles.
"""
import argparse
import collections
import json
import os
import re
import struct
import subprocess
import sys
import tarfile
import tempfile

DOCKER = os.environ.get("DOCKER", "docker")

# Written anew by a mirror of apt, and by each apt-get install, ldconfig or useradd; the home of the base's own user goes to the image's.
STATE = re.compile(
    r"var/lib/dpkg/.*|var/lib/apt/(extended_states|lists/lock)|var/cache/apt/archives/lock|var/cache/debconf/.*|var/log/.*"
    r"|etc/apt/sources\.list(\.d/.*)?|etc/ld\.so\.cache|var/cache/ldconfig/aux-cache"
    r"|etc/(passwd|group|shadow|gshadow|subuid|subgid)-?|etc/\.pwd\.lock|home/.*"
)
CACHE = re.compile(
    r"var/cache/apt/.*|var/lib/apt/lists/.*|(.*/)?\.cache/.*|(.*/)?(conda|miniforge3|miniconda3)/pkgs/.*"
    r"|(var/)?tmp/.*|run/secrets/.*"
)
NO_DOUBLE = re.compile(r"(.*/)?(stubs|glibc-hwcaps)/.*")


def soname(file):
    """(SONAME, processor, word size) of an ELF library, or None."""
    ident = file.read(64)
    if len(ident) < 52 or ident[:4] != b"\x7fELF" or ident[5] != 1:
        return None
    wide = ident[4] == 2
    machine = struct.unpack_from("<H", ident, 18)[0]
    offset = struct.unpack_from("<Q" if wide else "<I", ident, 32 if wide else 28)[0]
    size, count = struct.unpack_from("<HH", ident, 54 if wide else 42)
    file.seek(offset)
    table = file.read(size * count)
    loads, dynamic = [], None
    for i in range(count):
        if wide:
            kind, _, start, address, _, length = struct.unpack_from("<IIQQQQ", table, i * size)
        else:
            kind, start, address, _, length = struct.unpack_from("<IIIII", table, i * size)
        if kind == 1:
            loads.append((address, start, length))
        elif kind == 2:
            dynamic = (start, length)
    if not dynamic:
        return None
    file.seek(dynamic[0])
    entries = dict(struct.iter_unpack("<qQ" if wide else "<iI", file.read(dynamic[1])))
    if 14 not in entries or 5 not in entries:  # DT_SONAME, DT_STRTAB
        return None
    for address, start, length in loads:
        if address <= entries[5] < address + length:
            file.seek(start + entries[5] - address + entries[14])
            return file.read(256).split(b"\0")[0].decode(errors="replace"), machine, ident[4]
    return None


class Image:
    def __init__(self, base_layers, allowed, never):
        self.base_layers = base_layers
        self.allowed = allowed
        self.never = never
        self.faults = []
        self.owner = {}  # path of what is no folder -> the layer that wrote it last
        self.libraries = collections.defaultdict(list)  # (SONAME, processor, word size) -> [(layer, path)]
        self.layers = 0

    def add_layer(self, tar):
        layer = self.layers
        self.layers += 1
        for entry in tar:
            path = entry.name.removeprefix("./").strip("/")
            if not entry.isdir():
                self.add(tar, entry, path, layer)

    def add(self, tar, entry, path, layer):
        folder, _, name = path.rpartition("/")
        if name == ".wh..wh..opq":
            return self.deleted([p for p in self.owner if p.startswith(folder + "/") and self.owner[p] < layer], layer)
        if name.startswith(".wh."):
            gone = f"{folder}/{name[4:]}".strip("/")
            return self.deleted([p for p in self.owner if p == gone or p.startswith(gone + "/")], layer)
        above = layer >= self.base_layers
        if above and path in self.owner and not STATE.fullmatch(path):
            self.fault(layer, f"{path}: rewrites what layer {self.owner[path]} has")
        if above and CACHE.fullmatch(path) and not STATE.fullmatch(path):
            self.fault(layer, f"{path}: a cache or a left-over of {entry.size} bytes")
        self.owner[path] = layer
        if entry.isreg():
            self.look_into(tar.extractfile(entry), entry.size, path, layer)

    def look_into(self, file, size, path, layer):
        if re.search(r"\.so(\.|$)", path) and size >= 64:
            found = soname(file)
            if found and re.search(r"\.so\.\d", found[0]) and not NO_DOUBLE.fullmatch(path):
                self.libraries[found].append((layer, path))
        if layer >= self.base_layers:
            for name, text in self.never:
                if len(text) <= size <= 16 << 20:
                    file.seek(0)
                    if text in file.read():
                        self.fault(layer, f"{path}: has the text of {name}")

    def deleted(self, paths, layer):
        for path in paths:
            if layer >= self.base_layers and not STATE.fullmatch(path):
                self.fault(layer, f"{path}: deletes what layer {self.owner[path]} has")
            del self.owner[path]

    def fault(self, layer, text):
        self.faults.append(f"layer {layer}: {text}")

    def doubles(self):
        for (name, _, _), places in sorted(self.libraries.items()):
            if name not in self.allowed and len(places) > 1 and max(layer for layer, _ in places) >= self.base_layers:
                yield f"{name} is there {len(places)} times: " + ", ".join(f"{path} (layer {layer})" for layer, path in places)


def diff_ids(image):
    command = [DOCKER, "image", "inspect", "--format", "{{json .RootFS.Layers}}", image]
    out = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return json.loads(out.stdout) if out.returncode == 0 else sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base")
    parser.add_argument("--allow", action="append", default=[])
    parser.add_argument("--never", action="append", default=[])
    parser.add_argument("image")
    args = parser.parse_args()

    layers = diff_ids(args.image)
    base = diff_ids(args.base) if args.base else layers[:1]
    if layers[: len(base)] != base:
        sys.exit(f"{args.image} does not start from {args.base}")
    never = []
    for name in args.never:
        with open(name, "rb") as file:
            never.append((name, file.read().strip()))

    image = Image(len(base), args.allow, never)
    with tempfile.NamedTemporaryFile() as saved:
        subprocess.run([DOCKER, "save", "--output", saved.name, args.image], check=True)
        with tarfile.open(saved.name) as archive:
            manifest = json.load(archive.extractfile("manifest.json"))
            for name in manifest[0]["Layers"]:
                with tarfile.open(fileobj=archive.extractfile(name)) as layer:
                    image.add_layer(layer)

    faults = image.faults + list(image.doubles())
    for fault in faults:
        print(fault)
    summary = f"{image.layers} layers ({len(base)} of the base), {len(image.owner)} files, {len(image.libraries)} libraries"
    print(f"{args.image}: {summary}, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
