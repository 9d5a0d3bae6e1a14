"""The page of other scorers' own tests: what they assert, what is equal here, what is not said."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from companion.studies import suites
from templates import filled

SAID = {
    "split antecedents": "{} need split antecedents (a plural that refers to two entities at once)",
    "partial or discontinuous matching of Universal Anaphora files": "{} match mentions in part, "
    "or have discontinuous ones, in files of Universal Anaphora, which the library does not read",
    "marks without a bar": "{} are of a file whose marks stand without a bar, which coval reads by "
    "a rule of its own",
    "a mention in two entities": "{} have a mention in two entities, by a rule that is not ours",
}
"""Why triples cannot be said, as a sentence says it of their number."""


def page(book: Path) -> str:
    """The sum, the table, and how it is counted."""
    equal = {name: suites.equal(name) for name in suites.suites()}
    every = suites.suites()
    same = [suite for suite in every.values() if suite.same_as]
    (origin,) = {suite.same_as for suite in same}
    return filled(
        "suites.md",
        first_line=first_line(equal),
        suites=every,
        equal=equal,
        origin=every[origin],
        same=[suite.scorer for suite in same],
    )


def first_line(equal: dict[str, int]) -> str:
    """How many triples are equal, and what is to be said of the rest."""
    every = suites.suites().values()
    asserted, ours = sum(suite.asserted for suite in every), sum(equal.values())
    rest: Counter[str] = sum((Counter(suite.not_said) for suite in every), Counter())
    reasons = [SAID[why].format(number) for why, number in rest.most_common()]
    differ = asserted - ours - rest.total()
    told = f", {differ} differ" if differ else ""
    return (
        f"**Other scorers' own tests assert {asserted:,} triples of recall, precision and F1, some "
        f"{_different()} of them different ones. {ours:,} are equal here{told}.** The other "
        f"{rest.total()} cannot be said in the terms of this library: {'; '.join(reasons)}."
    )


def _different() -> int:
    """How many triples are no copies, to the nearest ten; of CorefUD's, all are taken for such."""
    return round(suites.different() + suites.suites()["corefud"].asserted, -1)


def table(equal: dict[str, int]) -> str:
    """A row for each suite."""
    return filled("suites-table.md", suites=suites.suites(), equal=equal)
