"""conda's solver (py-rattler) on environment.yaml of images/, against small channels made here that hold the known traps.

usage: solved.py ENVGEN FOLDER/environment.yaml...    exit status 1, and a line for each that is solved wrongly

Besides the files given, environments with --explicit-toolkit are made by ENVGEN. The channels have, beside the right packages,
what people got in their place. Each trap names the pin that guards it: where the pin is left out, the solver must fall for it, or
the trap shows nothing; and with what envgen writes it never may.
"""
import asyncio
import collections
import dataclasses
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Callable

import yaml
from packaging.specifiers import SpecifierSet
from rattler import (BuildString, Channel, ChannelPriority, GenericVirtualPackage, MatchSpec, PackageName, SparseRepoData, Version,
                     solve_with_sparse_repodata)
from rattler.exceptions import SolverError

# What --explicit-toolkit is asked for: NVIDIA's channel of one release, and conda-forge with and without a newer minor of CUDA.
TOOLKITS = {"torch2.5-toolkit": {"torch": "2.5", "cuda": "12.4", "installer": "conda"},
            "torch2.7-toolkit": {"torch": "2.7", "cuda": "12.6", "installer": "conda", "variant": "devel"},
            "torch2.8-toolkit": {"torch": "2.8", "installer": "conda", "variant": "devel"}}
TOOLKIT_PARTS = ("cuda-nvcc", "cuda-cudart-dev", "cuda-cccl", "cuda-libraries-dev", "cuda-toolkit")


class Repository:
    """One channel: packages by name, version, build and what they ask for."""

    def __init__(self, name, folder):
        self.name, self.folder, self.packages, self.opened = name, folder, {}, None

    def add(self, name, version, build="0", depends=(), constrains=(), number=0):
        self.packages[f"{name}-{version}-{build}.conda"] = {
            "name": name, "version": version, "build": build, "build_number": number, "depends": list(depends), "constrains": list(constrains),
            "subdir": "linux-64", "sha256": "0" * 64, "md5": "0" * 32, "size": 1,
            "timestamp": int(datetime.datetime(2025, 1, 1).timestamp() * 1000)}

    def add_all(self, packages, depends=()):
        for name, versions in packages.items():
            for version in versions:
                self.add(name, version, depends=depends)

    def open(self):
        if not self.opened:
            path = self.folder / f"{self.name.replace('/', '_')}.json"
            path.write_text(json.dumps({"info": {"subdir": "linux-64"}, "packages": {}, "packages.conda": self.packages, "repodata_version": 1}))
            self.opened = SparseRepoData(Channel(self.name), "linux-64", path)
        return self.opened


def fill_pytorch(pytorch):
    """As pytorch/builder@00d0ac61 conda/pytorch-nightly/meta.yaml and @021cb711 conda/build_pytorch.sh make it."""
    for variant in ("cuda", "cpu"):
        pytorch.add("pytorch-mutex", "1.0", variant)
    pytorch.add("cpuonly", "2.0", "0", ["pytorch-mutex 1.0 cpu"])
    for torch, python, minors, cudnn, companions in (
            ("2.5.1", "3.11", ("11.8", "12.1", "12.4"), "9.1.0", (("torchvision", "0.20.1"), ("torchaudio", "2.5.1"))),
            ("1.12.1", "3.9", ("10.2", "11.3", "11.6"), "8.3.2", (("torchvision", "0.13.1"), ("torchaudio", "0.12.1")))):
        plain = python.replace(".", "")
        common = [f"python {python}.*", "mkl >=2018"]
        for minor in minors:
            runtime = f"pytorch-cuda {minor}.*" if torch == "2.5.1" else f"cudatoolkit {minor}.*"
            # The newest minor is not the one that was built last, and one was built again with another cuDNN.
            last = int(minor == minors[1])
            for build, number in ((f"{cudnn}_{last}", last), ("8.9.7_2", 2)) if minor == minors[2] else ((f"{cudnn}_{last}", 3 * last),):
                pytorch.add("pytorch", torch, f"py{python}_cuda{minor}_cudnn{build}", [*common, runtime, "pytorch-mutex 1.0 cuda"], ["cpuonly <0"],
                            number)
            for name, version in companions:
                pytorch.add(name, version, f"py{plain}_cu{minor.replace('.', '')}", [f"pytorch {torch}", runtime, "pytorch-mutex 1.0 cuda", "numpy >=1.11"])
        pytorch.add("pytorch", torch, f"py{python}_cpu_4", [*common, "pytorch-mutex 1.0 cpu"], number=4)
        for name, version in companions:
            pytorch.add(name, version, f"py{plain}_cpu", [f"pytorch {torch}", "pytorch-mutex 1.0 cpu", "numpy >=1.11"], number=1)
    for minor in ("11.8", "12.1", "12.4"):
        pytorch.add("pytorch-cuda", minor, "0", [f"cuda-cudart {minor}.*"])


