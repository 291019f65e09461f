# {{{mark}}}
"""Packages compiled against torch at install time: their cache key, what they were compiled for, and whether that matches.

  key               print a digest of everything such code depends on
  record NAME...    note in each package the torch it was compiled for, unless already noted
  stale NAME...     list the installed packages that must be recompiled
  check NAME...     fail if a package was compiled for another torch, does not load, or lacks code for a GPU
"""
import argparse
import hashlib
import importlib.util
import platform
import runpy
import shutil
import subprocess

{{{facts}}}

# Packages that such code is compiled with, matched by parts of their names.
OF_PYTHON = re.compile(r"torch|nvidia|numpy|pybind11|nanobind|cython|cutlass|triton|setuptools|wheel|ninja|cmake|scikit-build|packaging")
OF_SYSTEM = re.compile(r"dev\b|cuda|cudnn|nccl|nvcc|libc6|glibc|libstdc|gcc|g\+\+|gxx|clang|llvm|binutils|sysroot|cutlass")
# Variables for the session, the network or build speed; any other may affect a build.
OF_NO_BUILD = re.compile(
    r"_|\w+_proxy|\w+_INDEX_URL|(AWS|CONDA|DBUS|ENVGEN|GIT|HF|LC|LESS|LS|PIP|SLURM|SSH|SUDO|TMUX|USER|UV|VSCODE|WSL|XDG)_\w*|TERM\w*|COLORTERM"
    r"|DISPLAY|EDITOR|HOME|HOSTNAME|LANG|LANGUAGE|LOGNAME|MAIL|MAX_JOBS|NVCC_THREADS|OLDPWD|PATH|PS1|PWD|SHELL|SHLVL|STY|TZ|USER|VIRTUAL_ENV\w*", re.I
)


def torch_folder():
    spec = importlib.util.find_spec("torch")
    return spec.submodule_search_locations[0] if spec else sys.exit("torch is not installed")


def torch():
    """Its version and its CUDA, without importing it."""
    release = runpy.run_path(os.path.join(torch_folder(), "version.py"))
    return {"torch": str(release["__version__"]), "cuda": release.get("cuda")}


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def said(*command):
    """What a program prints; empty if it is not installed."""
    path = shutil.which(command[0])
    if not path:
        return ""
    return subprocess.run([path, *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode("utf-8", "replace")


def facts():
    """Everything that compiled code depends on, which the cache key therefore has to cover."""
    env = os.environ
    yield "python", sys.version, platform.machine()
    everything = installed()
    yield "torch", read(os.path.join(torch_folder(), "version.py")), read(os.path.join(everything["torch"].info, "RECORD")) if "torch" in everything else ""
    yield from sorted(("package", one.name, one.version) for one in everything.values() if OF_PYTHON.search(one.name))
    yield from sorted(("variable", name, env[name]) for name in env if not OF_NO_BUILD.fullmatch(name))
    nvcc = os.path.join(env.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
    for tool in (nvcc if os.path.exists(nvcc) else "nvcc", env.get("CC", "cc"), env.get("CXX", "c++"), env.get("NVCC_CCBIN", "c++")):
        yield "tool", said(tool, "--version")
    yield "system", read("/etc/os-release")
    for line in said("dpkg-query", "--show").splitlines():
        if OF_SYSTEM.search(line.split("\t")[0]):
            yield "apt", line
    meta = os.path.join(sys.prefix, "conda-meta")
    for name in sorted(os.listdir(meta)) if os.path.isdir(meta) else []:
        if OF_SYSTEM.search(name) or OF_PYTHON.search(name):
            yield "conda", name


def record(names):
    for one in present(names):
        if one.built_for() is None:
            with open(os.path.join(one.info, BUILT_FOR), "w", encoding="utf-8") as file:
                json.dump(torch(), file)
            with open(os.path.join(one.info, "RECORD"), "a", encoding="utf-8") as file:  # so that uninstalling the package removes it
                file.write("%s/%s,,\n" % (os.path.basename(one.info), BUILT_FOR))


def present(names):
    everything = installed()
    return [everything[name] for name in names if name in everything]


def minor(version):
    return str(version).split("+")[0].split(".")[:2]


def runs(target, capability):
    """Whether the code for a target runs on a GPU: https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/"""
    kind, number, suffix = re.fullmatch(r"(sm|compute)_(\d+)([af]?)", target).groups()
    built, gpu = divmod(int(number), 10), tuple(map(int, capability.split(".")))
    if suffix == "a":
        return gpu == built
    return gpu >= built and (gpu[0] == built[0] or (kind == "compute" and not suffix))


def problems(one, now, capabilities):
    """The problems found, one line each."""
    what = "%s %s" % (one.name, one.version)
    was = one.built_for()
    if was and (minor(was["torch"]), was["cuda"]) != (minor(now["torch"]), now["cuda"]):
        yield "%s was compiled for torch %s and CUDA %s, but torch %s for CUDA %s is installed" % (what, was["torch"], was["cuda"], now["torch"], now["cuda"])
    libraries = one.libraries()
    if not libraries:  # pure Python
        return
    found = examined(one, libraries)
    if found["error"]:
        yield "%s does not load: %s" % (what, found["error"])
    lacking = [capability for capability in capabilities if not any(runs(target, capability) for target in found["targets"])]
    if lacking:
        yield "%s has no code for compute capability %s: it was compiled for %s" % (what, ", ".join(lacking), " ".join(found["targets"]) or "no GPU")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--for", dest="capabilities", action="append", default=[], metavar="CAPABILITY", help="compute capability of a GPU to check for")
    parser.add_argument("command", choices=["key", "record", "stale", "check"])
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    if args.command == "key":
        print(hashlib.sha256(json.dumps(list(facts())).encode()).hexdigest()[:32])
    elif args.command == "record":
        record(args.names)
    elif present(args.names) or args.command == "check":
        __import__("torch")
        now = torch()
        found = {one.name: list(problems(one, now, args.capabilities)) for one in present(args.names)}
        if args.command == "stale":
            print(*(one.name for one in present(args.names) if found[one.name] or one.built_for() is None), sep="\n")
            return
        wrong = ["%s is not installed" % name for name in args.names if name not in found] + sum(found.values(), [])
        if wrong:
            sys.exit("\n".join("error: " + line for line in wrong))
        for one in present(args.names):
            print("%s %s was compiled for torch %s and loads" % (one.name, one.version, now["torch"]))


main()
