"""Section 5: what follows from Tables 3 to 7 where a text is not published.

What a system made of the three trial texts is known in rounded percent only. An interval here
contains what every key and response would give whose scores round to the printed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, floor

from corefbook.ledger import NUMBERS, Bounds, Example, Figures, matches
from corefbook.papers.popescubelis.cells import (
    F_MEASURES,
    cell,
    column,
    number,
    rounding,
    share,
)
from corefbook.papers.popescubelis.propositions import PAPER
from corefeval.measures.kappa import Agreement
from corefeval.score import Tally, f1

# ----------------------------------------------------------- 5.1: the arithmetic of the MUC-6 text

MUC_6 = "section 5.1, the MUC-6 text"


MUC_6_CELLS = {
    "REs": "mentions_allowed",
    "key classes": "classes_allowed",
    "pronouns": "pronouns_allowed",
    "classes with pronouns": "pronoun_classes_allowed",
}
"""By which function the ledger checks each of its numbers."""


def muc_6(quantity: str) -> int:
    """A number that the paper gives of the MUC-6 text."""
    printed = cell(MUC_6, "", MUC_6_CELLS[quantity])
    return int(NUMBERS[printed] if printed in NUMBERS else number(printed))


def pronouns_of_all(example: Example | None, printed: str) -> str:
    """The share of pronouns from the two numbers that section 5.1 gives."""
    share_by_numbers = share_of_pronouns()
    return f"the share is {share_by_numbers} = {float(share_by_numbers.ratio(Fraction(0))):.1%}"


def share_of_pronouns() -> Tally:
    """The share of pronouns among the REs of the MUC-6 text."""
    return Tally(muc_6("pronouns"), muc_6("REs"))


# --------------------------------------------------------------------- 5.1: the claims on Table 4


def table_4() -> dict[str, dict[str, Fraction]]:
    """The numbers of Table 4 by measure and example."""
    return {
        name: {example: number(text) for example, text in column("Table 4", quantity).items()}
        for name, quantity in F_MEASURES.items()
    }


def opposite_moves(example: Example | None, printed: str) -> str:
    """Where two measures move in opposite directions, and where C and MUC do."""
    moves, table = list(_opposite_moves()), table_4()
    of_pairs = len({frozenset(move[2:]) for move in moves})
    steps = len(list(combinations(table["MUC"], 2)))
    shown = []
    for pair in (("MUC", "H"), ("MUC", "C")):
        m, n, first, then = next(move for move in moves if move[:2] == pair)
        sides = (
            f"{x} goes from {float(table[x][first]):.0%} to {float(table[x][then]):.0%}"
            for x in (m, n)
        )
        shown.append(f"From {first} to {then}, {' and '.join(sides)}")
    return (
        f"two measures move in opposite directions between the examples of {of_pairs} of the "
        f"{steps} pairs. {'. '.join(shown)}"
    )


def _opposite_moves() -> Iterator[tuple[str, str, str, str]]:
    table = table_4()
    for m, n in permutations(table, 2):
        for first, then in combinations(table[m], 2):
            if table[m][first] < table[m][then] and table[n][first] > table[n][then]:
                yield m, n, first, then


def preferred_by(example: str, others: list[str]) -> str:
    """The measures of Table 4 that are higher for an example than for others."""
    table = table_4()
    return ", ".join(m for m in table if all(table[m][example] > table[m][o] for o in others))


def f_of(examples: list[str]) -> str:
    """The f-measures of some examples in Table 4."""
    table = table_4()
    return ", ".join(
        f"{m} {' and '.join(f'{float(table[m][example]):.0%}' for example in examples)}"
        for m in table
        if m != "κ"
    )


def xc_above_c() -> bool:
    """Whether XC is above C for some example of Table 4."""
    table = table_4()
    return any(table["XC"][example] > value for example, value in table["C"].items())


def constantly_lowest() -> str:
    """The measure of Table 4 that is never higher than another."""
    pairs, names = _constant(), list(F_MEASURES)
    return " and ".join(m for m in names if all((m, n) in pairs for n in names if n != m))


def _constant() -> list[tuple[str, str]]:
    """The pairs of measures of which the first is nowhere above the second in Table 4."""
    table = table_4()
    return [
        (low, high)
        for low, high in permutations(table, 2)
        if all(value <= table[high][example] for example, value in table[low].items())
    ]


def f_of_rounded(example: Example, printed: str) -> str:
    """What the f-measure of MUC would be if it came from the rounded scores."""
    parts = (number(cell("Table 3", example.name, f"muc.{p}")) for p in ("recall", "precision"))
    f_measure = f1(*parts)
    return f"from recall and precision as they are printed it would be {float(f_measure):.0%}"


# ---------------------------------------------------------------------------------------- Table 5

KINDS = ("Noun phrase REs", "Pronoun REs", "Non parsed REs")


def whole(text: str, characteristic: str) -> int:
    """A whole number of Table 5."""
    return int(number(cell("Table 5", text, characteristic)))


def total_mentions(example: Example) -> int:
    """The number of REs: the sum of the three kinds."""
    return sum(whole(example.name, f"res_of_kind {kind}") for kind in KINDS)


def res_of_kind(example: Example, kind: str) -> int:
    """The number of REs of one kind: all less the two others."""
    others = (whole(example.name, f"res_of_kind {other}") for other in KINDS if other != kind)
    return _size(example)[0] - sum(others)


def key_classes(example: Example) -> Bounds:
    """The number of key classes, by the REs and the coreference rate."""
    low, high = rounding(cell("Table 5", example.name, "coreference_rate"))
    mentions, _ = _size(example)
    return Bounds(Fraction(ceil(mentions / high)), Fraction(floor(mentions / low)))


def _size(example: Example) -> tuple[int, int]:
    """|E| and |P_K|"""
    return whole(example.name, "total_mentions"), whole(example.name, "key_classes")


def numbers_of_res(example: Example, other: str) -> str:
    """How many REs two texts have."""
    texts = (example.name, other)
    return " and ".join(f"{whole(text, 'total_mentions')} in {text}" for text in texts)


def lengths(example: Example, printed: str) -> str:
    """How much longer a text is than VA."""
    ratios = {
        unit: Fraction(whole(example.name, of), whole("VA", of))
        for unit, of in (("REs", "total_mentions"), ("words", "words"))
    }
    shown = (f"{float(ratio):.2f} times the {unit} of VA" for unit, ratio in ratios.items())
    return f"it has {' and '.join(shown)}"


# ------------------------------------------------------------------------------- Tables 6 and 7


def score_bounds(example: Example, measure: str) -> tuple[Bounds, Bounds]:
    """The rounding intervals of recall and precision in Table 6."""
    form = "h.{}" if measure == "h" else measure + "_interval {}"
    recall, precision = (
        share(cell("Table 6", example.name, form.format(part))) for part in ("recall", "precision")
    )
    return recall, precision


def f_between(recall: Bounds, precision: Bounds) -> Bounds:
    """The f-measures of all recalls and precisions of two intervals: it grows with either.

    >>> f_between(share("70%"), share("78%")).high < Fraction("0.744")
    True
    """
    return Bounds(f1(recall.low, precision.low), f1(recall.high, precision.high))


def agreements(
    mentions: int, key_entities: int, recall: Bounds, precision: Bounds
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


def _denominators(hits: int, ratio: Bounds, most: int) -> Iterator[int]:
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


def kappa_between(mentions: int, key_entities: int, recall: Bounds, precision: Bounds) -> Bounds:
    """The least and the largest κ of all `agreements`.

    >>> kappa_between(17, 4, share("85%"), share("79%"))
    Bounds(low=Fraction(-3, 17), high=Fraction(-3, 17))
    """
    possible = agreements(mentions, key_entities, recall, precision)
    values = (counts.score(PAPER).exact.value for counts in possible)
    kappas = [value for value in values if isinstance(value, Fraction)]
    return Bounds(min(kappas), max(kappas))


def response_classes(example: Example, table_7: bool = False) -> Bounds:
    """|P_R|, which is not published, by |E|, |P_K| and PROP.2; and by MUC and κ of Table 7."""
    mentions, classes = _size(example)
    f, kappa = (cell("Table 7", example.name, TABLE_7[m]) for m in ("MUC", "κ"))
    numbers_of_classes = [
        mentions - a.both - a.response_only
        for a in agreements(mentions, classes, *score_bounds(example, "muc"))
        if not table_7 or (matches(f, _f(a)) and matches(kappa, a.score(PAPER).exact.value))
    ]
    return Bounds(Fraction(min(numbers_of_classes)), Fraction(max(numbers_of_classes)))


def _f(counts: Agreement) -> Fraction:
    """The f-measure of MUC, from the counts of κ."""
    a, b, c = counts.both, counts.response_only, counts.key_only
    return Fraction(2 * a, 2 * a + b + c) if a + b + c else Fraction(1)


# ------------------------------------------------------------ what the cells of Table 6 must obey


def muc_interval(example: Example, part: str) -> Bounds:
    """MUC by the other MUC score, Table 5, and MUC and κ of Table 7 (PROP.2)."""
    sides = dict(zip(("recall", "precision"), score_bounds(example, "muc"), strict=True))
    sides[part] = Bounds(Fraction(0), Fraction(1))
    f, kappa = (rounding(cell("Table 7", example.name, TABLE_7[m])) for m in ("MUC", "κ"))
    ratios = []
    for a in agreements(*_size(example), sides["recall"], sides["precision"]):
        if not f.low <= _f(a) <= f.high:
            continue
        if kappa.low <= a.score(PAPER).exact.value <= kappa.high:
            total = a.both + (a.key_only if part == "recall" else a.response_only)
            ratios.append(Fraction(a.both, total) if total else Fraction(1))
    return Bounds(min(ratios), max(ratios))


def _classes(example: Example, part: str) -> Bounds:
    """The share of classes among the REs: |P_K| / |E| for recall, |P_R| / |E| for precision."""
    mentions, keys = _size(example)
    if part == "recall":
        return Bounds(Fraction(keys, mentions), Fraction(keys, mentions))
    low, high = response_classes(example)
    return Bounds(low / mentions, high / mentions)


def _side(example: Example, measure: str, part: str) -> Bounds:
    return score_bounds(example, measure)[0 if part == "recall" else 1]


def b3_interval(example: Example, part: str) -> Bounds:
    """The limits of B³, by the number of classes and the printed C.

    REs are mentions, BRS and CRS the recalls of B³ and C. PROP.6 gives the lowest: a key class adds
    at least 1 to |E|·BRS, because Σ|K∩R|²/|K| ≥ Σ|K∩R|/|K| = 1. It adds at most |c(K)|, since no
    fragment is larger than its core; by DEF.13 the cores have the share CRS + (1 − CRS)·|P_K|/|E|
    of all REs, which is the highest.
    """
    classes, core = _classes(example, part), _side(example, "c", part).high
    return Bounds(classes.low, core + (1 - core) * classes.high)


def c_interval(example: Example, part: str) -> Bounds:
    """C by PROP.8, and by B³: no B³ score is above the share of the REs that are in cores.

    C is never above MUC, |c(K)| − 1 ≤ |K| − |π(K)|: every fragment beside the core has an RE.
    """
    b3, most = _side(example, "b3", part).low, _classes(example, part).high
    low = max(Fraction(0), (b3 - most) / (1 - most)) if most < 1 else Fraction(0)
    return Bounds(low, _side(example, "muc", part).high)


def xc_interval(example: Example, part: str) -> Bounds:
    """XC: its correct REs are in cores, and with the incorrect ones are at most all.

    The correct REs of a class are one fragment of it, which is no larger than the core. The largest
    key class chooses first, so that one RE of it at least is correct. Correct and incorrect REs
    are together at most |E|, so that XRS ≤ XPS.
    """
    recall, precision = score_bounds(example, "xc")
    if part == "precision":
        return Bounds(recall.low, Fraction(1))
    core, (classes, _) = score_bounds(example, "c")[0].high, _classes(example, "recall")
    return Bounds(Fraction(1, _size(example)[0]), min(precision.high, core + (1 - core) * classes))


def dmt_interval(example: Example) -> Bounds:
    """DMT by the numbers of classes

    Sorted by size, the classes of both sides overlap by one RE at least in every place that both
    have; each that only one side has adds two REs to the distance.
    """
    (mentions, keys), responses = _size(example), response_classes(example)
    places = min(Fraction(keys), responses.low)
    fewest = max(responses.low - keys, keys - responses.high, Fraction(0))
    return Bounds((places - 1) / (mentions - 1), 1 - fewest / (mentions - 1))


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


def _compared(measures: Iterable[str], texts: list[str]) -> list[list[Fraction]]:
    """What each of these measures of Table 7 is on the texts."""
    return [[number(cell("Table 7", text, TABLE_7[m])) for text in texts] for m in measures]


def values(measure: str, texts: list[str]) -> str:
    """What a measure of Table 7 is on the texts."""
    return ", ".join(f"{cell('Table 7', text, TABLE_7[measure])} on {text}" for text in texts)


def match_too(example: Example | None, printed: str) -> str:
    """What the distributional match says, which is not in Table 7."""
    cells = {text: cell("Table 6", text, "dmt_interval") for text in ("VA", "LPG.eq")}
    return "DMT too: " + ", ".join(f"{text} on {name}" for name, text in cells.items())


# ------------------------------------------------------------------ Figures of one expression

FIGURES: Figures = {
    "other_res": (
        "How many REs of the MUC-6 text are no pronouns",
        lambda: muc_6("REs") - muc_6("pronouns"),
    ),
    "classes_with_pronouns_apart": (
        "The number of response classes if the pronouns are one, and the rest is correct",
        lambda: f"{muc_6('key classes')} + 1",
    ),
    "all_move_alike": (
        "Whether all measures of Table 4 rise and fall together from example to example",
        lambda: not [*_opposite_moves()],
    ),
    "better_by_all": (
        "Whether all measures of Table 4 are higher for an example than for others",
        lambda example, others: preferred_by(example, others) == ", ".join(F_MEASURES),
    ),
    "constant_relations": (
        "The measures of Table 4, other than κ, of which one is never the higher",
        lambda: "; ".join(" and ".join(pair) for pair in _constant() if "κ" not in pair),
    ),
    "coreference_rate": (
        "Coreference rate: REs for a key class",
        lambda example: Tally(*_size(example)),
    ),
    "f_interval": (
        "F1 by recall and precision in Table 6",
        lambda example, measure: f_between(*score_bounds(example, measure)),
    ),
    "kappa_interval": (
        "κ by Tables 5 and 6",
        lambda example: kappa_between(*_size(example), *score_bounds(example, "muc")),
    ),
    "rise": (
        "Whether these measures of Table 7 are higher for the second text than for the first",
        lambda measures, texts: all(a < b for a, b in _compared(measures, texts)),
    ),
    "fall": (
        "Whether these measures of Table 7 are lower for the second text than for the first",
        lambda measures, texts: all(a > b for a, b in _compared(measures, texts)),
    ),
    "all_fall": (
        "Whether all measures of Table 7 are lower for the second text than for the first",
        lambda texts: all(a > b for a, b in _compared(TABLE_7, texts)),
    ),
    "core_classes_on_va": (
        "What C is on VA and on LPG",
        lambda example, printed: f"the f-measure of C is {values('C', ['VA', 'LPG'])}",
    ),
}
