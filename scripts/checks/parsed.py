"""Files of images/ read by the parsers of their users, and what they hold compared with the lock and envgen.json beside them.

usage: parsed.py ENVGEN FOLDER/envgen.json...    exit status 1, and a line for each, where one says something else

Each file is held to what was asked for, so all agree. Scripts are run, with programs in place of docker, uv, conda ... that write
down what they are given. ENVGEN makes a few projects more, with the options that no folder of images/ has.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import rattler
import tomli
import yaml
from dockerfile_parse import DockerfileParser
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from pip._internal.network.session import PipSession
from pip._internal.req.req_file import parse_requirements

from project import SYSTEM_PYTHONS, Container, Project, by_name, with_comments
from scripted import commands, run_script, setup_script

MORE = {
    "options": {"request": {"torch": "2.6", "cuda": "12.6", "gpus": ["RTX 4090"], "variant": "devel", "installer": "uv"},
                "outputs": {"files": ["dockerfile", "run", "compose", "requirements", "pyproject", "setup", "devcontainer", "vscode", "ci"],
                            "ci_for": "github", "apt": ["libgl1"], "pip": ["flash-attn==2.7.4.post1", "einops"], "user": "me", "shm_size": "8g", "container_gpus": "device=0,1", "jupyter": True,
                            "ssh": True, "image_name": "registry.example.org/team/options:1"}},
    "podman-cpu": {"request": {"torch": "2.13", "cuda": "cpu"},
                   "outputs": {"files": ["dockerfile", "run", "compose", "requirements", "pyproject", "setup", "devcontainer", "vscode"], "podman": True,
                               "jupyter": True, "image_name": "podman-cpu"}},
    "podman-all": {"request": {"torch": "2.6", "cuda": "11.8", "gpus": ["GTX 1080 Ti"], "variant": "devel"},
                   "outputs": {"files": ["dockerfile", "run", "compose", "setup", "requirements", "pyproject", "devcontainer", "vscode", "ci"],
                               "ci_for": "gitlab", "pip": ["numpy<3"], "legacy_builder": True, "podman": True, "ssh": True}},
    "conda-toolkit": {"request": {"torch": "2.5", "installer": "conda"},
                      "outputs": {"files": ["dockerfile", "run", "compose", "conda", "setup", "devcontainer", "vscode"], "pip": ["einops==0.8.0"],
                                  "jupyter": True, "explicit_toolkit": True, "container_gpus": "2", "apt": ["libgl1"], "gpu_required": True}},
}
TOOLKIT = re.compile("cuda-(toolkit|nvcc|cudart-dev|cccl|libraries-dev)|gxx_linux")
failures = []


def expect(file, what, wanted, found):
    if wanted != found:
        failures.append(f"{file}: {what}: {found!r}, asked for is {wanted!r}")


def bounded(requirement):
    """It names a version, or a ceiling."""
    return any(one.operator in ("==", "===", "~=", "<", "<=") for one in Requirement(requirement).specifier)


class Steps:
    """What pip or uv is told to install, step by step."""

    def __init__(self, calls, variables):
        self.steps = [self.step(call[call.index("install") + 1:], variables) for call in calls
                      if "install" in call and call[call.index("install") - 1].endswith("pip") and "/dev/stdin" not in call]

    @staticmethod
    def step(words, variables):
        step = {"requirements": [], "index": None, "compiles": False, "file": None, "hashes": False}
        words = iter(words)
        for word in words:
            if word in ("--python", "--index-strategy"):
                next(words)
            elif word in ("--index-url", "--extra-index-url", "--index"):
                index = next(words)
                step["index"] = variables.get(index.lstrip("$"), index)
            elif word in ("--requirement", "-r"):
                step["file"] = next(words)
            elif word.startswith("-"):
                step["compiles"] |= word == "--no-build-isolation"
                step["hashes"] |= word == "--require-hashes"
            else:
                step["requirements"].append(word)
        return step

    def all(self):
        return by_name(one for step in self.steps for one in step["requirements"])

    def compiled(self):
        return [name for step in self.steps if step["compiles"] for name in by_name(step["requirements"])][1:]


def expect_steps(file, project, steps, of_image=False):
    """What is installed, from where, is what was asked for, and no more."""
    frozen = bool(project.frozen())
    expect(file, "installs a tree by its hashes", [frozen] if frozen else [False] * len(steps.steps), [step["hashes"] for step in steps.steps][:1]
           if frozen else [step["hashes"] for step in steps.steps])
    if project.by_conda or frozen:
        wanted = {} if frozen else dict(project.given)
    else:
        # An official image holds what was released with torch.
        wanted = {**({"torch": project.framework["torch"]} if of_image else project.framework), **project.pins, **project.given}
    if of_image and project.environment["image_layout"] != "conda":
        wanted.pop("torch", None)
    found = steps.all()
    added = set() if frozen else project.added(steps.compiled())
    expect(file, "requirements", wanted, {name: found[name] for name in found if name not in added})
    expect(file, "what it adds by itself", added, added & set(found))
    with_torch = [step for step in steps.steps if set(by_name(step["requirements"])) >= set(project.framework)]
    for step in with_torch[:1]:
        expect(file, "the wheel index", project.index, step["index"])
    for step in steps.steps:
        if step["index"] and not step["file"]:
            expect(file, "what comes from the wheel index", set(project.framework), set(by_name(step["requirements"])))


def expect_bounds(file, project, calls):
    """What envgen adds by itself is no newest version of anything."""
    for call in calls:
        if project.frozen() or "/dev/stdin" in call or not ("install" in call and call[call.index("install") - 1].endswith("pip")):
            continue
        for word in call[call.index("install") + 1:]:
            if re.match(r"[A-Za-z]", word) and not word.startswith("install") and canonicalize_name(re.match(r"[\w.-]*", word)[0]) not in project.given:
                expect(file, f"{word!r} has a version or a ceiling", True, bounded(word))


def expect_tools(file, calls, fed):
    """What envgen itself needs comes by its hash: each command that reads a requirement is told to ask for one, and is fed one."""
    readers = [call for call in calls if "/dev/stdin" in call]
    expect(file, "tools that come by a hash", len(fed), len([call for call in readers if "--require-hashes" in call]))
    expect(file, "tools", len(readers), len([one for one in fed if re.fullmatch(r"(uv|pip)==[0-9.]+( --hash=sha256:[0-9a-f]{64})+", one)]))


def conda_call(file, call):
    """The channels and the packages that conda is told to install."""
    expect(file, "channels", (True, True), ("--override-channels" in call, "--strict-channel-priority" in call))
    channels = [call[at + 1] for at, word in enumerate(call) if word == "--channel"]
    after = max(at for at, word in enumerate(call) if word == "--channel") + 2
    return channels, call[after:]


def expect_conda(file, project, channels, specs, whole):
    """What conda installs is the lock's; environment.yaml and setup.sh may hold a toolkit besides."""
    build = project.environment["torch"]
    wanted = [*build["conda_channels"], *(["conda-forge"] if "conda-forge" not in build["conda_channels"] else [])]
    expect(file, "channels", wanted, [name for name in channels if "/label/" not in name])
    parsed = {spec.name.normalized if hasattr(spec.name, "normalized") else str(spec.name): spec for spec in map(rattler.MatchSpec, specs)}
    versions = {name: str(spec.version or "") for name, spec in parsed.items()}
    expect(file, "Python", f"{project.environment['python']}.*", versions.get("python"))
    expect(file, "torch", f"=={build['version']}", versions.get("pytorch"))
    of_pytorch = build["conda_channels"][0] == "pytorch"
    for name in ("torchvision", "torchaudio"):
        expect(file, name, f"=={build[name]}" if of_pytorch and build[name] else None, versions.get(name))
    build_string = str(parsed["pytorch"].build)
    expect(file, "CUDA in the build string of torch", True, f"cuda{build['cuda']}_" in build_string or f"cuda{build['cuda'].replace('.', '')}" in build_string)
    for name, (_, wanted_version) in project.pins.items():
        expect(file, name, SpecifierSet(wanted_version), SpecifierSet(versions.get(name, "")))
    label = project.environment["cuda"]["conda_label"]
    toolkit = [spec for spec in specs if TOOLKIT.match(spec)]
    has_toolkit = whole and (project.outputs.get("explicit_toolkit", False) or project.environment["variant"] == "devel")
    expect(file, "a toolkit", has_toolkit, bool(toolkit))
    expect(file, "the channel of the toolkit", [label] if has_toolkit and of_pytorch else [], [name for name in channels if "/label/" in name])
    return sorted(spec for spec in specs if spec not in toolkit)


