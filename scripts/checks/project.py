"""What envgen.json and envgen.lock of a folder ask for, in the terms that its files are compared in. Not a program."""
import dataclasses
import functools
import json
import pathlib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# python3 of these systems.
SYSTEM_PYTHONS = {"ubuntu18.04": "3.6", "ubuntu20.04": "3.8", "ubuntu22.04": "3.10", "ubuntu24.04": "3.12", "ubuntu26.04": "3.14", "debian11": "3.9",
                  "debian12": "3.11", "debian13": "3.13"}
# What envgen adds by itself to what compiles, and for JupyterLab.
COMPILES_WITH = ("ninja", "packaging", "psutil", "setuptools", "wheel")


def with_comments(file):
    """JSON as VS Code reads it; envgen writes comments as whole lines."""
    return json.loads("\n".join(line for line in file.read_text().splitlines() if not line.startswith("//")))


def by_name(requirements):
    """Requirements by their names: the extras and the versions of each."""
    parsed = [Requirement(str(one)) for one in requirements]
    return {canonicalize_name(one.name): (sorted(one.extras), str(one.specifier)) for one in parsed}


@dataclasses.dataclass
class Container:
    """What a container gets, in the words of no engine; `gpus` is all, none, a number, or a list of devices."""
    image: str
    gpus: object
    shared_memory: str
    ulimits: dict
    keeps_id: bool = False
    labels_off: bool = False


class Project:
    """A folder of one environment."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.outputs = with_comments(self.folder / "envgen.json").get("outputs", {})
        self.lock = json.loads((self.folder / "envgen.lock").read_text())
        self.environment = self.lock["environment"]
        self.name = "torch" if self.environment["torch"] else "tensorflow"
        self.build = self.environment[self.name]
        self.podman = self.outputs.get("podman", False)
        self.engine = "podman" if self.podman else "docker"
        self.image = self.outputs.get("image_name", "envgen")
        self.user = self.outputs.get("user", "dev")
        self.by_conda = self.environment["installer"] == "conda"
        self.given = by_name(self.outputs.get("pip", []))
        self.index = self.build["index_url"] if not self.build["on_package_index"] else None

    @functools.cached_property
    def framework(self):
        """The framework and what was released with it."""
        if self.name == "tensorflow":
            brings_cuda = self.environment["cudnn"] and self.environment["cudnn"]["from"] == "wheel"
            return by_name([f"tensorflow{'[and-cuda]' if brings_cuda else ''}=={self.build['version']}"])
        versions = {"torch": self.build["version"], "torchvision": self.build["torchvision"], "torchaudio": self.build["torchaudio"]}
        return by_name(f"{name}=={version}" for name, version in versions.items() if version)

    @property
    def pins(self):
        return by_name(pin["package"] + pin["spec"] for pin in self.lock["pins"])

    def frozen(self):
        """Each package of the tree: its version and its hashes."""
        return {canonicalize_name(package["name"]): (f"=={package['version']}", sorted(package["hashes"]))
                for package in self.lock.get("frozen", {}).get("packages", [])}

    def added(self, compiled):
        """The names of what is installed besides framework, pins and what the user gave."""
        more = ["jupyterlab"] if self.outputs.get("jupyter") else []
        return {name for name in [*more, *(COMPILES_WITH if compiled else ())]} - set(self.pins) - set(self.given)

    def bases(self):
        """The image of each stage."""
        environment, images = self.environment, self.environment["images"]
        variant = environment["variant"]
        published = {"slim": environment["system"] and environment["system"]["image"],
                     "cuda": images[variant + ("_cudnn" if environment["cudnn"] and environment["cudnn"]["from"] == "image" else "")]}
        first = self.outputs.get("base_image") or self.of_hub(published.get(environment["base"], images[f"official_{variant}"]))
        return [first, self.of_hub(environment["system"]["image"])] if self.outputs.get("multi_stage") else [first]

    def of_hub(self, image):
        """podman has to be told which registry."""
        if not self.podman:
            return image
        return "docker.io/" + image if "/" in image else "docker.io/library/" + image

    def packages(self):
        """What apt installs in each stage."""
        environment = self.environment
        compiles = environment["variant"] == "devel"
        last = {"ca-certificates", *self.outputs.get("apt", []), *(["openssh-server"] if self.outputs.get("ssh") else [])}
        first = {"ca-certificates", *self.outputs.get("apt", []), *(["build-essential", "git", "ninja-build"] if compiles else [])}
        gcc, ceiling = environment["system"]["gcc"], (environment["cuda"] or {}).get("gcc_max")
        if compiles and gcc and ceiling and gcc > ceiling:
            first |= {f"gcc-{ceiling}", f"g++-{ceiling}"}
        headers = {"python3-dev"} if environment["python_provider"] == "system" or environment["image_layout"] == "system" else set()
        if self.by_conda:
            first |= {"curl"}
        elif environment["python_provider"] != "image":
            first |= {"python3", "python3-venv"} | (headers if compiles else set())
        multi_stage = self.outputs.get("multi_stage")
        if (not compiles or multi_stage) and not self.outputs.get("no_compiler") and self.name == "torch" and self.build["version"] >= "2":
            last |= {"g++"} | headers  # for torch.compile
        if not multi_stage:
            return [first | last]
        return [first, last | ({"python3"} if environment["python_provider"] == "system" else set())]

    def container(self):
        """What a container gets."""
        selection = self.outputs.get("container_gpus", "all") if self.build["cuda"] else "none"
        gpus = selection.removeprefix("device=").split(",") if selection.startswith("device=") else selection
        limits = {"host": ""} if self.podman else {"stack": "67108864", **({"memlock": "-1"} if self.build["cuda"] else {})}
        return Container(self.image, gpus, self.outputs.get("shm_size", "host"), limits, self.podman, self.podman and gpus != "none")
