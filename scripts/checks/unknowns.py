"""Random requests of the kind that people have, put to `envgen resolve --batch`: how many are answered "unknown", and for want of which fact.

unknowns.py ENVGEN [--requests N] [--at-most PERCENT] [--show N] SEED...

Exit status 1: a seed has a greater share of unknown answers than that, one of them is a dead end (it names no nearest environment though some
environment exists), or a request was not understood. The weights below are those of questions in forums and issue trackers: mostly a recent torch
beside a common board, and a tail of old releases, old boards, clusters, Arm machines and TensorFlow.
"""

import argparse
import collections
import json
import random
import re
import subprocess
import sys

# torch: how often it is asked for, and the CUDA minors that people name beside it
TORCH = [
    ("1.7.1", 2, ["10.1", "10.2", "11.0"]),
    ("1.8.1", 2, ["10.2", "11.1"]),
    ("1.9", 1, ["10.2", "11.1"]),
    ("1.10", 3, ["10.2", "11.3"]),
    ("1.11", 2, ["10.2", "11.3", "11.5"]),
    ("1.12.1", 4, ["10.2", "11.3", "11.6"]),
    ("1.13.1", 6, ["11.6", "11.7"]),
    ("2.0.1", 8, ["11.7", "11.8"]),
    ("2.1", 7, ["11.8", "12.1"]),
    ("2.2.2", 6, ["11.8", "12.1"]),
    ("2.3", 7, ["11.8", "12.1"]),
    ("2.3.1", 4, ["11.8", "12.1"]),
    ("2.4", 6, ["11.8", "12.1", "12.4"]),
    ("2.4.1", 5, ["11.8", "12.1", "12.4"]),
    ("2.5", 4, ["11.8", "12.1", "12.4"]),
    ("2.5.1", 9, ["11.8", "12.1", "12.4"]),
    ("2.6", 9, ["11.8", "12.4", "12.6"]),
    ("2.7", 6, ["11.8", "12.6", "12.8"]),
    ("2.7.1", 5, ["11.8", "12.6", "12.8"]),
    ("2.8", 8, ["12.6", "12.8", "12.9"]),
    ("2.9", 5, ["12.6", "12.8", "13.0"]),
    ("2.9.1", 5, ["12.6", "12.8", "12.9", "13.0"]),
    ("2.10", 6, ["12.6", "12.8", "13.0"]),
    ("2.11", 5, ["12.6", "12.8", "13.0"]),
    ("2.12", 5, ["12.6", "13.0", "13.2"]),
    ("2.13", 5, ["12.6", "13.0", "13.2"]),
    ("2.14", 5, ["12.6", "13.0", "13.2"]),
    ("2.15", 6, ["12.6", "13.0", "13.2"]),
    (">=2.0,<2.4", 2, ["11.8", "12.1"]),
    (">=2.4", 3, ["12.4", "12.6", "12.8"]),
    (">=2.6", 3, ["12.6", "12.8", "13.0"]),
    ("<2.0", 1, ["11.3", "11.6", "11.7"]),
]
CUDA = [("10.2", 1), ("11.1", 1), ("11.3", 2), ("11.6", 2), ("11.7", 3), ("11.8", 12), ("12.0", 2), ("12.1", 12), ("12.2", 4), ("12.3", 1), ("12.4", 12),
        ("12.5", 1), ("12.6", 10), ("12.8", 10), ("12.9", 4), ("13.0", 8), ("13.1", 1), ("13.2", 4), ("12", 3), ("13", 1), ("cu121", 3), ("cu124", 3),
        (">=12.1", 2), (">=12.6,<13", 1), ("<12", 1), ("cpu", 2)]
