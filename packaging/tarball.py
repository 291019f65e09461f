"""Packs a prefix as one folder, byte for byte the same each time.

usage: tarball.py --root FOLDER --name NAME --out FILE.tar.gz
"""

import argparse
import io
import pathlib
import tarfile

import product


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in product.files_below(options.root):
            entry = tarfile.TarInfo(f"{options.name}/{path.relative_to(options.root).as_posix()}")
            entry.size, entry.mode, entry.mtime = path.stat().st_size, product.mode_of(path), product.epoch()
            with path.open("rb") as content:
                archive.addfile(entry, content)
    options.out.write_bytes(product.gzipped(packed.getvalue()))
    print(options.out)


if __name__ == "__main__":
    main()
