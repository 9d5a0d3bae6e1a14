"""What each measure counts and ignores, on one table: a change is made, and the score is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from corefbook.draw.heat import Heat, heat
from corefeval import metric
from corefeval.registry import MEASURES, SUITES

NAMES = (*SUITES["standard"], "b3_class")
KEY, RESPONSE = "{a b c d} {e}", "{a b} {c d e}"
GROUPS = "{1 2 3 4} {5 6 7 8} {a b} {c d}"
PROBES = {
    "right singleton": ((KEY, RESPONSE), (f"{KEY} {{f}}", f"{RESPONSE} {{f}}")),
    "missing singleton": ((f"{KEY} {{f}}", f"{RESPONSE} {{f}}"), (f"{KEY} {{f}}", RESPONSE)),
    "spurious singleton": ((KEY, RESPONSE), (KEY, f"{RESPONSE} {{f}}")),
    "large, not small, joined": (
        (GROUPS, "{1 2 3 4} {5 6 7 8} {a b c d}"),
        (GROUPS, "{1 2 3 4 5 6 7 8} {a b} {c d}"),
    ),
}
"""Two keys and responses for each question: does the score rise from the first to the second?"""
TONES = {"rises": 0.6, "falls": -0.6}


def change(name: str, before: tuple[str, str], after: tuple[str, str]) -> str:
    """What a score does from one key and response to another.

    >>> change("muc", *PROBES["spurious singleton"])
    'same'
    """
    old, new = (metric(name)(*sides).exact.value for sides in (before, after))
    if old == new:
        return "same"
    return "rises" if new > old else "falls"


def without_right_link(name: str) -> str:
    """The score of a response of which no link is right.

    >>> without_right_link("b3")
    '0.50'
    """
    return f"{metric(name)('{a b} {c d}', '{a c} {b d}').value:.2f}"


def of_a_lone_mention(name: str) -> str:
    """The score of a mention that is alone on both sides, with 0 and with 1 for 0/0.

    >>> of_a_lone_mention("muc")
    '0 or 1'
    """
    values = {str(metric(name, zero=zero)("{a}", "{a}").exact.value) for zero in ("zero", "one")}
    return " or ".join(sorted(values))


def matrix() -> Heat:
    """Each measure's answers; `change` says what the first columns mean."""
    questions: dict[str, Callable[[str], Any]] = {
        what: lambda name, sides=sides: change(name, *sides)  # type: ignore[misc]
        for what, sides in PROBES.items()
    }
    questions |= {"no right link": without_right_link, "{a} for {a}": of_a_lone_mention}
    asked: Sequence[Callable[[str], Any]] = [*questions.values()]
    return heat(
        [MEASURES[name].title for name in NAMES],
        [*questions],
        lambda i, j: asked[j](NAMES[i]),
        TONES,
        "What each measure counts and ignores: teal rises, brown falls.",
        "measure",
    )
