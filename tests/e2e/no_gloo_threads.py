"""Runs a Python program, which must have ended gloo's threads: one that still works while Python exits aborts it.

no_gloo_threads.py PROGRAM ARGUMENT...
"""

import runpy
import sys
from pathlib import Path

sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
threads = [file.read_text().strip() for file in Path("/proc/self/task").glob("*/comm")]
if "pt_gloo_runloop" in threads:
    sys.exit(f"threads of gloo are left: {threads}")
