"""Files of images/ read by the parsers of their users, and what they hold compared with the lock beside them.

usage: parsed.py FOLDER/envgen.json...    exit status 1, and a line for each, where one says something else
"""
import json
import pathlib
import sys

import rattler
import tomli
import yaml
from packaging.requirements import Requirement
from pip._internal.network.session import PipSession
from pip._internal.req.req_file import parse_requirements
from packaging.specifiers import SpecifierSet

failures = []


def expect(file: pathlib.Path, what: str, wanted: object, found: object) -> None:
    if wanted != found:
        failures.append(f"{file}: {what} is {found!r}, the lock says {wanted!r}")


def framework(lock: dict) -> tuple[str, str]:
    environment = lock["environment"]
    name = "torch" if environment["torch"] else "tensorflow"
    return name, environment[name]["version"]


def requirements(file: pathlib.Path, lock: dict) -> None:
    lines = list(parse_requirements(str(file), session=PipSession()))
    found = {r.name: r for r in (Requirement(line.requirement) for line in lines)}
    name, version = framework(lock)
    frozen = {package["name"]: package["hashes"] for package in lock.get("frozen", {}).get("packages", [])}
    hashes = {Requirement(line.requirement).name: [f"{kind}:{one}" for kind, all_of in line.options["hashes"].items() for one in all_of]
              for line in lines if line.options.get("hashes")}
    expect(file, "the hashes", frozen, hashes)
    expect(file, name, True, name in found and found[name].specifier.contains(version + on_index(lock)))


def on_index(lock: dict) -> str:
    """What the wheel index adds to a version."""
    name, _ = framework(lock)
    build = lock["environment"][name]
    return "" if build["on_package_index"] or not build["index_url"] else "+" + build["tag"]


def pyproject(file: pathlib.Path, lock: dict) -> None:
    document = tomli.loads(file.read_text())
    found = {r.name: r for r in map(Requirement, document["project"]["dependencies"])}
    name, version = framework(lock)
    expect(file, name, True, name in found and found[name].specifier.contains(version))
    python = lock["environment"]["python"].rstrip("t")
    expect(file, "requires-python", True, SpecifierSet(document["project"]["requires-python"]).contains(python + ".1"))
    indexes = [index["url"] for index in document.get("tool", {}).get("uv", {}).get("index", [])]
    expect(file, "the wheel index", [lock["environment"][name]["index_url"]] if on_index(lock) else [], indexes)


def conda(file: pathlib.Path, lock: dict) -> None:
    document = yaml.safe_load(file.read_text())
    specs = {}
    for text in document["dependencies"]:
        if isinstance(text, str):
            spec = rattler.MatchSpec(text)
            specs[spec.name.normalized if hasattr(spec.name, "normalized") else str(spec.name)] = spec
    _, version = framework(lock)
    expect(file, "pytorch", True, "pytorch" in specs and version in str(specs["pytorch"].version))
    expect(file, "python", True, lock["environment"]["python"] in str(specs["python"].version))


def with_comments(file: pathlib.Path) -> dict:
    """JSON as VS Code reads it; envgen writes comments as whole lines."""
    return json.loads("\n".join(line for line in file.read_text().splitlines() if not line.startswith("//")))


def devcontainer(file: pathlib.Path, _: dict) -> None:
    document = with_comments(file)
    expect(file, "its Dockerfile", True, (file.parent / document["build"]["dockerfile"]).exists())


def editor(file: pathlib.Path, _: dict) -> None:
    expect(file, "an object", dict, type(with_comments(file)))


readers = {"requirements.txt": requirements, "requirements.frozen.txt": requirements,
           ".devcontainer/requirements.frozen.txt": requirements, "pyproject.toml": pyproject, "environment.yaml": conda,
           ".devcontainer/devcontainer.json": devcontainer, ".vscode/settings.json": editor, ".vscode/launch.json": editor}
for argument in sys.argv[1:]:
    folder = pathlib.Path(argument).parent
    lock = json.loads((folder / "envgen.lock").read_text())
    for name, read in readers.items():
        if (folder / name).exists():
            read(folder / name, lock)
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
