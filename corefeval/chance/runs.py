"""Runs of a system on the command line: what ``--runs`` means, and files that look like runs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from corefeval.display import printable
from corefeval.errors import CorefError, warn

SHAPE = "--runs NAME FILE FILE FILE ..."


def check_runs(name: str, files: Sequence[str]) -> None:
    """Refuse runs without a name, and fewer of them than show how far runs are apart."""
    from corefeval.chance.significance import FEWEST_RUNS

    # Without a name the first run would be taken for it, and nobody would miss that run.
    if _is_response(name, files):
        raise CorefError(f"--runs {name}: this is a file or a folder of files; expected {SHAPE}")
    if len(files) < FEWEST_RUNS:
        raise CorefError(
            f"--runs {name} has {len(files)} file{'s' * (len(files) != 1)}: expected {FEWEST_RUNS} "
            f"or more, as {SHAPE}, since fewer do not show how far runs are apart; a response "
            "without runs comes right behind KEY, and is compared as it is"
        )
    for series in _series(files):
        if others := [file for file in files if file not in series]:
            warn(
                f"--runs {name}: the name of {', '.join(others)} is not like those of the other "
                "runs; a response that is none of them comes right behind KEY"
            )


def _is_response(name: str, files: Sequence[str]) -> bool:
    """Whether a name is that of a file, or of a folder that none of the files is in."""
    if os.path.isfile(name):
        return True
    inside = os.path.join(os.path.realpath(name), "")
    return os.path.isdir(name) and not any(
        os.path.realpath(file).startswith(inside) for file in files
    )


def hint(names: Sequence[str]) -> str:
    """A line about names that differ in a number alone, as runs with several seeds do.

    >>> print(hint(["key.1", "a2.out", "a10.out", "b.out", "a3.out"]))
    a2.out, a10.out, a3.out: names that differ in a number alone. If they are runs of one system, \
type --runs NAME before them: their mean is compared.
    >>> hint(["a1.out", "a2.out", "b3.out"])
    ''
    """
    seeds = [", ".join(map(printable, series)) for series in _series(names)]
    if not seeds:
        return ""
    return (
        f"{'; '.join(seeds)}: names that differ in a number alone. If they are runs of one system, "
        "type --runs NAME before them: their mean is compared."
    )


def _series(names: Sequence[str]) -> list[list[str]]:
    """Names that differ in a number alone, as many as can be runs of a system."""
    from corefeval.chance.significance import FEWEST_RUNS

    series_around: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for number in re.finditer(r"\d+", name):
            around = name[: number.start()], name[number.end() :]
            series_around.setdefault(around, []).append(name)
    return [series for series in series_around.values() if len(series) >= FEWEST_RUNS]
