"""Writes what a package says of licences: envgen's own, and those of the libraries that are compiled in, whose notices must go with a binary.

usage: notices.py --debs FOLDER --root FOLDER --zig FOLDER --out FILE

The head is a copyright file as Debian's policy has it, so that one file serves every package.
"""

import argparse
import pathlib

import libraries
import product

HEAD = f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {product.NAME}
Comment: Libraries that are compiled in keep their own licences; their notices follow.

Files: *
Copyright: {product.AUTHORS}
License: {product.LICENSE}
 On Debian systems, the full text of this licence is in
 /usr/share/common-licenses/{product.LICENSE}.
"""


def main():
    parser = argparse.ArgumentParser()
    for name in ("debs", "root", "zig", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    notices = {}  # libraries of one project share theirs
    for library in libraries.compiled_in(options.debs, options.root, options.zig):
        notices.setdefault(library.notice, []).append(f"{library.name} {library.version}")
    with options.out.open("w", encoding="utf-8") as out:
        out.write(HEAD)
        for notice, names in notices.items():
            out.write(f"\n{'=' * 80}\n{', '.join(names)}\n{'=' * 80}\n{notice.rstrip()}\n")


if __name__ == "__main__":
    main()
