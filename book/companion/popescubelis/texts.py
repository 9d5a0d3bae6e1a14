"""Section 5: what follows from Tables 3 to 7 where a text is not published.

What a system made of the three trial texts is known in rounded percent only. An interval here
contains what every key and response would give whose scores round to the printed ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, floor

from companion.ledger import NUMBERS, Example, Interval
from companion.popescubelis.cells import (
    F_MEASURES,
    cell,
    column,
    holds,
    number,
    rounding,
    share,
)
from corefeval.conventions import Conventions
from corefeval.measures.kappa import Agreement
from corefeval.score import Tally, f1

# ----------------------------------------------------------- 5.1: the arithmetic of the MUC-6 text

MUC_6 = "section 5.1, the MUC-6 text"


def muc_6(quantity: str) -> int:
    """A number that the paper gives of the MUC-6 text."""
    printed = cell(MUC_6, "", quantity)
    return int(NUMBERS[printed] if printed in NUMBERS else number(printed))


def other_res() -> int:
    """The REs that are no pronouns."""
    return muc_6("REs") - muc_6("pronouns")


def classes_with_pronouns_apart() -> str:
    """|P_R| when all pronouns are grouped into a class of their own and the rest is correct."""
    return f"{muc_6('key classes')} + 1"


def share_of_pronouns() -> Tally:
    return Tally(muc_6("pronouns"), muc_6("REs"))


# --------------------------------------------------------------------- 5.1: the claims on Table 4


def table_4() -> dict[str, dict[str, Fraction]]:
    """The numbers of Table 4 by measure and example."""
    return {
        name: {example: number(text) for example, text in column("Table 4", quantity).items()}
        for name, quantity in F_MEASURES.items()
    }


def covariance() -> str:
    """Whether all measures move alike from any example to any other."""
    return "not covariant" if next(_opposite_moves(), None) else "covariant"


def opposite_moves(example: Example | None, printed: str) -> str:
    """Where two measures move in opposite directions."""
    found = list(_opposite_moves())
    m, n, first, then = next(move for move in found if move[:2] == ("MUC", "H"))
    table = table_4()
    of_pairs = len({frozenset(move[2:]) for move in found})
    steps = len(list(combinations(table["MUC"], 2)))
    return (
        f"two measures move in opposite directions between the examples of {of_pairs} of the "
        f"{steps} pairs; from {first} to {then}, say, {m} goes from {float(table[m][first]):.0%} "
        f"to {float(table[m][then]):.0%} and {n} from {float(table[n][first]):.0%} to "
        f"{float(table[n][then]):.0%}"
    )


def _opposite_moves() -> Iterator[tuple[str, str, str, str]]:
    table = table_4()
    for m, n in permutations(table, 2):
        for first, then in combinations(table[m], 2):
            if table[m][first] < table[m][then] and table[n][first] > table[n][then]:
                yield m, n, first, then


def best_by(example: str, others: list[str]) -> str:
    """The measures by which an example is better than all others of a list."""
    table = table_4()
    found = [m for m in table if all(table[m][example] > table[m][other] for other in others)]
    return "all the measures" if found == list(table) else ", ".join(found)


def constant_relations() -> str:
    """The pairs of measures of which one is never the higher in Table 4, but for κ."""
    return "; ".join(f"{low} and {high}" for low, high in _constant() if "κ" not in (low, high))


def constantly_lowest() -> str:
    """The measure that is never higher than any other in Table 4."""
    pairs, names = _constant(), list(F_MEASURES)
    return " and ".join(
        f"the {m} measure" for m in names if all((m, n) in pairs for n in names if n != m)
    )


def _constant() -> list[tuple[str, str]]:
    table = table_4()
    return [
        (low, high)
        for low, high in permutations(table, 2)
        if all(value <= table[high][example] for example, value in table[low].items())
    ]


def f_of_rounded(example: Example, printed: str) -> str:
    """What the f-measure of MUC would be if it came from the rounded scores."""
    parts = (number(cell("Table 3", example.name, f"muc.{p}")) for p in ("recall", "precision"))
    found = f1(*parts)
    return f"from recall and precision as they are printed it would be {float(found):.0%}"


# ---------------------------------------------------------------------------------------- Table 5

KINDS = ("Noun phrase REs", "Pronoun REs", "Non parsed REs")


def whole(text: str, characteristic: str) -> int:
    """A whole number of Table 5."""
    return int(number(cell("Table 5", text, characteristic)))


def total_mentions(example: Example) -> int:
    """|E| as the sum of the three kinds of REs."""
    return sum(whole(example.name, f"res_of_kind {kind}") for kind in KINDS)


def res_of_kind(example: Example, kind: str) -> int:
    """The REs of one kind: |E| less those of the two others."""
    others = (whole(example.name, f"res_of_kind {other}") for other in KINDS if other != kind)
    return _size(example)[0] - sum(others)


def key_classes(example: Example) -> Interval:
    """|P_K|, a whole number, by |E| and the coreference rate."""
    low, high = rounding(cell("Table 5", example.name, "coreference_rate"))
    mentions, _ = _size(example)
    return Interval(Fraction(ceil(mentions / high)), Fraction(floor(mentions / low)))


def coreference_rate(example: Example) -> Tally:
    """|E| / |P_K|"""
    return Tally(*_size(example))


def _size(example: Example) -> tuple[int, int]:
    """|E| and |P_K|"""
    return whole(example.name, "total_mentions"), whole(example.name, "key_classes")


def compared_with(example: Example, other: str) -> str:
    """Whether a text has as many REs as another."""
    here, there = whole(example.name, "total_mentions"), whole(other, "total_mentions")
    if here == there:
        return f"as many REs as {other}"
    return f"{'more' if here > there else 'fewer'} REs than {other}"


def lengths(example: Example, printed: str) -> str:
    """How much longer a text is than VA."""
    ratios = {
        unit: Fraction(whole(example.name, of), whole("VA", of))
        for unit, of in (("REs", "total_mentions"), ("words", "words"))
    }
    return "; ".join(f"{float(r):.2f} times the {unit} of VA" for unit, r in ratios.items())


# ------------------------------------------------------------------------------- Tables 6 and 7


def scores(example: Example, measure: str) -> tuple[Interval, Interval]:
    """The rounding intervals of recall and precision in Table 6."""
    recall, precision = (
        share(cell("Table 6", example.name, f"{measure}.{part}"))
        for part in ("recall", "precision")
    )
    return recall, precision


def f_interval(example: Example, measure: str) -> Interval:
    """Where the f-measure lies by Table 6."""
    return f_between(*scores(example, measure))


def f_between(recall: Interval, precision: Interval) -> Interval:
    """The f-measures of all recalls and precisions of two intervals: it grows with either.

    >>> f_between(share("70%"), share("78%")).high < Fraction("0.744")
    True
    """
    return Interval(f1(recall.low, precision.low), f1(recall.high, precision.high))


def agreements(
    mentions: int, key_entities: int, recall: Interval, precision: Interval
) -> Iterator[Agreement]:
    """All counts of κ for MUC scores in two intervals, with |E| and |P_K|; 0/0 is 1.

    By PROP.2 both scores have the numerator a; a + c = |E| − |P_K|, and a + b = |E| − |P_R| may be
    whatever number precision allows.
    """
    key = mentions - key_entities
    if not recall.low <= Fraction(1) <= recall.high and key == 0:
        return
    low, high = (0, 0) if key == 0 else (ceil(recall.low * key), floor(recall.high * key))
    for both in range(low, high + 1):
        for response in _denominators(both, precision, mentions - 1):
            neither = mentions - 1 - key - response + both
            yield Agreement(both, response - both, key - both, neither)


def _denominators(hits: int, ratio: Interval, most: int) -> Iterator[int]:
    """All n up to ``most`` for which hits / n is in an interval; 0/0 is 1."""
    if hits == 0:
        if ratio.high == 1:
            yield 0
        if ratio.low == 0:
            yield from range(1, most + 1)
        return
    first = ceil(hits / ratio.high)
    last = min(most, floor(hits / ratio.low)) if ratio.low else most
    yield from range(max(first, hits), last + 1)


def kappa_between(
    mentions: int, key_entities: int, recall: Interval, precision: Interval
) -> Interval:
    """The least and the largest κ of all `agreements`.

    >>> kappa_between(17, 4, share("85%"), share("79%"))
    Interval(low=Fraction(-3, 17), high=Fraction(-3, 17))
    """
    one = Conventions(zero="one")
    found = (a.score(one).value for a in agreements(mentions, key_entities, recall, precision))
    values = [value for value in found if isinstance(value, Fraction)]
    return Interval(min(values), max(values))


def kappa_interval(example: Example) -> Interval:
    """Where κ lies by Tables 5 and 6."""
    return kappa_between(*_size(example), *scores(example, "muc"))


def response_classes(example: Example, table_7: bool = False) -> Interval:
    """|P_R|, which is not published, by |E|, |P_K| and PROP.2; and by MUC and κ of Table 7."""
    mentions, classes = _size(example)
    f, kappa = (cell("Table 7", example.name, TABLE_7[m]) for m in ("MUC", "κ"))
    one = Conventions(zero="one")
    found = [
        mentions - a.both - a.response_only
        for a in agreements(mentions, classes, *scores(example, "muc"))
        if not table_7 or (holds(f, _f(a)) and holds(kappa, a.score(one).value))
    ]
    return Interval(Fraction(min(found)), Fraction(max(found)))


def _f(counts: Agreement) -> Fraction:
    """The f-measure of MUC, from the counts of κ."""
    a, b, c = counts.both, counts.response_only, counts.key_only
    return Fraction(2 * a, 2 * a + b + c)


# ------------------------------------------------------------ what the cells of Table 6 must obey

Bound = tuple[str, bool]
"""What is bounded, in words, and whether the printed cells allow it."""


def muc_bounds(example: Example) -> list[Bound]:
    """PROP.2: some number of response classes gives both scores one numerator."""
    responses = response_classes(example)
    possible = responses.low >= 1 and responses.high <= _size(example)[0]
    fewer = response_classes(example, table_7=True)
    return [
        (f"PROP.2 leaves |P_R| from {responses.low} to {responses.high}", possible),
        (f"with Table 7, from {fewer.low} to {fewer.high}", fewer.low <= fewer.high),
    ]


def b3_bounds(example: Example) -> list[Bound]:
    """PROP.6, and no B³ score is above the share of the REs that are in cores."""
    (mentions, keys), responses = _size(example), response_classes(example)
    (recall, precision), (rc, pc) = scores(example, "b3"), scores(example, "c")
    in_key_cores = rc.high + (1 - rc.high) * Fraction(keys, mentions)
    in_response_cores = pc.high + (1 - pc.high) * responses.high / mentions
    return [
        (
            f"PROP.6: BRS at least {float(Fraction(keys, mentions)):.0%}, "
            f"BPS at least {float(responses.low / mentions):.0%}",
            recall.high >= Fraction(keys, mentions) and precision.high >= responses.low / mentions,
        ),
        (
            f"the REs in cores allow BRS at most {float(in_key_cores):.0%}, "
            f"BPS at most {float(in_response_cores):.0%}",
            recall.low <= in_key_cores and precision.low <= in_response_cores,
        ),
    ]


def c_bounds(example: Example) -> list[Bound]:
    """PROP.8: no core-class score is above the MUC score."""
    pairs = zip(scores(example, "c"), scores(example, "muc"), strict=True)
    return [("PROP.8: CRS ≤ MRS and CPS ≤ MPS", all(c.low <= m.high for c, m in pairs))]


def xc_bounds(example: Example) -> list[Bound]:
    """Correct and incorrect REs are at most |E|; the correct ones are in cores."""
    (mentions, keys), (recall, precision) = _size(example), scores(example, "xc")
    core = scores(example, "c")[0].high
    in_cores = core + (1 - core) * Fraction(keys, mentions)
    return [
        ("XRS ≤ XPS", recall.low <= precision.high),
        (
            f"the REs in cores allow XRS at most {float(in_cores):.0%}",
            recall.low <= in_cores,
        ),
    ]


def dmt_bounds(example: Example) -> list[Bound]:
    """Each class that only one side has adds two REs, at least, to the distance."""
    (mentions, keys), responses = _size(example), response_classes(example)
    fewest = max(responses.low - keys, keys - responses.high, Fraction(0))
    highest = 1 - fewest / (mentions - 1)
    return [
        (
            f"|P_K| = {keys} and |P_R| from {responses.low} to {responses.high} allow at most "
            f"{float(highest):.0%}",
            share(cell("Table 6", example.name, "dmt.value")).low <= highest,
        )
    ]


BOUNDS = (muc_bounds, b3_bounds, c_bounds, xc_bounds, dmt_bounds)


def _in_words(bounds: list[Bound]) -> str:
    return "; ".join(f"{text}: {'met' if met else 'NOT MET'}" for text, met in bounds)


def muc_constraints(example: Example, printed: str) -> str:
    return _in_words(muc_bounds(example))


def b3_constraints(example: Example, printed: str) -> str:
    return _in_words(b3_bounds(example))


def c_constraints(example: Example, printed: str) -> str:
    return _in_words(c_bounds(example))


def xc_constraints(example: Example, printed: str) -> str:
    return _in_words(xc_bounds(example))


def dmt_constraints(example: Example, printed: str) -> str:
    return _in_words(dmt_bounds(example))


# ----------------------------------------------------------------------------- the claims of 5.2

TABLE_7 = {
    "MUC": "f_interval muc",
    "B3": "f_interval b3",
    "κ": "kappa_interval",
    "C": "f_interval c",
    "XC": "f_interval xc",
    "H": "f_interval h",
}
"""The columns of Table 7."""

Words = tuple[str, str]


def moves(measure: str, texts: list[str], words: Words = ("increase", "decrease")) -> str:
    """What a measure of Table 7 does from the first text to the second."""
    first, then = (number(cell("Table 7", text, TABLE_7[measure])) for text in texts)
    return words[0] if then > first else words[1] if then < first else "stays"


def values(measure: str, texts: list[str]) -> str:
    """What a measure of Table 7 is on the texts."""
    return ", ".join(f"{cell('Table 7', text, TABLE_7[measure])} on {text}" for text in texts)


def core_classes_on_va(example: Example | None, printed: str) -> str:
    return f"the f-measure of C is {values('C', ['VA', 'LPG'])}"


def preferring(texts: list[str]) -> str:
    """The measures of Table 7 that give the first text more than the second."""
    found = [m for m in TABLE_7 if moves(m, texts) == "decrease"]
    return "all the measures" if found == list(TABLE_7) else ", ".join(found)


def match_too(example: Example | None, printed: str) -> str:
    """What the distributional match says, which is not in Table 7."""
    cells = {text: cell("Table 6", text, "dmt.value") for text in ("VA", "LPG.eq")}
    return "DMT too: " + ", ".join(f"{text} on {name}" for name, text in cells.items())
