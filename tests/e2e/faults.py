#!/usr/bin/env python3
"""Injects faults into `envgen validate` with a real Docker engine of its own, and holds each run to its promise: no container, segment
or file is left, the verdict is not wrong, and the message is clear.

usage: faults.py [--all] [--seed N] [--only PART]
  --all    all of them, more than 200; else four of each kind, for CI
  --seed   which four, and when the interrupts come: the same ones for the same number. Without it the commit decides, and without git the day
  --only   those whose name holds PART
$ENVGEN is the tool, $ENVGEN_BENCH the program for containers, $ROOT the tar of a Debian root, $COUNTS the file for `PASSED FAILED`.
Needs root. Exit status 77: dockerd is not there.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHIM = r"""#!/bin/sh
# Stands before the docker client: at the call that $FAULT_STEP and $FAULT_CALL name it plays $FAULT.
step=$1
[ "$step" != image ] || step=image-inspect
calls=$(grep -c "^$step$" "$FAULT_FOLDER/calls")
echo "$step" >>"$FAULT_FOLDER/calls"
kill_daemon() { kill -KILL "$(cat "$FAULT_FOLDER/daemon")" 2>/dev/null; }
if [ "$step" != "$FAULT_STEP" ] || [ "$calls" != "${FAULT_CALL:-0}" ]; then exec "$FAULT_CLIENT" "$@"; fi
echo played >"$FAULT_FOLDER/played"
case $FAULT in
  daemon-before) kill_daemon; sleep 0.1; exec "$FAULT_CLIENT" "$@" ;;
  daemon-during) { sleep "$FAULT_DELAY"; kill_daemon; echo killed >"$FAULT_FOLDER/killed"; } & exec "$FAULT_CLIENT" "$@" ;;
  daemon-after) "$FAULT_CLIENT" "$@"; status=$?; kill_daemon; exit $status ;;
  freeze) kill -STOP "$(cat "$FAULT_FOLDER/daemon")"; exec "$FAULT_CLIENT" "$@" ;;
  beside) { sleep "$FAULT_DELAY"; eval "$FAULT_COMMAND"; } >/dev/null 2>&1 & exec "$FAULT_CLIENT" "$@" ;;
  before) eval "$FAULT_COMMAND" >/dev/null 2>&1; exec "$FAULT_CLIENT" "$@" ;;
  fail) echo "$FAULT_TEXT" >&2; exit "$FAULT_STATUS" ;;
  die) kill -"$FAULT_SIGNAL" $$ ;;
  print) printf '%s' "$FAULT_TEXT" ;;
  cut) "$FAULT_CLIENT" "$@" | head -c "$FAULT_BYTES" ;;
  flood) yes 0123456789 ;;
  hang) exec sleep 1000 ;;
  more) exec "$FAULT_CLIENT" "$1" $FAULT_TEXT "$(shift; echo "$1")" ;;
  create-with) shift; exec "$FAULT_CLIENT" create $FAULT_TEXT "$@" ;;
