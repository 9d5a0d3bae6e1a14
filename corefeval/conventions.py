"""Choices that the papers leave open, by name. The defaults are the reference scorer's rules."""

from __future__ import annotations

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


class Conventions:
    """One choice per open question, by keywords; what is not chosen is the default of `CHOICES`.

    Values of this class are equal if their choices are, and do not change.

    Raises `CorefError` for a convention or a choice that does not exist.

    >>> Conventions(zero="one")
    Conventions(exclusive='core', repeated='error', singletons='keep', twinless='keep', zero='one')
    >>> Conventions(zero="two")
    Traceback (most recent call last):
    corefeval.errors.CorefError: zero='two' is not a choice: expected 'zero' or 'one'
    """

    exclusive: str
    repeated: str
    singletons: str
    twinless: str
    zero: str

    def __init__(self, **chosen: str) -> None:
        for name, choice in chosen.items():
            check(name, choice)
        vars(self).update({name: next(iter(choices)) for name, choices in CHOICES.items()} | chosen)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"conventions do not change; make others with {name}={value!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Conventions) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return " ".join(f"{name}={choice}" for name, choice in vars(self).items())

    def __repr__(self) -> str:
        choices = ", ".join(f"{name}={choice!r}" for name, choice in vars(self).items())
        return f"Conventions({choices})"


def check(name: str, chosen: str) -> None:
    """Refuse a convention, or a choice, that does not exist.

    >>> check("zeros", "one")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefeval.errors.CorefError: 'zeros' is no convention: expected exclusive, ..., twinless or zero
    """
    if name not in CHOICES:
        *names, last = CHOICES
        raise CorefError(f"{name!r} is no convention: expected {', '.join(names)} or {last}")
    if not isinstance(chosen, str) or chosen not in CHOICES[name]:
        expected = " or ".join(map(repr, CHOICES[name]))
        raise CorefError(f"{name}={chosen!r} is not a choice: expected {expected}")