class Dockerfile:
    """A Dockerfile by its instructions."""

    def __init__(self, file):
        with open(file, "rb") as stream:
            self.structure = DockerfileParser(fileobj=stream).structure
        self.text = file.read_text()
        self.stages, self.calls = [], []
        for one in self.structure:
            if one["instruction"] == "FROM":
                self.stages.append({"image": one["value"].split()[0], "apt": []})
            elif one["instruction"] == "RUN":
                self.run(re.sub(r"^(--[a-z]+(=\S*)?\s+)*", "", one["value"]))

    def run(self, value):
        for call in commands(value):
            while call and re.match(r"\w+=", call[0]):
                call = call[1:]
            if not call:  # assignments alone
                continue
            self.calls.append(call)
            if call[0] == "apt-get" and "install" in call:
                words = call[call.index("install") + 1:]
                self.stages[-1]["apt"] += [word for at, word in enumerate(words) if not word.startswith("-") and words[at - 1] != "-o"]

    def values(self, instruction):
        return [one["value"] for one in self.structure if one["instruction"] == instruction]

    def variables(self):
        return {name: value.strip('"') for name, _, value in (value.partition("=") for value in self.values("ARG"))}

    def python(self, project):
        """The Python that the environment is made with."""
        made = [call for call in self.calls if "venv" in call and call[-1] == "/opt/venv"]
        if not made:
            return None
        if made[0][:3] == ["python3", "-m", "venv"] or "/usr/bin/python3" in made[0]:
            return SYSTEM_PYTHONS[project.environment["os"]]
        return made[0][made[0].index("--python") + 1]


