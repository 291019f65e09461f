"""run.sh and setup.sh run with programs in place of docker, podman, uv, conda ... that write down what they are given. Not a program."""
import dataclasses
import json
import pathlib
import shlex
import stat
import subprocess
import sys
import tempfile

ENGINE = f"#!{sys.executable}\nimport json, os, sys\nprint(json.dumps([os.path.basename(sys.argv[0]), *sys.argv[1:]]))\n"
# Writes down how it was called; where an environment is asked for, it leaves itself as the Python there.
RECORDER = """#!/bin/bash
printf '%s\\0' "$#" "${0##*/}" "$@" >>"$RECORD"
place=
for ((i = 1; i < $#; i++)); do
  if [[ "${!i}" == --prefix ]]; then j=$((i + 1)) place=${!j}; fi
  if [[ "${!i}" == venv ]]; then place=${!#}; fi
done
if [[ -n "$place" ]]; then mkdir -p "$place/bin" && cp "$0" "$place/bin/python"; fi
"""
RECORDED = ["apt-get", "conda", "curl", "dpkg-query", "g++", "gcc", "nvcc", "sudo", "uv", "python", "python3", *(f"python3.{n}" for n in range(6, 16))]
VALUED = ("--gpus", "--device", "--security-opt", "--ulimit", "--volume", "--publish", "--env")


def programs(folder, names, text):
    folder.mkdir()
    for name in names:
        (folder / name).write_text(text)
        (folder / name).chmod(stat.S_IRWXU)
    return f"{folder}:/usr/bin:/bin"


@dataclasses.dataclass
class Run:
    """How an engine was called: its options with their values, the image and the command."""
    engine: str
    options: list
    image: str
    command: list

    def values(self, name):
        return [value for option, value in self.options if option == name]


def parsed(engine, command, *words):
    """The options that docker run takes, then the image and what it runs."""
    assert command == "run", command
    options, at = [], 0
    while at < len(words) and words[at].startswith("-"):
        name, equals, value = words[at].partition("=")
        if not equals and name in VALUED:
            at += 1
            value = words[at]
        options.append((name, value))
        at += 1
    return Run(engine, options, words[at], list(words[at + 1:]))


def run_script(script, *arguments, **variables):
    """What run.sh calls, from a folder and a home of its own; the home has a public key."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place).resolve()
        path = programs(folder / "bin", ["docker", "podman"], ENGINE)
        (folder / "home/.ssh").mkdir(parents=True)
        (folder / "home/.ssh/id.pub").write_text("ssh-ed25519 KEY\n")
        (folder / "work").mkdir()
        done = subprocess.run(["/bin/bash", script.resolve(), *arguments], cwd=folder / "work", capture_output=True, stdin=subprocess.DEVNULL, text=True,
                              env={"PATH": path, "HOME": str(folder / "home"), **variables}, check=False)
        assert done.returncode == 0, f"{script} ends with {done.returncode}: {done.stderr}"
        return parsed(*(word.replace(str(folder / "work"), "$PWD") for word in json.loads(done.stdout)))


def setup_script(script):
    """Each call of setup.sh in a new folder, and what it wrote beside the environment."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place).resolve()
        path = programs(folder / "bin", RECORDED, RECORDER)
        (folder / "work").mkdir()
        (folder / "home").mkdir()
        done = subprocess.run(["/bin/bash", script.resolve()], cwd=folder / "work", capture_output=True, stdin=subprocess.DEVNULL, text=True, check=False,
                              env={"PATH": path, "HOME": str(folder / "home"), "RECORD": str(folder / "record")})
        assert done.returncode == 0, f"{script} ends with {done.returncode}: {done.stderr}"
        words = (folder / "record").read_text().split("\0")
        calls = []
        while len(words) > 1:
            count = int(words[0])
            calls.append([word.replace(str(folder / "work"), "$PWD") for word in words[1:count + 2]])
            words = words[count + 2:]
        frozen = folder / "work/.venv.frozen.txt"
        return calls, frozen.read_text() if frozen.exists() else None


def commands(text):
    """The commands of a line of shell, each as its words; what is put into a command stays one word."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    found = [[]]
    for word in lexer:
        if set(word) <= set("&|;(){}"):
            found.append([])
        else:
            found[-1].append(word)
    return [command for command in found if command]
