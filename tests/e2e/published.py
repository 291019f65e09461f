#!/usr/bin/env python3
"""Serves all that the sources of `matrix update` publish, made from the facts and as large as it is there, on 127.0.0.1.

published.py MATRIX NVIDIA LATENCY: prints its address. MATRIX: the facts; NVIDIA: a folder that nvidia_mirror.py made; LATENCY: the seconds that
each answer takes. Paths: /simple/ (a package index), /whl/, /notes/, /nvidia/, /hub/ and /conda/ (see --mirror). Every answer has an ETag.
"""

import hashlib
import json
import pathlib
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

matrix, nvidia = (pathlib.Path(word) for word in sys.argv[1:3])
latency = float(sys.argv[3])
# What one entry has besides its name, as seen on 2026-11-25: hashes and provenance of a file, the images of a tag, the attributes of a package.
FILE, TAG, PACKAGE = 620, 2400, 1100
# All that release notes have besides their tables.
NOTES = 400_000
PAGE = 100
bodies = {}


def facts(file, table):
    return json.loads((matrix / file).read_text(encoding="utf-8"))[table]


def tag_of(python):
    """cp313-cp313t of 3.13t."""
    digits = python.replace(".", "")
    return f"cp{digits.rstrip('t')}-cp{digits}"


def publish_index():
    projects = {}

    def wheel(project, version, tags):
        projects.setdefault(project, []).append(f"{project.replace('-', '_')}-{version}-{tags}.whl")

    def wheels(project, version, pythons, platform, glibc="2_28"):
        for python in pythons:
            wheel(project, version, f"{tag_of(python)}-manylinux_{glibc}_{platform.removeprefix('linux-')}")

    for row in facts("torch.json", "builds"):
        if row["package_index"]:
            wheels("torch", row["torch"], row["package_index"]["pythons"], row["platform"])
    for project in ("torchvision", "torchaudio"):
        for row in facts("torch.json", project):
            wheels(project, row["version"], row["pythons"] or [], row["platform"])
    for row in facts("tensorflow.json", "releases"):
        wheels("tensorflow", row["version"], row["pythons"], "linux-x86_64", "2_17")
    for row in facts("cudnn.json", "releases"):
        for project in row["wheels"]:
            wheel(project, row["version"], f"py3-none-manylinux_{row['glibc'].replace('.', '_')}_x86_64")
    for minor in range(8):
        wheels("triton", f"3.{minor}.0", ["3.10", "3.11", "3.12", "3.13", "3.14"], "linux-x86_64", "2_27")
    for row in facts("cuda.json", "toolkits"):
        if row["version"].startswith("13."):
            wheel("cuda-toolkit", row["version"], "py2.py3-none-any")
    for project in ("nvidia-cuda-nvcc", "nvidia-cuda-crt"):
        wheel(project, "13.0.48", "py3-none-manylinux_2_17_x86_64")
    for project, names in projects.items():
        files = [{"filename": name, "url": f"../../files/{name}", "core-metadata": True, "hashes": {"sha256": "0" * FILE}} for name in names]
        bodies[f"/simple/{project}/"] = ("application/vnd.pypi.simple.v1+json", json.dumps({"files": files}))


def publish_wheel_index():
    names = []
    for row in facts("torch.json", "builds"):
        for python in row["wheel_index"]["pythons"] or [] if row["wheel_index"] else []:
            glibc = f"manylinux_{row['glibc'].replace('.', '_')}" if row["glibc"] else "linux"
            names.append(f"torch-{row['torch']}%2B{row['tag']}-{tag_of(python)}-{glibc}_{row['platform'].removeprefix('linux-')}.whl")
    bodies["/whl/torch/"] = ("text/html", "".join(f'<a href="/whl/{name}#sha256={"0" * 64}" data-core-metadata="sha256={"0" * 64}">{name}</a><br/>\n' for name in names))