# board: how often, and the drivers that are found beside it
OLD, USUAL, NEW = ["450", "470", "510", "525"], ["525", "535", "535.183.01", "545", "550", "550.54.14", "560", "570", "580"], ["570", "570.133.07", "575", "580", "580.95.05", "590"]
GPU = [
    ("K40", 1, ["418", "450", "470"]), ("K80", 2, ["418", "450", "470"]), ("GTX 980", 1, OLD + ["535"]), ("M40", 1, OLD + ["535"]),
    ("GTX 1060", 2, OLD + USUAL), ("GTX 1080 Ti", 5, OLD + USUAL), ("P100", 3, OLD + USUAL), ("P40", 2, OLD + USUAL), ("TITAN Xp", 1, OLD + USUAL),
    ("V100", 8, OLD + USUAL), ("T4", 8, OLD + USUAL), ("RTX 2060", 2, OLD + USUAL), ("RTX 2080 Ti", 4, OLD + USUAL), ("GTX 1650", 2, OLD + USUAL),
    ("Quadro RTX 6000", 1, OLD + USUAL), ("A100", 14, OLD + USUAL), ("A10", 3, OLD + USUAL), ("A40", 2, OLD + USUAL), ("A6000", 5, OLD + USUAL),
    ("A5000", 2, OLD + USUAL), ("A4000", 1, OLD + USUAL), ("A2", 1, OLD + USUAL), ("A30", 1, OLD + USUAL), ("3060", 5, OLD + USUAL), ("3070", 3, OLD + USUAL), ("3080", 4, OLD + USUAL),
    ("3090", 10, OLD + USUAL), ("3050", 1, USUAL), ("4050 laptop", 1, USUAL), ("4060", 4, USUAL), ("4070", 3, USUAL), ("4080", 3, USUAL), ("4090", 16, USUAL),
    ("4070 laptop", 1, USUAL), ("4060 laptop", 2, USUAL), ("L4", 4, USUAL), ("L40S", 4, USUAL), ("L40", 1, USUAL), ("RTX 6000 Ada", 2, USUAL), ("H100", 14, USUAL), ("H200", 4, USUAL),
    ("H20", 1, USUAL), ("GH200", 2, USUAL), ("GB200", 1, NEW), ("B200", 4, NEW), ("B300", 1, NEW), ("5060", 2, NEW), ("5070", 3, NEW), ("5070 Ti", 2, NEW),
    ("5080", 4, NEW), ("5090", 9, NEW), ("RTX PRO 6000", 3, NEW), ("GB10", 2, NEW), ("Orin", 2, ["535"]), ("Xavier", 1, ["535"]),
    ("8.6", 2, USUAL), ("8.9", 2, USUAL), ("sm_80", 1, USUAL), ("9.0", 1, USUAL), ("12.0", 2, NEW), ("7.0", 1, OLD + USUAL), ("6.1", 1, OLD + USUAL),
]
ARM = ["GH200", "GB200", "GB10", "H100", "A100", "Orin"]
DRIVER = [("418", 1), ("450", 2), ("460", 1), ("470", 5), ("495", 1), ("510", 2), ("515", 2), ("520", 2), ("525", 6), ("530", 3), ("535", 16), ("535.183.01", 5),
          ("545", 4), ("550", 14), ("550.54.14", 4), ("550.90.07", 2), ("555", 2), ("560", 5), ("565", 2), ("570", 12), ("570.133.07", 3), ("575", 3), ("580", 12),
          ("580.95.05", 3), ("590", 3), ("595", 2), (">=535", 2), (">=550", 1), (">=525,<580", 1)]
PYTHON = [("3.6", 1), ("3.7", 3), ("3.8", 8), ("3.9", 10), ("3.10", 25), ("3.11", 22), ("3.12", 20), ("3.13", 8), ("3.14", 2), (">=3.10", 2), ("3.13t", 1)]
OS = [("ubuntu18.04", 2), ("ubuntu20.04", 14), ("ubuntu22.04", 40), ("ubuntu24.04", 24), ("debian11", 2), ("debian12", 6), ("rockylinux8", 3), ("rockylinux9", 4), ("ubi8", 1),
      ("ubi9", 2), ("centos7", 2), ("amazonlinux2", 1), ("amazonlinux2023", 1), ("fedora42", 1)]
TENSORFLOW = ["2.4", "2.8", "2.10", "2.11", "2.12", "2.13", "2.14", "2.15", "2.16", "2.17", "2.18", "2.19", "2.20", "2.21", ">=2.10", ">=2.15"]
CLUSTERS = [(["V100", "A100"], 3), (["T4", "A100"], 2), (["A100", "H100"], 5), (["3090", "4090"], 4), (["4090", "5090"], 3), (["H100", "B200"], 3), (["2080 Ti", "3090"], 2), (["1080 Ti", "3090"], 2),
            (["V100", "H100"], 2), (["P100", "V100"], 1), (["L4", "H100"], 1), (["L40S", "A100"], 1), (["T4", "5090"], 1), (["K80", "V100"], 1), (["4090", "L4", "A100"], 1)]


def pick(rng, weighted):
    return rng.choices([row[0] for row in weighted], [row[1] for row in weighted])[0]


def row_of(rng, weighted):
    return rng.choices(weighted, [row[1] for row in weighted])[0]


def what_is_installed(rng, request):
    """What is said of most requests, whichever framework they are about."""
    if rng.random() < 0.36:
        request["python"] = pick(rng, PYTHON)
    if rng.random() < 0.25:
        request["os"] = pick(rng, OS)
    if rng.random() < 0.15:
        request["installer"] = pick(rng, [("pip", 3), ("uv", 5), ("conda", 5)])
        if "tensorflow" in request and request["installer"] == "conda":
            del request["installer"]  # refused: there is no data on those packages
    if rng.random() < 0.12:
        request["variant"] = pick(rng, [("devel", 4), ("runtime", 1)])


