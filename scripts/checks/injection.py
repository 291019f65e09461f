"""Texts that a language would obey, put into every place of a lock: each is refused, or stands as text in every output.

usage: injection.py ENVGEN FOLDER/envgen.lock...    exit status 1, and a line for each text that got out

A lock is sealed anew after each change, as one from a stranger would be. What envgen makes of it is read by the parser of its
format and must have the shape that it has without the text; scripts, and what a Dockerfile runs, are run with nothing on PATH
but programs that do nothing, must come to their end and leave no file. Before that, texts planted in a Dockerfile and a script
show that whoever gets out is noticed.
"""
import ast
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
OUTPUTS = ["dockerfile", "conda", "requirements", "pyproject", "run", "compose", "setup", "devcontainer", "vscode", "ci --for=github", "ci --for=gitlab"]
PROGRAMS = ["apt-get", "bash", "basename", "cat", "chgrp", "chmod", "cksum", "conda", "curl", "cut", "dirname", "docker", "dpkg-query", "env", "find",
            "getent", "groupadd", "grep", "id", "install", "ln", "ls", "mkdir", "mktemp", "nvcc", "podman", "pip", "python", "python3", "rm", "sed",
            "sha256sum", "sort", "sudo", "tar", "uv", "useradd", "userdel", "xargs", "chown"]
# A script goes on once there is an environment, so who makes one leaves a Python there that does nothing either.
STUB = "#!/bin/bash -p\nexit 0\n"
MAKER = """#!/bin/bash -p
place=
case $1 in
  venv) place=${!#} ;;
  create | install) for ((i = 1; i < $#; i++)); do if [[ "${!i}" == --prefix ]]; then i=$((i + 1)) place=${!i}; fi; done ;;
esac
if [[ -n "$place" ]]; then
  /bin/mkdir -p "$place/bin"
  /bin/cp "${0%/*}/true" "$place/bin/python"
fi
"""
# What is planted where in these, and must be noticed.
PLANTED_IN = {"Dockerfile": """FROM a:1 {stage}
ARG INDEX="{arg}"
RUN --mount=type=cache,target=/root/.cache \\
    --mount=type=secret,id=c \\
    export A=1 \\
 && /opt/venv/bin/pip install {package} \\
 && groupadd {group}
RUN python -c 'import torch; \\
locked = {{"torch": "{version}"}}'
LABEL title="{label}" \\
    lock="a"
ENV A="{env}" \\
    B=$PATH
EXPOSE 80 {port}
""", "setup.sh": """set -euo pipefail
uv venv "$PWD/.venv"
"$PWD/.venv/bin/python" -m pip install torch
"$PWD/.venv/bin/python" -c 'locked = {{"torch": "{version}"}}'
echo "{group}"
"""}
PLANTED = {"stage": "AS b", "arg": 'a" PWNED="b', "package": "'torch==2' $(>pwned)", "group": "x`>pwned`", "version": '2" + __file__ + "',
           "label": 'a" pwned="b', "env": 'a" PWNED="b', "port": "81"}
PLANTED_TOO = [("label", "${pwned}"), ("env", "$pwned"), ("package", "torch==2; >pwned"), ("package", "torch\nUSER root")]


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


def docker_words(text):
    """The words of LABEL, ENV and ARG as Docker divides them, and how many variables Docker puts into each."""
    words, word, quote, position = [], "", "", 0
    variables = 0
    while position < len(text):
        sign = text[position]
        position += 1
        if sign == "\\" and quote != "'" and position < len(text):
            word += sign + text[position]
            position += 1
            continue
        if sign.isspace() and not quote:
            words += [(word, variables)] if word else []
            word, variables = "", 0
            continue
        variables += sign == "$" and quote != "'"
        if not quote and sign in "'\"":
            quote = sign
        elif sign == quote:
            quote = ""
        word += sign
    return words + ([(word, variables)] if word else [])


class Structure(ast.NodeTransformer):
    """Python without the texts and numbers in it."""

    def visit_Constant(self, node):  # noqa: N802  # the name is ast's
        return ast.copy_location(ast.Constant(type(node.value).__name__), node)


def programs(script):
    """What Python is given to run in a script, as its parser sees it."""
    return [ast.dump(Structure().visit(ast.parse(code))) for code in re.findall(r"python\"? -c '([^']*)'", script)]


