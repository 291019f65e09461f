#!/usr/bin/env python3
"""Writes stand-ins for torch and for flash-attn, which builds install in seconds, into a folder that local_index.py serves.

usage: stand_ins.py FOLDER ANSWER.json...
For each answer of `envgen resolve --format json` wheels of its torch, torchvision and torchaudio: torch says what is locked of it, and its
libc10.so has one symbol, which tells its release. For all of them one source distribution of flash-attn, which is compiled against the torch
that is there as real extensions are: it links libc10.so, needs that symbol, and holds the headers of device code for TORCH_CUDA_ARCH_LIST.
And one of a package that is built in isolation, as pycuda is, by what stands in the variables of a build.
"""
import base64
import gzip
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

TORCH = """from .version import __version__, cuda as _cuda
class backends:
    class cudnn:
        version = staticmethod(lambda: {cudnn})
class cuda:
    class nccl:
        version = staticmethod(lambda: {nccl})
    is_available = staticmethod(lambda: False)
    device_count = staticmethod(lambda: 0)
    init = staticmethod(lambda: None)
class _C:
    _cuda_getArchFlags = staticmethod(lambda: {archs!r})
import ctypes, os, sys
ctypes.CDLL(os.path.join(os.path.dirname(__file__), "lib", "libc10.so"), ctypes.RTLD_GLOBAL)
"""
SETUP = r'''
import os, struct, torch
from setuptools import Extension, setup
release = torch.__version__.split("+")[0]
symbol = "_ZN3c10%d%sEv" % (len("of_" + release.replace(".", "_")), "of_" + release.replace(".", "_"))
entries = b"".join(struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 64, 8, 0, 0, 8, 1, int(arch.replace(".", "")), 0, 0, 0x11, 0, 0) + b"machine!"
                   for arch in os.environ["TORCH_CUDA_ARCH_LIST"].split(";"))
fatbin = struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entries)) + entries
with open("extension.c", "w") as file:
    file.write("""extern int of_torch(void) __asm__("%s");
__asm__(".section .nv_fatbin, \\"a\\"\\n.byte %s\\n.text");
int asks_torch(void) { return of_torch(); }
""" % (symbol, ",".join(map(str, fatbin))))
with open("flash_attn.py", "w") as file:
    file.write("""import ctypes, glob, os, torch
built_for, archs = %r, %r
ctypes.CDLL(*glob.glob(os.path.join(os.path.dirname(__file__), "flash_attn_2_cuda.*so")), os.RTLD_NOW).asks_torch()
""" % (release, os.environ["TORCH_CUDA_ARCH_LIST"]))
lib = os.path.join(os.path.dirname(torch.__file__), "lib")
setup(name="flash-attn", version="2.8.3", py_modules=["flash_attn"],
      ext_modules=[Extension("flash_attn_2_cuda", ["extension.c"], library_dirs=[lib], libraries=["c10"])])
'''
OF_ITS_OWN = """
import os
from setuptools import setup
with open("of_its_own.py", "w") as file:
    file.write("archs = %r" % os.environ.get("TORCH_CUDA_ARCH_LIST"))
setup(name="of-its-own", version="1.0", py_modules=["of_its_own"])
"""


def wheel(folder, name, version, files, tag="py3-none-any"):
    info = f"{name}-{version}.dist-info"
    files = {**files, f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: stand_ins.py\nRoot-Is-Purelib: true\nTag: {tag}\n".encode()}
    record = "".join(f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip('=')},{len(text)}\n" for path, text in files.items())
    with zipfile.ZipFile(folder / f"{name}-{version}-{tag}.whl", "w") as archive:
        for path, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}.items():
            archive.writestr(zipfile.ZipInfo(path), text)  # the same bytes whenever they are made


def library(source):
    """What the machine's compiler makes of C that needs no other library."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["cc", "-shared", "-fPIC", "-nostdlib", "-Wl,-soname,libc10.so", "-xc", "-", "-o", f"{folder}/libc10.so"]
        subprocess.run(command, input=source.encode(), check=True)
        return pathlib.Path(folder, "libc10.so").read_bytes()


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def torch(folder, environment):
    build = environment["torch"]
    cudnn = environment["cudnn"] and numbers(environment["cudnn"]["version"])  # a CPU build has none, and no NCCL
    release = "of_" + build["version"].replace(".", "_")
    archs = [*("sm_" + arch.replace(".", "") for arch in build["archs"]), *("compute_" + arch.replace(".", "") for arch in build["ptx"])]
    said = {"cudnn": cudnn and cudnn[0] * (10000 if cudnn[0] >= 9 else 1000) + cudnn[1] * 100 + cudnn[2],
            "nccl": build["nccl"] and numbers(build["nccl"]), "archs": " ".join(archs)}
    c10 = library(f'int f(void) __asm__("_ZN3c10{len(release)}{release}Ev"); int f(void) {{ return 1; }}')
    wheel(folder, "torch", build["version"], {
        "torch/__init__.py": TORCH.format(**said).encode(),
        "torch/version.py": f"__version__ = '{build['version']}+{build['tag']}'\ncuda = {build['cuda']!r}\n".encode(),
        "torch/lib/libc10.so": c10,
        **({"torch/lib/libtorch_cuda.so": c10} if build["cuda"] else {})})  # which a torch for CUDA has, and validate looks for
    for name in ("torchvision", "torchaudio"):
        if build[name]:
            wheel(folder, name, build[name], {f"{name}.py": b""})


def source(folder, name, version, setup):
    stem = f"{name.replace('-', '_')}-{version}"
    with gzip.GzipFile(folder / f"{stem}.tar.gz", "wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for path, text in (("setup.py", setup), ("PKG-INFO", f"Metadata-Version: 2.2\nName: {name}\nVersion: {version}\n")):
            entry = tarfile.TarInfo(f"{stem}/{path}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))


def main():
    folder = pathlib.Path(sys.argv[1])
    for answer in sys.argv[2:]:
        torch(folder, json.loads(pathlib.Path(answer).read_text())["environment"])
    source(folder, "flash-attn", "2.8.3", SETUP)
    source(folder, "of-its-own", "1.0", OF_ITS_OWN)


main()
