"""What pip and uv call to install envgen from its source (PEP 517): the release build of scripts/quickstart.sh, as a wheel.

The libraries come from the distribution, as in every build; cmake and ninja come from the package index where the machine has none.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import product


class UnsupportedOperation(Exception):
    """By this name PEP 517 knows that there is no archive of the source."""


def get_requires_for_build_wheel(config_settings=None):
    return [tool for tool in ("cmake", "ninja") if shutil.which(tool) is None]


def build_sdist(sdist_directory, config_settings=None):
    raise UnsupportedOperation("envgen is built from a checkout; it has no source distribution (sdist)")


def _packages():
    text = (product.REPOSITORY / "scripts/common.sh").read_text(encoding="utf-8")
    return re.search(r"^build_packages=\((.*)\)$", text, re.M)[1]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    def run(*command):
        return subprocess.run(command, check=True, cwd=product.REPOSITORY, env={**os.environ, "ENVGEN_PYTHON": sys.executable}, stdout=subprocess.PIPE, text=True).stdout

    try:
        # The ninja of an earlier installation may be gone.
        run("cmake", "--preset", "release", "-DENVGEN_TESTS=OFF", f"-DCMAKE_MAKE_PROGRAM={shutil.which('ninja')}")
    except subprocess.CalledProcessError:
        raise SystemExit(f"\nerror: a compiler or a library is missing, see above. Debian and Ubuntu have all of them: apt install {_packages()}") from None
    run("cmake", "--build", "--preset", "release", "--target", "envgen", "envgen_printed")
    with tempfile.TemporaryDirectory() as prefix:
        run("cmake", "--install", "build/release", "--prefix", prefix, "--strip")
        return pathlib.Path(run("scripts/wheel.sh", prefix, os.path.abspath(wheel_directory)).strip()).name
