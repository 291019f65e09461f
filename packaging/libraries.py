"""What is compiled into envgen besides its own code: by the packages that the build took the libraries from, and by the compiler."""

import dataclasses
import pathlib
import re
import subprocess

# It gives types and constants, for the library that is opened at run time.
NOT_COMPILED_IN = "libcurl4-openssl-dev"
# The one file of a package that is used, where the rest of it has other licences.
USED_FILE = {"libmd-dev": "src/sha2.c"}
# Debian's short names that SPDX spells otherwise: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
SPDX = {"Expat": "MIT", "BSD-2-clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause", "ISC": "ISC", "Zlib": "Zlib", "BSL-1.0": "BSL-1.0", "CC0-1.0": "CC0-1.0"}


@dataclasses.dataclass(frozen=True)
class Library:
    name: str
    version: str
    license: str  # an SPDX id where `spdx`, else the name that its source uses
    spdx: bool
    homepage: str
    notice: str  # the copyright file
    package: bool  # of the distribution


def _field(deb, name):
    return subprocess.run(["dpkg-deb", "--field", deb, name], check=True, capture_output=True, text=True).stdout.strip()


def license_of(copyright_text, file):
    """The licence of one file, by the machine-readable copyright file: the last paragraph that names it. `*` is the whole package."""
    found = None
    for paragraph in re.split(r"\n\s*\n", copyright_text):
        fields = dict(re.findall(r"^([A-Z][\w-]*):[ \t]*((?:.*)(?:\n[ \t]+.*)*)", paragraph, re.M))
        if file in fields.get("Files", "").split() and "License" in fields:
            found = fields["License"].splitlines()[0].strip()
    if found is None:
        raise SystemExit(f"no paragraph names the licence of {file}:\n{copyright_text[:400]}")
    return found


def of_packages(debs, root):
    """The libraries of the packages `debs`, which are unpacked in `root`."""
    for deb in sorted(pathlib.Path(debs).glob("*.deb")):
        name = _field(deb, "Package")
        if not name.endswith("-dev") or name == NOT_COMPILED_IN:
            continue
        notice = (pathlib.Path(root) / "usr/share/doc" / name / "copyright").read_text(encoding="utf-8")
        short = license_of(notice, USED_FILE.get(name, "*"))
        yield Library(name, _field(deb, "Version"), SPDX.get(short, short), short in SPDX, _field(deb, "Homepage"), notice, True)


def of_compiler(zig):
    """The C++ library that the clang of the package ziglang links in, with what lies below it."""
    lib = pathlib.Path(zig) / "lib"
    number = int(re.search(r"define _LIBCPP_VERSION (\d+)", (lib / "libcxx/include/__config").read_text(encoding="utf-8"))[1])
    version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    notice = (lib / "libcxx/LICENSE.TXT").read_text(encoding="utf-8")
    # The Apache licence is envgen's own too, and its text lies in every package or, on Debian, beside all of them.
    notice, replaced = re.subn(r"\n +Apache License\n.*(?=\n---- LLVM Exceptions)", "\n(the Apache License 2.0)\n", notice, flags=re.S)
    if replaced != 1 or "Apache License v2.0 with LLVM Exceptions" not in notice:
        raise SystemExit("libc++ of ziglang has another licence than is known here")
    for name in ("libcxx", "libcxxabi", "libunwind"):
        yield Library(name, version, "Apache-2.0 WITH LLVM-exception", True, "https://libcxx.llvm.org/", notice, False)
    zig_notice = (pathlib.Path(zig) / "LICENSE").read_text(encoding="utf-8")
    if "MIT License (Expat)" not in zig_notice:
        raise SystemExit("zig has another licence than is known here")
    zig_version = subprocess.run([pathlib.Path(zig) / "zig", "version"], check=True, capture_output=True, text=True).stdout.strip()
    yield Library("compiler_rt of zig", zig_version, "MIT", True, "https://ziglang.org/", zig_notice, False)


def compiled_in(debs, root, zig):
    return [*of_packages(debs, root), *of_compiler(zig)]
