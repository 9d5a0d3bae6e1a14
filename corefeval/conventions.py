"""Choices that the papers leave open, and options for reading files; the default is first.

The defaults of conventions are the reference scorer's rules. What one scorer alone chooses stands
in its bundle (`corefeval.scorers.bundles`) and cannot be chosen here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypedDict

from corefeval.errors import CorefError, meant

CHOICES: dict[str, dict[str, str]] = {
    "average": {
        "sum": "the score of the documents' summed counts, as in the reference scorer",
        "mean": "the mean of the documents' recall, of their precision and of their F1",
        "mean_pr": "the means of the documents' recall and precision, and F1 from these two",
        "mentions": "as mean, each document weighted by its key mentions for recall, its response "
        "mentions for precision, and both for F1",
    },
    "missing": {
        "error": "refuse a document that only one side has",
        "empty": "it has no mention on the side that lacks it",
        "skip": "leave it out",
    },
    "repeated": {
        "error": "refuse a mention that is given twice",
        "first": "count it once, in the entity that begins first",
        "merge": "make one entity of all that share it",
        "reference": "as first in the response if the key has it, else count it each time; refuse "
        "it in the key (the reference scorer)",
        "each": "count it in each entity, each time; it is found in the last (scores may exceed 1)",
        "once_each": "as each, but once in an entity",
    },
    "singletons": {
        "keep": "score entities of one mention like any other",
        "drop": "remove them from the key and from the response before scoring",
        "drop_response": "remove them from the response alone",
    },
    "twinless": {
        "keep": "a missing or spurious mention counts as the measure defines it",
        "complete": "make it a singleton of the other side (Popescu-Belis, DEF.19)",
        "stoyanov_0": "leave spurious mentions out for precision (B³_0, Stoyanov et al. 2009)",
        "stoyanov_all": "make it a singleton of the other side for its own side's score only, "
        "recall or precision (B³_all, Stoyanov et al. 2009)",
        "rahman_ng": "remove a spurious mention if it is a singleton (Rahman and Ng 2009)",
        "cai_strube": "as rahman_ng; make missing mentions singletons of the response; for "
        "precision make spurious ones singletons of the key, for recall leave them out (B³_sys, "
        "CEAF_sys, Cai and Strube 2010)",
        "shared_task": "as rahman_ng, then as complete",
        "key_completed": "make spurious mentions singletons of the key",
    },
    "zero": {
        "zero": "0/0 is 0, as in the reference scorer",
        "one": "0/0 is 1: no mistake could be made (Popescu-Belis, DEF.5 and DEF.6)",
        "same": "0/0 is 1 if key and response are the same, else 0",
    },
}
"""The conventions for scoring: what may be chosen, and what each choice means."""
OF_FILES: dict[str, dict[str, str]] = {
    "match": {
        "exact": "a response mention is the key mention of the same words",
        "head": "or else one with the same head (CorefUD files)",
        "partial": "or else one whose words hold the key mention's head and are all in it "
        "(CorefUD files)",
    },
    "offsets": {
        "found": "JSON lines: as the file shows it; if nothing does, ends are taken as they are",
        "inclusive": "it is",
        "exclusive": "it is not: a mention ends before it",
    },
    "pairs": {
        "found": "documents by their names; JSON lines without names in their order, if both sides "
        "have the same words",
        "order": "JSON lines: by their order, whatever their names",
    },
    "zero_match": {
        "dependent": "zeros are matched by their dependencies, before other mentions (CorefUD "
        "files)",
        "linear": "zeros are matched as other mentions are, by their place (CorefUD files)",
    },
}
"""The options for reading files of some formats."""
GONE = {
    "documents": "a Scorer keeps its documents: leave it out",
    "empty_side": "a side without mentions is scored, with a warning: leave it out",
}
"""Keywords that earlier versions had, and what to do instead."""
OF_A_CORPUS = ("average", "missing")


class Chosen(TypedDict, total=False):
    """The conventions as keywords of a function, for editors and for mypy; see `CHOICES`."""

    average: Literal["sum", "mean", "mean_pr", "mentions"]
    missing: Literal["error", "empty", "skip"]
    repeated: Literal["error", "first", "merge", "reference", "each", "once_each"]
    singletons: Literal["keep", "drop", "drop_response"]
    twinless: Literal[
        "keep",
        "complete",
        "stoyanov_0",
        "stoyanov_all",
        "rahman_ng",
        "cai_strube",
        "shared_task",
        "key_completed",
    ]
    zero: Literal["zero", "one", "same"]


class Options(Chosen, total=False):
    """The conventions and the options for reading files, as keywords; see `OF_FILES`."""

    match: Literal["exact", "head", "partial"]
    offsets: Literal["found", "inclusive", "exclusive"]
    pairs: Literal["found", "order"]
    zero_match: Literal["dependent", "linear"]


class _Choices(NamedTuple):
    """The choices, in the order in which signatures have them."""

    average: str = "sum"
    match: str = "exact"
    missing: str = "error"
    offsets: str = "found"
    pairs: str = "found"
    repeated: str = "error"
    singletons: str = "keep"
    twinless: str = "keep"
    zero: str = "zero"
    zero_match: str = "dependent"


FIRST_CHOICES: dict[str, str] = _Choices._field_defaults
"""The defaults of both."""


class Conventions(_Choices):
    """One choice per convention and per option for reading files, by keywords, or the default.

    Raises `CorefError` for a convention or a choice that does not exist.

    >>> chosen = Conventions(zero="one")
    >>> chosen.zero, chosen.twinless, chosen.but(zero="zero") == Conventions()
    ('one', 'keep', True)
    >>> Conventions(zero="two")
    Traceback (most recent call last):
    corefeval.errors.CorefError: zero='two' is not a choice: expected one of zero, one, same
    """

    __slots__ = ()

    def __new__(cls, **chosen: str) -> Conventions:
        for name, choice in chosen.items():
            check(name, choice)
        return super().__new__(cls, **chosen)

    # A pickled tuple is made anew by its values in their order, which `__new__` does not take.
    def __reduce__(self) -> tuple[Any, ...]:
        return Conventions._make, (tuple(self),)

    but = _Choices._replace
    """The same with other choices for these: our own or a scorer's, which are not checked."""

    def zero_decided(self, same_sides: bool) -> Conventions:
        """The conventions with "one" or "zero" in place of a ``zero`` that depends on the sides.

        >>> Conventions(zero="same").zero_decided(same_sides=True).zero
        'one'
        """
        if self.zero in ("zero", "one"):
            return self
        return self.but(zero="one" if same_sides else "zero")

    @property
    def others(self) -> list[str]:
        """The choices that are not the default, each as a signature has it.

        >>> Conventions(zero="one").others
        ['zero=one']
        """
        return [
            f"{n}={choice}" for n, choice in self._asdict().items() if choice != FIRST_CHOICES[n]
        ]

    def refuse(self, names: Iterable[str], why: str) -> None:
        """Raise `CorefError` for a choice other than the default of one of these conventions."""
        for name in names:
            if getattr(self, name) != FIRST_CHOICES[name]:
                raise CorefError(f"{name}={getattr(self, name)!r} {why}")

    def __str__(self) -> str:
        return " ".join(f"{name}={choice}" for name, choice in self._asdict().items())


def check(name: str, chosen: str) -> None:
    """Refuse a convention or an option, or a choice, that does not exist."""
    if name not in FIRST_CHOICES:
        hint = GONE.get(name) or meant(name, [*FIRST_CHOICES, "metrics", "like"])
        raise CorefError(f"{name!r} is no convention: {hint}")
    choices = (CHOICES | OF_FILES)[name]
    if not isinstance(chosen, str) or chosen not in choices:
        raise CorefError(f"{name}={chosen!r} is not a choice: {meant(chosen, choices)}")


DEFAULTS = Conventions()
