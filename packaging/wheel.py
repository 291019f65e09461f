"""Makes the wheel of envgen for one platform, byte for byte the same each time.

usage: wheel.py --root FOLDER --platform TAG --out FOLDER

FOLDER has what `cmake --install` puts below a prefix: bin/envgen, libexec/envgen/*/envgen-bench, share/man, the completions. TAG is what pip
compares with the machine: manylinux_2_17_x86_64. The wheel's program lies in its scripts, so that `uvx envgen` and `pipx run envgen` find it.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import re
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent
EXECUTABLE = 0o755
PLAIN = 0o644


def version():
    text = (REPOSITORY / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(envgen VERSION ([0-9.]+)", text, re.M).group(1)


def metadata(version_text):
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    head = [
        "Metadata-Version: 2.4",
        "Name: envgen",
        f"Version: {version_text}",
        "Summary: The right PyTorch environment for your GPUs and drivers, or the proof that there is none",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "Requires-Python: >=3.8",
        "Classifier: Environment :: Console",
        "Classifier: Environment :: GPU :: NVIDIA CUDA",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Programming Language :: C++",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Topic :: Software Development :: Build Tools",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + readme


def members(root, name, platform):
    """Path in the wheel, bytes and mode of each file, in the order in which they are written."""
    info, data = f"{name}.dist-info", f"{name}.data"
    for path in sorted((HERE / "python" / "envgen").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"envgen/{path.name}", path.read_bytes(), PLAIN
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        place = path.relative_to(root).as_posix()
        in_wheel = f"scripts/{path.name}" if place.startswith("bin/") else f"data/{place}"
        yield f"{data}/{in_wheel}", path.read_bytes(), EXECUTABLE if os.access(path, os.X_OK) else PLAIN
    tag = f"py3-none-{platform}"
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: envgen packaging/wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), PLAIN
    yield f"{info}/METADATA", metadata(version()).encode(), PLAIN
    yield f"{info}/licenses/LICENSE", (REPOSITORY / "LICENSE").read_bytes(), PLAIN


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--platform", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    name = f"envgen-{version()}"
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]  # zip begins in 1980
    options.out.mkdir(parents=True, exist_ok=True)
    wheel = options.out / f"{name}-py3-none-{options.platform}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def write(path, content, mode):
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)

        for path, content, mode in members(options.root, name, options.platform):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")
            write(path, content, mode)
        record.append(f"{name}.dist-info/RECORD,,")
        write(f"{name}.dist-info/RECORD", ("\n".join(record) + "\n").encode(), PLAIN)
    print(wheel)


if __name__ == "__main__":
    main()
