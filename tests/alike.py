"""Whether scores, tables and what is shown of them are the same by two ways."""

import pickle

import lxml.html

from corefeval import Contingency
from corefeval.signature import short

TOLERANCE = {"h": 1e-12}
"""How far the measures with logarithms may be from the oracle; never where it says 0 or 1."""


def agree(got: tuple, expected: tuple, tolerance: float) -> bool:
    """Whether numbers are the same; if there is a tolerance: nearly, but 0 and 1 exactly."""
    return all(
        a == b if a in (0, 1, None) or b in (0, 1, None) else abs(a - b) <= tolerance
        for a, b in zip(got, expected, strict=True)
    )


def parts(score):
    """The parts of a score as the oracle has them: no value beside F1."""
    assert score.exact.f1 is None or score.exact.value == score.exact.f1, (
        "the one number of a measure is its F1"
    )
    return score.exact.recall, score.exact.precision, score.exact.f1, score.exact.parts.get("value")


def show(entities) -> str:
    return " ".join("{" + " ".join(sorted(map(str, entity))) + "}" for entity in entities) or "{}"


def rows(t: Contingency) -> list:
    """The table, but for the order and the numbers of its entities."""
    found = [(n, t.key_sizes[i], t.response_sizes[j]) for (i, j), n in t.pairs.items()]
    return [sorted(found), sorted(t.key_sizes), sorted(t.response_sizes)]


def is_same(got: Contingency, want: Contingency):
    for t, expected in ((got, want), (got.T, want.T)):
        assert rows(t) == rows(expected)
        for name in ("triples", "key_histogram", "shared_histogram", "core_histogram"):
            assert dict(getattr(t, name)) == dict(getattr(expected, name)), name
        for name in ("key_entities", "key_mentions", "shared_mentions"):
            assert getattr(t, name) == getattr(expected, name), name


def check_shown(found):
    """Print, a notebook and Markdown show the same table, and the short signature below it."""
    caption = short(found.signature)
    assert str(found) == repr(found) == f"{found.table().text()}\n\n{caption}"
    page = lxml.html.fromstring(found._repr_html_())
    assert [[cell.text or "" for cell in row] for row in page.iter("tr")] == found.table().lines
    assert "".join(page.find("caption").itertext()) == caption
    assert found.to_markdown() == f"{found.table().markdown()}\n\n`{caption}`"
    assert pickle.loads(pickle.dumps(found)) == found
