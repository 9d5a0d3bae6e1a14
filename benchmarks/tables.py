"""The tables of README.md, from results.json."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

README = Path(__file__).parent / "README.md"
BLOCK = re.compile(r"(?<=<!-- results -->\n).*(?=<!-- end of results -->)", re.DOTALL)

OTHERS = tomllib.loads((Path(__file__).parent / "others.toml").read_text("utf-8"))
"""The scorers that no registry has, as they were measured once."""

Row = dict[str, Any]
Part = dict[str, list[Row]]


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A table whose first ``left`` columns are texts and whose others are numbers."""
    rule = ["---"] * left + ["---:"] * (len(header) - left)
    return "".join(f"| {' | '.join(line)} |\n" for line in [header, rule, *rows])


def ms(seconds: float) -> str:
    """Milliseconds to three figures.

    >>> ms(0.0123456), ms(1.23456)
    ('12.3', '1,235')
    """
    return f"{1000 * seconds:,.{0 if seconds >= 0.1 else 1 if seconds >= 0.01 else 2}f}"


def costs(row: Row) -> list[str]:
    """Wall, CPU, memory, or why there are none."""
    if "skipped" in row:
        return [row["skipped"], "", ""]
    return [ms(row["wall"]), ms(row["cpu"]), f"{row['memory']:,.0f}"]


COSTS = ("wall, ms", "CPU, ms", "peak, MB")


def targets(parts: dict[str, Part]) -> str:
    return markdown(
        ("target", "verdict", "at most", "measured"),
        [
            (
                each["target"] + (f"; {each['note']}" if each["note"] else ""),
                "met" if each["met"] else "**missed**",
                f"{each['limit']:g} {each['unit']}",
                f"{each['measured']:,.2f} {each['unit']}",
            )
            for part in parts.values()
            for each in part["targets"]
        ],
        left=2,
    )


def listed(part: Part) -> str:
    """A row per stage."""
    return markdown(("stage", *COSTS), [(row["stage"], *costs(row)) for row in part["rows"]])


def by_cpu(part: Part) -> str:
    """A row per stage, with its corpus if there are several, without wall time."""
    return markdown(
        ("stage", "corpus", "CPU, ms", "peak, MB"),
        [
            (row["stage"], row.get("workload", ""), ms(row["cpu"]), f"{row['memory']:,.0f}")
            for row in part["rows"]
        ],
        left=2,
    )


def files(part: Part) -> str:
    return markdown(
        ("corpus", "stage", *COSTS, "× yardstick"),
        [
            (row["workload"], row["stage"], *costs(row), f"{row['ratio']:.2f}")
            for row in part["rows"]
        ],
        left=2,
    )


def scorers(part: Part) -> str:
    rows = [
        (row["stage"], *costs(row), f"{row['ratio']:.1f}" if "ratio" in row else "")
        for row in part["rows"]
    ]
    agreement = [
        (
            each["scorer"],
            each["measure"],
            "the same" if each["same"] else "others",
            f"`{each['like']}`" if each["like"] else "",
            "the same" if each["same by its rules"] else "others",
            *(f"{100 * each[which]:.2f}" for which in ("theirs", "ours", "by its rules")),
        )
        for each in part["scores"]
    ]
    header = ("scorer", "measure", "values", "`like`", "then", "its F1", "our F1", "by its rules")
    return "\n".join([
        markdown(("scorer", *COSTS, "× corefeval"), rows),
        markdown(header, agreement, left=5),
        f"{OTHERS['how']}\n",
        markdown(
            ("scorer", "version", "reads", "× corefeval, CPU time", "peak, MB"),
            [
                (each["title"], each["version"], each["reads"], *measured(each))
                for each in OTHERS["scorer"]
            ],
            left=3,
        ),
    ])  # fmt: skip


