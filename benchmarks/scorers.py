"""The scorers of the field that PyPI has, each in an environment of its own, beside ours on (a)."""

from __future__ import annotations

import math
import os
import re
import subprocess
import time
import tomllib
from collections import defaultdict
from fractions import Fraction
from typing import Any

from costs import COREFEVAL, HERE, PYTHON, WORK, Part, median, process, ratio, row, walls

UV = os.environ.get("UV", "uv")
LIMIT = 200  # seconds that a first run may take
SPENT = 15  # seconds, about, that the runs after it may take

Scores = dict[str, dict[str, float]]

SCORERS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "scorers.toml").read_text("utf-8"))
"""How to install and to run each scorer, and how to read its output."""

ADAPTED = r"(?m)^(?P<name>\w+) (?P<recall>\S+) (?P<precision>\S+) (?P<f1>\S+)$"
"""The lines of adapter.py."""


def scorers() -> Part:
    """What each costs and says beside ours; a row with a reason for one that cannot run."""
    ours = [COREFEVAL, "score", *(str(WORK / f"a.{side}.conll") for side in ("key", "response"))]
    part: Part = {"rows": [], "targets": [], "scores": []}
    for name, scorer in SCORERS.items():
        try:
            command = installed(name, scorer)
            took, scores = first_run(command, scorer)
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            part["rows"].append({"stage": scorer["title"], "skipped": _reason(error)})
            continue
        samples = defaultdict(list)
        for _ in range(max(1, min(5, round(SPENT / took)))):
            samples["corefeval"].append(process(ours))
            samples[name].append(process(command, cwd=WORK))
        compared = ratio(walls(samples[name]), walls(samples["corefeval"]))
        beside = round(median(walls(samples["corefeval"])), 6)
        cost = row(scorer["title"], samples[name], ratio=round(compared, 3), corefeval=beside)
        part["rows"].append({**cost, "runs": len(samples[name])})
        part["scores"] += agreement(scorer, scores)
    return part


def agreement(scorer: dict[str, Any], scores: Scores) -> list[dict[str, Any]]:
    """Each F1 of a scorer beside ours, by our rules and by those of the scorer."""
    within, like = scorer.get("within", 1e-9), scorer.get("like")
    plain, by_its_rules = ours(scores), ours(scores, like)
    return [
        {
            "scorer": scorer["title"],
            "measure": measure,
            "same": _near(theirs, plain[measure], within),
            "same by its rules": _near(theirs, by_its_rules[measure], within),
            "theirs": theirs["f1"],
            "ours": plain[measure]["f1"],
            "by its rules": by_its_rules[measure]["f1"],
            "like": like or "",
        }
        for measure, theirs in scores.items()
    ]


def ours(measures: Any, like: str | None = None) -> Scores:
    """What corefeval gives on (a), by the choices of a program or its own."""
    if not measures:
        return {}
    from corefeval import evaluate

    report = evaluate(WORK / "a.key.conll", WORK / "a.response.conll", list(measures), like=like)
    return {
        name: {part: float(getattr(score, part)) for part in ("recall", "precision", "f1")}
        for name, score in report.total.items()
    }


def installed(name: str, scorer: dict[str, Any]) -> list[str]:
    """The command of a scorer, after it has been installed."""
    home = WORK / name
    quiet = {"check": True, "capture_output": True, "text": True}
    if not home.exists():
        subprocess.run([UV, "venv", "--python", PYTHON, home], **quiet)
    as_locked = [] if "numpy" in scorer else ["--constraint", HERE.parent / "requirements.txt"]
    python = ["--no-deps", "--python", home / "bin/python", *as_locked]
    subprocess.run([UV, "pip", "install", *python, *scorer["install"]], **quiet)
    packages = next((home / "lib").glob("python*")) / "site-packages"
    program, *arguments = scorer["command"]
    program = str(home / program) if program.startswith("bin/") else program
    return [
        program,
        *(each.format(packages=packages, adapter=HERE / "adapter.py") for each in arguments),
    ]


def first_run(command: list[str], scorer: dict[str, Any]) -> tuple[float, Scores]:
    """How many seconds it takes, and what it says."""
    start = time.perf_counter()
    output = subprocess.run(
        command, cwd=WORK, timeout=LIMIT, check=True, capture_output=True, text=True
    ).stdout
    took, scores = time.perf_counter() - start, parsed(output, scorer)
    if missing := {*scorer["names"].values()} - {*scores}:
        raise ValueError(f"its output has no {' and no '.join(sorted(missing))}")
    return took, scores


def parsed(output: str, scorer: dict[str, Any]) -> Scores:
    """The scores that a scorer printed, by our names of the measures."""
    found = [match.groupdict() for match in re.finditer(scorer.get("line", ADAPTED), output)]
    return {
        scorer["names"][name]: {part: _number(text, scorer) for part, text in each.items()}
        for each in found
        if (name := each.pop("name")) in scorer["names"]
    }


def _number(text: str, scorer: dict[str, Any]) -> float:
    """A ratio of two numbers, or a number, which some print as a percentage."""
    if " / " in text:
        over, under = map(Fraction, text.split(" / "))
        return float(over / under)
    return float(text) / 100 if scorer.get("percent") else float(text)


def _near(one: dict[str, float], other: dict[str, float], within: float) -> bool:
    """Whether two scores agree in all that the first has."""
    return all(math.isnan(one[each]) or abs(one[each] - other[each]) < within for each in one)


def _reason(error: Exception) -> str:
    """The last line of what went wrong, without the folders of this machine."""
    if isinstance(error, subprocess.TimeoutExpired):
        return f"not within {LIMIT} s"
    said = str(getattr(error, "stderr", "") or error).strip().splitlines()
    return re.sub(r"(/[\w.+-]+)+/", "", said[-1]) if said else type(error).__name__
