#!/usr/bin/env python3
"""Answers each path on 127.0.0.1 in a way of its own, most of them wrong. Prints three ports: of HTTP, of HTTPS with a certificate that nobody
signed, and one that nobody listens on. It serves until it is ended, or the one who started it has ended.

usage: hostile_server.py FOLDER    FOLDER holds the key and certificate that it makes
"""
import gzip
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time

seen = {}
lock = threading.Lock()


def answer(status, body=b"", **headers):
    lines = [f"HTTP/1.1 {status}"] + [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if "Content_Length" not in headers and "Transfer_Encoding" not in headers:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def times(path):
    with lock:
        seen[path] = seen.get(path, 0) + 1
        return seen[path]


def conditional(asked):
    if "if-none-match" in asked:
        return answer("304 Not Modified", ETag='"one"')
    return answer("200 OK", b"facts" * 1000, ETag='"one"', Content_Type="text/plain")


whole = bytes(range(256)) * 400


def ranged(asked, part=None, size=len(whole)):
    first, last = asked.get("range", "bytes=0-").removeprefix("bytes=").split("-")
    if first == "":
        first, last = max(0, size - int(last)), size - 1
    first, last = int(first), min(int(last or size - 1), size - 1)
    if part:
        first, last = part
    return answer("206 Partial Content", whole[first : last + 1], Content_Range=f"bytes {first}-{last}/{size}")


def trickle(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(100):
        connection.sendall(b".")
        time.sleep(0.2)


def endless(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65536)


def listing(body, kind="application/vnd.pypi.simple.v1+json"):
    return answer("200 OK", body if isinstance(body, bytes) else body.encode(), Content_Type=kind)


def files(*names, url="/good"):
    return listing(json.dumps({"meta": {"api-version": "1.1"}, "name": "torch", "files": [{"filename": name, "url": url, "hashes": {}} for name in names]}))


def notes(drivers, end="</table>"):
    majors = [("CTK Version", "Driver Range for Minor Version Compatibility"), ("13.x", "&gt;= 580")]
    rows = ["".join(f"<tr><td>{label}<td>{cell}</tr>" for label, cell in lines) for lines in (majors, [("CUDA Toolkit", "Linux x86_64 Driver Version"), *drivers])]
    return listing(f"<table>{rows[0]}</table><table>{rows[1]}{end}", "text/html")


new_torch = "torch-99.0.0-cp312-cp312-manylinux_2_28_x86_64.whl"
paths = {
    "/good": lambda a: answer("200 OK", b"facts", Content_Type="text/plain"),
    "/conditional": conditional,
    "/missing": lambda a: answer("404 Not Found", b"none"),
    "/gone": lambda a: answer("410 Gone"),
    "/login": lambda a: answer("401 Unauthorized", WWW_Authenticate='Basic realm="x"'),
    "/forbidden": lambda a: answer("403 Forbidden"),
    "/proxy-login": lambda a: answer("407 Proxy Authentication Required"),
    "/teapot": lambda a: answer("418 I'm a teapot"),
    "/short": lambda a: answer("200 OK", b"half", Content_Length=1000),
    "/recovers": lambda a: answer("500 Internal Server Error") if times("/recovers") < 3 else answer("200 OK", b"well again"),
    "/broken": lambda a: answer("500 Internal Server Error"),
    "/unavailable": lambda a: answer("503 Service Unavailable", Retry_After="99999999999999"),
    "/limited": lambda a: answer("429 Too Many Requests", Retry_After="99999") if times("/limited") else b"",
    "/soon": lambda a: answer("429 Too Many Requests", Retry_After="1") if times("/soon") == 1 else answer("200 OK", b"now"),
    "/loop": lambda a: answer("302 Found", Location="/loop"),
    "/to-file": lambda a: answer("302 Found", Location="file:///etc/passwd"),
    "/to-http": lambda a: answer("302 Found", Location=f"HTTP://127.0.0.1:{ports[0]}/unencrypted") if times("/to-http") else b"",
    "/unencrypted": lambda a: answer("200 OK", b"facts") if times("/unencrypted") else b"",
    "/there-and-back": lambda a: answer("302 Found", Location=f"https://127.0.0.1:{ports[1]}/to-http"),
    "/to-https": lambda a: answer("302 Found", Location=f"https://127.0.0.1:{ports[1]}/to-good"),
    "/with-location": lambda a: answer("200 OK", b"facts", Location="http://127.0.0.1/"),
    "/to-good": lambda a: answer("302 Found", b"elsewhere", Location="/good"),
    "/bomb": lambda a: answer("200 OK", gzip.compress(bytes(64 << 20), 9), Content_Encoding="gzip"),
    "/damaged-gzip": lambda a: answer("200 OK", gzip.compress(b"facts" * 100)[:-30] + bytes(30), Content_Encoding="gzip"),
    "/ten-gigabytes": lambda a: answer("200 OK", b"x", Content_Length=10 << 30),
    "/negative": lambda a: answer("200 OK", b"x", Content_Length=-5),
    "/not-http": lambda a: b"SSH-2.0-OpenSSH_9.2\r\n",
    "/closed": lambda a: b"",
    "/large-headers": lambda a: answer("200 OK", X_Large="x" * (1 << 20)),
    "/bad-chunks": lambda a: answer("200 OK", b"zz\r\nwhat\r\n0\r\n\r\n", Transfer_Encoding="chunked"),
    "/cut-chunks": lambda a: answer("200 OK", b"4\r\nhalf\r\n", Transfer_Encoding="chunked"),
    "/range": ranged,
    "/shrinking": lambda a: ranged(a) if times("/shrinking") == 1 else ranged(a, size=50_010),
    "/other-range": lambda a: ranged(a, (5, 9)),
    "/range-of-nothing": lambda a: answer("206 Partial Content", b"abc", Content_Range="bytes what"),
    "/no-range": lambda a: answer("200 OK", whole),
    "/unasked-part": lambda a: ranged({"range": "bytes=0-9"}),
    "/unasked-304": lambda a: answer("304 Not Modified"),
    "/empty": lambda a: answer("200 OK"),
    "/nul": lambda a: answer("200 OK", b"a\0b"),
    "/nul-header": lambda a: answer("200 OK", b"facts", ETag='"\0"'),
    # What an index of packages must not say; each project of it has the same page.
    "/garbage-json": lambda a: listing('{"files": [{]}'),
    "/cut-json": lambda a: listing('{"files": ['),
    "/deep-json": lambda a: listing("[" * 100_000),
    "/list-json": lambda a: listing("[]"),
    "/missing-keys": lambda a: listing('{"meta": {}}'),
    "/wrong-types": lambda a: listing('{"files": 7}'),
    "/wrong-items": lambda a: listing('{"files": [7, {"filename": 8}]}'),
    "/no-files": lambda a: files(),
    "/twice": lambda a: listing('{"files": [], "files": []}'),
    "/version-is-a-path": lambda a: files("torch-../../etc/passwd-cp312-cp312-manylinux_2_28_x86_64.whl"),
    "/not-utf8": lambda a: listing(b'{"files": [{"filename": "\xff\xfe", "url": "\xff"}]}'),
    "/html-login": lambda a: listing("<html><body>Please log in</body></html>", "text/html"),
    "/image": lambda a: answer("200 OK", b"\x89PNG\r\n", Content_Type="image/png"),
    "/many-files": lambda a: files(*(f"torch-{n}.0.0-cp312-cp312-manylinux_2_28_x86_64.whl" for n in range(100, 30_000))),
    "/wheel-that-is-none": lambda a: files(new_torch, url="/range"),
    "/wheel-elsewhere": lambda a: files(new_torch, url="file:///etc/passwd"),
    "/wheel-without-ranges": lambda a: files(new_torch, url="/no-range"),
    # What release notes must not say.
    "/cut-table": lambda a: notes([("CUDA 13.9 GA", "&gt;=690.10")], end=""),
    "/no-driver": lambda a: notes([("CUDA 13.9 GA", "<b>soon</b>")]),
    "/no-release": lambda a: notes([("../../etc/passwd", "&gt;=690.10")]),
    "/few-releases": lambda a: notes([(f"CUDA 12.{minor} GA", "&gt;=690.10") for minor in range(10)]),
    "/slow": trickle,
    "/endless": endless,
}


def talk(connection):
    with connection:
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = connection.recv(65536)
                if not piece:
                    return
                head += piece
                if head[0] == 0x16:  # TLS on the port of HTTP
                    connection.sendall(answer("400 Bad Request"))
                    return
            lines = head.decode("latin-1").split("\r\n")
            path = lines[0].split(" ")[1]
            asked = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            if path.startswith("/count"):
                connection.sendall(answer("200 OK", str(seen.get(path.removeprefix("/count"), 0)).encode()))
                return
            kind = path if path in paths else "/" + path.split("/")[1]  # /KIND/torch/: an index of that kind
            if kind in ("/slow", "/endless"):
                paths[kind](connection)
            else:
                connection.sendall(paths[kind](asked))
        except (OSError, ssl.SSLError):
            pass


def listen(wrap):
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            connection, _ = listener.accept()

            def each(connection=connection):
                try:
                    talk(wrap(connection))
                except (OSError, ssl.SSLError):
                    connection.close()

            threading.Thread(target=each, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


folder = sys.argv[1]
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    + ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"],
    check=True,
    stderr=subprocess.DEVNULL,
)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
with socket.create_server(("127.0.0.1", 0)) as nobody:
    free = nobody.getsockname()[1]
ports = [listen(lambda c: c), listen(lambda c: context.wrap_socket(c, server_side=True)), free]
print(*ports, flush=True)
parent = os.getppid()
while os.getppid() == parent:  # a test that was killed leaves no server
    time.sleep(1)
