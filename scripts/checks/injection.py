"""Texts that a language would obey, put into every place of a lock: each is refused, or stands as text in every output.

usage: injection.py ENVGEN FOLDER/envgen.lock...    exit status 1, and a line for each text that got out

A lock is sealed anew after each change, as one from a stranger would be. What envgen makes of it is read by the parser of its
format and must have the shape that it has without the text; scripts, and what a Dockerfile runs, are run with nothing on PATH
but programs that do nothing, and must leave no file.
"""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tomli
import yaml
from dockerfile_parse import DockerfileParser
from packaging.requirements import Requirement
from pip._internal.network.session import PipSession
from pip._internal.req.req_file import parse_requirements

HOSTILE = ['x" ; >pwned ; "', "x' ; >pwned ; '", "x$(>pwned)", "x`>pwned`", "x >pwned # y", "x{{{title}}}{{#y}}", "x: [y, ", "x\\", "x\u0085>pwned:",
           "x\u2028>pwned:", "--pwned", "x ${pwned}", "x; >pwned", "x\n>pwned", "x\r>pwned", "x\0y"]
OUTPUTS = ["dockerfile", "conda", "requirements", "pyproject", "run", "compose", "setup", "devcontainer", "vscode"]
PROGRAMS = ["apt-get", "bash", "basename", "cat", "chgrp", "chmod", "cksum", "conda", "curl", "cut", "dirname", "docker", "dpkg-query", "env", "find",
            "getent", "groupadd", "grep", "id", "install", "ln", "ls", "mkdir", "mktemp", "nvcc", "podman", "pip", "python", "python3", "rm", "sed",
            "sha256sum", "sort", "sudo", "tar", "uv", "useradd", "userdel", "xargs", "chown"]


def leaves(value, path=()):
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, path + (name,))
    elif isinstance(value, list) and value:  # each item is treated alike
        yield from leaves(value[0], path + (0,))


def put(document, path, text):
    changed = json.loads(json.dumps(document))
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = text
    del changed["integrity"]
    sealed = json.dumps(changed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    changed["integrity"] = "sha256:" + hashlib.sha256(sealed.encode() + b"\n").hexdigest()
    return changed


def shape(value):
    """What a parser found, without its texts."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return type(value).__name__


class Looker:
    def __init__(self, envgen, work):
        self.envgen, self.work, self.seen = envgen, work, {}
        self.session = PipSession()
        self.stubs = work / "stubs"
        self.stubs.mkdir()
        for program in PROGRAMS:
            stub = self.stubs / program
            stub.write_text("#!/bin/bash -p\nexit 0\n")
            stub.chmod(0o755)

    def run(self, script):
        """How bash takes a script, and whether it left the file."""
        place = self.work / "place"
        place.mkdir(exist_ok=True)
        done = subprocess.run(["/bin/bash", "-c", script], cwd=place, env={"PATH": str(self.stubs), "HOME": str(place)}, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=60)
        left = [file.name for file in place.iterdir() if "pwned" in file.name]
        for name in left:
            (place / name).unlink()
        syntax = b"syntax error" in done.stderr or b"unexpected EOF" in done.stderr
        return {"left": left, "syntax": syntax}

    def read(self, file, text):
        if file.name == "Dockerfile":
            with open(file, "rb") as stream:
                parsed = DockerfileParser(fileobj=stream).structure
            runs = [self.run(one["value"].split("--mount=")[0] or one["value"]) for one in parsed if one["instruction"] == "RUN"]
            return [[one["instruction"] for one in parsed], runs]
        if file.suffix == ".sh":
            return self.run(text)
        if file.suffix == ".yaml":
            return shape(yaml.safe_load(text))
        if file.suffix == ".json":
            return shape(json.loads("\n".join(line for line in text.split("\n") if not line.startswith("//"))))
        if file.suffix == ".toml":
            return shape(tomli.loads(text))
        if file.name.startswith("requirements."):
            # As pip reads it: its own lines, and which options each has.
            lines = [[Requirement(line.requirement) and "requirement", *sorted(line.options or {})]
                     for line in parse_requirements(str(file), session=self.session)]
            return [line.split()[0] for line in text.splitlines() if line.startswith("-")] + lines
        return text

    def look(self, file):
        text = file.read_text(encoding="utf-8")
        key = re.sub("sha256:[0-9a-f]{64}", "", text)  # of the lock, and of the file itself
        if key not in self.seen:
            try:
                self.seen[key] = self.read(file, text)
            except Exception as error:  # noqa: BLE001  # whatever a parser holds against the file
                self.seen[key] = f"{type(error).__name__}: {error}"
        return self.seen[key]

    def render(self, document, kind):
        """What each file of an output is to its parser; none where envgen refuses the lock."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        lock = folder / "envgen.lock"
        lock.write_text(json.dumps(document), encoding="utf-8")
        out = folder / "out"
        done = subprocess.run([self.envgen, "render", kind, "--lock", lock, "-o", str(out) + "/"], capture_output=True)
        if done.returncode != 0:
            assert done.returncode in (1, 2, 4, 5, 9) and done.stderr.startswith(b"envgen: "), (done.returncode, done.stderr)
            shutil.rmtree(folder)
            return None
        found = {str(file.relative_to(out)): self.look(file) for file in sorted(out.rglob("*")) if file.is_file()}
        shutil.rmtree(folder)
        return found


def main():
    envgen, *locks = sys.argv[1:]
    envgen = str(pathlib.Path(envgen).resolve())
    tried = refused = 0
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        looker = Looker(envgen, pathlib.Path(folder))
        for lock in locks:
            document = json.loads(pathlib.Path(lock).read_text(encoding="utf-8"))
            kinds = {kind: found for kind in OUTPUTS if (found := looker.render(document, kind)) is not None}
            places = [path for path in leaves(document) if path[0] in ("environment", "pins", "env", "warnings", "frozen")]
            for path in places:
                for text in HOSTILE:
                    changed = put(document, path, text)
                    for kind, benign in kinds.items():
                        tried += 1
                        found = looker.render(changed, kind)
                        if found is None:  # what is refused is no matter of the kind
                            refused += 1
                            break
                        if found != benign:
                            names = [name for name in benign if found.get(name) != benign[name]]
                            bad.append(f"{lock}: {kind}: {text!r} in /{'/'.join(map(str, path))} changes {', '.join(names)}")
    for line in bad:
        print(line)
    print(f"{tried} outputs looked at, {refused} texts refused, {len(bad)} changed by one")
    return 1 if bad or not refused or tried == refused else 0


sys.exit(main())
