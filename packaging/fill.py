"""Fills what names an archive by its hash: the installer, the formula of Homebrew and the recipe of conda-forge.

usage: fill.py --archives FOLDER --base-url URL TEMPLATE OUT

FOLDER has the archives of both processors or of one. {{NAME}} is the value of that name, and lines between {{?NAME}} and {{/NAME}} stay where
it is not empty: the hash of an archive that is not there is, and an address that nobody gave.
"""

import argparse
import hashlib
import pathlib
import re

import product


def sha256_of(archives, architecture):
    path = archives / f"{product.NAME}-{product.VERSION}-linux-{architecture}.tar.gz"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--archives", type=pathlib.Path, required=True)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("template", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    values = {
        "version": product.VERSION,
        "summary": product.SUMMARY,
        "desc": product.SHORT_SUMMARY,
        "license": product.LICENSE,
        "glibc": product.GLIBC,
        "homepage": product.HOMEPAGE,
        "base_url": options.base_url,
        **{f"sha256_{architecture}": sha256_of(options.archives, architecture) for architecture in product.DEBIAN_NAMES},
    }
    text = options.template.read_text(encoding="utf-8")
    text = re.sub(r"^.*\{\{\?(\w+)\}\}\n((?s:.*?))^.*\{\{/\1\}\}\n", lambda found: found[2] if values[found[1]] else "", text, flags=re.MULTILINE)
    # A recipe has braces of its own, behind a dollar sign.
    text = re.sub(r"(?<!\$)\{\{(\w+)\}\}", lambda found: values[found[1]], text)
    options.out.write_text(text, encoding="utf-8")
    options.out.chmod(product.mode_of(options.template))
    print(options.out)


if __name__ == "__main__":
    main()
