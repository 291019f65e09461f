"""conda's solver (py-rattler) on environment.yaml of images/, against small channels made here that hold the known traps.

usage: solved.py FOLDER/environment.yaml...    exit status 1, and a line for each that is solved wrongly

The channels have, beside the right packages, what people got in their place: a CPU build with a higher build number, a build for
another CUDA, the other channel's build, and a second CUDA runtime (conda-forge's cudatoolkit beside NVIDIA's cuda-cudart). Without
what envgen writes down, the solver falls for them: this is looked at, too.
"""
import asyncio
import datetime
import json
import pathlib
import re
import sys
import tempfile

import yaml
from rattler import BuildString, Channel, GenericVirtualPackage, MatchSpec, PackageName, SparseRepoData, Version, solve_with_sparse_repodata

failures = []


class Repository:
    """One channel: packages by name, version, build and what they ask for."""

    def __init__(self, name):
        self.name, self.packages = name, {}

    def add(self, name, version, build="0", depends=(), constrains=(), number=0):
        self.packages[f"{name}-{version}-{build}.conda"] = {
            "name": name, "version": version, "build": build, "build_number": number, "depends": list(depends), "constrains": list(constrains),
            "subdir": "linux-64", "sha256": "0" * 64, "md5": "0" * 32, "size": 1,
            "timestamp": int(datetime.datetime(2025, 1, 1).timestamp() * 1000)}

    def open(self, folder):
        path = folder / f"{self.name}.json"
        path.write_text(json.dumps({"info": {"subdir": "linux-64"}, "packages": {}, "packages.conda": self.packages, "repodata_version": 1}))
        return SparseRepoData(Channel(self.name), "linux-64", path)


def companions(repository, torch, names, minor, python):
    for name, version in names:
        tag = "cu" + minor.replace(".", "")
        repository.add(name, version, f"py{python}_{tag}", [f"pytorch {torch}", "pytorch-mutex 1.0 cuda"])
        repository.add(name, version, f"py{python}_cpu", [f"pytorch {torch}", "pytorch-mutex 1.0 cpu"], number=1)


def channels():
    """pytorch as pytorch/builder@00d0ac61 conda/pytorch-nightly/meta.yaml and @021cb711 conda/build_pytorch.sh make it."""
    pytorch, nvidia, forge = Repository("pytorch"), Repository("nvidia"), Repository("conda-forge")
    for variant in ("cuda", "cpu"):
        pytorch.add("pytorch-mutex", "1.0", variant)
    pytorch.add("cpuonly", "2.0", "0", ["pytorch-mutex 1.0 cpu"])
    for torch, python, minors, cudnn in (("2.5.1", "3.12", ("11.8", "12.1", "12.4"), "9.1.0"), ("1.12.1", "3.10", ("10.2", "11.3", "11.6"), "8.3.2")):
        for minor in minors:
            runtime = f"pytorch-cuda {minor}.*" if torch == "2.5.1" else f"cudatoolkit {minor}.*"
            pytorch.add("pytorch", torch, f"py{python}_cuda{minor}_cudnn{cudnn}_0", [f"python {python}.*", runtime, "pytorch-mutex 1.0 cuda", "mkl >=2018"],
                        ["cpuonly <0"])
        pytorch.add("pytorch", torch, f"py{python}_cpu_1", [f"python {python}.*", "pytorch-mutex 1.0 cpu", "mkl >=2018"], number=1)
    companions(pytorch, "2.5.1", (("torchvision", "0.20.1"), ("torchaudio", "2.5.1")), "12.4", "312")
    companions(pytorch, "1.12.1", (("torchvision", "0.13.1"), ("torchaudio", "0.12.1")), "11.6", "310")
    for minor in ("11.8", "12.1", "12.4"):
        pytorch.add("pytorch-cuda", minor, "0", [f"cuda-cudart {minor}.*"])
        nvidia.add("cuda-cudart", f"{minor}.127")
    nvidia.add("cuda-cudart", "12.6.77")
    for version in ("3.10.16", "3.12.9", "3.13.5"):
        forge.add("python", version)
    for name, versions in {"mkl": ("2023.2.0", "2024.2.2"), "numpy": ("1.26.4", "2.2.6"), "setuptools": ("68.2.2", "81.0.0", "84.2.1"),
                           "cudatoolkit": ("10.2.89", "11.3.1", "11.6.2", "11.8.0"), "cuda-cudart": ("12.6.77", "12.9.79", "13.0.48"),
                           "cuda-version": ("12.6", "12.9", "13.0"), "cudnn": ("9.10.1.4",)}.items():
        for version in versions:
            forge.add(name, version)
    for torch, python in (("2.5.1", "312"), ("2.8.0", "313")):
        for tag, version in (("126", "12.6"), ("129", "12.9"), ("130", "13.0")):
            forge.add("pytorch", torch, f"cuda{tag}_mkl_py{python}_h0_300", [f"python {python[0]}.{python[1:]}.*", f"cuda-version {version}.*",
                                                                           f"cuda-cudart {version}.*", "cudnn", f"__cuda >={version}"], number=300)
        forge.add("pytorch", torch, f"cpu_mkl_py{python}_h0_999", [f"python {python[0]}.{python[1:]}.*"], number=999)
    return {repository.name: repository for repository in (pytorch, nvidia, forge)}


