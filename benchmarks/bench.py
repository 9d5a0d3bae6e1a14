"""Run the benchmarks and print their tables.

python benchmarks/bench.py [PART …]: start-up, files, json-lines, corefud, scorers, arrays,
alignment, commands, in-memory, engines; all of these by default; spark.

With KEEP=1 in the environment results.json and the tables of README.md are written anew; results
of parts that were not run stay as they are there. Without it no file of the project changes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import tables
from costs import (
    COREFEVAL,
    HERE,
    PYTHON,
    WORK,
    Part,
    by_stage,
    cpus,
    median,
    over,
    ratio,
    rounds,
    row,
    row_by_cpu,
    stages,
    target,
    walls,
)
from engines import engines, in_spark
from scorers import scorers

RESULTS = HERE / "results.json"
LIMIT = 100  # seconds, for what may not end

BARE = [PYTHON, "-c", "pass"]
IMPORT_SCIPY = [PYTHON, "-c", "import scipy.optimize, scipy.sparse.csgraph"]


# Parts


def start_up() -> Part:
    commands = {
        "bare interpreter": BARE,
        "import corefeval": [PYTHON, "-c", "import corefeval"],
        "import numpy": [PYTHON, "-c", "import numpy"],
        "import scipy": IMPORT_SCIPY,
    }
    samples = rounds(11, commands)
    more = 1000 * median(over(samples["import corefeval"], samples["bare interpreter"]))
    return {
        "rows": [row(stage, costs) for stage, costs in samples.items()],
        "targets": [target("import corefeval, over a bare interpreter", more, 40, "ms")],
    }


FILES = {
    "a": ("348 documents, 20,000 mentions", 7, 2.5),
    "b": ("one document of 10,000 mentions", 7, 3),
    "c": ("one document of 100,000 mentions", 3, 3),
}
"""What each corpus is, how many rounds it is scored, and how many times the barest program it may
take, start-up included in both."""


def files() -> Part:
    part: Part = {"rows": [], "targets": []}
    for workload, (what, count, limit) in FILES.items():
        pair = [str(WORK / f"{workload}.{side}.conll") for side in ("key", "response")]
        samples = rounds(
            count,
            {
                "bare interpreter": BARE,
                "barest program": [PYTHON, str(HERE / "barest.py"), *pair],
                "yardstick": [PYTHON, str(HERE / "yardstick.py"), *pair],
                "corefeval score": [COREFEVAL, "score", *pair],
            },
        )
        inner = by_stage(line for _ in range(count) for line in stages("files", *pair))
        scipy = inner.pop("SciPy")[0]["loaded"]
        bare = samples["bare interpreter"]
        work = over(samples["yardstick"], bare)
        rows = [
            row(stage, costs, ratio=round(ratio(over(costs, bare), work), 3))
            for stage, costs in samples.items()
        ] + [
            row(stage, costs, ratio=round(ratio(walls(costs), work), 3))
            for stage, costs in inner.items()
        ]
        part["rows"] += [{"workload": workload, "scipy": scipy, **each} for each in rows]
        measured = ratio(walls(samples["corefeval score"]), walls(samples["barest program"]))
        name = f"({workload}) {what}, from shell to table"
        part["targets"].append(target(name, measured, limit, "× barest program"))
    return part


READ = """
import sys
from corefeval.conventions import Conventions
from corefeval.readers import read_pair
read_pair(*sys.argv[1:], Conventions())
"""


def json_lines() -> Part:
    pair = [str(WORK / f"e2e.{side}.jsonl") for side in ("key", "response")]
    samples = rounds(
        7,
        {
            "bare interpreter": BARE,
            "yardstick": [PYTHON, str(HERE / "yardstick.py"), *pair],
            "read": [PYTHON, "-c", READ, *pair],
            "corefeval score": [COREFEVAL, "score", *pair],
        },
    )
    bare = samples["bare interpreter"]
    work = over(samples["yardstick"], bare)
    size = sum(map(os.path.getsize, pair)) / 2e6
    what = (
        f"(e) JSON lines, two files of {size:.0f} MB, from the interpreter's start to all entities"
    )
    measured = ratio(over(samples["read"], bare), work)
    return {
        "rows": [
            row(stage, costs, workload="e", ratio=round(ratio(over(costs, bare), work), 3))
            for stage, costs in samples.items()
        ],
        "targets": [target(what, measured, 2, "× yardstick")],
    }


def corefud() -> Part:
    pair = [str(WORK / f"corefud.{side}.conllu") for side in ("key", "response")]
    samples = rounds(
        7,
        {
            "bare interpreter": BARE,
            "yardstick": [PYTHON, str(HERE / "yardstick.py"), *pair],
            "read": [PYTHON, "-c", READ, *pair],
            "corefeval score": [COREFEVAL, "score", *pair],
            "corefeval score, by heads": [COREFEVAL, "score", *pair, "--match", "head"],
        },
    )
    bare = samples["bare interpreter"]
    work = over(samples["yardstick"], bare)
    what = "(f) CorefUD, from the interpreter's start to all entities"
    return {
        "rows": [
            row(stage, costs, workload="f", ratio=round(ratio(over(costs, bare), work), 3))
            for stage, costs in samples.items()
        ],
        "targets": [target(what, ratio(over(samples["read"], bare), work), 2.5, "× yardstick")],
    }


ARRAYS = (
    "local noise", "global noise, 2%", "global noise, 20%",
    "all singletons", "one giant entity", "identical",
)  # fmt: skip
COUNTED = ("c", "xc", "h", "dmt")
"""Measures that are counted from more than the sizes and overlaps."""
MILLION = 1_000_000
SIZES = (10_000, 30_000, 100_000, 300_000, MILLION)


def arrays() -> Part:
    part: Part = {"rows": [], "targets": []}
    runs = [(name, MILLION) for name in ARRAYS] + [("local noise", n) for n in SIZES[:-1]]
    for name, mentions in runs:
        count = 3 if mentions > 100_000 else 9  # short runs vary more
        samples = by_stage(stages("arrays", name, mentions, count, limit=LIMIT))
        yardstick = walls(samples["yardstick"])
        for stage, costs in samples.items():
            compared = round(ratio(walls(costs), yardstick), 3)
            part["rows"].append(row(stage, costs, workload=name, mentions=mentions, ratio=compared))
        if mentions == MILLION:
            less = " without CEAF" if name.startswith("global") else ""
            measured = ratio(walls(samples["table and suite"]), yardstick)
            what = f"(d) 10⁶ labels, {name}: table and suite{less}"
            part["targets"].append(target(what, measured, 4, "× yardstick"))
    for measure in COUNTED:
        worst = max(
            each["ratio"]
            for each in part["rows"]
            if each["stage"] == measure and each["mentions"] == MILLION
        )
        what = f"(d) 10⁶ labels, the worst of {len(ARRAYS)}: {measure} alone"
        part["targets"].append(target(what, worst, 6, "× yardstick"))
    part["targets"].append(_linear(part["rows"]))
    return part


def _linear(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Whether a hundred times the mentions cost about a hundred times as much."""
    wall = {
        each["mentions"]: each["wall"]
        for each in rows
        if each["workload"] == "local noise" and each["stage"] == "table and suite"
    }
    what = "local noise, table and suite: 10⁶ labels over 10⁴ (linear is 100)"
    return target(what, wall[MILLION] / wall[SIZES[0]], 150, "×")


