"""Says for each visible GPU whether the installed torch holds code for it, and runs some of it.

A build of torch is compiled for a list of architectures. Binaries (sm_XY) run on GPUs of the same
major capability from X.Y on; PTX (compute_XY) is compiled by the driver for any GPU from X.Y on, at the first
start. A suffix narrows that: sm_90a runs on 9.0 alone, sm_100f within its major. A GPU for which nothing fits
fails with "no kernel image is available for execution on the device", but only once the first kernel starts.

Exit status: 0 every visible GPU runs, or none is visible; 1 one does not.
"""

import re
import sys

import torch

Capability = tuple[int, int]


def code_for(capability: Capability, architectures: list[str]) -> str | None:
    """The best architecture for a GPU: binaries before PTX, the nearest first. None where none fits."""
    machine_code: list[tuple[Capability, str]] = []
    ptx: list[tuple[Capability, str]] = []
    for name in architectures:
        parts = re.fullmatch(r"(sm|compute)_(\d+)(\d)([af]?)", name)
        if parts is None:
            continue
        kind, suffix = parts[1], parts[4]
        built_for = int(parts[2]), int(parts[3])
        same_major = built_for[0] == capability[0]
        if built_for > capability or (suffix == "a" and built_for != capability):
            continue
        if suffix == "f" and not same_major:
            continue
        if kind == "compute":
            ptx.append((built_for, name))
        elif same_major:
            machine_code.append((built_for, name))
    candidates = machine_code or ptx
    return max(candidates)[1] if candidates else None


def failure_of(device: torch.device) -> str | None:
    """What goes wrong when the GPU adds, multiplies and copies back; None when nothing does."""
    try:
        ones = torch.ones(64, 64, device=device)
        total = (ones @ ones + ones).sum().item()
    except RuntimeError as error:
        return str(error).splitlines()[0]
    return None if total == 65 * 64 * 64 else f"64 x 64 ones were computed wrongly: {total}"


def judge(index: int, architectures: list[str]) -> tuple[bool, str]:
    """Whether a GPU runs, and with what or why not."""
    code = code_for(torch.cuda.get_device_capability(index), architectures)
    if code is None:
        return False, "CANNOT RUN: no binaries and no PTX for it"
    if failure := failure_of(torch.device("cuda", index)):
        return False, f"FAILED with {code}: {failure}"
    if code.startswith("compute_"):
        return True, f"runs PTX, {code}, which the driver compiles at the first start"
    return True, f"runs binaries, {code}"


def main() -> int:
    cuda = f"CUDA {torch.version.cuda}" if torch.version.cuda else "no CUDA"
    print(f"torch {torch.__version__}, {cuda}")
    if not torch.cuda.is_available():
        reason = "no GPU, or no driver for it" if torch.version.cuda else "this is a CPU-only build"
        print(f"no GPU is visible to torch ({reason}): nothing to check")
        return 0
    architectures = torch.cuda.get_arch_list()
    print(f"built for {' '.join(architectures)}")
    status = 0
    for index in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(index)
        runs, how = judge(index, architectures)
        print(f"GPU {index}  {properties.name}  capability {properties.major}.{properties.minor}  {how}")
        status = status if runs else 1
    return status


if __name__ == "__main__":
    sys.exit(main())
