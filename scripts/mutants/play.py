"""Which tests come upon a change, and whether one of them fails when it is on."""
import concurrent.futures
import dataclasses
import json
import mmap
import os
import signal
import subprocess
import threading
import time
import uuid

import tree

QUICK = 0.3  # seconds of a test; most changes are noticed by one of these

@dataclasses.dataclass
class Test:
    name: str
    program: str
    filter: str
    folder: str
    environment: dict
    seconds: float = 0.0
    reaches: frozenset = frozenset()


def listed():
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=tree.BUILD, check=True, capture_output=True, text=True)
    for each in json.loads(shown.stdout)["tests"]:
        properties = {one["name"]: one["value"] for one in each["properties"]}
        environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        words = each["command"]
        chosen = next((word.split("=", 1)[1] for word in words[1:] if word.startswith("--gtest_filter=")), None)
        yield Test(each["name"], words[0] if chosen else " ".join(words), chosen or "", properties["WORKING_DIRECTORY"], environment)


def end_all(mark):
    """Ends the processes that have the mark in their environment: what a test starts may lead a session of its own."""
    for folder in os.listdir("/proc"):
        try:
            if folder.isdigit() and mark in open(f"/proc/{folder}/environ", "rb").read():
                os.kill(int(folder), signal.SIGKILL)
        except OSError:  # it has ended, or is somebody else's
            pass


def started(test, filters, extra, timeout):
    """(ended well, seconds) of a test program with these tests of it."""
    mark = {"ENVGEN_MUTANT_PLAY": str(uuid.uuid4())}
    words = [test.program, "--gtest_filter=" + ":".join(filters), "--gtest_fail_fast", "--gtest_brief=1"] if test.filter else test.program.split()
    environment = {**os.environ, **test.environment, **extra, **mark}
    began = time.monotonic()
    process = subprocess.Popen(words, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output = process.communicate(timeout=timeout)[0]
        good = process.returncode == 0
    except subprocess.TimeoutExpired:
        output, good = b"", False
    finally:
        try:  # its children, too: what hangs may have started others
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()
        end_all(mark["ENVGEN_MUTANT_PLAY"].encode())
    return good, time.monotonic() - began, output.decode(errors="replace")


def trace(tests, count):
    """Runs each test alone, without any change, and notes which changes it came upon. Those that fail anyway are left out."""
    folder = tree.BASE / "traces"
    folder.mkdir(parents=True, exist_ok=True)
    done = 0
    lock = threading.Lock()

    def one(test):
        nonlocal done
        path = folder / f"{threading.get_ident()}"
        path.write_bytes(bytes(count + 1))
        good, test.seconds, output = started(test, [test.filter], {"ENVGEN_MUTANT_TRACE": str(path)}, 900)
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as seen:
            test.reaches = frozenset(number for number in range(1, count + 1) if seen[number])
        with lock:
            done += 1
            tree.progress(f"tracing {done} of {len(tests)} tests")
        if not good:
            print(f"left out, it fails without any change: {test.name}\n{output[-600:]}")
        return test if good else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        kept = [test for test in pool.map(one, tests) if test is not None]
    tree.progress("")
    return kept


def noticed(number, tests):
    """The name of a test that fails with this change on, or None. Quick tests first, those of a program together."""
    groups = {}
    for test in tests:
        if number in test.reaches:
            groups.setdefault((test.seconds > QUICK, test.program, test.folder), []).append(test)
    for _, group in sorted(groups.items(), key=lambda item: (item[0][0], sum(test.seconds for test in item[1]))):
        seconds = sum(test.seconds for test in group)
        good, _, output = started(group[0], [test.filter for test in group], {"ENVGEN_MUTANT": str(number)}, 20 + 5 * seconds)
        if not good:
            failed = [line.split("]", 1)[1].strip().split(",")[0].split(" (")[0] for line in output.splitlines() if line.startswith("[  FAILED  ]")]
            return failed[0] if failed else group[0].name
    return None


def play(numbered, tests):
    """{number: the test that noticed, None where none did}"""
    result = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, name in zip(numbered, pool.map(lambda each: noticed(each, tests), numbered)):
            result[number] = name
            tree.progress(f"played {len(result)} of {len(numbered)} changes")
    tree.progress("")
    return result
