"""usage: cdi_spec.py LIBRARIES: what nvidia-ctk would write, for doubles: two GPUs by number, and all of them.

LIBRARIES is the folder of the doubles of libcuda and NVML. What stands for a GPU's device node is /dev/null.
"""

import json
import os
import sys

RELEASE = "580.65.06"  # as NVML's double calls itself
LIBRARIES = f"/usr/lib/{os.uname().machine}-linux-gnu"


def node(name):
    return {"path": f"/dev/{name}", "type": "c", "major": 1, "minor": 3, "permissions": "rw"}


def mount(host_path, name):
    return {"hostPath": host_path, "containerPath": f"{LIBRARIES}/{name}", "options": ["ro", "nosuid", "nodev", "bind"]}


def edits(nodes):
    return {"env": [f"ENVGEN_DOUBLE_DEVICES={len(nodes)}"], "deviceNodes": [node(each) for each in nodes]}


def spec(folder):
    devices = {"0": ["nvidia0"], "1": ["nvidia1"], "all": ["nvidia0", "nvidia1"]}
    files = [(f"{folder}/{name}.so.1", f"{name}.so.{end}") for name in ("libcuda", "libnvidia-ml") for end in ("1", RELEASE)]
    return {
        "cdiVersion": "0.5.0",
        "kind": "nvidia.com/gpu",
        "devices": [{"name": name, "containerEdits": edits(nodes)} for name, nodes in devices.items()],
        "containerEdits": {
            "env": ["NVIDIA_VISIBLE_DEVICES=void"],
            "deviceNodes": [node("nvidiactl"), node("nvidia-uvm")],
            "mounts": [mount(*file) for file in files],
        },
    }


print(json.dumps(spec(sys.argv[1])))
