"""Measuring processes and stages in turn, and what is kept of it: medians, and ratios by pairs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WORK = HERE.parent / ".bench"
PYTHON = sys.executable
COREFEVAL = str(Path(PYTHON).with_name("corefeval"))

Cost = dict[str, Any]
Samples = Mapping[str, list[Cost]]
Part = dict[str, list[dict[str, Any]]]


def process(command: list[str], cwd: Path | None = None) -> Cost:
    """What a process cost from its start to its end."""
    launch = [PYTHON, "-I", "-S", HERE / "launch.py", *command]
    output = subprocess.run(launch, stdout=subprocess.PIPE, cwd=cwd, check=True).stdout
    wall, cpu, memory, code = map(float, output.split())
    if code:
        raise subprocess.CalledProcessError(int(code), command)
    return {"wall": wall, "cpu": cpu, "memory": memory}


def stages(*arguments: object, limit: float | None = None) -> Iterator[dict[str, Any]]:
    """The lines of stages.py; those that it had printed, where it did not end in time."""
    command = [PYTHON, HERE / "stages.py", *map(str, arguments)]
    try:
        output = subprocess.run(command, stdout=subprocess.PIPE, timeout=limit, check=True).stdout
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
    return map(json.loads, output.splitlines())


def rounds(count: int, commands: Mapping[str, list[str]]) -> Samples:
    """The costs of some processes, in turn: A B C A B C …, after one round to warm up."""
    samples = defaultdict(list)
    for number in range(count + 1):
        for name, command in commands.items():
            cost = process(command)
            if number:
                samples[name].append(cost)
    return samples


def by_stage(lines: Iterable[dict[str, Any]]) -> dict[str, list[Cost]]:
    samples = defaultdict(list)
    for line in lines:
        samples[line.pop("stage")].append(line)
    return samples


def median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def walls(costs: Iterable[Cost]) -> list[float]:
    return [cost["wall"] for cost in costs]


def cpus(costs: Iterable[Cost]) -> list[float]:
    return [cost["cpu"] for cost in costs]


def ratio(one: Iterable[float], other: Iterable[float]) -> float:
    """The median of the ratios of each pair of runs."""
    return median(a / b for a, b in zip(one, other, strict=False))


def over(one: Iterable[Cost], other: Iterable[Cost]) -> list[float]:
    """How much longer one took than the other, in each pair of runs."""
    return [a["wall"] - b["wall"] for a, b in zip(one, other, strict=True)]


def row(stage: str, costs: list[Cost], **more: Any) -> dict[str, Any]:
    cost = {name: round(median(c[name] for c in costs), 6) for name in ("wall", "cpu", "memory")}
    return {"stage": stage, **more, **cost}


def row_by_cpu(stage: str, costs: list[Cost], **more: Any) -> dict[str, Any]:
    """A row without wall time, which other work on the machine moves most."""
    return {name: each for name, each in row(stage, costs, **more).items() if name != "wall"}


def target(what: str, measured: float, limit: float, unit: str, note: str = "") -> dict[str, Any]:
    measured = round(measured, 3)
    met = measured <= limit
    return {
        "target": what, "measured": measured, "limit": limit, "unit": unit, "met": met, "note": note
    }  # fmt: skip
