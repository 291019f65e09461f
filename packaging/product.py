"""What every package says of envgen. What CMake knows is read from there, so that nothing is declared twice.

usage: product.py VERSION|epoch    prints that
"""

import gzip
import io
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent

_PROJECT = re.search(
    r'^project\((?P<name>\w+) VERSION (?P<version>[0-9.]+)\s+DESCRIPTION "(?P<summary>[^"]+)"',
    (REPOSITORY / "CMakeLists.txt").read_text(encoding="utf-8"),
    re.M,
)
NAME = _PROJECT["name"]
VERSION = _PROJECT["version"]
SUMMARY = _PROJECT["summary"]
SHORT_SUMMARY = "PyTorch, CUDA and driver combinations that work, with proofs"  # at most 79 characters, no article in front
KEYWORDS = ["pytorch", "tensorflow", "cuda", "nvidia", "gpu", "driver", "dockerfile"]
LICENSE = "Apache-2.0"
# The oldest that the programs run with.
GLIBC = re.search(r"^glibc=([0-9.]+)$", (REPOSITORY / "scripts/ziglang.sh").read_text(encoding="utf-8"), re.M)[1]
AUTHORS = "The envgen authors"
MAINTAINER = "envgen maintainers <maintainers@envgen.invalid>"
# Where the repository is, for what links to it; empty: nobody has said, and nothing links. A forge has a file at blob/TAG/ below it, and its bytes at raw/TAG/.
HOMEPAGE = os.environ.get("ENVGEN_HOMEPAGE", "").rstrip("/")
DESCRIPTION = """Which PyTorch, CUDA, driver and Python work together on these GPUs?
envgen gives one exact answer, with a reason and a source for every value.
If there is none, it proves that and names the nearest environments that
work. It also writes a Dockerfile for the answer, and validates the image
built from it."""

ZIP_BEGINS = 315532800  # 1980: a wheel can hold no earlier time

# What Debian and nfpm call a processor.
DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}


def epoch():
    """The time that stands in archives, in seconds: that of the last commit, so that the same source gives the same bytes whenever it is built."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    log = subprocess.run(["git", "-C", REPOSITORY, "log", "-1", "--format=%ct"], check=False, capture_output=True, text=True)
    return int(log.stdout) if log.returncode == 0 and log.stdout else ZIP_BEGINS


def files_below(root):
    """The files below a folder, in the order in which every package has them."""
    return sorted(path for path in root.rglob("*") if path.is_file())


def mode_of(path):
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def gzipped(content):
    """The same bytes each time: no name and no time in the head."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=out, mtime=0) as packed:
        packed.write(content)
    return out.getvalue()


if __name__ == "__main__":
    print({"VERSION": VERSION, "epoch": epoch()}[sys.argv[1]])