def publish_notes():
    """The tables of drivers as NVIDIA's release notes of CUDA 13.4 have them."""

    def table(head, rows):
        lines = [head, *rows]
        return "<table>\n" + "".join("<tr>" + "".join(f"<td><p>{cell}</p></td>" for cell in line) + "</tr>\n" for line in lines) + "</table>\n"

    def label(version):
        minor, digit = version.rsplit(".", 1)
        if tuple(map(int, minor.split("."))) <= (11, 0):
            return f"CUDA {version} RC" if version == "11.0.1" else f"CUDA {version} GA" if version == "11.0.2" else f"CUDA {version} Update {digit}"
        return f"CUDA {minor} GA" if digit == "0" else f"CUDA {minor} Update {digit}"

    drivers = [(label(row["version"]), f"&gt;={row['driver']}", "N/A") for row in facts("cuda.json", "toolkits") if row["driver"]]
    drivers += [(f"CUDA {row['cuda']} general release", f"&gt;= {row['native_driver']}", "N/A") for row in facts("cuda.json", "minors")[:3]]
    branches = {row["cuda"]: row["branch"] for row in reversed(facts("drivers.json", "branches")) if row["kind"] != "developer"}
    newest = [(f"CUDA {row['cuda']}", f"R{branches[row['cuda']]}") for row in facts("cuda.json", "minors") if row["cuda"].startswith("13.")]
    majors = [(f"{row['cuda']}.x", f"&gt;= {row['minor_compat_driver'][:3]}", "N/A") for row in facts("cuda.json", "majors") if row["minor_compat_driver"]]
    page = table(("CUDA Toolkit", "Corresponding Driver Branch"), newest)
    page += table(("CTK Version", "Driver Range for Minor Version Compatibility"), majors)
    page += table(("CUDA Toolkit", "Linux x86_64 Driver Version", "Windows x86_64 Driver Version"), drivers)
    bodies["/notes/index.html"] = ("text/html", f"<html><body>{page}<p>{'0' * NOTES}</p></body></html>")


def publish_nvidia():
    for path in (nvidia / "nvidia").rglob("*"):
        if path.is_file():
            name = f"/{path.relative_to(nvidia)}"
            bodies[name.removesuffix("index.html")] = ("text/html" if path.suffix == ".html" else "application/json", path.read_text(encoding="utf-8"))


def publish_hub(root):
    def repository(name, tags, least):
        tags = [*tags, *(f"nightly-{number}" for number in range(least - len(tags)))]
        folder = f"/hub/{name}/tags"
        for first in range(0, len(tags), PAGE):
            page = first // PAGE + 1
            more = first + PAGE < len(tags)
            results = [{"name": tag, "images": "0" * TAG} for tag in tags[first : first + PAGE]]
            body = json.dumps({"count": len(tags), "next": f"{root}{folder}?page_size={PAGE}&page={page + 1}" if more else None, "results": results})
            bodies[f"{folder}?page_size={PAGE}" + (f"&page={page}" if page > 1 else "")] = ("application/json", body)

    repository("nvidia/cuda", [row["tag"] for row in facts("images.json", "cuda") if row["evidence"] != "used-doubtful"], 3000)
    repository("pytorch/pytorch", [row["tag"] for row in facts("images.json", "pytorch") if row["evidence"] != "used-doubtful"], 400)
    repository("tensorflow/tensorflow", [image["tag"] for row in facts("tensorflow.json", "releases") for image in row["images"]], 3200)


def publish_conda():
    labels = [{"version": row["cuda"], "labels": [row["label"].rsplit("/", 1)[1]], "attrs": {}} for row in facts("conda.json", "labels")]
    bodies["/conda/nvidia/cuda-toolkit/files"] = ("application/json", json.dumps(labels))
    files = []
    for row in facts("conda.json", "builds"):
        if row["channel"] != "conda-forge":
            continue
        cuda = f"cuda{row['cuda'].replace('.', '')}" if row["cuda"] else "cpu"
        subdir = {"linux-x86_64": "linux-64", "linux-aarch64": "linux-aarch64"}[row["platform"]]
        for python in row["pythons"] or []:
            for blas in ("generic", "mkl"):
                build = f"{cuda}_{blas}_py{python.replace('.', '')}_h0000000_300"
                files.append({"version": row["torch"], "attrs": {"subdir": subdir, "build": build, "depends": "0" * PACKAGE}})
    bodies["/conda/conda-forge/pytorch/files"] = ("application/json", json.dumps(files))


class Published(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        time.sleep(latency)
        kind, text = bodies.get(self.path, ("text/plain", None))
        body = (text or "").encode()
        tag = f'"{hashlib.sha256(body).hexdigest()}"'
        unchanged = text is not None and self.headers.get("If-None-Match") == tag
        self.send_response(404 if text is None else 304 if unchanged else 200)
        self.send_header("ETag", tag)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", "0" if unchanged else str(len(body)))
        self.end_headers()
        if not unchanged:
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Published)
address = f"http://127.0.0.1:{server.server_port}"
publish_index()
publish_wheel_index()
publish_notes()
publish_nvidia()
publish_hub(address)
publish_conda()
print(address, flush=True)
server.serve_forever()