def fill_nvidia(repository, releases):
    """NVIDIA's own, where the parts of a toolkit are asked for by a lower bound alone; and a newer part may be in any of its channels
    (JuliaPy/CondaPkg.jl#102, conda-forge/miniforge#825)."""
    for minor, patch in releases.items():
        release = f"{minor}.1"
        for part in TOOLKIT_PARTS[:3]:
            repository.add(part, f"{minor}.{patch}")
        repository.add("cuda-cudart", f"{minor}.{patch}")
        repository.add("cuda-libraries-dev", release)
        repository.add("cuda-toolkit", release, "0", [f"{part} >={minor}" for part in TOOLKIT_PARTS[:4]])


def runtime_of_forge(minor):
    """What a build for that CUDA asks for: any later minor of it will do."""
    if minor == "11.8":
        return ["cudatoolkit 11.8.*"]
    below = int(minor.split(".")[0]) + 1
    return [f"cuda-version >={minor},<{below}", f"cuda-cudart >={minor},<{below}"]


def fill_forge(forge):
    """conda-forge: torch by its pytorch-cpu-feedstock, CUDA in parts that cuda-version holds together from 12 on."""
    forge.add_all({"python": ("3.9.21", "3.11.11", "3.12.9", "3.13.5", "3.14.0")}, ["pip"])
    forge.add_all({"pip": ("25.3",)}, ["setuptools"])
    forge.add_all({"mkl": ("2023.2.0", "2024.2.2"), "numpy": ("1.26.4", "2.2.6"), "setuptools": ("68.2.2", "81.0.0", "84.2.1"),
                   "cudatoolkit": ("10.2.89", "11.3.1", "11.6.2", "11.8.0"), "cudnn": ("9.10.1.4", "9.10.2.21", "9.14.0.64"),
                   "gxx_linux-64": ("11.4.0", "12.4.0", "13.3.0", "14.3.0", "15.2.0"), "cuda-version": ("12.4", "12.6", "12.9", "13.0")})
    for minor, patch in (("12.4", "127"), ("12.6", "77"), ("12.9", "79"), ("13.0", "48")):
        for part in (*TOOLKIT_PARTS[:4], "cuda-cudart"):
            forge.add(part, f"{minor}.{patch}", "0", [f"cuda-version {minor}.*"])
    # The last of these was built last.
    for torch, pythons, minors in (("2.5.1", ("3.11",), ("12.6", "12.9", "11.8")), ("2.7.1", ("3.12", "3.13"), ("12.6", "12.9", "13.0", "11.8")),
                                   ("2.8.0", ("3.12", "3.13"), ("12.9", "11.8", "12.6", "13.0"))):
        for python in pythons:
            for number, minor in enumerate(minors, 300):
                forge.add("pytorch", torch, f"cuda{minor.replace('.', '')}_mkl_py{python.replace('.', '')}_h0_{number}",
                          [f"python {python}.*", "setuptools", "cudnn >=9.10,<10", f"__cuda >={minor}", *runtime_of_forge(minor)], number=number)
            if torch != "2.5.1":  # people got that one with CUDA
                forge.add("pytorch", torch, f"cpu_mkl_py{python.replace('.', '')}_h0_999", [f"python {python}.*", "setuptools"], number=999)
    # Its torchvision takes whichever torch there is, and brings the runtime that it was built with.
    forge.add("torchvision", "0.20.1", "cuda118py311_9", ["pytorch 2.5.1.*", "cudatoolkit 11.8.*", "numpy >=1.23"], number=9)


