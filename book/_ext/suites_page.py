"""The page of other scorers' own tests: what they assert, what is equal here, what is not said."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path

from companion.studies import suites

SAID = {
    "split antecedents": "{} need split antecedents (a plural that refers to two entities at once)",
    "partial or discontinuous matching of Universal Anaphora files": "{} match mentions in part, "
    "or have discontinuous ones, in files of Universal Anaphora, which the library does not read",
    "a mention in two entities": "{} have a mention in two entities, by a rule that is not ours",
}
"""Why triples cannot be said, as a sentence says it of their number."""

HOW = """
A triple is equal if each of its three numbers is within the tolerance that its suite sets. Keys and
responses are kept as numbers of tokens, in a form of our own, and the values as they are asserted;
where no licence was found, nothing was taken. A suite is scored by the choices of its program:
`--like reference` or `--like coval`, say. With split antecedents left out, some of those triples
have the asserted value all the same; that proves nothing, and they are not counted as equal.

To count again, from checkouts of these repositories: `python tools/peer_suites.py CHECKOUT…`. A
program's own rules, one by one, are in [](who-computes-what.ipynb).
"""


def page(book: Path) -> str:
    """The sum, the table, and how it is counted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # suites score sides that share nothing
        equal = {name: suites.equal(name) for name in suites.suites()}
    return "\n\n".join([first_line(equal), table(equal), HOW.strip(), same_ones()])


def first_line(equal: dict[str, int]) -> str:
    """How many triples are equal, and what is to be said of the rest."""
    every = suites.suites().values()
    asserted, ours = sum(suite.asserted for suite in every), sum(equal.values())
    rest: Counter[str] = sum((Counter(suite.not_said) for suite in every), Counter())
    reasons = [SAID[why].format(number) for why, number in rest.most_common()]
    differ = asserted - ours - rest.total()
    told = f", {differ} differ" if differ else ""
    return (
        f"**{ours:,} of the {asserted:,} triples of recall, precision and F1 that other scorers' "
        f"own tests assert are equal here{told}.** The other {rest.total()} cannot be said in the "
        f"terms of this library: {'; '.join(reasons)}."
    )


def table(equal: dict[str, int]) -> str:
    """A row for each suite."""
    rows = [
        "Suite | Commit | Licence | Asserted | Equal | Cannot be said",
        "---|---|---|--:|--:|---",
    ]
    for name, suite in suites.suites().items():
        why = "; ".join(f"{number} {reason}" for reason, number in suite.not_said.items())
        cells = (
            f"[{suite.program}](https://github.com/{suite.repository}/tree/{suite.commit})",
            f"`{suite.commit}`",
            suite.licence,
            suite.asserted,
            equal[name],
            why,
        )
        rows.append(" | ".join(map(str, cells)))
    return "\n".join(f"| {row} |" for row in rows)


def same_ones() -> str:
    """Which suites repeat another's triples."""
    same = [suite for suite in suites.suites().values() if suite.same_as]
    (origin,) = {suite.same_as for suite in same}
    names = "; ".join(suite.program for suite in same)
    of = suites.suites()[origin]
    return (
        f"Not all of these triples are different ones: the {of.asserted} of the {of.program}, come "
        f"again, with the same files, in {names}. Other suites have many of its cases, too."
    )
