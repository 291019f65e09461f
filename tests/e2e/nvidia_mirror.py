"""A mirror of NVIDIA's redistributable manifests, and facts that are older than it.

nvidia_mirror.py MIRROR MATRIX FACTS: makes the folder MIRROR/nvidia, as a server would have it, with the toolkits, cuDNNs and drivers that
the facts in MATRIX name, and copies MATRIX to FACTS without the driver branch 620.
"""

import json
import pathlib
import shutil
import sys

mirror, matrix, facts = (pathlib.Path(word) for word in sys.argv[1:])


def rows(file, table):
    return json.loads((matrix / file).read_text(encoding="utf-8"))[table]


def publish(folder, manifests):
    path = mirror / "nvidia" / folder / "redist"
    path.mkdir(parents=True)
    for release, manifest in manifests.items():
        (path / f"redistrib_{release}.json").write_text(json.dumps({"release_label": release, **manifest}), encoding="utf-8")
    links = "".join(f'<a href="redistrib_{release}.json">redistrib_{release}.json</a>\n' for release in manifests)
    (path / "index.html").write_text(links, encoding="utf-8")


toolkits = {row["version"]: row["driver"] for row in rows("cuda.json", "toolkits") if row["driver"]}
toolkits["13.5.0"] = "620.70.06"
publish("cuda", {version: {"nvidia_driver": {"version": driver}} for version, driver in toolkits.items()})
publish(
    "cudnn",
    {
        ".".join(row["version"].split(".")[:3]): {
            "cudnn": {"version": row["version"], "cuda_variant": row["cuda_majors"], "linux-x86_64": {f"cuda{major}": {} for major in row["cuda_majors"]}}
        }
        for row in rows("cudnn.json", "releases")
    },
)
publish("nvidia-driver", {row["latest"]: {} for row in rows("drivers.json", "branches") if row["latest"]})

shutil.copytree(matrix, facts)
drivers = json.loads((facts / "drivers.json").read_text(encoding="utf-8"))
drivers["branches"] = [row for row in drivers["branches"] if row["branch"] != "620"]
(facts / "drivers.json").write_text(json.dumps(drivers), encoding="utf-8")
