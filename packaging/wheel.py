"""Makes the wheel of envgen for one platform, byte for byte the same each time.

usage: wheel.py --root FOLDER --platform TAG --out FOLDER

FOLDER has what `cmake --install` puts below a prefix: bin/envgen, libexec/envgen/*/envgen-bench, share/man, and the completions and schemas, which
stay out, because nothing looks for them in a virtual environment: `envgen completion` and `envgen schema` print them. TAG is what pip compares with the machine:
manylinux_2_17_x86_64, or several with a dot between. The wheel's program lies in its scripts, so that `uvx envgen` and `pipx run envgen` find it.
share/doc/envgen, where it is there, has notices of licences and a bill of materials, which wheels keep in places of their own.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import time
import zipfile

import deflate
import product

PLAIN = 0o644
NOTICES = f"share/doc/{product.NAME}/"
LEFT_OUT = ("share/bash-completion/", "share/zsh/", "share/fish/", "share/envgen/schema/")


def at(kind, file):
    """The address of a file of the repository: `blob` is its page, `raw` its bytes."""
    return f"{product.HOMEPAGE}/{kind}/v{product.VERSION}/{file}"


def readme():
    """README.md as a page that lies elsewhere: its links and pictures lead to the repository, or, where that has no address, are left out."""
    text = (product.REPOSITORY / "README.md").read_text(encoding="utf-8")
    if product.HOMEPAGE:
        text = re.sub(r'(!\[[^\]]*\]\(|<img src=")(?!\w+:)', lambda found: found[1] + at("raw", ""), text)
        return re.sub(r"((?<!!)\[[^\]]*\]\()(?!\w+:)", lambda found: found[1] + at("blob", ""), text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)\n\n|<img [^>]*>\n\n| \[More\]\([^)]*\)", "", text)
    return re.sub(r"\[([^\]]*)\]\((?!\w+:)[^)]*\)", r"\1", text)


def metadata(licenses):
    addresses = {"Repository": product.HOMEPAGE, "Documentation": at("blob", "README.md"), "Changelog": at("blob", "CHANGELOG.md")} if product.HOMEPAGE else {}
    head = [
        "Metadata-Version: 2.4",
        f"Name: {product.NAME}",
        f"Version: {product.VERSION}",
        f"Summary: {product.SUMMARY}",
        f"Author: {product.AUTHORS}",
        f"Keywords: {','.join(product.KEYWORDS)}",
        *(f"Project-URL: {name}, {address}" for name, address in addresses.items()),
        f"License-Expression: {product.LICENSE}",
        *(f"License-File: {name}" for name in licenses),
        "Requires-Python: >=3.8",
        "Classifier: Development Status :: 4 - Beta",
        "Classifier: Environment :: Console",
        "Classifier: Environment :: GPU :: NVIDIA CUDA",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Programming Language :: C++",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Topic :: Software Development :: Build Tools",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + readme()


def members(root, name, platform):
    """Path in the wheel, bytes and mode of each file, in the order in which they are written."""
    info, data = f"{name}.dist-info", f"{name}.data"
    for path in sorted((product.HERE / "python" / product.NAME).iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"{product.NAME}/{path.name}", path.read_bytes(), PLAIN
    licenses = {"LICENSE": (product.REPOSITORY / "LICENSE").read_bytes()}  # a prefix of `cmake --install` has no documents
    for path in product.files_below(root):
        place = path.relative_to(root).as_posix()
        if place.startswith(LEFT_OUT):
            continue
        if place.startswith(NOTICES) and path.name.endswith(".cdx.json"):
            yield f"{info}/sboms/{path.name}", path.read_bytes(), PLAIN
        elif place.startswith(NOTICES):
            licenses[path.name] = path.read_bytes()
        else:
            in_wheel = f"scripts/{path.name}" if place.startswith("bin/") else f"data/{place}"
            yield f"{data}/{in_wheel}", path.read_bytes(), product.mode_of(path)
    tags = "".join(f"Tag: py3-none-{one}\n" for one in platform.split("."))
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: envgen packaging/wheel.py\nRoot-Is-Purelib: false\n{tags}".encode(), PLAIN
    yield f"{info}/METADATA", metadata(licenses).encode(), PLAIN
    for license_name, content in licenses.items():
        yield f"{info}/licenses/{license_name}", content, PLAIN


class Smallest:
    """What zipfile asks of a compressor, by libdeflate, which makes 3 % less of the programs than zlib."""

    def __init__(self):
        self._parts = []

    def compress(self, part):
        self._parts.append(part)
        return b""

    def flush(self):
        return deflate.deflate_compress(b"".join(self._parts), 12)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--platform", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    name = f"{product.NAME}-{product.VERSION}"
    moment = time.gmtime(max(product.epoch(), product.ZIP_BEGINS))[:6]
    options.out.mkdir(parents=True, exist_ok=True)
    wheel = options.out / f"{name}-py3-none-{options.platform}.whl"
    record = []
    zipfile._get_compressor = lambda *_: Smallest()  # there is no other way to give it one
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:

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
