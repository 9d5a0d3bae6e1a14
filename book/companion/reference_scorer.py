"""The reference scorer v8.01: its suite's values beside ours, and the percentages it prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import chdir
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.ledger import load
from companion.tables import Table
from corefeval.corpus import evaluate
from corefeval.errors import CorefError
from corefeval.registry import metric
from corefeval.report import Report

PARTS = ("recall", "precision", "f1")
KINDS = ("printed", "exact")


class Value(NamedTuple):
    """A number that the suite expects of a case, and what we compute."""

    case: str
    measure: str
    part: str
    printed: str
    exact: Fraction


def values(cases: Iterable[str] = ()) -> Iterator[Value]:
    """All values of these cases (by default, of every case) in the order of the file.

    >>> next(values(["A2"]))
    Value(case='A2', measure='muc', part='recall', printed='0.333333', exact=Fraction(1, 3))
    """
    paper, wanted = load("reference_scorer"), list(cases)
    for group in paper.content["figures"]:
        case = group["example"]
        if wanted and case not in wanted:
            continue
        for row in group["rows"]:
            score = metric(row["measure"])(paper.examples[case].key, paper.examples[case].response)
            for part, printed in zip(PARTS, row["printed"], strict=True):
                yield Value(case, row["measure"], part, printed, getattr(score, part))


def table(cases: Iterable[str]) -> Table:
    """Printed beside exact, a row per case and measure.

    >>> table(["A2"]).rows[0]
    ['A2', 'muc', '0.333333', '1/3', '1.0', '1', '0.5', '1/2']
    """
    found: dict[tuple[str, str], list[str]] = {}
    for value in values(cases):
        row = found.setdefault((value.case, value.measure), [value.case, value.measure])
        row += [value.printed, str(value.exact)]
    head = [f"{part} {kind}" for part in ("recall", "precision", "F1") for kind in KINDS]
    return Table(["case", "measure", *head], list(found.values()))


def truncated(value: Fraction) -> str:
    """int(x · 10000) / 100: a percentage with two decimals, the rest cut off.

    >>> truncated(Fraction(2, 3)), truncated(Fraction(1))
    ('66.66', '100.00')
    """
    hundredths = int(value * 10000)
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def conll(words: str, column: str, name: str = "case") -> str:
    r"""A CoNLL file of one document from its words and their last columns.

    >>> conll("a b", "(0 0)")
    '#begin document (case); part 000\na\t(0\nb\t0)\n#end document\n'
    """
    tokens = zip(words.split(), column.split(), strict=True)
    lines = [f"{word}\t{coreference}\n" for word, coreference in tokens]
    return "".join([f"#begin document ({name}); part 000\n", *lines, "#end document\n"])


def scored(key: str, response: str, metrics: str = "all", **conventions: str) -> Report:
    """What `corefeval.evaluate` makes of two files with these contents.

    >>> scored(conll("a b", "(0 0)"), conll("a b", "(0) (1)"), "muc").total["muc"]
    recall 0, precision 0, f1 0
    """
    with TemporaryDirectory() as folder, chdir(folder):
        for name, text in (("key.conll", key), ("response.conll", response)):
            Path(name).write_text(text, encoding="utf-8", newline="\n")
        return evaluate("key.conll", "response.conll", metrics, **conventions)


def refusal(key: str, response: str) -> str:
    """What is said against the files up to what was expected; nothing if they are scored.

    >>> refusal(conll("a b", "(0 0)"), "")
    'response.conll: the file has no document; it is empty, or all of it is comments'
    >>> refusal(conll("a b", "(0 0)"), conll("a b", "- -"))
    ''
    """
    try:
        scored(key, response)
    except CorefError as error:
        return str(error).partition("; expected")[0]
    return ""


def precision_counting_copies(copies: int) -> Fraction:
    """B³ precision of A4's response with b so often in the entity of z, each b counted.

    Each finds all of them in its entity, which has z too, and they belong with b by the key.

    >>> precision_counting_copies(0), precision_counting_copies(10)
    (Fraction(17, 42), Fraction(787, 1122))
    """
    example = load("reference_scorer").examples["A4"]
    once = metric("b3")(example.key, example.response).precision
    mentions = len(example.response.mentions)
    assert isinstance(once, Fraction)
    return (once * mentions + copies * Fraction(copies, copies + 1)) / (mentions + copies)