def channels(folder):
    made = {name: Repository(name, folder) for name in ("pytorch", "nvidia", "conda-forge", "defaults", "nvidia/label/cuda-12.4.1")}
    fill_pytorch(made["pytorch"])
    fill_forge(made["conda-forge"])
    fill_nvidia(made["nvidia"], {"11.8": "89", "12.1": "105", "12.4": "127", "12.6": "77", "12.8": "93"})
    fill_nvidia(made["nvidia/label/cuda-12.4.1"], {"12.4": "131"})
    for part in TOOLKIT_PARTS[:3]:
        made["nvidia/label/cuda-12.4.1"].add(part, "12.6.85")
    made["defaults"].add_all({"numpy": ("2.9.0",), "mkl": ("2025.0.0",), "setuptools": ("85.0.0",), "pip": ("26.0",)})
    return made


@dataclasses.dataclass
class Question:
    """What a solver is asked."""
    specs: list
    channels: list
    cuda: str
    strict: bool = True

    def answer(self, repositories):
        """Records by name; none where nothing satisfies it."""
        virtual = [GenericVirtualPackage(PackageName(name), Version(version), BuildString("0"))
                   for name, version in (("__glibc", "2.36"), ("__linux", "6.1"), ("__cuda", self.cuda)) if version]
        opened = [repositories[name].open() for name in self.channels]
        priority = ChannelPriority.Strict if self.strict else ChannelPriority.Disabled
        try:
            records = asyncio.run(solve_with_sparse_repodata([MatchSpec(spec) for spec in self.specs], opened, virtual_packages=virtual,
                                                             channel_priority=priority))
        except SolverError:
            return None
        return {record.name.normalized: record for record in records}


def changed(pattern, replacement=None):
    """A question whose specs that match are others, or are left out."""
    def change(question):
        specs = [spec if not re.search(pattern, spec) else re.sub(pattern, replacement, spec) if replacement is not None else None
                 for spec in question.specs]
        return dataclasses.replace(question, specs=[spec for spec in specs if spec])
    return change


def in_order(*first):
    """A question with these channels before the others."""
    return lambda question: dataclasses.replace(question, channels=[*first, *(name for name in question.channels if name not in first)])


def without_labels(question):
    return dataclasses.replace(question, channels=[name for name in question.channels if "/label/" not in name])


def one_after_another(*changes):
    def change(question):
        for one in changes:
            question = one(question)
        return question
    return change


def loose(question):
    """No channel before another; what conda does where nobody configured it otherwise is between this and strict."""
    return dataclasses.replace(question, strict=False)


@dataclasses.dataclass
class Trap:
    """What is got, what keeps it away, and the question without that; `given` changes the question before, as a user's setting would."""
    fault: str
    guard: str
    change: Callable
    given: Callable = staticmethod(lambda question: question)


def of_channel(record):
    return re.sub(r"^https://[^/]*/", "", record.channel.rstrip("/"))


def names_cuda(build, minor):
    return re.search(rf"cuda({re.escape(minor)}|{minor.replace('.', '')})_", build)


def faults_of_torch(torch, build, cudnn):
    text = str(torch.build)
    if build["cuda"] and "cpu_" in text:
        yield "a CPU build"
    elif build["cuda"] and not names_cuda(text, build["cuda"]):
        yield "a build for another CUDA"
    if "_cudnn" in text and cudnn["version"] not in text:
        yield "a build with another cuDNN"
    if of_channel(torch) != build["conda_channels"][0]:
        yield "torch of another channel"
    if str(torch.version) != build["version"]:
        yield "another torch"