def where_it_runs(rng, request):
    """Boards and drivers: one, several beside one another, or hosts."""
    draw = rng.random()
    if draw < 0.62:
        name, _, drivers = row_of(rng, GPU)
        request["gpus"] = [name]
        if rng.random() < 0.45:
            request["driver"] = rng.choice(drivers) if rng.random() < 0.85 else pick(rng, DRIVER)
    elif draw < 0.72:
        request["gpus"] = pick(rng, CLUSTERS)
        if rng.random() < 0.3:
            request["driver"] = pick(rng, DRIVER)
    elif draw < 0.78:
        one_number = [row for row in DRIVER if "," not in row[0]]  # a host ends at a comma
        request["hosts"] = [{"gpus": [name], **({"driver": pick(rng, one_number)} if rng.random() < 0.7 else {})} for name in pick(rng, CLUSTERS)]
    elif draw < 0.90:
        request["driver"] = pick(rng, DRIVER)


def of_tensorflow(rng):
    request = {"tensorflow": rng.choice(TENSORFLOW)}
    if rng.random() < 0.2:
        request["cuda"] = rng.choice(["11.2", "11.8", "12.2", "12.3", "12.5"])
    where_it_runs(rng, request)
    what_is_installed(rng, request)
    return request


def of_arm(rng):
    request = {"platform": "linux-aarch64"} if rng.random() < 0.6 else {}
    request["gpus"] = [rng.choice(ARM)]
    if rng.random() < 0.6:
        request["torch"], _, cudas = row_of(rng, TORCH[16:])
        if rng.random() < 0.4:
            request["cuda"] = rng.choice(cudas)
    what_is_installed(rng, request)
    return request


def of_torch(rng):
    request = {}
    draw = rng.random()
    if draw < 0.60:
        request["torch"], _, cudas = row_of(rng, TORCH)
        if rng.random() < 0.5:
            request["cuda"] = rng.choice(cudas) if rng.random() < 0.85 else pick(rng, CUDA)
    elif draw < 0.85:
        request["cuda"] = pick(rng, CUDA)
    where_it_runs(rng, request)
    what_is_installed(rng, request)
    if rng.random() < 0.08:
        request["base"] = pick(rng, [("cuda", 3), ("pytorch", 4), ("slim", 1)])
    if rng.random() < 0.04:
        request["cudnn"] = rng.choice(["8", "8.9", "9", "9.1", "9.10"])
    if rng.random() < 0.03:
        request["engine"] = rng.choice(["docker", "podman", "docker-cdi"])
    if rng.random() < 0.02:
        request["prefer"] = rng.choice(["newest", "smallest", "widest"])
    if rng.random() < 0.02:
        request["ptx"] = True
    return request


def requests_of(seed, count):
    rng = random.Random(seed)
    kinds = [(of_torch, 88), (of_tensorflow, 7), (of_arm, 5)]
    made = []
    while len(made) < count:
        request = pick(rng, kinds)(rng)
        if request:
            made.append(request)
    return made


def kind_of(missing):
    """A missing fact without the names of what it is missing of, so that like ones are counted together."""
    text = re.sub(r"\+(cu\d+|cpu)( on [a-z-]+)?( for linux-aarch64)?", r"+CUDA\2\3", missing)
    text = re.sub(r"\d+(\.\d+)+", "N", text)
    text = re.sub(r"\b(code for|serves|know|knows) the .*", r"\1 a board", text)
    return re.sub(r"(besides) .*", r"\1 those listed", text)


def measured(envgen, seed, arguments):
    requests = requests_of(seed, arguments.requests)
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([envgen, "resolve", "--batch", "-"], input=lines, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(requests):
        sys.exit(f"{len(requests)} requests, {len(answers)} answers: {done.stderr}")
    kinds = collections.Counter(kind for answer in answers for kind in ("environment", "conflict", "unknown", "error") if kind in answer)
    unknown = [(request, answer["unknown"]) for request, answer in zip(requests, answers) if "unknown" in answer]
    dead_ends = [request for request, found in unknown if not found.get("nearest")]
    share = 100 * len(unknown) / len(requests)
    print(f"seed {seed}: {len(requests)} requests, {kinds['environment']} environments, {kinds['conflict']} proofs, {len(unknown)} unknown ({share:.2f} %), "
          f"{len(dead_ends)} of them without a nearest environment")
    facts = collections.defaultdict(list)
    for request, found in unknown:
        facts[kind_of(found["missing"][0])].append(request)
    for fact, asked in sorted(facts.items(), key=lambda one: (-len(one[1]), one[0])):
        print(f"  {len(asked):4}  {fact}")
        for request in asked[: arguments.show]:
            print(f"          {json.dumps(request)}")
    wrong = [(request, answer["error"]["message"]) for request, answer in zip(requests, answers) if "error" in answer]
    for request, message in wrong[:5]:
        print(f"  not understood: {json.dumps(request)}: {message}")
    return share <= arguments.at_most and not wrong and not dead_ends


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("envgen")
    parser.add_argument("seeds", nargs="*", type=int, default=[1, 2, 3])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--at-most", type=float, default=1.0)
    parser.add_argument("--show", type=int, default=1)
    arguments = parser.parse_intermixed_args()  # options stand between the positionals
    good = [measured(arguments.envgen, seed, arguments) for seed in arguments.seeds]
    sys.exit(0 if all(good) else 1)


main()
