"""Choices that the papers leave open, by name. The defaults are the reference scorer's rules."""

from __future__ import annotations

from dataclasses import dataclass, fields

from corefeval.errors import CorefError

CHOICES: dict[str, dict[str, str]] = {
    "exclusive": {
        "core": "a key entity whose core class is taken gets none (measure xc)",
        "free": "it gets the best response entity that is free (measure xc)",
    },
    "repeated": {
        "error": "refuse a mention that is given twice",
        "first": "count it once, in the entity that begins first",
        "merge": "make one entity of all that share it",
    },
    "singletons": {
        "keep": "score entities of one mention like any other",
        "drop": "remove them from the key and from the response before scoring",
    },
    "twinless": {
        "keep": "a mention on one side only counts as the measure defines it",
        "complete": "make it a singleton of the other side (Popescu-Belis, DEF.19)",
        "stoyanov_0": "leave the response's out for precision (B³_0, Stoyanov et al. 2009)",
        "stoyanov_all": "make it a singleton of the other side for its own side's score only, "
        "recall or precision (B³_all, Stoyanov et al. 2009)",
        "rahman_ng": "remove it from the response if it is a singleton (Rahman and Ng 2009)",
        "cai_strube": "as rahman_ng; make the key's singletons of the response, and for precision "
        "the response's singletons of the key, for recall leave them out (B³_sys, CEAF_sys, "
        "Cai and Strube 2010)",
    },
    "zero": {
        "zero": "0/0 is 0, as in the reference scorer",
        "one": "0/0 is 1: no mistake could be made (Popescu-Belis, DEF.5 and DEF.6)",
    },
}
"""What may be chosen, the default first, and what each choice means."""


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """One choice per open question; see `CHOICES`.

    Raises `CorefError` for a choice that does not exist.

    >>> Conventions(zero="one")
    Conventions(exclusive='core', repeated='error', singletons='keep', twinless='keep', zero='one')
    >>> Conventions(zero="two")
    Traceback (most recent call last):
    corefeval.errors.CorefError: zero='two' is not a choice: expected 'zero' or 'one'
    """

    exclusive: str = "core"
    repeated: str = "error"
    singletons: str = "keep"
    twinless: str = "keep"
    zero: str = "zero"

    def __post_init__(self) -> None:
        for field in fields(self):
            check(field.name, getattr(self, field.name))

    def __str__(self) -> str:
        return " ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


def check(name: str, chosen: str) -> None:
    """Refuse a convention, or a choice, that does not exist.

    >>> check("zeros", "one")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefeval.errors.CorefError: 'zeros' is no convention: expected exclusive, ..., twinless or zero
    """
    if name not in CHOICES:
        *names, last = CHOICES
        raise CorefError(f"{name!r} is no convention: expected {', '.join(names)} or {last}")
    if chosen not in tuple(CHOICES[name]):  # compared, not hashed: anything may come
        expected = " or ".join(map(repr, CHOICES[name]))
        raise CorefError(f"{name}={chosen!r} is not a choice: expected {expected}")


def conventions(**chosen: str) -> Conventions:
    """`Conventions` from keywords, with a helpful error for a name that does not exist."""
    for name, choice in chosen.items():
        check(name, choice)
    return Conventions(**chosen)