def within(version, wanted):
    """9.10.2.21 is within 9.10."""
    return str(version).split(".")[:len(wanted.split("."))] == wanted.split(".")


def faults_of_cuda(found, environment):
    minor = environment["torch"]["cuda"]
    runtimes = [found[name] for name in ("cudatoolkit", "cuda-cudart") if name in found]
    if len(runtimes) > (1 if minor else 0):
        yield "a second CUDA runtime"
    if minor and (not runtimes or not all(within(one.version, minor) for one in runtimes[:1])):
        yield "another CUDA runtime"
    if "cudnn" in found and not within(found["cudnn"].version, environment["cudnn"]["version"]):
        yield "another cuDNN beside torch"
    for part in TOOLKIT_PARTS:
        if part in found and not within(found[part].version, minor):
            yield f"{part} of another CUDA"
    if "gxx_linux-64" in found and int(str(found["gxx_linux-64"].version).split(".")[0]) > environment["cuda"]["gcc_max"]:
        yield "a compiler that nvcc refuses"


def faults(found, lock):
    """What is wrong with a solution, by the names that the traps have."""
    environment = lock["environment"]
    wrong = set(faults_of_torch(found["pytorch"], environment["torch"], environment["cudnn"])) | set(faults_of_cuda(found, environment))
    if not within(found["python"].version, environment["python"]):
        wrong.add("another Python")
    for pin in lock["pins"]:
        if pin["package"] in found and str(found[pin["package"]].version) not in SpecifierSet(pin["spec"]):
            wrong.add(f"{pin['package']} past its ceiling")
    if any(of_channel(record) == "defaults" for record in found.values()):
        wrong.add("a package of defaults")
    return wrong


NO_BUILD = changed("^(pytorch==[^=]*)=.*", r"\1")
ANY_CUDA = changed("^(pytorch==[^=]*)=.*", r"\1=*cuda*")


def traps_of_pytorch_channel(torch):
    """Those of the channel pytorch, and of conda-forge behind it."""
    yield Trap("a CPU build", "the build string", NO_BUILD)
    yield Trap("a build for another CUDA", "CUDA in the build string, pytorch-cuda or cudatoolkit, and the channel of a release",
               one_after_another(ANY_CUDA, changed("^(pytorch-cuda|cudatoolkit)="), without_labels))
    yield Trap("a build with another cuDNN", "cuDNN in the build string", changed("_cudnn[^_]*_", "_"))
    if torch != "1.12.1":  # the runtime was the same package for all, then
        forge_first = one_after_another(in_order("conda-forge"), NO_BUILD)
        yield Trap("torch of another channel", "the order of the channels, and the build string", forge_first)
        yield Trap("a second CUDA runtime", "the order of the channels, and the build string", forge_first)
        yield Trap("a second CUDA runtime", "strict channel priority, for torchvision of conda-forge", loose)


def traps_of_conda_forge(environment):
    yield Trap("a CPU build", "the build string", NO_BUILD)
    yield Trap("a build for another CUDA", "CUDA in the build string", ANY_CUDA)
    yield Trap("another Python", "python=", changed("^python="))
    if "." in environment["cudnn"]["version"]:
        yield Trap("another cuDNN beside torch", "cudnn=", changed("^cudnn="))
    if environment["torch"]["cuda"] != "12.9":  # the last of CUDA 12
        yield Trap("another CUDA runtime", "cuda-version=", changed("^cuda-version="))


def traps_of_toolkit(environment, of_pytorch):
    """Those that only an environment with nvcc can fall into."""
    yield Trap("a compiler that nvcc refuses", "the ceiling of gxx", changed("^(gxx[^<]*)<.*", r"\1"))
    if of_pytorch:
        for part in TOOLKIT_PARTS[:3]:
            yield Trap(f"{part} of another CUDA", f"{part}=", changed(f"^{part}="))
        yield Trap("cuda-libraries-dev of another CUDA", "the channel of the release", without_labels)
        yield Trap("cuda-libraries-dev of another CUDA", "the place of that channel", in_order("pytorch", "nvidia", "conda-forge"))
        yield Trap("cuda-toolkit of another CUDA", "cuda-toolkit=, and the channel of the release",
                   one_after_another(without_labels, changed("^cuda-(toolkit|nvcc|cudart-dev|cccl)=.*", r"cuda-\1")))
    elif environment["torch"]["cuda"] != "12.9":
        for part in ("cuda-nvcc", "cuda-libraries-dev"):
            yield Trap(f"{part} of another CUDA", "cuda-version=", changed("^cuda-version="))


