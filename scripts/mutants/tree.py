"""A copy of the repository with the changes woven in, and its build."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import pickle
import re
import shlex
import shutil
import subprocess
import sys

import sites
import weave

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
BASE = REPOSITORY / "build" / "mutants"
TREE = BASE / "tree"
BUILD = BASE / "build"
GENERATED = ["src/generated/util/embedded_templates.hpp", "bench/generated/embedded_ptx.hpp"]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def room_of(name):
    """src/check/boards.cpp is of the room check; all of bench/src is bench."""
    parts = name.split("/")
    return "bench" if parts[0] == "bench" else parts[1]


def files_of(rooms):
    listed = run("git", "-C", REPOSITORY, "ls-files", "src/*.cpp", "bench/src/*.cpp", capture_output=True, text=True).stdout.split()
    mine = [name for name in listed if name not in ("src/main.cpp", "src/matrix/pack/main.cpp", "src/diagnosis/pack/main.cpp")]  # of no room
    known = {room_of(name) for name in mine}
    unknown = set(rooms) - known
    if unknown:
        sys.exit(f"error: unknown room {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    return [name for name in mine if not rooms or room_of(name) in rooms]


def copy():
    """The working tree as it is: what git tracks and what it does not ignore. An unchanged file keeps its time."""
    listed = run("git", "-C", REPOSITORY, "ls-files", "-z", "--cached", "--others", "--exclude-standard", capture_output=True).stdout
    names = {name for name in listed.decode().split("\0") if name and (REPOSITORY / name).is_file()}
    for path in sorted(TREE.rglob("*")) if TREE.exists() else []:
        if path.is_file() and str(path.relative_to(TREE)) not in names:
            path.unlink()
    for name in names:
        write(TREE / name, (REPOSITORY / name).read_bytes(), (REPOSITORY / name).stat().st_mode)


def write(path, text, mode=None):
    if path.exists() and path.read_bytes() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    if mode is not None:
        path.chmod(mode & 0o777)


def configure():
    # Without precompiled headers, whose text clang could not read in GCC's form.
    run("cmake", "-S", REPOSITORY, "-B", BASE / "plain", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DENVGEN_TESTS=OFF",
        "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", stdout=subprocess.DEVNULL)
    run("cmake", "--build", BASE / "plain", "--target", *GENERATED, stdout=subprocess.DEVNULL)
    # Optimised a little: the tests run thousands of times.
    run("cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1",
        "-DENVGEN_TESTS=ON", stdout=subprocess.DEVNULL)


def arguments_of(command):
    words, kept = shlex.split(command), []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c"):
            skip = True
        elif word.startswith(("-I", "-D", "-std", "-isystem")) or (kept and kept[-1] == "-isystem"):
            kept.append(word)
    return kept


def collect_one(job):
    name, arguments = job
    source = (REPOSITORY / name).read_bytes()
    # Headers may change what is found, but seldom do: the file and the collector decide.
    digest = hashlib.sha256(source + (HERE / "sites.py").read_bytes()).hexdigest()
    kept = BASE / "sites" / f"{digest}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    found = sites.Collector(name, source).collect(str(REPOSITORY / name), arguments)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(found))
    return found


def collect(names):
    commands = {entry["file"]: entry["command"] for entry in json.loads((BASE / "plain" / "compile_commands.json").read_text())}
    jobs = [(name, arguments_of(commands[str(REPOSITORY / name)])) for name in names]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        found = {}
        for count, ((name, _), changes) in enumerate(zip(jobs, pool.map(collect_one, jobs)), 1):
            found[name] = changes
            progress(f"reading {count} of {len(jobs)} files")
    progress("")
    return found


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def weave_in(numbered):
    """Writes every file of the tree that has changes, and gives back those that had some before to their own text."""
    by_file = {}
    for number, change in numbered.items():
        by_file.setdefault(change.file, {})[number] = change
    for name in files_of([]):
        source = (REPOSITORY / name).read_bytes()
        text = weave.woven(source, by_file[name], HERE / "switch.hpp") if name in by_file else source
        write(TREE / name, text)


def errors_in(log):
    """{(file, line)} of a compiler's errors and their notes. ccache may have made their paths relative to the folder of the build."""
    found = set()
    for path, line in re.findall(r"^([^:\n]+\.cpp):(\d+):(?!.* warning: )", log, re.MULTILINE):
        path = (BUILD / path).resolve()
        if path.is_relative_to(TREE):
            found.add((str(path.relative_to(TREE)), line))
    return found


def build(numbered):
    """Compiles all; a change that does not compile (another type, a constant) is taken out. Returns those that are left."""
    numbered = dict(numbered)
    while True:
        weave_in(numbered)
        log = subprocess.run(["cmake", "--build", str(BUILD), "--", "-k", "0"], capture_output=True, text=True)
        if log.returncode == 0:
            return numbered
        named = errors_in(log.stdout)
        wrong = {number for number, change in numbered.items() if (change.file, str(change.line)) in named}
        if not wrong:  # an error in a header, or far from the site: the whole file
            files = {file for file, _ in named}
            wrong = {number for number, change in numbered.items() if change.file in files}
        if not wrong:
            sys.exit("error: the copy does not build:\n" + log.stdout[-4000:])
        for number in wrong:
            del numbered[number]


def clean():
    shutil.rmtree(BASE, ignore_errors=True)
