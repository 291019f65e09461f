"""The assertion that ends a build, run with a framework that says what the lock says: it passes; and with each single value another: it fails.

usage: assertion.py FOLDER/envgen.json...    exit status 1, and a line for each that passes or fails where it must not

It is taken out of each Dockerfile and setup.sh as a shell takes it, and has to be the same in all of a folder. The framework is a module
on PYTHONPATH, so no GPU and no framework is needed.
"""
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from dockerfile_parse import DockerfileParser

from project import Project
from scripted import commands

TORCH = """import json, os
said = json.loads(os.environ["SAID"])
__version__ = said["version"]
class version:
    cuda = said["cuda"]
class backends:
    class cudnn:
        version = staticmethod(lambda: said["cudnn"])
class _C:
    _cuda_getArchFlags = staticmethod(lambda: " ".join(said["archs"]))
"""
TENSORFLOW = """import json, os
said = json.loads(os.environ["SAID"])
__version__ = said["version"]
class sysconfig:
    get_build_info = staticmethod(lambda: {"cuda_version": said["cuda"]} if said["cuda"] else {})
"""


def cudnn_number(version):
    """As cudnn_version.h has it: 8.9.2 is 8902, and from 9 on 9.1.0 is 90100; none where the patch is not known."""
    parts = [int(part) for part in version.split(".")]
    return parts[0] * (10000 if parts[0] >= 9 else 1000) + parts[1] * 100 + parts[2] if len(parts) > 2 else None


def flag(prefix, arch):
    return prefix + arch.replace(".", "")


class Truth:
    """What the framework of a lock says of itself, and what else it could say."""

    def __init__(self, project):
        build, cudnn = project.build, project.environment["cudnn"]
        self.torch = project.name == "torch"
        self.version, self.cuda = build["version"], build["cuda"]
        self.cudnn = cudnn_number(cudnn["version"]) if self.torch and self.cuda and cudnn and cudnn["version"] else None
        knows_archs = self.torch and self.cuda and build["archs"] is not None and build["ptx"] is not None
        self.archs = [*(flag("sm_", arch) for arch in build["archs"]), *(flag("compute_", arch) for arch in build["ptx"])] if knows_archs else None
        self.local = f"+{build['tag']}"

    def said(self, **others):
        """As a wheel says it: the index in the version, and what the lock does not know, in whatever way."""
        version = others.get("version", self.version)
        return {"version": version + self.local if self.torch else version, "cuda": others.get("cuda", self.cuda),
                "cudnn": others.get("cudnn", self.cudnn or 1), "archs": others.get("archs", self.archs or ["sm_1"])}

    def right(self):
        """What must pass: torch in any order of its architectures, TensorFlow with an update of CUDA as well."""
        yield self.said()
        if self.archs:
            yield self.said(archs=self.archs[::-1])
        if not self.torch:
            yield self.said(cuda=self.cuda + ".1")

    def wrong(self):
        """What must fail: one value each, with the text that tells of it."""
        release, _, patch = self.version.rpartition(".")
        for version in (f"{release}.{int(patch) + 1}", f"{self.version}1"):
            yield self.said(version=version), version
        for cuda in ("10.9", None if self.cuda else "12.1"):
            text = repr(cuda) if self.torch or cuda else "''"
            yield self.said(cuda=cuda), text
        for cudnn in (self.cudnn + 1, self.cudnn + 100, None) if self.cudnn else ():
            yield self.said(cudnn=cudnn), str(cudnn)
        for at, arch in enumerate(self.archs or ()):
            yield self.said(archs=self.archs[:at] + self.archs[at + 1:]), "archs"
            yield self.said(archs=[arch + "0" if one == arch else one for one in self.archs]), arch + "0"
        if self.archs:
            yield self.said(archs=[*self.archs, "sm_999"]), "sm_999"


class Place:
    """Where an assertion is run."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "bin").mkdir()
        (folder / "bin/python").symlink_to(sys.executable)
        for name, text in (("torch", TORCH), ("tensorflow", TENSORFLOW)):
            (folder / f"{name}.py").write_text(text)

    def run(self, shell, said):
        """What is written as an error where it fails; none where it passes."""
        done = subprocess.run(["/bin/bash", "-o", "pipefail", "-c", shell], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={"PATH": f"{self.folder}/bin:{os.defpath}", "PYTHONPATH": str(self.folder), "place": str(self.folder),
                                   "PYTHONDONTWRITEBYTECODE": "1", "SAID": json.dumps(said)})
        return done.stderr if done.returncode else None


def of_dockerfile(file):
    with open(file, "rb") as stream:
        runs = [one["value"] for one in DockerfileParser(fileobj=stream).structure if one["instruction"] == "RUN" and "assert found" in one["value"]]
    # What compiles against torch is looked at after it, by a program that tests/files/extension_program_test.cpp runs.
    return [run.partition(" && python /opt/envgen/extensions.py ")[0] for run in runs]


def of_setup(file):
    return [line for line in file.read_text().splitlines() if re.match(r'"\$place/bin/python" -c .*assert found', line)]


def program(shell):
    """What Python is given, without how it is laid out."""
    call = commands(shell)[0]
    return ast.dump(ast.parse(call[call.index("-c") + 1])) if "-c" in call else shell


def refused(place, shell, truth):
    """A line for each time that it fails although all is as locked."""
    for said in truth.right():
        error = place.run(shell, said)
        if error is not None:
            yield f"fails although all is as locked ({said}): {error.strip().splitlines()[-1]}"


def taken(place, shell, truth):
    """A line for each time that it passes although one value is another, or does not tell which."""
    for said, text in truth.wrong():
        error = place.run(shell, said)
        last = error.strip().splitlines()[-1] if error else ""
        installed, comma, locked = last.partition(", locked {")
        if error is None:
            yield f"passes although {said} is installed"
        elif not installed.startswith("AssertionError: installed {") or text not in installed or not comma or f"'{truth.version}'" not in locked:
            yield f"does not tell what is installed and what is locked: {last!r}"


def look(folder, place):
    """What is wrong with the assertions of a folder, and how many changes they were asked for."""
    project = Project(folder)
    truth = Truth(project)
    found = {file: of_dockerfile(file) for file in map(project.folder.joinpath, ("Dockerfile", ".devcontainer/Dockerfile")) if file.exists()}
    found.update({file: of_setup(file) for file in [project.folder / "setup.sh"] if file.exists()})
    wrong = [f"{file}: {len(shells)} assertions in place of one" for file, shells in found.items() if len(shells) != 1]
    shells = {file: shells[0] for file, shells in found.items() if shells}
    wrong += [f"{folder}: the assertions of its files differ"] if len(set(map(program, shells.values()))) > 1 else []
    wrong += [f"{file}: {line}" for file, shell in shells.items() for line in refused(place, shell, truth)]
    # The same program, so once is enough.
    wrong += [f"{file}: {line}" for file, shell in list(shells.items())[:1] for line in taken(place, shell, truth)]
    return wrong, len(found), sum(1 for _ in truth.wrong())


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder).resolve())
        looked = [look(pathlib.Path(one).parent, place) for one in sys.argv[1:]]
    wrong = [line for lines, _, _ in looked for line in lines]
    for line in wrong:
        print(line)
    files, changes = sum(count for _, count, _ in looked), sum(count for _, _, count in looked)
    print(f"assertions of {files} files run, with {changes} frameworks that are not the locked ones; {len(wrong)} answers are wrong")
    sys.exit(1 if wrong or not changes else 0)


main()