esac
"""

IMAGE = "envgen-test/faults"
NONCE = b"THE-NONCE-OF-THE-RUN"  # stands in a report for the one that a run asks for, which every forger can bring back


class Daemon:
    """A dockerd whose data lie in memory, so that it starts in a second and its disk can be filled."""

    def __init__(self, folder):
        self.folder = folder
        self.address = f"unix://{folder}/docker.sock"
        self.process = None
        (folder / "data").mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=900m", "envgen-faults", folder / "data"], check=True)

    def start(self):
        # containerd dies with its dockerd. Where nobody reaps it, the next one would take its pid file for a living one's.
        for file in (self.folder / "daemon", self.folder / "exec" / "containerd" / "containerd.pid"):
            file.unlink(missing_ok=True)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["dockerd", f"--host={self.address}", f"--pidfile={self.folder}/daemon", f"--data-root={self.folder}/data",
                 f"--exec-root={self.folder}/exec", "--storage-driver=overlay2", "--iptables=false", "--ip6tables=false", "--bridge=none"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        for _ in range(300):
            if self.ask("version").returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit("dockerd does not start: " + "\n".join((self.folder / "log").read_text(errors="replace").splitlines()[-5:]))

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def answers(self):
        return self.alive() and self.ask("version").returncode == 0

    def thaw(self):
        """Lets a daemon that was stopped go on, and answer what it was asked meanwhile. Whether it was stopped."""
        frozen = self.alive() and Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
        if frozen:
            self.process.send_signal(signal.SIGCONT)
            time.sleep(1)
        return frozen

    def ask(self, *words, **more):
        return subprocess.run(["docker", *words], env={**os.environ, "DOCKER_HOST": self.address}, stdin=more.pop("stdin", subprocess.DEVNULL),
                              capture_output=True, text=True, timeout=120, **more)

    def containers(self):
        return self.ask("ps", "--all", "--quiet", "--filter", "label=envgen.validate").stdout.split()

    def stop(self):
        if self.alive():
            self.process.terminate()
            self.process.wait(60)
        # What watched the containers of a daemon that was killed stays behind.
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(b"containerd-shim-runc-v2") and any(word.startswith(os.fsencode(self.folder)) for word in words):
                os.kill(int(process.name), signal.SIGKILL)


class Case:
    """One fault. `ends`: the exit statuses that are right. `says`: what a row that failed, or standard error, has to match.
    `may_miss`: a fault that comes too late may also leave a whole run. `never`: checks that may not be passed. `within`: the seconds that
    it may take."""

    def __init__(self, name, says, ends=(5, 6), arguments=(), env=None, stop=None, may_miss=False, bench=None, never=(), within=150):
        self.name, self.says, self.ends, self.arguments, self.env = name, says, ends, list(arguments), env or {}
        self.stop, self.may_miss, self.bench, self.never, self.within = stop, may_miss, bench, never, within


def at(step, fault, says, call=0, name="", **more):
    """A fault that the shim plays at a call of the client."""
    env = {"FAULT_STEP": step, "FAULT": fault, "FAULT_CALL": str(call)}
    env.update({key.upper(): str(more.pop(key)) for key in list(more) if key.startswith("fault_")})
    return Case(f"{fault} {name}{' ' if name else ''}at {step} {call}", says, env=env, **more)


def daemon_killed():
    gone = (r"Cannot connect to the Docker daemon|no Docker daemon responds|error during connect|connection reset|EOF|broken pipe|"
            r"context canceled|server error|the engine did not remove|the engine lost|cut short|is empty|is killed|killed")
    for step in ("info", "ps", "image-inspect", "create", "cp", "start", "inspect", "rm"):
        for when in ("before", "after"):
            yield at(step, f"daemon-{when}", gone, may_miss=True)
    for step in ("create", "cp", "start"):
        for delay in (0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5):
            yield at(step, "daemon-during", gone, name=f"{delay} s", fault_delay=delay, may_miss=True)


def client_fails():
    for step in ("info", "image-inspect", "create", "cp", "start", "inspect", "rm"):
        for status, text in ((1, "Error response from daemon: injected by a test"), (125, "docker: injected by a test"), (137, "injected by a test")):
            yield at(step, "fail", "injected by a test", name=str(status), fault_status=status, fault_text=text, may_miss=step == "rm")
        for name in ("SEGV", "KILL"):
            yield at(step, "die", r"signal \d+", name=name, fault_signal=name, may_miss=step == "rm")
    for step in ("info", "image-inspect", "inspect"):
        for text in ("", "{", "[]", "null", '"text"', "\udcff\udcfe", '{"State": 1, "ServerVersion": 7, "Id": []}', "[" * 3000):
            yield at(step, "print", r"cannot read|describes no|no Docker daemon|has no", name=repr(text[:12]), fault_text=text)
        for size in (1, 100, 1000):
            yield at(step, "cut", r"cannot read|describes no|no Docker daemon", name=f"{size} bytes", fault_bytes=size)
        yield at(step, "flood", "too much output")
    yield at("start", "hang", "timed out after 2 s", arguments=["--timeout", "2"])



def daemon_hangs():
    """A daemon that is stopped (SIGSTOP): it takes requests and answers none. What it was asked it does when it goes on."""
    late = "timed out after|the engine left no time|no time left|did not remove"
    for step in ("info", "ps", "image-inspect", "create", "cp", "start", "inspect", "rm"):
        yield at(step, "freeze", late, arguments=["--timeout", "3"], within=3 + 10 + 4)
        yield at(step, "freeze", "interrupted", name="and SIGINT", ends=(130,), stop=("INT", 2.5), within=2.5 + 10 + 4)


def container_harmed():
    ours = "docker ps --quiet --no-trunc --filter label=envgen.validate"
    for delay in (0.15, 0.3, 0.5):
        for what, says in (("kill --signal KILL", "killed"), ("kill --signal SEGV", "killed|signal"), ("rm --force", "lost|killed|No such container"), ("stop --time 0", "killed")):
            command = f'for one in $({ours}); do docker {what} "$one"; done'
            yield at("start", "beside", says, name=f"{what} after {delay} s", fault_delay=delay, fault_command=command, may_miss=True)
    yield at("start", "beside", "timed out after 3 s", name="pause", fault_delay=0.2, fault_command=f"docker pause $({ours})", arguments=["--timeout", "3"], may_miss=True)
    for memory in ("6m", "16m", "64m"):
        yield at("create", "create-with", r"out of memory|killed", name=f"memory {memory}", fault_text=f"--memory {memory} --memory-swap {memory}", arguments=["--shm-size=1g"])
    yield at("create", "create-with", "read-only", name="read-only", fault_text="--read-only")
    yield at("create", "create-with", r"fork|process|start|killed|resource", name="one process", fault_text="--pids-limit 1")
    yield at("create", "create-with", r"open files|Too many|start|killed", name="no files to open", fault_text="--ulimit nofile=3:3")
    yield at("create", "before", "No such image|no image", name="the image goes", fault_command="docker rmi --force $(docker images --quiet " + IMAGE + ")")


def disk_full():
    fill = 'fallocate --length "$(($(df --output=avail --block-size=1 "$FAULT_FOLDER/data" | tail -n 1) - %d))" "$FAULT_FOLDER/data/filler" || dd if=/dev/zero of="$FAULT_FOLDER/data/filler" bs=64k'
    for left in (0, 65536, 300_000):
        for step in ("create", "cp", "start"):
            yield at(step, "before", "no space left|input/output|bus error", name=f"disk full but {left}", fault_command=fill % left, may_miss=left > 0 or step == "start")


def strange_binaries(work, bench):
    whole = bench.read_bytes()

    def file(name, data, mode=0o755):
        path = work / name
        path.write_bytes(data)
        path.chmod(mode)
        return path

    not_run = "^bench: envgen-bench does not run in the image: it needs a glibc for its architecture: exec /envgen-bench: exec format error$"
    yield Case("binary without the x bit", "is not executable by all users", ends=(6,), bench=file("no-x", whole, 0o644))
    yield Case("binary for its owner alone", "is not executable by all users", ends=(6,), bench=file("own-x", whole, 0o700))
    yield Case("binary that is a folder", "does not exist", ends=(6,), bench=work)
    yield Case("binary that is not there", "does not exist", ends=(6,), bench=work / "none")
    yield Case("binary that is empty", not_run, bench=file("empty", b""))
    yield Case("binary of another processor", not_run, bench=file("other", whole[:18] + struct.pack("<H", 243) + whole[20:]))
    yield Case("binary of text", not_run, bench=file("text", b"hello\n"))
    yield Case("binary of a script without its interpreter", not_run.replace("exec format error", "no such file or directory"), bench=file("script", b"#!/no/such/shell\n"))
    for size in (4, 64, 1000, len(whole) // 2, len(whole) - 20_000):
        says = not_run if size < 100 else "^bench: it was killed by signal (7|11)$"
        yield Case(f"binary cut to {size} bytes", says, bench=file(f"cut-{size}", whole[:size]))


def strange_reports(work, real):
    """Programs in the place of envgen-bench, which print what it did with a change."""
    number = 0

    def prints(data, end="exit 0"):
        nonlocal number
        number += 1
        path = work / f"forger-{number}"
        path.write_bytes(b"#!/bin/sh\nfor word; do case $word in --report-nonce=*) nonce=${word#*=} ;; esac; done\n"
                         b"sed \"s/%s/$nonce/\" <<'END_OF_IT'\n" % NONCE + data + b"\nEND_OF_IT\n" + end.encode() + b"\n")
        path.chmod(0o755)
        return path

    def refused(why):
        return rf"^bench: envgen-bench's report \(exit status 0\): {why}$"

    no_json = refused(r"(not JSON|the report is truncated) \(line \d+, column \d+\)")
    text = json.dumps(real)
    for part in range(1, 25):
        yield Case(f"report cut at {part}/25", no_json, ends=(5,), bench=prints(text[: len(text) * part // 25].encode()), never=("bench", "ipc", "shm"))

    def changed(name, change, says, never=("bench",), arguments=()):
        copy = json.loads(text)
        change(copy)
        return Case(f"report: {name}", says, ends=(5,), bench=prints(json.dumps(copy).encode()), never=never, arguments=arguments)

    def row(report, test):
        return next(one for one in report["tests"] if one["id"] == test)

    yield changed("another version", lambda r: r.update(schema_version=2), refused("its schema_version is not 1: use the envgen-bench from this envgen"))
    yield changed("another program", lambda r: r["program"].update(name="other"), refused("another program wrote it"))
    yield changed("a row is taken away", lambda r: r["tests"].pop(), refused(r"its summary does not match its rows: \d+ rows have the status \w+"))
    yield changed("a row twice", lambda r: r["tests"].append(r["tests"][0]), refused(r"the row probe appears twice"))
    yield changed("no rows", lambda r: r.update(tests=[]), refused("it has no rows"))
    yield changed("a GPU that is not there", lambda r: r["gpu"].update(present=True), refused("its statements about the GPUs contradict each other"))
    yield changed("present and absent", lambda r: (r["gpu"].update(present=True, absent=True), r["gpus"].append({})), refused("its statements about the GPUs contradict each other"))
    yield changed("a status that is none", lambda r: row(r, "shm").update(status="great"), refused("'great' is not a row status"))
    yield changed("a status changed", lambda r: row(r, "probe").update(status="pass"), refused(r"its summary does not match its rows: \d+ rows have the status pass"))
    yield changed("a name that is none", lambda r: row(r, "shm").update(id="../x"), refused("a row has no id, status or message"))
    yield changed("numbers for texts", lambda r: row(r, "shm").update(message=7), refused("a row has no id, status or message"))
    yield changed("tests as text", lambda r: r.update(tests="all"), refused("a member is missing"))
    yield changed("of another run", lambda r: r.update(nonce="other"), refused("its nonce is not the one of this run: it was written for another run"))
    yield changed("interrupted", lambda r: r.update(interrupted=True), "^bench: envgen-bench was interrupted$")
    yield changed("a mode that nothing proves", lambda r: row(r, "ipc")["evidence"].update(mode="host", why="it is"), "it was forged", ("ipc",), ["--ipc=host"])
    yield changed("the host's inode alone", lambda r: row(r, "ipc")["evidence"].update(mode="host", why="it is", inode=os.stat("/proc/self/ns/ipc").st_ino), "it was forged", ("ipc",), ["--ipc=host", "--require", "ipc-host"])
    yield changed("no rows for IPC", lambda r: (r["tests"].remove(row(r, "ipc")), r["summary"].update({"pass": r["summary"]["pass"] - 1})), "--require", ("ipc",), ["--require", "ipc-host"])
    yield Case("report: nothing", refused("it is empty"), ends=(5,), bench=prints(b""), never=("bench",))
    yield Case("report: zeros", no_json, ends=(5,), bench=prints(b"\xff\xfe\x01"), never=("bench",))
    yield Case("report: deep", refused("nested deeper than 32 levels"), ends=(5,), bench=prints(b"[" * 100_000), never=("bench",))
    yield Case("report: two", no_json, ends=(5,), bench=prints(text.encode() * 2), never=("bench",))
    yield Case("report: noise before it", no_json, ends=(5,), bench=prints(b"hello " + text.encode()), never=("bench",))
    yield Case("report: an endless one", "^bench: (it printed more than 16 MiB|timed out after 5 s; it was killed)$", ends=(5,), bench=prints(b"", "yes 01234567890123456789"), arguments=["--timeout", "5"], never=("bench",))
    yield Case("report: none in time", "timed out after 2 s", ends=(5,), bench=prints(b"", "sleep 600"), arguments=["--timeout", "2"], never=("bench",))
    yield Case("report: deaf to signals", "timed out after 2 s", ends=(5,), bench=prints(b"", "trap '' TERM INT HUP; sleep 600"), arguments=["--timeout", "2"], never=("bench",))
    yield Case("report: whole, then as if killed", "^bench: it was killed by signal 11$", ends=(5,), bench=prints(text.encode(), "exit 139"), never=("bench",))
    yield Case("report: whole, then another exit status", r"^bench: envgen-bench's report \(exit status 3\): it reports exit status 0$", ends=(5,), bench=prints(text.encode(), "exit 3"), never=("bench",))


def interrupted(chance):
    for number in range(36):
        name = ("INT", "TERM", "HUP")[number % 3]
        delay = chance.uniform(0, 1.8)
        yield Case(f"SIG{name} after {delay:.3f} s", "interrupted", ends=(128 + getattr(signal, "SIG" + name),), stop=(name, delay), may_miss=True)
    for _ in range(12):
        delay = chance.uniform(0.05, 1.8)
        yield Case(f"SIGKILL after {delay:.3f} s", "", ends=(-9,), stop=("KILL", delay), may_miss=True)


def everything(work, bench, real, chance):
    return {
        "daemon": list(daemon_killed()),
        "client": list(client_fails()),
        "hung": list(daemon_hangs()),
        "container": list(container_harmed()),
        "disk": list(disk_full()),
        "binary": list(strange_binaries(work, bench)),
        "report": list(strange_reports(work, real)),
        "signal": list(interrupted(chance)),
    }


class Harness:
    def __init__(self, work, daemon, client, envgen, bench):
        self.work, self.daemon, self.client, self.envgen, self.bench = work, daemon, client, envgen, bench

    def left(self):
        """Containers, and what lies on this machine of runs that have ended: somebody else may be validating beside this."""
        found = [f"container {one}" for one in self.daemon.containers()]
        found += [str(path) for path in Path("/dev/shm").glob("envgen-validate-*") if not Path(f"/proc/{path.name.split('-')[2]}").exists()]
        for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]:
            key, _, _, _, creator = (int(word) for word in line.split()[:5])
            if key & 0xFFFF0000 == 0x45560000 and not Path(f"/proc/{creator}").exists():
                found.append(f"segment {key:#x}")
        return found

    def validate(self, case, arguments):
        """Its exit status, standard output, standard error."""
        (self.work / "calls").write_text("")
        for file in ("played", "killed"):
            (self.work / file).unlink(missing_ok=True)
        env = {**os.environ, "DOCKER_HOST": self.daemon.address, "PATH": f"{self.work}/bin:{os.environ['PATH']}", "ENVGEN_BENCH": str(case.bench or self.bench),
               "FAULT_FOLDER": str(self.work), "FAULT_CLIENT": self.client, "TMPDIR": f"{self.work}/tmp"}
        env.update(case.env)
        # Standard output to files: pipes would be held open by what a killed run leaves behind.
        with open(self.work / "out", "w+b") as out, open(self.work / "err", "w+b") as err:
            words = [self.envgen, "validate", "--engine", "docker", "--format", "json", *arguments]
            run = subprocess.Popen(words, env={k: os.fsencode(v) for k, v in env.items()}, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            try:
                if case.stop:
                    time.sleep(case.stop[1])
                    run.send_signal(getattr(signal, "SIG" + case.stop[0]))
                status = run.wait(150)
            except subprocess.TimeoutExpired:
                run.kill()
                status = "it hangs"
            out.seek(0)
            err.seek(0)
            return status, out.read().decode(errors="replace"), err.read().decode(errors="replace")

    def clean(self):
        """What a dead daemon or a killed run had to leave goes with the next run."""
        restarted = not self.daemon.answers()
        if restarted:
            if self.daemon.alive():  # one that is dying is there for a moment
                self.daemon.process.kill()
            self.daemon.process.wait()
            self.daemon.start()
        (self.daemon.folder / "data" / "filler").unlink(missing_ok=True)
        return restarted

    def judge(self, case):
        """What is wrong with a run: empty where nothing is."""
        began = time.monotonic()
        status, out, err = self.validate(case, [IMAGE, *case.arguments])
        took = time.monotonic() - began
        played = (case.stop is not None and not case.env) or case.bench is not None or (self.work / "played").exists()
        if played and case.env.get("FAULT") == "daemon-during":
            self.wait_for_the_kill()
        may_leave = self.daemon.thaw() or not self.daemon.answers() or status == -9
        self.clean()
        folders = [str(path) for path in self.work.glob("tmp/*")]
        for folder in folders:
            shutil.rmtree(folder)
        wrong = [f"left: {one}" for one in folders if status != -9]  # nothing can take a folder away when it is killed
        wrong += [] if may_leave else [f"left: {one}" for one in self.left()]
        if may_leave and self.left():
            self.validate(Case("the next run", ""), [IMAGE])
            wrong += [f"left by the next run: {one}" for one in self.left()]
        if self.daemon.ask("image", "inspect", IMAGE).returncode:
            self.make_image()
        if took > case.within:
            wrong.append(f"it took {took:.1f} s")
        if not played:
            return wrong + ["the fault was not played"]
        missed = case.may_miss and status == 0
        if status not in case.ends and not missed:
            wrong.append(f"exit status {status}, expected {case.ends}")
        if status == -9:
            return wrong
        return wrong + self.judge_words(case, status, out, err, missed)

    def wait_for_the_kill(self):
        """A run may end before it: the daemon of the next one would be hit."""
        for _ in range(100):
            if (self.work / "killed").exists():
                return
            time.sleep(0.05)
        sys.exit("the daemon is not killed")

    @staticmethod
    def judge_words(case, status, out, err, missed):
        if status > 128:  # a signal ended it
            return [] if re.search(case.says, err + out) else [f"no word of {case.says}: {err[:300]}"]
        try:
            report = json.loads(out)
        except ValueError:
            return [f"no JSON: {out[:200]!r}, {err[:300]!r}"]
        if "error" in report:
            return [] if re.search(case.says, json.dumps(report["error"])) else [f"no word of {case.says!r}: {report['error']}"]
        wrong = []
        failed = [f"{one['id']}: {one['message']}" for one in report["checks"] if one["status"] == "fail"]
        if report["ok"] != (status == 0) or bool(failed) == report["ok"]:
            wrong.append(f"exit status {status}, ok {report['ok']}, failed {failed}")
        if not missed and not re.search(case.says, "\n".join(failed), re.IGNORECASE | re.MULTILINE):
            wrong.append(f"no word of {case.says!r} in {failed}")
        passed = {one["id"] for one in report["checks"] if one["status"] == "pass"}
        return wrong + [f"{check} is passed" for check in case.never if check in passed]

    def make_image(self):
        with open(os.environ["ROOT"], "rb") as root:
            made = subprocess.run(["docker", "import", "-", IMAGE], stdin=root, env={**os.environ, "DOCKER_HOST": self.daemon.address}, capture_output=True)
        if made.returncode:
            sys.exit(f"docker import: {made.stderr.decode()}")


def default_seed():
    """Of the commit, so that CI plays other faults for each, and who repeats it plays the same."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return int(commit.stdout[:8], 16) if commit.returncode == 0 else int(time.strftime("%Y%m%d"))