def alignment() -> Part:
    part: Part = {"rows": [], "targets": []}
    runs = [("alignment", name, n) for name in ARRAYS[1:3] for n in (10_000, 100_000, MILLION)]
    for mode, name, mentions in [*runs, ("dense", 3_000, MILLION)]:
        samples = by_stage(stages(mode, name, mentions, limit=LIMIT))
        keys, responses = samples.pop("largest component")[0]["entities"]
        where = {
            "workload": "dense" if mode == "dense" else name, "mentions": mentions,
            "component": [keys, responses], "open": samples.pop("open")[0]["pairs"],
        }  # fmt: skip
        part["rows"] += [
            row(stage, samples[stage], **where)
            if stage in samples
            else {"stage": stage, **where, "skipped": f"not within {LIMIT} s"}
            for stage in ("table", "ceafm", "ceafe")
        ]
        if mode == "dense":
            taken = [sum(walls(samples[stage])) for stage in ("ceafm", "ceafe") if stage in samples]
            what = f"CEAF: one dense random component of {keys:,} × {responses:,} finishes"
            taken += [LIMIT + 1.0] * (2 - len(taken))
            part["targets"].append(target(what, max(taken), LIMIT, "s"))
    return part


COMMANDS = {"a": (8, 2.5), "b": (4, 2.5), "c": (4, 2.5)}
"""How many times the CPU time of score explain may take, and anatomy, on each corpus."""


