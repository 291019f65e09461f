#!/usr/bin/env bash
# torch 2.5.1, CUDA 12.4, cuDNN 9.1.0.70, Python 3.10 on Ubuntu 22.04, for A100 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:3ac59c60277cbd0a9ed4417d0eaff969ce72219fdc8d3d20678df6ef08230b79
#
#   ./setup.sh      creates or completes this environment on a machine without containers; safe to run again
#
# It is created in .venv (on AutoDL: on the data disk), or in the folder that ENVGEN_HOME names. Creating it needs no GPU.
# MAX_JOBS=N limits how many compilers run at once, if memory is short.
set -euo pipefail

say() { printf '== %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

if [[ -d /root/autodl-tmp ]]; then
  # AutoDL: the system disk is small and is saved in images; the data disk is large and is not saved.
  place=${ENVGEN_HOME:-/root/autodl-tmp/envs/$(basename "$PWD")-$(cksum <<<"$PWD" | cut -d " " -f 1)}
  caches=/root/autodl-tmp/cache
  export PIP_CACHE_DIR=$caches/pip UV_CACHE_DIR=$caches/uv CONDA_PKGS_DIRS=$caches/conda HF_HOME=${HF_HOME:-$caches/huggingface}
else
  place=${ENVGEN_HOME:-$PWD/.venv}
fi

# AutoDL's proxy reaches GitHub but slows package mirrors down, so it is enabled for one command at a time.
from_github() {
  if [[ -f /etc/network_turbo ]]; then
    (
      set +eu
      # shellcheck source=/dev/null
      source /etc/network_turbo >/dev/null
      set -eu
      "$@"
    )
  else
    "$@"
  fi
}

export FLASH_ATTN_CUDA_ARCHS=${FLASH_ATTN_CUDA_ARCHS:-80}
# Extensions are compiled for these, regardless of the GPU present now.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-8.0}
if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
  export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH
fi
if ! nvcc --version 2>/dev/null | grep -q 'release 12.4,'; then
  say "nvcc 12.4 was not found: extensions cannot be compiled until it is installed"
fi
# nvcc in this CUDA version accepts GCC up to 13, and torch's headers need 9 or newer.
gcc_major() { "$1" -dumpversion 2>/dev/null | cut -d . -f 1; }
for compiler in "${CXX:-g++}" g++-13 g++-12 g++-11 g++-10 g++-9 ""; do
  major=$(gcc_major "${compiler:-false}" || true)
  if [[ -n "$major" ]] && ((major <= 13 && major >= 9)); then break; fi
done
if [[ -z "$compiler" ]]; then
  say "compiling extensions needs g++ 9 to 13, and none was found: install one"
elif [[ "$compiler" == g++-* ]]; then
  export CC=gcc-${compiler#g++-} CXX=$compiler NVCC_PREPEND_FLAGS=-ccbin=$compiler
fi
# An environment with a different Python is left alone.
version() { "$1" -c 'import sys, sysconfig; print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))'; }
made=false
if [[ -x "$place/bin/python" ]]; then
  found=$(version "$place/bin/python") || die "$place has no working Python: remove it, or set ENVGEN_HOME to another folder"
  [[ "$found" == 3.10 ]] || die "$place has Python $found, not 3.10: remove it, or set ENVGEN_HOME to another folder"
  made=true
elif [[ -n "$(ls -A "$place" 2>/dev/null)" ]]; then
  die "$place already exists and is not an environment: set ENVGEN_HOME to another folder"
fi

# install_miniforge FOLDER
install_miniforge() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  from_github curl --fail --silent --show-error --location --output "$scratch/miniforge.sh" https://github.com/conda-forge/miniforge/releases/download/26.3.2-3/Miniforge3-26.3.2-3-Linux-x86_64.sh
  echo "848194851a98903134187fbb4ab50efe87b003e0c0f808f97644b7524a62bf2c  $scratch/miniforge.sh" | sha256sum --check --quiet
  bash "$scratch/miniforge.sh" -b -u -p "$1"
}

# uv installs this Python if the machine lacks it.
uv=
# install_uv PYTHON: verified by hash, whichever index provides it.
install_uv() {
  "$1" -m pip install --quiet --upgrade --target "$place.uv" --require-hashes --requirement /dev/stdin <<<'uv==0.13.9 --hash=sha256:d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19'
}
find_uv() {
  if [[ -n "$uv" ]]; then return; fi
  if command -v uv >/dev/null; then
    uv=uv
    return
  fi
  say "installing uv 0.13.9 next to the environment"
  if python3 -c 'import sys, pip; assert sys.version_info >= (3, 8)' >/dev/null 2>&1; then
    install_uv python3
  elif command -v curl >/dev/null; then
    say "python3 has no suitable pip: installing Miniforge temporarily to get one"
    install_miniforge "$place.miniforge"
    install_uv "$place.miniforge/bin/python"
    rm -rf "$place.miniforge"
  else
    die "cannot install uv: it needs curl, or python3 3.8 or later with pip"
  fi
  uv=$place.uv/bin/uv
}

if ! "$made"; then
  say "creating $place with Python 3.10"
  mkdir -p "$(dirname "$place")"
  # Debian's python3 and Colab's lack ensurepip; uv does not need it.
  if ! python3.10 -m venv "$place" >/dev/null 2>&1; then
    # Remove the partial environment; the folder itself may be a link or a mount.
    if [[ -d "$place" ]]; then find "$place/" -mindepth 1 -delete; fi
    find_uv
    from_github "$uv" venv --python 3.10 "$place"
  fi
fi

if ! "$place/bin/python" -m pip --version >/dev/null 2>&1; then # an interrupted run, or uv, left it without pip
  find_uv
  "$uv" pip install --python "$place/bin/python" --require-hashes --requirement /dev/stdin <<<'pip==25.0.1 --hash=sha256:c46efd13b6aa8279f33f2864459c8ce587ea6a1a59ee20de055868d8f7688f7f'
fi
say "installing torch 2.5.1, CUDA 12.4"
"$place/bin/python" -m pip install torch==2.5.1 torchvision==0.20.1 torchaudio==2.5.1 'setuptools<82' jupyterlab==4.3.8 ninja==1.13.0 packaging==24.2 psutil==7.2.2 wheel==0.45.1

# Packages compiled against torch get a separate cache for each key of what they depend on, because pip's and uv's caches do not tell such builds apart.
# An installed package that was compiled for another or an unknown torch, or for other GPUs, is recompiled.
extensions=$place.extensions.py
cat >"$extensions" <<'END'
# Made by envgen; hand edits are kept unless --force is used. sha256:e4155346604374d7330a49dd0344bce255b61ce5d62fbb1e57fe4c83f5a55a24
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

# The packages of this Python that were compiled against torch: their libraries, the targets they were compiled for, and whether they load.
# For Python 3.6 and newer.
import json, os, re, select, signal, struct, sys

BUILT_FOR = "envgen-built-for.json"  # in a .dist-info: the torch it was compiled against


class Distribution:
    """An installed package: its name as PEP 503 normalises it, its version, its .dist-info, and its files."""

    def __init__(self, site, info):
        name, _, self.version = info[: -len(".dist-info")].rpartition("-")
        self.name = re.sub(r"[-_.]+", "-", name).lower()
        self.site, self.info = site, os.path.join(site, info)

    def files(self):
        try:
            with open(os.path.join(self.info, "RECORD"), encoding="utf-8", errors="replace") as record:
                return [line.rsplit(",", 2)[0].strip('"') for line in record if line.strip()]
        except OSError:
            return []

    def libraries(self):
        return [os.path.join(self.site, name) for name in self.files() if re.search(r"\.so(\.\d+)*$", name)]

    def libraries_on_torch(self):
        return [path for path in self.libraries() if any(re.match(r"lib(torch|c10)", name) for name in needed(path))]

    def built_for(self):
        try:
            with open(os.path.join(self.info, BUILT_FOR), encoding="utf-8") as file:
                found = json.load(file)
            return {key: found[key] for key in ("torch", "cuda")}
        except (OSError, ValueError, TypeError, KeyError):
            return None


def installed():
    """Each installed distribution on sys.path, by name."""
    found = {}
    for site in sys.path:
        try:
            names = sorted(name for name in os.listdir(site or ".") if name.endswith(".dist-info"))
        except OSError:
            continue
        for name in names:
            one = Distribution(site or ".", name)
            found.setdefault(one.name, one)
    return found


def sections(file):
    """Section names of a 64-bit ELF file, with offset and size; empty for any other file."""
    head = file.read(64)
    if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
        return {}
    file.seek(struct.unpack_from("<Q", head, 40)[0])
    size, count, names = struct.unpack_from("<HHH", head, 58)
    table = file.read(size * count)
    rows = [struct.unpack_from("<IIQQQQ", table, at * size) for at in range(count)]
    texts = part(file, rows[names][4:6])
    return {texts[row[0] : texts.index(b"\0", row[0])].decode("latin-1"): row[4:6] for row in rows}


def part(file, place):
    if place[1] > 64 << 20:
        raise ValueError("a section is too large")
    file.seek(place[0])
    return file.read(place[1])


def needed(path):
    """The libraries that a library needs; empty for any other file."""
    try:
        with open(path, "rb") as file:
            found = sections(file)
            if ".dynamic" not in found or ".dynstr" not in found:
                return []
            texts = part(file, found[".dynstr"])
            entries = struct.iter_unpack("<qQ", part(file, found[".dynamic"]))
            return [texts[at : texts.index(b"\0", at)].decode("latin-1") for tag, at in entries if tag == 1]
    except (OSError, OverflowError, ValueError, IndexError, struct.error):
        return []


def targets(path):
    """`sm_89`, `compute_90`: the targets of its device code, read from the headers that nvcc's fatbinary writes."""
    found = set()
    try:
        with open(path, "rb") as file:
            at, size = sections(file).get(".nv_fatbin", (0, 0))
            end = at + size
            while at + 16 <= end:
                file.seek(at)
                magic, _, head, length = struct.unpack("<IHHQ", file.read(16))
                if magic != 0xBA55ED50:  # the next one begins at a multiple of eight
                    if magic:
                        break
                    at += 8
                    continue
                entry, at = at + head, at + head + length
                while entry + 64 <= min(at, end):
                    file.seek(entry)
                    kind, head, length, arch, flags = struct.unpack("<H2xIQ12xI8xQ", file.read(48))
                    if head < 64:
                        break
                    suffix = "a" if flags & 0x100000 else "f" if flags & 0x200000 else ""
                    if kind in (1, 2):  # PTX, SASS
                        found.add("%s_%d%s" % ("compute" if kind == 1 else "sm", arch, suffix))
                    entry += head + length
    except (OSError, OverflowError, ValueError, IndexError, struct.error):
        pass
    return found


DRIVER = r"lib(cuda|nvidia-[\w-]+)\.so"  # comes with a GPU
OURS = r"lib(torch|c10|cu(da|dnn|blas|fft|file|inj|pti|rand|solver|sparse)|nccl|nv)"


def load(path):
    """Why a library does not load; empty if it does, or if what is missing is neither torch nor CUDA."""
    import ctypes

    try:
        ctypes.CDLL(path, os.RTLD_NOW)
    except OSError as error:
        lacks = re.match(r"(\S+): cannot open shared object file", str(error))
        if not lacks:
            return str(error)
        if re.match(DRIVER, lacks.group(1)):
            stub = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "lib64/stubs", re.sub(r"\.so.*", ".so", lacks.group(1)))
            if os.path.exists(stub) and lacks.group(1) not in loaded_stubs:
                loaded_stubs[lacks.group(1)] = ctypes.CDLL(stub, ctypes.RTLD_GLOBAL)
                return load(path)
        elif re.match(OURS, lacks.group(1)):
            return str(error)
    return ""