def some_of(kind, cases, seed):
    return random.Random(f"{seed} {kind}").sample(cases, 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not shutil.which("dockerd"):
        print("dockerd is not installed")
        sys.exit(77)
    if "FAULTS_MOUNTS" not in os.environ:  # what is mounted below goes when this ends, however it ends
        os.environ["FAULTS_MOUNTS"] = "own"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    seed = default_seed() if options.seed is None else options.seed
    print(f"--seed {seed} plays these faults again", flush=True)
    envgen, bench = os.path.realpath(os.environ["ENVGEN"]), Path(os.environ["ENVGEN_BENCH"]).resolve()
    work = Path(tempfile.mkdtemp(prefix="faults-"))
    daemon = Daemon(work)
    passed = failed = 0
    try:
        (work / "bin").mkdir()
        (work / "tmp").mkdir()
        (work / "bin" / "docker").write_text(SHIM)
        (work / "bin" / "docker").chmod(0o755)
        daemon.start()
        harness = Harness(work, daemon, shutil.which("docker"), envgen, bench)
        harness.make_image()
        said = subprocess.run([bench, "--format=json", f"--report-nonce={NONCE.decode()}", "--tests=probe,ipc,shm"], capture_output=True, text=True).stdout
        for kind, cases in everything(work, bench, json.loads(said), random.Random(seed)).items():
            chosen = [case for case in cases if options.only in f"{kind}: {case.name}"]
            if not options.all and not options.only:
                chosen = some_of(kind, chosen, seed)
            began = time.monotonic()
            bad = 0
            for case in chosen:
                wrong = harness.judge(case)
                bad += bool(wrong)
                for one in wrong:
                    print(f"wrong: {kind}: {case.name}: {one}", flush=True)
            passed, failed = passed + len(chosen) - bad, failed + bad
            if chosen:
                print(f"{kind}: {len(chosen)} faults, {bad} wrong, {time.monotonic() - began:.0f} s", flush=True)
    finally:
        daemon.stop()
        for kind in ("exec", "data"):
            for line in Path("/proc/self/mounts").read_text().splitlines():
                if f"{work}/{kind}" in line:
                    subprocess.run(["umount", "--lazy", line.split()[1]], capture_output=True)
        shutil.rmtree(work, ignore_errors=True)
    if not passed + failed:
        print(f"no fault has {options.only!r} in its name")
    print(f"{passed} passed, {failed} failed")
    if "COUNTS" in os.environ:
        Path(os.environ["COUNTS"]).write_text(f"{passed} {failed}\n")
    sys.exit(failed > 0 or not passed)


if __name__ == "__main__":
    # A shell without job control starts what is to run beside it deaf to SIGINT, and that is passed on to all children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
