"""How many figures have which verdict, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from corefbook.ledger.figures import Row
from corefbook.ledger.verdicts import GROUPS


def _numbered(words: tuple[str, str], number: int) -> str:
    return words[0] if number == 1 else words[1]


def groups_in_words(rows: Sequence[Row]) -> str:
    """How many figures have each of the four words, as a part of a sentence.

    >>> from corefbook.ledger import rows
    >>> groups_in_words(rows("vilain1995_summary"))
    '16 equal, 1 differs'
    >>> print(groups_in_words(rows("pradhan2014")))  # doctest: +NORMALIZE_WHITESPACE
    50 equal (3 by rounded steps), 2 possible (by a choice that fits), 2 differ (1 may be our
    copy's), 5 cannot be checked
    """
    counted = Counter(row.group for row in rows)
    return ", ".join(
        f"{counted[group]} {_numbered(words, counted[group])}{_qualified(rows, group)}"
        for group, words in GROUPED.items()
        if counted[group]
    )


GROUPED = {
    "equal": ("equal", "equal"),
    "possible": ("possible", "possible"),
    "differs": ("differs", "differ"),
    "cannot be checked": ("cannot be checked", "cannot be checked"),
}
"""The four words that count figures, behind the number one and behind any other.

They are the keys of `GROUPS` but "listed", of which no figure is a result.
"""


def _qualified(rows: Sequence[Row], group: str) -> str:
    """The brackets behind a word: steps that were rounded, why it is possible, our copy's part."""
    verdicts = Counter(row.verdict for row in rows)
    alone = len({*GROUPS[group]} & {*verdicts}) == 1
    qualification = ""
    if group == "equal" and verdicts["rounded"]:
        qualification = verdicts_in_words([row for row in rows if row.verdict == "rounded"], group)
    if group == "possible":
        qualification = verdicts_in_words(rows, group)
    if alone:
        # All figures of the word have this verdict, so that their number stands there already.
        qualification = qualification.partition(" ")[2]
    if group == "differs":
        qualification = _differing(rows, verdicts["missed"])
    return f" ({qualification})" if qualification else ""


def _differing(rows: Sequence[Row], missed: int) -> str:
    """How many of the figures that differ are no fault of a paper, or may be none."""
    parts = []
    if doubtful := _perhaps_our_copys(rows):
        parts.append(f"{doubtful} may be our copy's")
    if missed:
        misses = "is a miss" if missed == 1 else "are misses"
        parts.append(f"{missed} {misses} of a formula of ours")
    return ", ".join(parts)


def _perhaps_our_copys(rows: Iterable[Row]) -> int:
    return sum(bool(row.copy) for row in rows if row.verdict == "misprint")


def verdicts_in_words(rows: Sequence[Row], group: str) -> str:
    """How many figures of a group have each verdict, as a part of a sentence.

    Behind the misprints it says how many of them may be slips of our copy.

    >>> from corefbook.ledger import rows
    >>> print(verdicts_in_words(rows("pradhan2014"), "differs"))
    1 sentence refuted, 1 misprint (1 may be our copy's)
    """
    counted = Counter(row.verdict for row in rows)
    parts = []
    for verdict in GROUPS[group]:
        if number := counted[verdict]:
            parts.append(f"{number} {_numbered(COUNTED.get(verdict, (verdict, verdict)), number)}")
            if verdict == "misprint":
                parts[-1] += f" ({_perhaps_our_copys(rows) or 'none'} may be our copy's)"
    return ", ".join(parts)


COUNTED = {
    "rounded": ("by rounded steps", "by rounded steps"),
    "holds": ("sentence holds", "sentences hold"),
    "consistent": ("within an interval", "within an interval"),
    "reconstructed": ("by a choice that fits", "by a choice that fits"),
    "refuted": ("sentence refuted", "sentences refuted"),
    "misprint": ("misprint", "misprints"),
    "copy": ("slip of our copy", "slips of our copy"),
    "remark": ("remark", "remarks"),
    "given": ("restated input", "restated inputs"),
}
"""What stands for a verdict behind the number one and behind any other, where not its own word."""
