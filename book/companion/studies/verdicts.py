"""Which of two public responses is ahead, and what turns the verdict: the book's opening.

Every number is F1 in points, of the counts in data/real. The chapter on real systems asks what
chance has to do with it.
"""

from __future__ import annotations

from fractions import Fraction

from companion.studies import real

SEEDS = range(5)


def seeds(
    corpus: str, conventions: str = "", scope: str = "documents", baseline: str = "lemma"
) -> list[dict[str, Fraction]]:
    """How far each run of the feature-based system is ahead of a lemma baseline, by measure.

    Documents are scored one by one, and their counts are summed; with the scope "corpus" they are
    one long document, and entities go across documents as the key has them.

    >>> [round(float(run["b3"]), 1) for run in seeds("fcc")]
    [-10.8, -6.5, -7.9, 0.7, 2.0]
    """
    place = "cdcr-corpora", corpus
    lemma = real.f1(*place, baseline, scope, conventions)
    runs = [real.f1(*place, f"feature.{seed}", scope, conventions) for seed in SEEDS]
    return [_difference(run, lemma) for run in runs]


def pronouns(conventions: str = "") -> dict[str, Fraction]:
    """How far Aralikatte and Søgaard's response is ahead of Lee et al.'s on Wikipedia.

    >>> round(float(pronouns()["ceafe"]), 1)
    21.3
    """
    first, second = (
        real.f1("wiki-grounded", "wiki", name, "documents", conventions)
        for name in ("aralikatte", "lee")
    )
    return _difference(first, second)


def settings(key: str, conventions: str = "repeated=first") -> dict[str, Fraction]:
    """The CoNLL score of xrenner set for GUM and set for OntoNotes, on one of the two keys.

    >>> {name: round(float(score), 1) for name, score in settings("ontogum").items()}
    {'set for GUM': 37.6, 'set for OntoNotes': 54.9}
    """
    return {
        f"set for {title}": real.f1("gum", key, f"xrenner-{name}", "documents", conventions)[
            "conll"
        ]
        for title, name in (("GUM", "gum"), ("OntoNotes", "ontonotes"))
    }


def schemes(key: str, conventions: str = "repeated=first") -> dict[str, Fraction]:
    """`settings`, and the score of the other key: the same texts under the other scheme.

    >>> round(float(schemes("gum")["the other key"]), 1)
    54.5
    """
    other = "ontogum" if key == "gum" else "gum"
    annotated = real.f1("gum", key, other, "documents", conventions)
    return settings(key, conventions) | {"the other key": annotated["conll"]}


def _difference(a: dict[str, Fraction], b: dict[str, Fraction]) -> dict[str, Fraction]:
    return {measure: a[measure] - b[measure] for measure in a}
