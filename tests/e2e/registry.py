#!/usr/bin/env python3
"""Serves one image without layers, ANY/NAME:12-slim for linux/amd64 and linux/arm64, as a registry does, by TLS on 127.0.0.1.

usage: registry.py CERTIFICATE KEY    prints the port, the digest of the list and those of its platforms on its first line; it serves until it is ended
"""
import hashlib
import json
import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
CONFIG = "application/vnd.docker.container.image.v1+json"
blobs = {}


def put(document, kind):
    content = json.dumps(document).encode()
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    blobs[digest] = content, kind
    return {"mediaType": kind, "size": len(content), "digest": digest}


def platform(architecture):
    config = put({"architecture": architecture, "os": "linux", "rootfs": {"type": "layers", "diff_ids": []}, "config": {}}, CONFIG)
    entry = put({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": []}, MANIFEST)
    return {**entry, "platform": {"architecture": architecture, "os": "linux"}}


platforms = [platform("amd64"), platform("arm64")]
whole = put({"schemaVersion": 2, "mediaType": LIST, "manifests": platforms}, LIST)["digest"]


class Registry(BaseHTTPRequestHandler):
    def do_GET(self):
        last = self.path.rsplit("/", 1)[1]
        content, kind = (b"{}", "application/json") if self.path == "/v2/" else blobs.get(whole if last == "12-slim" else last, (None, None))
        if content is None:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Docker-Content-Digest", "sha256:" + hashlib.sha256(content).hexdigest())
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, *_):
        """stdout is for the first line alone."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*sys.argv[1:3])
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, whole, *(one["digest"] for one in platforms), flush=True)
server.serve_forever()