loaded_stubs = {}


def loads(path, patience=60):
    """Like `load`, but in a child process, so that a crash while loading does no harm here. torch is already imported."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        said = "unknown reason"
        try:
            said = load(path)
        finally:
            os.write(theirs, said.encode("utf-8", "replace")[:4000])
            os._exit(0)
    os.close(theirs)
    answered = bool(select.select([ours], [], [], patience)[0])
    if not answered:
        os.kill(child, signal.SIGKILL)
    said = os.read(ours, 4096).decode("utf-8", "replace") if answered else ""
    os.close(ours)
    status = os.waitpid(child, 0)[1]
    if not answered:
        return "loading it took more than %d s" % patience
    return "it was killed by signal %d while loading" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else said


def examined(distribution, libraries):
    """What these libraries show about a distribution that was compiled against torch."""
    found = {"name": distribution.name, "version": distribution.version, "built_for": distribution.built_for(), "error": ""}
    found["targets"] = sorted(set().union(*map(targets, libraries)))
    for path in libraries:
        error = loads(path)
        if error:
            found["error"] = error if os.path.basename(path) in error else "%s: %s" % (os.path.basename(path), error)
            break
    return found


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

END
stale=$("$place/bin/python" "$extensions" --for 8.0 stale flash-attn)
if [[ -n "$stale" ]]; then
  mapfile -t stale <<<"$stale"
  say "recompiling: ${stale[*]}"
  "$place/bin/python" -m pip uninstall --yes "${stale[@]}"
fi
built=${caches:-${XDG_CACHE_HOME:-$HOME/.cache}}/envgen-built/$("$place/bin/python" "$extensions" key)
PIP_CACHE_DIR=$built UV_CACHE_DIR=$built "$place/bin/python" -m pip install --no-build-isolation torch==2.5.1 flash-attn==2.7.4.post1
"$place/bin/python" "$extensions" record flash-attn

say "comparing the installed packages with the lock"
"$place/bin/python" -c 'import torch; found = {"torch": torch.__version__.partition("+")[0], "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(), "archs": sorted(torch._C._cuda_getArchFlags().split())}; locked = {"torch": "2.5.1", "cuda": "12.4", "cudnn": 90100, "archs": ["sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"]}; assert found == locked, f"installed {found}, locked {locked}"'
"$place/bin/python" "$extensions" --for 8.0 check flash-attn
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  "$place/bin/python" -c 'import torch; count = torch.cuda.device_count(); print("GPUs:", [torch.cuda.get_device_name(i) for i in range(count)]); assert count' || say "the framework sees no GPU, although this machine has a GPU driver"
else
  say "no GPU found (none is needed to install)"
fi
say "JupyterLab: $place/bin/jupyter lab"
say "done: $place/bin/python, or: source '$place/bin/activate'"