def read_dockerfile(file, project):
    dockerfile = Dockerfile(file)
    environment = project.environment
    expect(file, "base images", project.bases(), [stage["image"] for stage in dockerfile.stages])
    expect(file, "apt packages", [sorted(names) for names in project.packages()], [sorted(stage["apt"]) for stage in dockerfile.stages])
    expect(file, "users", {project.user}, {call[-1] for call in dockerfile.calls if call[0] == "useradd"})
    expect(file, "the image's name", {project.image}, set(re.findall(r"^#.* --tag (\S+)", dockerfile.text, re.MULTILINE)))
    expect(file, "the engine", {project.engine}, set(re.findall(r"^#   (\w+) build", dockerfile.text, re.MULTILINE)))
    title = f"{project.name} {project.build['version']}, {'CUDA ' + project.build['cuda'] if project.build['cuda'] else 'CPU'}"
    expect(file, "the title", True, f'org.opencontainers.image.title="{title}"' in dockerfile.values("LABEL")[0])
    gpus = "NVIDIA_VISIBLE_DEVICES=all" in " ".join(dockerfile.values("ENV"))
    expect(file, "GPUs", bool(project.build["cuda"]), gpus)
    of_image = environment["python_provider"] == "image"
    if not project.by_conda:
        expect(file, "Python", None if of_image else environment["python"], dockerfile.python(project))
    index = dockerfile.variables().get("TORCH_INDEX_URL")
    expect(file, "the wheel index", project.index, index)
    expect_steps(file, project, Steps(dockerfile.calls, dockerfile.variables()), of_image)
    expect_bounds(file, project, dockerfile.calls)
    expect_tools(file, dockerfile.calls, re.findall(r"echo '([^']*)' \|", dockerfile.text))
    for call in dockerfile.calls:
        if call[0].endswith("/conda"):
            expect_conda(file, project, *conda_call(file, call), whole=False)


