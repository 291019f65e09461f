#!/usr/bin/env python3
"""Makes the wheels of a package index: stand-ins for those of torch and its companions that the matrix knows, and those that it does not know: torch 2.16.0 and 2.17.0, and a torchaudio with one wheel for all of CUDA 13.

usage: update_wheels.py FOLDER
"""
import json
import pathlib
import sys
import zipfile

MACHINES = {"linux-x86_64": "x86_64", "linux-aarch64": "aarch64"}
PINS = """Requires-Dist: cuda-toolkit[cudart,nvrtc]==13.2.2; platform_system == "Linux"
Requires-Dist: nvidia-cudnn-cu13==9.26.0.51; platform_system == "Linux"
Requires-Dist: nvidia-nccl-cu13==2.30.7; platform_system == "Linux"
"""


def wheel(folder, project, version, python, platform, pins="", members=()):
    tag = "py3-none" if python == "any" else "cp" + python.rstrip("t").replace(".", "")
    if python != "any":
        tag = f"{tag}-{'cp' + python.replace('.', '')}"
    machine = MACHINES[platform]
    name = folder / f"{project}-{version}-{tag}-manylinux_2_28_{machine}.whl"
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in members:
            archive.writestr(path, content)
        archive.writestr(f"{project}-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n{pins}\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    facts = json.loads(pathlib.Path("matrix/torch.json").read_text(encoding="utf-8"))
    for build in facts["builds"]:
        for python in (build["package_index"] or {}).get("pythons", []):
            wheel(folder, "torch", build["torch"], python, build["platform"])
    for project in ("torchvision", "torchaudio"):
        for row in facts[project]:
            for python in row["pythons"]:
                wheel(folder, project, row["version"], python, row["platform"])
    list_of_code = b"\0sm_75 sm_80 sm_86 sm_90 sm_100 sm_120\0"
    for python in ("3.13", "3.14"):
        wheel(folder, "torch", "2.16.0", python, "linux-x86_64", PINS, [("torch/lib/libtorch_python.so", list_of_code)])
    wheel(folder, "torch", "2.17.0", "3.14", "linux-x86_64", PINS, [("torch/lib/libtorch_python.so", list_of_code)])
    wheel(folder, "torchvision", "0.30.0", "3.14", "linux-x86_64", "Requires-Dist: torch==2.16.0\n")
    audio = [("torchaudio/lib/libtorchaudio.so", b"\0libc10.so\0libcudart.so.13\0")]
    wheel(folder, "torchaudio", "2.12.0", "any", "linux-x86_64", "Requires-Python: >=3.10\nRequires-Dist: torch>=2.12\n", audio)


main()
