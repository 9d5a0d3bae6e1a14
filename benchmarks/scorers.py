"""Two other scorers of the field, each in an environment of its own, beside ours on corpus (a)."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from costs import COREFEVAL, HERE, PYTHON, WORK, Part, process, ratio, row, walls
from generate import ontonotes_like

UV = os.environ.get("UV", "uv")

Scores = dict[str, dict[str, float]]

SCORERS = {
    "scorch": {
        "version": "0.2.0",
        "install": ["scorch==0.2.0", "docopt-ng==0.9.0"],
        "command": ["bin/scorch", "a.key", "a.response"],
        "line": r"(?P<name>\S+):\s+R=(?P<recall>\S+)\s+P=(?P<precision>\S+)\s+F₁=(?P<f1>\S+)",
        "names": {"MUC": "muc", "B³": "b3", "CEAF_m": "ceafm", "CEAF_e": "ceafe", "BLANC": "blanc"},
    },
    "coreference-eval": {  # it does not declare what it imports
        "version": "0.0.2",
        "install": ["coreference-eval==0.0.2", "jsonlines==4.0.0", "numpy"],
        "command": ["bin/python", "-m", "corefeval", "-g", "a.key.jsonl", "-p", "a.response.jsonl"],
        "line": r"metric: (?P<name>\w+)\s+Precision:\s+(?P<precision>\S+)"
        r"\s+Recall:\s+(?P<recall>\S+)\s+F1 score:\s+(?P<f1>\S+)",
        "names": {"muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "lea": "lea"},
    },
}
"""Scorers of the field on PyPI: how to install and to run them, and how to read their output."""


def scorers() -> Part:
    """What each costs and says beside ours; a row with a reason for one that cannot run."""
    ours = [COREFEVAL, "score", *(str(WORK / f"a.{side}.conll") for side in ("key", "response"))]
    output = subprocess.run([*ours, "--format", "json"], stdout=subprocess.PIPE, check=True).stdout
    expected = json.loads(output)["metrics"]
    by_its_rules = as_scorch(SCORERS["scorch"]["names"].values())
    part: Part = {"rows": [], "targets": [], "scores": []}
    for name, scorer in SCORERS.items():
        try:
            command, scores = _prepared(name, scorer)
        except (OSError, subprocess.SubprocessError) as error:
            part["rows"].append({"stage": name, "skipped": _reason(error)})
            continue
        samples = defaultdict(list)
        for _ in range(5):
            samples["corefeval"].append(process(ours))
            samples[name].append(process(command, cwd=WORK))
        compared = ratio(walls(samples[name]), walls(samples["corefeval"]))
        label = f"{name} {scorer['version']}"
        part["rows"].append(row("corefeval", samples["corefeval"], ratio=1.0))
        part["rows"].append(row(label, samples[name], ratio=round(compared, 3)))
        for measure, theirs in scores.items():
            mine = expected[measure]
            same = all(abs(theirs[each] - mine[each]) < 1e-9 for each in theirs)
            entry = {"scorer": name, "measure": measure, "same": same}
            f1 = {"theirs": theirs["f1"], "ours": mine["f1"]}
            if name == "scorch":
                f1["by its rules"] = by_its_rules[measure]
            part["scores"].append({**entry, **f1})
    return part


def as_scorch(measures: Iterable[str]) -> dict[str, float]:
    """Our F1 by scorch's rules, to show that they are all the difference.

    The response's spurious mentions are singletons of the key; a total is the mean of the
    documents' scores, weighted by the mentions of both sides.
    """
    from corefeval import evaluate
    from corefeval.partition import Partition

    keys, responses = {}, {}
    for each in ontonotes_like():
        response = Partition(each.response.values())
        spurious = response.mentions - Partition(each.key.values()).mentions
        keys[each.name] = Partition([*each.key.values(), *([span] for span in spurious)])
        responses[each.name] = response
    weights = {d: len(keys[d].mentions) + len(responses[d].mentions) for d in keys}
    scores = evaluate(keys, responses, measures).documents
    return {
        measure: sum(weights[d] * float(scores[d][measure].f1) for d in keys)
        / sum(weights.values())
        for measure in measures
    }


def _prepared(name: str, scorer: dict[str, Any]) -> tuple[list[str], Scores]:
    """The command of an installed scorer, and what a first run says."""
    home = WORK / name
    quiet = {"check": True, "capture_output": True, "text": True}
    if not home.exists():
        subprocess.run([UV, "venv", "--python", PYTHON, home], **quiet)
    constraints = ["--constraint", HERE.parent / "requirements.txt"]
    python = ["--python", home / "bin/python"]
    subprocess.run([UV, "pip", "install", *python, *constraints, *scorer["install"]], **quiet)
    program, *arguments = scorer["command"]
    command = [str(home / program), *arguments]
    output = subprocess.run(command, cwd=WORK, timeout=60, **quiet).stdout
    return command, parsed(output, scorer)


def parsed(output: str, scorer: dict[str, Any]) -> Scores:
    """The scores that a scorer printed, by our names of the measures."""
    found = [match.groupdict() for match in re.finditer(scorer["line"], output)]
    return {
        scorer["names"][each.pop("name")]: {part: float(text) for part, text in each.items()}
        for each in found
    }


def _reason(error: Exception) -> str:
    said = str(getattr(error, "stderr", "") or error).strip().splitlines()
    return said[-1] if said else type(error).__name__