def read_setup(file, project):
    calls, frozen = setup_script(file)
    apt = [word for call in calls if call[:2] == ["apt-get", "install"] for word in call[2:] if not word.startswith("-")]
    expect(file, "apt packages", sorted(project.outputs.get("apt", [])), sorted(apt))
    steps = Steps(calls, {})
    expect_steps(file, project, steps)
    # What this run had no need of is in the text.
    lines = [line for line in file.read_text().splitlines() if " pip install " in line and not line.lstrip().startswith("#")]
    expect_bounds(file, project, [call for line in lines for call in commands(line)])
    expect_tools(file, [call for line in lines for call in commands(line)], re.findall(r"/dev/stdin <<<'([^']*)'", file.read_text()))
    makes = [call for call in calls if "venv" in call]
    pythons = {call[0].removeprefix("python") if call[0] != "uv" else call[call.index("--python") + 1] for call in makes}
    expect(file, "Python", set() if project.by_conda else {project.environment["python"]}, pythons)
    expect(file, "the frozen tree", project.frozen(), {name: (version, hashes) for name, version, hashes in frozen_lines(frozen or "")})
    for call in calls:
        if call[0] == "conda":
            expect_conda(file, project, *conda_call(file, call), whole=True)


def frozen_lines(text):
    """Each line of a tree: the name, the version and the hashes."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            requirement, *options = line.split()
            one = Requirement(requirement)
            yield canonicalize_name(one.name), str(one.specifier), sorted(option.removeprefix("--hash=") for option in options)


def read_requirements(file, project):
    lines = list(parse_requirements(str(file), session=PipSession()))
    if project.frozen():
        found = {}
        for line in lines:
            one = Requirement(line.requirement)
            hashes = sorted(f"{kind}:{value}" for kind, values in line.options["hashes"].items() for value in values)
            found[canonicalize_name(one.name)] = (str(one.specifier), hashes)
        expect(file, "the frozen tree", project.frozen(), found)
        return
    mark = "+" + project.build["tag"] if project.index else ""
    wanted = {**{name: (extras, version + mark) for name, (extras, version) in project.framework.items()}, **project.pins, **project.given}
    compiled = compiled_of(project)
    found = by_name(line.requirement for line in lines)
    added = project.added(compiled)
    expect(file, "requirements", {name: wanted[name] for name in wanted if name not in compiled}, {name: found[name] for name in found if name not in added})
    expect(file, "what it adds by itself", added, added & set(found))
    extra = [line.split(maxsplit=1)[1] for line in file.read_text().splitlines() if line.startswith("--extra-index-url ")]
    expect(file, "the wheel index", [project.index] if project.index else [], extra)
    for line in lines:
        expect_bounds(file, project, [["pip", "install", line.requirement]])


def compiled_of(project):
    """What the Dockerfile beside it compiles."""
    file = project.folder / "Dockerfile"
    return Steps(Dockerfile(file).calls, {}).compiled() if file.exists() else []


def read_pyproject(file, project):
    document = tomli.loads(file.read_text())
    compiled = compiled_of(project)
    added = project.added(compiled)
    found = by_name(document["project"]["dependencies"])
    expect(file, "requirements", {**project.framework, **project.pins, **project.given}, {name: found[name] for name in found if name not in added})
    expect(file, "what it adds by itself", added, added & set(found))
    expect_bounds(file, project, [["pip", "install", one] for one in document["project"]["dependencies"]])
    python = project.environment["python"].rstrip("t")
    expect(file, "requires-python", SpecifierSet(f"=={python}.*"), SpecifierSet(document["project"]["requires-python"]))
    uv, poetry = document["tool"].get("uv", {}), document["tool"]["poetry"]
    expect(file, "what uv compiles", compiled, uv.get("no-build-isolation-package", []))
    frozen = {name: version for name, (version, _) in project.frozen().items()}
    expect(file, "the frozen tree", frozen, {name: version for name, (_, version) in by_name(uv.get("constraint-dependencies", [])).items()})
    # The wheel index, for the framework and nothing else, where the package index has another build.
    names = sorted(project.framework) if project.index else []
    expect(file, "uv's index", [(project.index, True)] if project.index else [], [(one["url"], one.get("explicit")) for one in uv.get("index", [])])
    expect(file, "Poetry's source", [(project.index, "explicit")] if project.index else [], [(one["url"], one["priority"]) for one in poetry.get("source", [])])
    expect(file, "what uv takes from its index", {name: {"index": uv["index"][0]["name"]} for name in names}, uv.get("sources", {}))
    expect(file, "what Poetry takes from its source", {name: {"source": poetry["source"][0]["name"]} for name in names}, poetry.get("dependencies", {}))
    expect(file, "whether Poetry makes a package", False, poetry["package-mode"])


def read_conda(file, project):
    document = yaml.safe_load(file.read_text())
    specs = [one for one in document["dependencies"] if isinstance(one, str)]
    by_pip = [requirement for one in document["dependencies"] if isinstance(one, dict) for requirement in one["pip"]]
    expect(file, "channels", "nodefaults", document["channels"][-1])
    own = expect_conda(file, project, document["channels"][:-1], specs, whole=True)
    found = by_name(by_pip)
    added = project.added(compiled_of(project))
    expect(file, "requirements of pip", project.given, {name: found[name] for name in found if name not in added})
    for call in [call for call in Dockerfile(project.folder / "Dockerfile").calls if call[0].endswith("/conda")]:
        expect(file, "packages beside the Dockerfile's", sorted(conda_call(file, call)[1]), own)
    for call in setup_script(project.folder / "setup.sh")[0]:
        if call[0] == "conda":
            expect(file, "packages beside those of setup.sh", sorted(conda_call(file, call)[1]), sorted(specs))


def container_of_options(options, image, podman):
    """What a container gets by options of docker run."""
    values = {name: [value for option, value in options if option == name] for name, _ in options}
    devices = [name.removeprefix("nvidia.com/gpu=") for name in values.get("--device", [])]
    gpus = values.get("--gpus", ["none"])[0].strip('"')
    gpus = (["none"] if not devices else devices) if podman else gpus.removeprefix("device=").split(",") if gpus.startswith("device=") else gpus
    gpus = gpus[0] if gpus in (["none"], ["all"]) else gpus
    limits = dict(limit.partition("=")[::2] for limit in values.get("--ulimit", []))
    shared = values.get("--shm-size", values.get("--ipc", ["private"]))[0]
    return Container(image, gpus, shared, limits, "keep-id" in values.get("--userns", []), "label=disable" in values.get("--security-opt", []))


KNOWN = {"--rm", "--gpus", "--ipc", "--shm-size", "--ulimit", "--volume", "--device", "--security-opt", "--userns"}


def read_run(file, project):
    def run(what, *arguments, publish=(), env=(), command=None, image=None, **variables):
        called = run_script(file, *arguments, **variables)
        expect(file, f"{what}: the engine", project.engine, called.engine)
        expect(file, f"{what}: the command", list(arguments) if command is None else command, called.command)
        expect(file, f"{what}: the container", project.container(), container_of_options(called.options, project.image, project.podman))
        expect(file, f"{what}: the image", image or project.image, called.image)
        expect(file, f"{what}: volumes", ["$PWD:/workspace"], called.values("--volume"))
        expect(file, f"{what}: ports", list(publish), called.values("--publish"))
        expect(file, f"{what}: variables", list(env), called.values("--env"))
        expect(file, f"{what}: options that are not known here", set(), {name for name, _ in called.options} - KNOWN - {"--publish", "--env"})
        expect(file, f"{what}: is removed", [("--rm", "")], [one for one in called.options if one[0] == "--rm"])
        return called

    run("a shell")
    run("a command", "python", "a b.py", "$x", "*")
    run("another image", ENVGEN_IMAGE="other:1", image="other:1")
    if project.outputs.get("jupyter"):
        command = ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--allow-root"]
        run("jupyter", "jupyter", command=command, publish=["127.0.0.1:8888:8888"], env=["JUPYTER_TOKEN"])
        run("jupyter at a port", "jupyter", command=command, publish=["127.0.0.1:9000:8888"], env=["JUPYTER_TOKEN"], JUPYTER_PORT="9000")
    else:
        run("no jupyter", "jupyter")
    if project.outputs.get("ssh"):
        command = ["bash", "/usr/local/bin/envgen-sshd.sh"]
        run("ssh", "ssh", command=command, publish=["127.0.0.1:2222:2222"], env=["SSH_AUTHORIZED_KEYS=ssh-ed25519 KEY"])
        run("ssh for a key", "ssh", command=command, publish=["127.0.0.1:22:2222"], env=["SSH_AUTHORIZED_KEYS=k v"], SSH_PORT="22", SSH_AUTHORIZED_KEYS="k v")
    else:
        run("no ssh", "ssh")
    expect(file, "the image that is built", {project.image}, set(re.findall(r"^# .* build .*--tag (\S+)", file.read_text(), re.MULTILINE)))


def read_compose(file, project):
    services = yaml.safe_load(file.read_text())["services"]
    work = services["work"]
    reserved = work.get("deploy", {}).get("resources", {}).get("reservations", {}).get("devices", [])
    devices = [name.removeprefix("nvidia.com/gpu=") for name in work.get("devices", [])]
    gpus = devices or (reserved and (reserved[0].get("device_ids") or str(reserved[0]["count"]))) or "none"
    found = Container(work["image"], "all" if gpus == ["all"] else gpus, work.get("shm_size", work.get("ipc")),
                      {name: str(value) for name, value in work.get("ulimits", {}).items()}, work.get("userns_mode") == "keep-id",
                      "label=disable" in work.get("security_opt", []))
    wanted = project.container()
    if project.podman:
        wanted.ulimits = {}  # those of the host are podman's own choice there
    expect(file, "the container", wanted, found)
    for one in reserved:
        expect(file, "who brings GPUs", ("nvidia", [["gpu"]]), (one["driver"], [one["capabilities"]]))
    expect(file, "volumes", [".:/workspace"], work["volumes"])
    expect(file, "what is built", ({"USER_UID": "${USER_UID:-1000}", "USER_GID": "${USER_GID:-1000}"}, "."), (work["build"]["args"], work["build"]["context"]))
    wanted = {"work"}
    for name, command, port, variable in (("jupyter", "jupyter lab --ip=0.0.0.0 --no-browser --allow-root", "127.0.0.1:8888:8888", "JUPYTER_TOKEN"),
                                          ("ssh", "bash /usr/local/bin/envgen-sshd.sh", "127.0.0.1:2222:2222", "SSH_AUTHORIZED_KEYS")):
        if project.outputs.get(name):
            wanted.add(name)
            service = {"extends": "work", "profiles": [name], "command": command.split(), "environment": [variable], "ports": [port]}
            expect(file, name, service, services.get(name))
    expect(file, "services", wanted, set(services))


def interpreter(project):
    """The Python of the container."""
    environment = project.environment
    if project.by_conda:
        return "/opt/env/bin/python"
    if environment["python_provider"] != "image":
        return "/opt/venv/bin/python"
    return "/opt/conda/bin/python" if environment["image_layout"] == "conda" else "python"


def read_devcontainer(file, project):
    document = with_comments(file)
    expect(file, "its name", project.image, document["name"])
    build = document["build"]
    expect(file, "its Dockerfile", True, (file.parent / build["dockerfile"]).exists())
    expect(file, "the folder of its COPY", (file.parent / build["dockerfile"]).resolve().parent, (file.parent / build.get("context", ".")).resolve())
    expect(file, "its user", project.user, document["remoteUser"])
    expect(file, "where its user's caches are", True, f"target=/home/{project.user}/.cache," in document["mounts"][0])
    wanted = project.container()
    words = iter(document["runArgs"])
    options = [(word.partition("=")[0], word.partition("=")[2]) if "=" in word else (word, next(words)) for word in words]
    found = container_of_options(options, document["name"], project.podman)
    # The Dev Containers CLI gives all GPUs by itself where they are asked for so.
    asked = document.get("hostRequirements", {}).get("gpu")
    by_itself = wanted.gpus == "all" and not project.podman
    expect(file, "a GPU of the host", (True if project.outputs.get("gpu_required") else "optional") if by_itself else None, asked)
    found.gpus = "all" if asked and found.gpus == "none" else found.gpus
    expect(file, "the container", wanted, found)
    settings = document["customizations"]["vscode"]["settings"]
    expect(file, "its Python", interpreter(project), settings["python.defaultInterpreterPath"])
    beside = project.folder / ".vscode/extensions.json"
    if beside.exists():
        expect(file, "extensions", with_comments(beside)["recommendations"], document["customizations"]["vscode"]["extensions"])


def read_launch(file, project):
    """What debugpy takes: https://code.visualstudio.com/docs/python/debugging"""
    document = with_comments(file)
    expect(file, "its members", {"version", "configurations"}, set(document))
    expect(file, "the version of its format", "0.2.0", document["version"])
    kinds = {"name": str, "type": str, "request": str, "program": str, "module": str, "args": list, "console": str, "justMyCode": bool}
    for one in document["configurations"]:
        expect(file, f"members of {one['name']!r}", [], [name for name, value in one.items() if type(value) is not kinds.get(name)])
        expect(file, f"what {one['name']!r} is", ("debugpy", "launch"), (one["type"], one["request"]))
        expect(file, f"what {one['name']!r} starts", 1, len({"program", "module"} & set(one)))
        expect(file, f"where {one['name']!r} writes", True, one["console"] in ("integratedTerminal", "internalConsole", "externalTerminal"))
        expect(file, f"arguments of {one['name']!r}", True, all(isinstance(word, str) for word in one.get("args", [])))
    names = [one["name"] for one in document["configurations"]]
    expect(file, "names", len(names), len(set(names)))
    processes = [word for one in document["configurations"] for word in one.get("args", []) if word.startswith("--nproc")]
    wanted = [] if project.name == "tensorflow" else ["--nproc_per_node=gpu" if project.build["cuda"] else "--nproc_per_node=2"]
    expect(file, "processes of torchrun", wanted, processes)


