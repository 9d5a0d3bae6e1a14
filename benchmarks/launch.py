"""Run one command and print its wall seconds, CPU seconds, peak memory in MB and exit code.

python -I -S benchmarks/launch.py COMMAND …

A process of its own, because a peak is at least that of the process that starts the command.
"""

import os
import sys
import time


def peak(usage):
    """The peak memory that the system reports, in MB."""
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def main(command):
    null = os.open(os.devnull, os.O_RDWR)
    silent = [(os.POSIX_SPAWN_DUP2, null, stream) for stream in (0, 1, 2)]
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=silent)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    print(wall, cpu, peak(usage), os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(sys.argv[1:])
