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