def instruction(name, value):
    """An instruction that runs nothing: how many words, and where it names something, the names."""
    if name in ("LABEL", "ENV", "ARG"):
        return [name, [(word.partition("=")[0], variables) for word, variables in docker_words(value)]]
    if name in ("COPY", "EXPOSE", "USER", "WORKDIR", "FROM"):
        return [name, len(docker_words(value))]
    if name in ("SHELL", "CMD"):
        return [name, json.loads(value)]
    return [name]


class Looker:
    def __init__(self, envgen, work):
        self.envgen, self.work, self.seen, self.ran = envgen, work, {}, {}
        self.session = PipSession()
        self.stubs = work / "stubs"
        self.stubs.mkdir()
        for program in [*PROGRAMS, "true"]:
            stub = self.stubs / program
            stub.write_text(MAKER if program in ("uv", "conda") else STUB)
            stub.chmod(0o755)

    def run(self, script):
        """How a script ends, which files it left, and which Python it ran."""
        if script not in self.ran:
            place = self.work / "place"
            (place / "home").mkdir(parents=True)
            done = subprocess.run(["/bin/bash", "-c", script], cwd=place, env={"PATH": str(self.stubs), "HOME": str(place / "home")},
                                  capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
            left = sorted(file.name for file in place.rglob("*pwned*"))
            shutil.rmtree(place)
            self.ran[script] = {"status": done.returncode, "left": left, "python": programs(script)}
        return self.ran[script]

    def run_instruction(self, value):
        """RUN without its flags, and with its own programs found on PATH."""
        flags = re.match(r"(--[a-z]+(=\S*)?\s+)*", value)[0]
        return [len(flags.split()), self.run(re.sub(r"/opt/[a-z]+/bin/", "", value[len(flags):]))]

    def dockerfile(self, file):
        with open(file, "rb") as stream:
            parsed = DockerfileParser(fileobj=stream).structure
        return [self.run_instruction(one["value"]) if one["instruction"] == "RUN" else instruction(one["instruction"], one["value"])
                for one in parsed]

    def read(self, file, text):
        if file.name == "Dockerfile":
            return self.dockerfile(file)
        if file.suffix == ".sh":
            return self.run(text)
        if file.suffix == ".yml" and file.name != "virtual-packages.yml":
            return yaml.safe_load(text)  # of the lock, only comments hold texts
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
        done = subprocess.run([self.envgen, "render", *kind.split(), "--lock", lock, "-o", str(out) + "/"], capture_output=True)
        if done.returncode != 0:
            assert done.returncode in (1, 2, 4, 5, 9) and done.stderr.startswith(b"envgen: "), (done.returncode, done.stderr)
            shutil.rmtree(folder)
            return None
        found = {str(file.relative_to(out)): self.look(file) for file in sorted(out.rglob("*")) if file.is_file()}
        shutil.rmtree(folder)
        return found


def statuses(found):
    """The status of each script and each RUN of an output."""
    if isinstance(found, dict) and "left" in found:
        return [found["status"]]
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else []
    return [status for one in inner for status in statuses(one)]


def self_test(looker):
    """What is planted is noticed; a line for each that is not, and for each script that ends early by itself."""
    missed = []
    for name, template in PLANTED_IN.items():
        file = looker.work / name

        def looked(**texts):
            file.write_text(template.format(**{place: texts.get(place, "a" if place not in ("stage", "port") else "") for place in PLANTED}))
            return looker.look(file)

        benign = looked()
        missed += [f"the {name} of the self-test is not read to its end: {benign}"] if any(statuses(benign)) or isinstance(benign, str) else []
        for place, text in [*PLANTED.items(), *PLANTED_TOO]:
            if "{" + place + "}" in template and looked(**{place: text}) == benign:
                missed.append(f"{text!r} as {place} of a {name} is not noticed")
    return missed


def main():
    envgen, *locks = sys.argv[1:]
    envgen = str(pathlib.Path(envgen).resolve())
    tried = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        looker = Looker(envgen, pathlib.Path(folder))
        bad = self_test(looker)
        for lock in locks:
            document = json.loads(pathlib.Path(lock).read_text(encoding="utf-8"))
            kinds = {kind: found for kind in OUTPUTS if (found := looker.render(document, kind)) is not None}
            bad += [f"{lock}: {kind} does not run to its end: {found}" for kind, found in kinds.items() if any(statuses(found))]
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
