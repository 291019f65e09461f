#!/usr/bin/env python3
"""Serves a folder of wheels and source distributions as a package index (PEP 503, with hashes, and PEP 658 metadata of wheels) on 127.0.0.1.

usage: local_index.py FOLDER [PORT]    prints the index's address on its first line; without PORT, or where it is taken, one that is free
It serves until it is ended; where INDEX_LOGIN is USER:PASSWORD, those who know it.
"""
import base64
import functools
import hashlib
import html
import os
import pathlib
import re
import shutil
import sys
import urllib.parse
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def normalized(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def metadata(wheel):
    """The METADATA of a wheel: with it an installer resolves without fetching the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", n))
        return archive.read(name)


@functools.lru_cache(maxsize=None)
def hashes(wheel):
    digest = hashlib.sha256()
    with wheel.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest(), hashlib.sha256(metadata(wheel)).hexdigest() if wheel.suffix == ".whl" else None


class Index(BaseHTTPRequestHandler):
    folder = None
    login = os.environ.get("INDEX_LOGIN")
    protocol_version = "HTTP/1.1"

    def wheels(self):
        return sorted([*self.folder.glob("*.whl"), *self.folder.glob("*.tar.gz")])

    def do_GET(self):
        if self.login and self.headers.get("Authorization") != f"Basic {base64.b64encode(self.login.encode()).decode()}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="wheels"')
            self.send_header("Content-Length", "0")
            return self.end_headers()
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        if path == "/simple/":
            projects = sorted({normalized(w.name.split("-")[0]) for w in self.wheels()})
            return self.page(f'<a href="/simple/{p}/">{p}</a>' for p in projects)
        # The wheel index of PyTorch has a folder for each CUDA; this one has the same wheels in all of them.
        if match := re.fullmatch(r"/simple/(?:cpu/|cu[0-9]+/)?([^/]+)/", path):
            return self.project(normalized(match[1]))
        if match := re.fullmatch(r"/files/([^/]+\.(?:whl|tar\.gz))(\.metadata)?", path):
            wheel = self.folder / match[1]
            if wheel in self.wheels():
                return self.text(metadata(wheel), "text/plain") if match[2] else self.wheel(wheel)
        return self.send_error(404)

    def project(self, name):
        links = []
        for wheel in self.wheels():
            if normalized(wheel.name.split("-")[0]) == name:
                whole, meta = hashes(wheel)
                address = f"/files/{urllib.parse.quote(wheel.name)}#sha256={whole}"
                # pip 23.0, Debian 12's, reads the attribute's older name and then refuses names with underscores.
                told = f' data-core-metadata="sha256={meta}"' if meta else ""
                links.append(f'<a href="{address}"{told}>{html.escape(wheel.name)}</a>')
        return self.page(links) if links else self.send_error(404)

    def page(self, links):
        self.text(("<!DOCTYPE html>\n<html><body>\n" + "\n".join(links) + "\n</body></html>\n").encode(), "text/html; charset=utf-8")

    def text(self, body, kind):
        self.head(len(body), kind)
        self.wfile.write(body)

    def wheel(self, path):
        """All of it, or the bytes that a Range asks for: `bytes=0-99`, or `bytes=-100`, the last ones."""
        size = path.stat().st_size
        asked = re.fullmatch(r"bytes=([0-9]*)-([0-9]+)", self.headers.get("Range", ""))
        if not asked:
            self.head(size, "application/octet-stream")
            with path.open("rb") as file:
                return shutil.copyfileobj(file, self.wfile)
        first = int(asked[1]) if asked[1] else max(0, size - int(asked[2]))
        last = min(size, int(asked[2]) + 1) if asked[1] else size
        part = path.read_bytes()[first:last]
        self.head(len(part), "application/octet-stream", f"bytes {first}-{last - 1}/{size}")
        self.wfile.write(part)

    def head(self, length, kind, part=None):
        self.send_response(206 if part else 200)
        if part:
            self.send_header("Content-Range", part)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        if kind == "application/octet-stream":  # as the package index has it: so uv keeps what it builds of a file
            self.send_header("Cache-Control", "max-age=365000000, immutable, public")
        self.end_headers()

    def log_message(self, *_):
        """stdout is for the address alone."""


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Index.folder = pathlib.Path(sys.argv[1]).resolve(strict=True)
    try:
        server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) == 3 else 0), Index)
    except OSError:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    print(f"http://127.0.0.1:{server.server_port}/simple/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
