"""How long two programs take to answer one request, from start to end: the quickest of many runs, in turn, so that what else the machine does
hits both.

usage: start.py PROGRAM OTHER FACTOR    exit status 1: PROGRAM takes more than FACTOR times what OTHER takes
"""

import os
import sys
import time

REQUEST = ["resolve", "--torch", "2.3", "--cuda", "12.1"]
RUNS = 500
QUIET = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]


def run(program):
    began = time.perf_counter()
    _, status = os.waitpid(os.posix_spawn(program, [program, *REQUEST], os.environ, file_actions=QUIET), 0)
    if status != 0:
        sys.exit(f"{program} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - began


def main():
    programs, factor = sys.argv[1:3], float(sys.argv[3])
    best = [min(times) for times in zip(*([run(program) for program in programs] for _ in range(RUNS)))]
    for program, seconds in zip(programs, best):
        print(f"{seconds * 1e3:.2f} ms  {program} {' '.join(REQUEST)}")
    print(f"{best[0] / best[1]:.2f} times the other; at most {factor}")
    sys.exit(best[0] > factor * best[1])


if __name__ == "__main__":
    main()
