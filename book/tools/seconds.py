"""What each file of tests costs: CPU seconds of all processes that it starts, a browser's too.

python book/tools/seconds.py FILE … runs pytest on each file alone, as the proof does (CI=true,
no test left out), and prints a line for each, the dearest first. A notebook is run by nbval.

A parent is told the CPU time of children that it waits for. Nobody waits for the processes of
Chromium, so these times are read from /proc while the tests run, four times a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TICK = os.sysconf("SC_CLK_TCK")
NBVAL = ("--nbval", "--nbval-sanitize-with", "tests/nbval.cfg")


class Process(NamedTuple):
    """What /proc says of a process."""

    number: int
    parent: int
    started: int
    ticks: int


def processes() -> Iterator[Process]:
    """The processes that run now."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text("utf-8", errors="replace")
        except OSError:  # it has ended meanwhile
            continue
        # The name stands in brackets, and may have brackets and blanks of its own.
        fields = stat.rpartition(")")[2].split()
        user, system = int(fields[11]), int(fields[12])
        yield Process(int(folder.name), int(fields[1]), int(fields[19]), user + system)


def descendants(root: int) -> list[Process]:
    """A process and all that it has started, directly or not."""
    children: dict[int, list[Process]] = {}
    family: list[Process] = []
    for process in processes():
        children.setdefault(process.parent, []).append(process)
        if process.number == root:
            family.append(process)
    for process in family:  # it grows meanwhile
        family += children.get(process.number, [])
    return family


class Cost(NamedTuple):
    """What a command took, and whether it went well."""

    cpu: float
    wall: float
    code: int


def cost(command: list[str]) -> Cost:
    """Run a command, and add up the CPU seconds of its processes, as they were last seen."""
    begun = time.monotonic()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               cwd=ROOT, env={**os.environ, "CI": "true"})  # fmt: skip
    last: dict[tuple[int, int], int] = {}
    while running.poll() is None:
        last |= {(each.number, each.started): each.ticks for each in descendants(running.pid)}
        time.sleep(0.25)
    return Cost(sum(last.values()) / TICK, time.monotonic() - begun, running.returncode)


def main(files: list[str]) -> None:
    costs = {}
    for file in files:
        nbval = NBVAL if file.endswith(".ipynb") else ("-p", "no:nbval")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "", *nbval, file]
        costs[file] = cost(command)
        print(f"{file}: {costs[file].cpu:.1f}", file=sys.stderr)
    print(f"{'CPU s':>8} {'wall s':>8}")
    for file, file_cost in sorted(costs.items(), key=lambda item: -item[1].cpu):
        failed = "" if file_cost.code == 0 else f"   exit code {file_cost.code}"
        print(f"{file_cost.cpu:8.1f} {file_cost.wall:8.1f}  {file}{failed}")
    print(f"{sum(each.cpu for each in costs.values()):8.1f}           all {len(costs)} files")


if __name__ == "__main__":
    main(sys.argv[1:])
