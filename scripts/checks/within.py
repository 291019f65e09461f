"""Runs a command and fails where it takes more CPU time or memory than it may: within.py SECONDS MEGABYTES COMMAND [ARGUMENT...]

CPU time, because another program may have the machine's cores; what was used is told on stderr.
"""

import resource
import subprocess
import sys

seconds, megabytes = float(sys.argv[1]), float(sys.argv[2])
status = subprocess.run(sys.argv[3:], check=False).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
time, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1000
print(f"{time:.1f} s of {seconds:g} s, {memory:.0f} MB of {megabytes:g} MB", file=sys.stderr)
sys.exit(status or (1 if time > seconds or memory > megabytes else 0))
