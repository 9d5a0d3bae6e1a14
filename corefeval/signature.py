"""The signature under a score: its long form has every choice, its short one what is not usual."""

from __future__ import annotations

from collections.abc import Iterator

from corefeval.conventions import FIRST_CHOICES
from corefeval.errors import CorefError, shortened

ALL_DEFAULTS = "defaults"
"""What the short form says where no convention differs from its default."""


def short(signature: str) -> str:
    """The signature without the conventions that are the defaults; ``defaults`` if all are.

    >>> choices = " ".join(f"{name}={choice}" for name, choice in FIRST_CHOICES.items())
    >>> short(f"corefeval=1.0 metrics=muc documents=2 {choices} seed=0")
    'corefeval=1.0 metrics=muc documents=2 defaults seed=0'
    >>> short(f"corefeval=1.0 metrics=muc documents=2 {choices.replace('zero=zero', 'zero=one')}")
    'corefeval=1.0 metrics=muc documents=2 zero=one'
    """
    usual = {f"{name}={choice}" for name, choice in FIRST_CHOICES.items()}
    words = signature.split()
    differ = any(word.partition("=")[0] in FIRST_CHOICES and word not in usual for word in words)
    kept: list[str] = []
    for word in words:
        if word not in usual:
            kept.append(word)
        elif not differ and ALL_DEFAULTS not in kept:
            kept.append(ALL_DEFAULTS)
    return " ".join(kept)


def parsed(signature: str) -> dict[str, str]:
    """What a signature says, by name: the same for its long form and its short one.

    Raises `CorefError` for what is no signature, and for a name with two values.

    >>> found = parsed("corefeval=1.0 metrics=muc,b3 documents=2 zero=one")
    >>> found["metrics"].split(","), found["zero"], found["twinless"]
    (['muc', 'b3'], 'one', 'keep')
    """
    found: dict[str, str] = {}
    for name, value in _named(signature):
        if found.setdefault(name, value) != value:
            raise CorefError(f"the signature gives {name} twice: {found[name]} and {value}")
    if "corefeval" not in found:
        raise CorefError(
            f"expected a signature, which begins with corefeval=, got {shortened(signature)}"
        )
    return FIRST_CHOICES | found


def _named(signature: str) -> Iterator[tuple[str, str]]:
    for word in signature.split():
        name, equals, value = word.partition("=")
        if equals:
            yield name, value
        elif word != ALL_DEFAULTS:
            raise CorefError(f"expected name=value in a signature, got {shortened(word)}")