def read_settings(file, project):
    document = with_comments(file)
    wanted = {"[python]": {"editor.defaultFormatter": "ms-python.black-formatter", "editor.formatOnSave": True}}
    if "devcontainer" not in project.outputs["files"]:  # else VS Code looks at that one's
        wanted["python.defaultInterpreterPath"] = "${workspaceFolder}/." + ("conda" if project.by_conda else "venv") + "/bin/python"
    expect(file, "its settings", wanted, document)


def read_extensions(file, _):
    document = with_comments(file)
    expect(file, "its members", {"recommendations"}, set(document))
    bad = [name for name in document["recommendations"] if not re.fullmatch(r"[a-z0-9-]+\.[a-z0-9-]+", name)]
    expect(file, "names of extensions", [], bad)
    formatter = "ms-python.black-formatter"
    expect(file, "the formatter of settings.json", True, formatter in document["recommendations"])


def read_workflow(file, project):
    """What the scripts build and validate."""
    text = file.read_text(encoding="utf-8")
    calls = [shlex.split(line) for line in re.sub(r"\\\n\s*", "", text).splitlines() if re.match(r"\s+(DOCKER_BUILDKIT=\d docker build|envgen validate) ", line)]
    built, validated = ([call for call in calls if name in call] for name in ("docker", "validate"))
    wanted = project.container()
    jobs = 1 if wanted.gpus == "none" else 2
    expect(file, "jobs", (jobs, jobs), (len(built), len(validated)))
    for call in built:
        expect(file, "the built image", (wanted.image, "."), (call[call.index("--tag") + 1], call[-1]))
    for profile, call in zip(("build", "full"), validated):
        options = dict(zip(call, call[1:]))
        expect(file, "the validated image", (wanted.image, profile), (call[2], options["--profile"]))
        if profile == "full":
            gpus = options["--gpus"].removeprefix("device=").split(",") if options["--gpus"].startswith("device=") else options["--gpus"]
            expect(file, "the GPUs and the memory", (wanted.gpus, wanted.shared_memory), (gpus, options.get("--shm-size", options.get("--ipc"))))


