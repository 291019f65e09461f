#!/usr/bin/env python3
"""Compares a release of matrix/torch.json with what `envgen inspect --format json` read of its wheel.

usage: inspect_torch.py matrix/torch.json RELEASE REPORT.json
"""
import json
import re
import sys


def capability(name):
    """8.6 of sm_86."""
    number = re.sub(r"^(sm|compute)_", "", name)
    suffix = number.lstrip("0123456789")
    digits = number[: len(number) - len(suffix)]
    return f"{digits[:-1]}.{digits[-1]}{suffix}"


def pin(requires, pattern):
    """The version that is pinned by `==`, or the clauses as they are; None: not named."""
    for requirement in requires:
        if re.fullmatch(pattern, requirement["name"]):
            return requirement["version"].removeprefix("==")
    return None


def differences(row, report):
    torch = report["torch"]
    requires = report["packages"][0]["requires"]
    read = torch["arch_list"] or torch["compiled"]
    facts = {
        "cuda": (".".join(row["cuda"].split(".")[:2]), torch["cuda"]),
        "sass": (row["sass"], [capability(name) for name in read["sass"]]),
        "ptx": (row["ptx"], [capability(name) for name in read["ptx"]]),
        "cudnn": (row["cudnn"], pin(requires, r"nvidia-cudnn(-cu\d+)?")),
        "nccl": (row["nccl"], pin(requires, r"nvidia-nccl(-cu\d+)?")),
        "triton": (row["triton"], pin(requires, r"(pytorch-)?triton")),
    }
    for name, (stated, found) in facts.items():
        # null: nobody read it; and a wheel that pins nothing says nothing.
        if stated is not None and found is not None and stated != found:
            yield f"{name}: the matrix says {stated}, the wheel {found}"


def main():
    matrix, release, path = sys.argv[1:]
    report = json.load(open(path))
    cuda = report["torch"]["cuda"]
    rows = [
        row
        for row in json.load(open(matrix))["builds"]
        if row["torch"] == release and row["platform"] == "linux-x86_64" and row.get("package_index") and row["tag"] != "cpu"
    ]
    rows = [row for row in rows if row["cuda"] and row["cuda"].split(".")[:2] == (cuda or "").split(".")] or rows
    if len(rows) != 1:
        print(f"torch {release}: {len(rows)} rows of the matrix are for the wheel of the package index")
        return 1
    found = list(differences(rows[0], report))
    for line in found:
        print(f"torch {release}: {line}")
    if not found:
        print(f"torch {release} agrees: CUDA {cuda}, {' '.join(rows[0]['sass'] + [name + '+PTX' for name in rows[0]['ptx']])}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
