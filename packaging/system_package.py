"""Prints what nfpm makes a .deb, an .rpm or an .apk of: a prefix for one processor, put below /usr.

usage: system_package.py --arch NAME --root FOLDER --work FOLDER

FOLDER of --work gets what is only there in such packages: compressed documents, and the overrides of lintian. JSON is what nfpm takes for YAML.
"""

import argparse
import datetime
import email.utils
import json
import pathlib

import product

DOCUMENTS = f"/usr/share/doc/{product.NAME}"
LICENSES = ("LICENSE", "copyright")
PACKAGERS = ["deb", "rpm", "apk"]
OVERRIDES = [
    # zlib is compiled in so that no start of the program pays for a shared library; the bill of materials beside this names its version.
    "embedded-library",
    # At a fixed address the dynamic linker has nothing to relocate when it starts: ARCHITECTURE.md, "Speed".
    "hardening-no-pie",
]


def changelog():
    """Debian's form of what CHANGELOG.md says."""
    date = email.utils.format_datetime(datetime.datetime.fromtimestamp(product.epoch(), datetime.timezone.utc))
    return f"""{product.NAME} ({product.VERSION}) unstable; urgency=medium

  * Version {product.VERSION}.

 -- {product.MAINTAINER}  {date}
"""


def contents(root, work):
    """What lies where, with the packagers that want it."""
    work.mkdir(parents=True, exist_ok=True)

    def made(name, content):
        path = work / name
        path.write_bytes(content)
        return path

    for path in product.files_below(root):
        place = f"/usr/{path.relative_to(root).as_posix()}"
        if path.name == "LICENSE":
            yield path, place, 0o644, ["rpm", "apk"]  # Debian has it in /usr/share/common-licenses
        elif "/man/" in place:
            yield made(f"{path.name}.gz", product.gzipped(path.read_bytes())), f"{place}.gz", 0o644, PACKAGERS
        elif "/zsh/" in place:
            # Debian's zsh does not look where its packages for everybody else do.
            yield path, place.replace("/site-functions/", "/vendor-completions/"), product.mode_of(path), ["deb"]
            yield path, place, product.mode_of(path), ["rpm", "apk"]
        else:
            yield path, place, product.mode_of(path), PACKAGERS
    yield made("NEWS.gz", product.gzipped((product.REPOSITORY / "CHANGELOG.md").read_bytes())), f"{DOCUMENTS}/NEWS.gz", 0o644, PACKAGERS
    yield made("changelog.gz", product.gzipped(changelog().encode())), f"{DOCUMENTS}/changelog.gz", 0o644, ["deb"]
    overrides = "".join(f"{product.NAME}: {tag} *\n" for tag in OVERRIDES)
    yield made("overrides", overrides.encode()), f"/usr/share/lintian/overrides/{product.NAME}", 0o644, ["deb"]


def own_folders(places):
    """Those that no other package has: a folder of that name, and what is below it. rpm leaves what it was not told of."""
    folders = {str(folder) for place in places for folder in pathlib.PurePosixPath(place).parents}
    return sorted(folder for folder in folders if product.NAME in pathlib.PurePosixPath(folder).parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", choices=sorted(product.DEBIAN_NAMES), required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    moment = datetime.datetime.fromtimestamp(product.epoch(), datetime.timezone.utc).isoformat()
    files = []
    for source, place, mode, packagers in contents(options.root, options.work):
        for packager in packagers:
            files.append({"src": str(source), "dst": place, "file_info": {"mode": mode, "mtime": moment}, "packager": packager})
            if packager == "rpm" and place.startswith((DOCUMENTS, "/usr/share/man/")):
                files[-1]["type"] = "license" if source.name in LICENSES else "doc"
    for folder in own_folders([entry["dst"] for entry in files]):
        files.append({"dst": folder, "type": "dir", "file_info": {"mode": 0o755, "mtime": moment}, "packager": "rpm"})
    config = {
        "name": product.NAME,
        "version": product.VERSION,
        "arch": product.DEBIAN_NAMES[options.arch],
        "platform": "linux",
        "section": "utils",
        "priority": "optional",
        "maintainer": product.MAINTAINER,
        "description": f"{product.SHORT_SUMMARY}\n{product.DESCRIPTION}",
        "license": product.LICENSE,
        "homepage": product.HOMEPAGE,
        "mtime": moment,
        "disable_globbing": True,
        "contents": files,
        "overrides": {
            "deb": {"depends": [f"libc6 (>= {product.GLIBC})"], "recommends": ["libcurl4 | libcurl3-gnutls"]},
            "rpm": {"depends": [f"glibc >= {product.GLIBC}"], "recommends": ["libcurl.so.4()(64bit)"]},
            "apk": {"depends": ["musl", "libcurl"]},  # it knows no recommendation
        },
        "deb": {"compression": "xz"},
        "rpm": {"summary": product.SHORT_SUMMARY, "compression": "xz", "buildhost": "localhost"},
    }
    print(json.dumps(config, indent=1))


if __name__ == "__main__":
    main()