READERS = {"Dockerfile": read_dockerfile, ".devcontainer/Dockerfile": read_dockerfile, "setup.sh": read_setup, "requirements.txt": read_requirements,
           "requirements.frozen.txt": read_requirements, ".devcontainer/requirements.frozen.txt": read_requirements, "pyproject.toml": read_pyproject,
           "environment.yaml": read_conda, "run.sh": read_run, "compose.yaml": read_compose, ".devcontainer/devcontainer.json": read_devcontainer,
           ".vscode/launch.json": read_launch, ".vscode/settings.json": read_settings, ".vscode/extensions.json": read_extensions,
           ".github/workflows/envgen.yml": read_workflow, ".gitlab/envgen.gitlab-ci.yml": read_workflow}
FILES = {"dockerfile": "Dockerfile", "conda": "environment.yaml", "requirements": "requirements.txt", "pyproject": "pyproject.toml", "run": "run.sh",
         "compose": "compose.yaml", "setup": "setup.sh", "devcontainer": ".devcontainer/devcontainer.json", "vscode": ".vscode/launch.json"}


def look(folder):
    """How many files of a folder were read."""
    project = Project(folder)
    names = {**FILES, "ci": {"gitlab": ".gitlab/envgen.gitlab-ci.yml"}.get(project.outputs.get("ci_for"), ".github/workflows/envgen.yml")}
    expect(folder, "files", [], [file for kind in project.outputs["files"] for file in [names[kind]] if not (project.folder / file).exists()])
    present = [name for name in READERS if (project.folder / name).exists()]
    for name in present:
        try:
            READERS[name](project.folder / name, project)
        except (AssertionError, KeyError, IndexError, TypeError, ValueError) as error:
            failures.append(f"{project.folder / name}: cannot be read as what it is: {type(error).__name__}: {error}")
    return len(present)


def made(envgen, place):
    """The folders of MORE."""
    for name, document in MORE.items():
        folder = pathlib.Path(place) / name
        folder.mkdir()
        (folder / "envgen.json").write_text(json.dumps(document))
        for command in ("lock", "generate"):
            subprocess.run([envgen, command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        yield folder


def main():
    envgen, *projects = sys.argv[1:]
    with tempfile.TemporaryDirectory() as place:
        folders = [*(pathlib.Path(one).parent for one in projects), *made(str(pathlib.Path(envgen).resolve()), place)]
        read = sum(look(folder) for folder in folders)
    for failure in failures:
        print(failure)
    print(f"{read} files of {len(folders)} folders read, {len(failures)} say something else than what was asked for")
    sys.exit(1 if failures or not read else 0)


main()
