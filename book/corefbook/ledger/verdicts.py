"""The verdicts on printed figures, and which of them a figure gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from corefbook.ledger.agreement import Bounds, Search, display, matches
from corefeval.errors import CorefError

GROUPS = {
    "equal": {
        "reproduced": "computed from published inputs, it rounds to what is printed",
        "rounded": "it follows exactly from rounded intermediates, which the note shows",
        "holds": "a general sentence: proved, or without counterexample up to the stated size",
    },
    "possible": {
        "consistent": "not computed: what is printed lies in the interval that published figures "
        "leave",
        "reconstructed": "it comes from recovered inputs, or from a formula or a choice that was "
        "made because it fits",
    },
    "differs": {
        "refuted": "a general sentence with a counterexample",
        "misprint": "proved different from what the paper itself defines",
        "missed": "a reconstruction of ours that does not give what is printed",
    },
    "cannot be checked": {
        "not testable": "its inputs or its formula were never published",
    },
    "listed": {
        "remark": "worth telling a reader, and no fault",
        "copy": "a slip that another witness of the same text, or what stands beside it, shows to "
        "be our copy's: nobody is accused",
        "given": "it restates an input, or could not have been another: proof-read, and no result",
    },
}
"""The meaning of each verdict, by the word under which a reader sees it.

Four words count figures, and `counts.GROUPED` says how they do; what is listed is not counted.
"""


FAILED = "failed"
"""What a figure that fits no verdict has in the place of one."""


def with_unit(figure: Mapping[str, Any], printed: str) -> str:
    """What is printed, with the unit that the head of its table has.

    >>> with_unit({"unit": "%"}, "85")
    '85%'
    """
    return printed + figure.get("unit", "")


class Case(NamedTuple):
    """A printed figure as the data have it, and what is computed for it.

    ``rounded`` is what is computed from the rounded intermediates that a figure may declare.
    """

    figure: Mapping[str, Any]
    computed: Any
    rounded: Any = None

    def prints(self, value: Any) -> bool:
        """Whether a value is what is printed."""
        return matches(with_unit(self.figure, self.figure["printed"]), value)

    def agrees(self) -> bool:
        """Whether what is computed is what is printed."""
        return self.prints(self.computed)

    def is_quoted(self) -> bool:
        """Whether what is printed occurs in the sentence that is quoted."""
        quote = " ".join(self.figure.get("quote", "").split())
        return " ".join(self.figure["printed"].split()) in quote

    def is_refuted(self) -> bool:
        """Whether a sentence that is quoted says something else than what is computed."""
        return self.is_quoted() and not self.agrees()

    def is_corrected(self) -> bool:
        """Whether it is refuted, and what is computed is what the data call right."""
        as_it_should_be = with_unit(self.figure, right(self.figure))
        return self.is_refuted() and matches(as_it_should_be, self.computed)

    def is_by_rounding(self) -> bool:
        """Whether what is printed follows from the rounded intermediates alone."""
        return self.prints(self.rounded) and not self.agrees()


class Declaration(NamedTuple):
    """What data may declare of a figure: the verdict that it then gets, and on which condition."""

    verdict: str
    holds: Callable[[Case], bool]


DECLARATIONS = {
    "not_testable": Declaration("not testable", lambda case: True),
    "remark": Declaration("remark", Case.is_quoted),
    "misprint": Declaration("misprint", Case.is_corrected),
    "copy_slip": Declaration("copy", Case.is_corrected),
    "refuted": Declaration("refuted", Case.is_refuted),
    "missed": Declaration("missed", lambda case: not case.agrees()),
    "rounded": Declaration("rounded", Case.is_by_rounding),
    "given": Declaration("given", Case.agrees),
    "reconstructed": Declaration("reconstructed", Case.agrees),
}
"""What a figure may declare, by the keys that the data have for it."""


def declared(figure: Mapping[str, Any]) -> str:
    """The one key by which a figure declares its verdict; empty if it declares none.

    A table that is reconstructed says so once for all its figures. A figure of it that declares
    another verdict has that one.

    >>> declared({"printed": "41", "reconstructed": "by a formula of ours", "missed": "by one"})
    'missed'
    >>> declared({"printed": "41", "given": "an input", "missed": "by one"})
    Traceback (most recent call last):
    corefeval.errors.CorefError: '41' declares two verdicts: missed and given
    """
    keys = [key for key in DECLARATIONS if key in figure]
    if len(keys) > 1:
        keys = [key for key in keys if key != "reconstructed"]
    if len(keys) > 1:
        raise CorefError(f"{figure['printed']!r} declares two verdicts: {' and '.join(keys)}")
    return keys[0] if keys else ""


def judge(figure: Mapping[str, Any], computed: Any, rounded: Any = None) -> tuple[str, str]:
    """The verdict on a figure, and its note.

    A figure that declares a misprint, or a slip of our copy, must differ from the computed value,
    which must be the right value that it names. One that declares to be rounded must differ from
    the computed value and agree with the one computed from ``rounded`` intermediates. A statement
    that is refuted must be declared so, and so must what a reconstruction misses. What is printed
    of a misprint, a slip, a remark and a refuted statement must occur in the sentence that is
    quoted. Any other figure must agree.
    """
    key = declared(figure)
    declaration = DECLARATIONS[key] if key else Declaration(_confirmed(computed), Case.agrees)
    holds = declaration.holds(Case(figure, computed, rounded))
    return (declaration.verdict if holds else FAILED), _note(figure, key, rounded)


def _confirmed(computed: Any) -> str:
    """The verdict on a figure that declares none and agrees with a value of this kind."""
    if isinstance(computed, Search | bool):
        return "holds"
    return "consistent" if isinstance(computed, Bounds) else "reproduced"


def _note(figure: Mapping[str, Any], key: str, rounded: Any) -> str:
    """Why a figure has the verdict that it declares by a key, or that it gets without one."""
    note = str(figure.get("note", ""))
    if key == "rounded":
        return f"{note}: {display(rounded, with_unit(figure, figure['printed']))}"
    if key in ("misprint", "copy_slip"):
        return str(figure[key]["reason"])
    return str(figure[key]) if key else str(figure.get("holds", note))


def right(figure: Mapping[str, Any]) -> str:
    """What should be printed instead of a misprint, a refuted claim or a slip of our copy."""
    return str(figure.get("misprint", figure.get("copy_slip", figure)).get("right", ""))
