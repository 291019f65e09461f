"""Where the program `envgen` of this package lies."""

from __future__ import annotations

import os
import sys
import sysconfig

_NAME = "envgen"


def program() -> str:
    """Its path. Raises FileNotFoundError if the package was installed without it."""
    package = os.path.dirname(os.path.abspath(__file__))
    # First what came with this package, which another installation must not stand in for.
    folders = [os.path.join(os.path.dirname(package), "bin")]  # pip install --target
    # A layer over another environment (`uv run --with`, PYTHONPATH): the scripts of the prefix that the package lies in.
    prefix = package
    while os.path.basename(prefix) not in ("lib", "lib64") and os.path.dirname(prefix) != prefix:
        prefix = os.path.dirname(prefix)
    if os.path.basename(prefix) in ("lib", "lib64"):
        folders.append(os.path.join(os.path.dirname(prefix), "bin"))
    folders += [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme=f"{os.name}_user"),  # pip install --user
        os.path.dirname(sys.executable),
    ]
    for folder in folders:
        path = os.path.join(folder, _NAME)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError(f"the program {_NAME} is in none of: {', '.join(folders)}")