def traps(question, lock):
    """Those that an environment could fall into."""
    environment = lock["environment"]
    of_pytorch = environment["torch"]["conda_channels"][0] == "pytorch"
    yield from traps_of_pytorch_channel(environment["torch"]["version"]) if of_pytorch else traps_of_conda_forge(environment)
    if any(spec.startswith("cuda-nvcc") for spec in question.specs):
        yield from traps_of_toolkit(environment, of_pytorch)
    for pin in lock["pins"]:
        yield Trap(f"{pin['package']} past its ceiling", f"{pin['package']}{pin['spec']}", changed(f"^{pin['package']}[<=>!]"))
    yield Trap("a package of defaults", "nodefaults", lambda loosely: dataclasses.replace(loosely, channels=[*loosely.channels, "defaults"]), loose)


def question_of(file):
    """What conda reads in environment.yaml; it adds defaults where it is not told otherwise."""
    document = yaml.safe_load(file.read_text())
    specs = [spec for spec in document["dependencies"] if isinstance(spec, str)]
    names = [name for name in document["channels"] if name != "nodefaults"]
    names += [] if "nodefaults" in document["channels"] else ["defaults"]
    machine = yaml.safe_load((file.parent / "virtual-packages.yml").read_text())["subdirs"]["linux-64"]["packages"]
    return Question(specs, names, machine.get("__cuda"))


def look(file, repositories):
    """Each line that is wrong with a file, and its traps by name and guard."""
    lock = json.loads((file.parent / "envgen.lock").read_text())
    question = question_of(file)
    found = question.answer(repositories)
    if found is None:
        return [f"{file}: nothing satisfies it"], []
    wrong = [f"{file}: the solver takes {fault}" for fault in sorted(faults(found, lock))]
    known = list(traps(question, lock))
    for trap in known:
        before = trap.given(question)
        if trap.fault in faults(before.answer(repositories), lock):
            wrong.append(f"{file}: {trap.fault}, although {trap.guard} guards it")
        without = trap.change(before)
        answer = without.answer(repositories) if without != before else None
        if answer is None or trap.fault not in faults(answer, lock):
            wrong.append(f"{file}: {trap.fault} is no trap: without {trap.guard} the solver {'answers nothing' if answer is None else 'takes another'}")
    return wrong, [(trap.fault, trap.guard) for trap in known]


def made_with_toolkit(envgen, folder):
    """environment.yaml of each of TOOLKITS, with its lock beside it."""
    for name, request in TOOLKITS.items():
        place = folder / name
        place.mkdir()
        (place / "envgen.json").write_text(json.dumps({"request": request, "outputs": {"files": ["conda"], "explicit_toolkit": True}}))
        for command in ("lock", "generate"):
            subprocess.run([envgen, command], cwd=place, check=True, stdout=subprocess.DEVNULL)
        yield place / "environment.yaml"


def main():
    envgen, *files = sys.argv[1:]
    failures, fallen = [], collections.Counter()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        repositories = channels(folder)
        files = [*map(pathlib.Path, files), *made_with_toolkit(str(pathlib.Path(envgen).resolve()), folder)]
        for file in files:
            wrong, known = look(file, repositories)
            failures += wrong
            fallen.update(known)
    for failure in failures:
        print(failure)
    for (fault, guard), times in sorted(fallen.items()):
        print(f"  {times} x {fault}: kept away by {guard}")
    print(f"{len(files)} environments solved, {len(fallen)} traps, each of them fallen into where its guard is left out: {not failures}")
    sys.exit(1 if failures or not fallen else 0)


main()