def commands() -> Part:
    part: Part = {"rows": [], "targets": []}
    for workload, limits in COMMANDS.items():
        what, count, _ = FILES[workload]
        pair = [str(WORK / f"{workload}.{side}.conll") for side in ("key", "response")]
        names = ("score", "explain", "anatomy")
        samples = rounds(count, {name: [COREFEVAL, name, *pair] for name in names})
        for name, limit in zip(names[1:], limits, strict=True):
            measured = ratio(cpus(samples[name]), cpus(samples["score"]))
            part["targets"].append(
                target(f"({workload}) {what}: {name}", measured, limit, "× score, CPU")
            )
        part["rows"] += [row_by_cpu(*each, workload=workload) for each in samples.items()]
    return part


IN_MEMORY = {
    "(g), one by one": ("(g), all at once",),
    "(h), one by one": ("(h), all at once",),
    "texts": ("factorize", "whole numbers"),
    "texts, in documents": ("factorize", "factorize documents", "whole numbers, in documents"),
}
"""The stages that together are the least that another may take."""


def in_memory() -> Part:
    samples = by_stage(stages("in_memory", 5))
    part: Part = {"rows": [row_by_cpu(*each) for each in samples.items()], "targets": []}
    for stage, least in IN_MEMORY.items():
        together = [*map(sum, zip(*(cpus(samples[each]) for each in least), strict=True))]
        measured = ratio(cpus(samples[stage]), together)
        part["targets"].append(target(stage, measured, 1.3, f"× {' + '.join(least)}, CPU"))
    return part


PARTS = {
    "start-up": start_up,
    "files": files,
    "json-lines": json_lines,
    "corefud": corefud,
    "scorers": scorers,
    "arrays": arrays,
    "alignment": alignment,
    "commands": commands,
    "in-memory": in_memory,
    "engines": engines,
    "spark": in_spark,
}
NEEDS_JAVA = "spark"
"""The part that is run if it is asked for alone."""


# What is kept


def machine() -> dict[str, Any]:
    """What the figures depend on; nothing that names this computer."""
    import platform
    from importlib.metadata import version

    cpu = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        names = re.findall(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text("utf-8"))
        cpu = names[0] if names else cpu
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        system = f"{platform.system()} {platform.release()}"
    packages = {name: version(name) for name in ("corefeval", "numpy", "scipy")}
    return {
        "cpu": cpu, "cores": os.cpu_count(), "system": system,
        "python": platform.python_version(), **packages,
    }  # fmt: skip


def main(chosen: list[str]) -> None:
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        sys.exit(f"there is no part {unknown[0]!r}; expected {', '.join(PARTS)}")
    keep = kept_or_not(os.environ.get("KEEP", ""))
    measured = measure(chosen or [name for name in PARTS if name != NEEDS_JAVA])
    print(tables.tables(measured))
    if keep:
        write(measured)
    else:
        print("Nothing was written: KEEP=1 keeps these results.", file=sys.stderr)


def kept_or_not(keep: str) -> bool:
    """What KEEP says; a mistake is found before an hour of measuring, not after it."""
    if keep not in ("", "1"):
        sys.exit(f"KEEP={keep}: expected KEEP=1, or no KEEP, which writes nothing")
    return keep == "1"


def measure(names: list[str]) -> dict[str, Any]:
    """The results of these parts, each with the machine."""
    # As installed: what Python compiles in the round to warm up, it need not compile again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    write_corpora()
    parts: dict[str, Any] = {}
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        parts[name] = {**PARTS[name](), "machine": machine()}
    return {"parts": parts}


def write_corpora() -> None:
    """Write the files that the parts read."""
    WORK.mkdir(exist_ok=True)
    subprocess.run([PYTHON, HERE / "generate.py", WORK], check=True)


def write(measured: dict[str, Any]) -> None:
    """Put results beside those of other parts in results.json, and all of them into README.md."""
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {"parts": {}}
    parts = results["parts"] | measured["parts"]
    results["parts"] = {name: parts[name] for name in PARTS if name in parts}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    tables.write(results)


if __name__ == "__main__":
    main(sys.argv[1:])