def solve(specs, names, repositories, folder, cuda):
    virtual = [GenericVirtualPackage(PackageName("__glibc"), Version("2.36"), BuildString("0")), GenericVirtualPackage(PackageName("__linux"), Version("6.1"), BuildString("0"))]
    if cuda:
        virtual.append(GenericVirtualPackage(PackageName("__cuda"), Version(cuda), BuildString("0")))
    opened = [repositories[name].open(folder) for name in names if name in repositories]
    records = asyncio.run(solve_with_sparse_repodata([MatchSpec(spec) for spec in specs], opened, virtual_packages=virtual))
    return {record.name.normalized: record for record in records}


def check(file, found, lock):
    """One build of torch, that of the lock, and one CUDA runtime, of its minor."""
    build = lock["environment"]["torch"]
    minor = build["cuda"]
    torch = found["pytorch"]
    wanted = re.compile(rf"cuda({re.escape(minor)}|{minor.replace('.', '')})_" if minor else r"(^|_)cpu_")
    if not wanted.search(str(torch.build)) or str(torch.version) != build["version"]:
        failures.append(f"{file}: the solver takes pytorch {torch.version} {torch.build}, the lock says {build['version']} for {minor or 'the CPU'}")
    if torch.channel.rstrip("/").rsplit("/", 1)[-1] != build["conda_channels"][0]:
        failures.append(f"{file}: pytorch comes from {torch.channel}")
    runtimes = {name: str(found[name].version) for name in ("cudatoolkit", "cuda-cudart") if name in found}
    if len(runtimes) != (1 if minor else 0) or any(not version.startswith(f"{minor}.") for version in runtimes.values()):
        failures.append(f"{file}: CUDA runtimes {runtimes}, the lock says {minor}")


def main():
    looked = trapped = 0
    with tempfile.TemporaryDirectory() as place:
        repositories = channels()
        for argument in sys.argv[1:]:
            file = pathlib.Path(argument)
            lock = json.loads((file.parent / "envgen.lock").read_text())
            document = yaml.safe_load(file.read_text())
            specs = [spec for spec in document["dependencies"] if isinstance(spec, str)]
            names = [name for name in document["channels"] if name != "nodefaults"]
            driver = yaml.safe_load((file.parent / "virtual-packages.yml").read_text())["subdirs"]["linux-64"]["packages"]
            found = solve(specs, names, repositories, pathlib.Path(place), driver.get("__cuda"))
            check(file, found, lock)
            looked += 1
            loose = [re.sub(r"^(pytorch==[^=]*)=.*", r"\1", spec) for spec in specs]
            trapped += solve(loose, names, repositories, pathlib.Path(place), driver.get("__cuda"))["pytorch"].build != found["pytorch"].build
    if trapped == 0:
        failures.append("no trap of these channels is one")
    for failure in failures:
        print(failure)
    print(f"{looked} environments solved, {trapped} of them fall into a trap without their build string")
    sys.exit(1 if failures else 0)


main()