def measured(other: Row) -> tuple[str, str]:
    """A scorer's figures, or why there are none."""
    if "ratio" in other:
        return f"{other['ratio']:.1f}", f"{other['memory']:.0f}"
    return other["why"], ""


def across(rows: Sequence[Row], column: str, show: Callable[[Row], str]) -> str:
    """A row per stage, a column per workload or size; empty where nothing was measured."""
    of = {(row["stage"], row[column]): row for row in rows}
    columns, stages = dict.fromkeys(row[column] for row in rows), dict.fromkeys(s for s, _ in of)
    header = ["stage", *(f"{c:,}" if isinstance(c, int) else c for c in columns)]
    body = [[s, *(show(of[s, c]) if (s, c) in of else "" for c in columns)] for s in stages]
    return markdown(header, body)


def arrays(part: Part) -> str:
    rows = part["rows"]
    largest = max(row["mentions"] for row in rows)
    million = [row for row in rows if row["mentions"] == largest]
    local = sorted(
        (row for row in rows if row["workload"] == "local noise"), key=lambda row: row["mentions"]
    )
    return (
        f"{largest:,} labels: wall, ms, and how many times the yardstick.\n\n"
        + across(million, "workload", lambda row: f"{ms(row['wall'])} ({row['ratio']:.2f})")
        + "\nThe same: CPU, ms, and the peak memory of the process so far, MB.\n\n"
        + across(million, "workload", lambda row: f"{ms(row['cpu'])} ({row['memory']:,.0f})")
        + "\nLocal noise, by number of labels: wall, ms.\n\n"
        + across(local, "mentions", lambda row: ms(row["wall"]))
    )


def alignment(part: Part) -> str:
    return markdown(
        ("labels", "stage", "mentions", "largest component", "open pairs", *COSTS),
        [
            (
                row["workload"],
                row["stage"],
                f"{row['mentions']:,}",
                "{:,} × {:,}".format(*row["component"]),
                f"{row['open']:,}",
                *costs(row),
            )
            for row in part["rows"]
        ],
        left=2,
    )


def engines(part: Part) -> str:
    return markdown(
        ("stage", "mentions", *COSTS),
        [(row["stage"], f"{row['rows']:,}", *costs(row)) for row in part["rows"]],
    )


SECTIONS: dict[str, tuple[str, Callable[[Part], str]]] = {
    "start-up": ("Start-up", listed),
    "files": ("Files", files),
    "json-lines": ("JSON lines", files),
    "corefud": ("CorefUD", files),
    "scorers": ("Other scorers, on corpus (a)", scorers),
    "arrays": ("Label arrays", arrays),
    "alignment": ("CEAF where noise is global, or everything overlaps", alignment),
    "commands": ("What commands cost, by corpus", by_cpu),
    "in-memory": ("Documents one by one, and labels that are texts", by_cpu),
    "engines": ("Tables in DuckDB", engines),
    "spark": ("The same table in Spark and in DuckDB", engines),
}


def tables(results: dict[str, Any]) -> str:
    """All tables of one run."""
    parts = results["parts"]
    told, sections = "", []
    for name, part in parts.items():
        # Most parts are measured in one run: the machine is told where it is another one.
        machine = f"{measured_on(part['machine'])}\n"
        above = machine if machine != told else ""
        told = machine
        sections.append(f"### {SECTIONS[name][0]}\n\n{above}{SECTIONS[name][1](part)}")
    return "\n".join([f"### Targets\n\n{targets(parts)}", *sections])


def measured_on(machine: Row) -> str:
    return (
        f"Measured on {machine['cpu']}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}, NumPy {machine['numpy']}, SciPy {machine['scipy']}, "
        f"corefeval {machine['corefeval']}.\n"
    )


def write(results: dict[str, Any]) -> None:
    """Put the tables into README.md."""
    text = tables(results)
    README.write_text(BLOCK.sub(lambda _: f"\n{text}\n", README.read_text("utf-8")), "utf-8")
