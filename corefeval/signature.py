"""The signature under a score: its long form has every choice, its short one what is not usual."""

from __future__ import annotations

from corefeval.conventions import DEFAULTS, FIRST_CHOICES
from corefeval.errors import CorefError, shortened


def short(signature: str) -> str:
    """Shorten a signature; return it without the choices that are defaults.

    If all are, ``defaults`` stands in their place.

    >>> short(f"corefeval=1.0 metrics=muc documents=2 {DEFAULTS} seed=0")
    'corefeval=1.0 metrics=muc documents=2 defaults seed=0'
    >>> short(f"corefeval=1.0 metrics=muc documents=2 {DEFAULTS.but(zero='one')}")
    'corefeval=1.0 metrics=muc documents=2 zero=one'
    """
    if (usual := f" {DEFAULTS}") in signature:
        return signature.replace(usual, " defaults")
    return " ".join(word for word in signature.split() if word not in str(DEFAULTS).split())


def parsed(signature: str) -> dict[str, str]:
    """Read a signature, long or short; return what it says, by name.

    >>> found = parsed("corefeval=1.0 metrics=muc,b3 documents=2 zero=one")
    >>> found["metrics"].split(","), found["zero"], found["twinless"]
    (['muc', 'b3'], 'one', 'keep')
    """
    words = [word.partition("=") for word in signature.split() if word != "defaults"]
    values = {name: value for name, _, value in words}
    if not signature.startswith("corefeval=") or len(values) < len(words) or "" in values.values():
        raise CorefError(f"expected a signature as a report has it, got {shortened(signature)}")
    return FIRST_CHOICES | values
