"""The lost MUC-6 text: which keys give rows 4 to 6 of Tables 3 and 4 of Popescu-Belis?

The text was never published, but of it these are printed: 147 mentions in 15 classes of at least
two, of which five have the 50 pronouns, and the scores of three responses. Row 4's response is
all singletons, row 5's is one class, row 6's is the key without its pronouns and one class of all
the pronouns. A *profile* is all that these scores depend on: size and pronouns of every class.

The search goes sizes first. Rows 4 and 5 see sizes alone; for each list of sizes that gives them,
the pronouns fall on five classes in every way that four cells of row 6 leave open. Those bounds
only save time: what a profile gives is computed by the registered measures, in fractions. The
entropies are doubles, and a value too near to a rounding border to be decided raises an error.

    python -m corefbook.papers.popescubelis.lost_text > data/lost_text/profiles.txt

makes the stored result again: every profile that gives all cells but those of XC in row 6, whose
definition is what the profiles have to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import Any

from corefbook.ledger import DATA, load
from corefbook.papers.popescubelis.exclusive import reachable
from corefbook.papers.popescubelis.propositions import PAPER
from corefbook.papers.popescubelis.texts import muc_6
from corefeval.measures.core_classes import Exclusive
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.registry import MEASURES
from corefeval.score import Pair, Score, Tally

Class = tuple[int, int]
"""(size, pronouns)"""
Profile = tuple[Class, ...]
"""A key's classes, largest first, and of equal ones that with most pronouns."""
Cells = Mapping[str, Mapping[str, int]]
"""Printed percentages by row and by name."""

NAMES: dict[str, dict[str, str]] = {
    "dmt": {"DMT": "value"},
    "h": {"HRS": "recall", "HPS": "precision", "H": "f1"},
    "xc": {"XRS": "recall", "XPS": "precision", "XC": "f1"},
    "c": {"CRS": "recall", "CPS": "precision", "C": "f1"},
    "b3": {"BRS": "recall", "BPS": "precision", "B3": "f1"},
    "muc": {"MRS": "recall", "MPS": "precision", "MUC": "f1"},
    "kappa": {"κ": "value"},
}
"""Which part of which measure a cell is; the measures that decide most come first."""
CELLS = {cell for parts in NAMES.values() for cell in parts}


@dataclass(frozen=True, kw_only=True)
class Totals:
    """What section 5.1 says of the text."""

    mentions: int
    classes: int
    pronouns: int
    pronoun_classes: int


MUC6 = Totals(
    mentions=muc_6("REs"),
    classes=muc_6("key classes"),
    pronouns=muc_6("pronouns"),
    pronoun_classes=muc_6("classes with pronouns"),
)


@cache
def printed_cells() -> Cells:
    """The cells of rows 4 to 6 but D-err, from the ledger's file."""
    cells: dict[str, dict[str, int]] = {}
    for group in load("popescubelis_lost").content["figures"]:
        for figure in group["rows"]:
            if figure["measure"] in CELLS:
                row = cells.setdefault(group["example"], {})
                row[figure["measure"]] = int(figure["printed"])
    return cells


def without(cells: Cells, row: str, *names: str) -> Cells:
    """The printed cells without some of a row.

    >>> without({"4": {"MRS": 0, "MPS": 100}, "5": {}}, "4", "MRS")
    {'4': {'MPS': 100}, '5': {}}
    """
    kept = {name: value for name, value in cells[row].items() if name not in names}
    return {**cells, row: kept}


# ------------------------------------------------------------------ What a profile gives


# All measures ask for the same one in turn, and what they count of it is kept in it.
@lru_cache(maxsize=1)
def row_table(row: str, profile: Profile) -> Contingency:
    """The overlap table of row 4, 5 or 6.

    >>> row_table("6", ((3, 1), (2, 0))).pairs, row_table("6", ((3, 1), (2, 0))).response_sizes
    ({(0, 0): 2, (1, 1): 2, (0, 2): 1}, [2, 2, 1])
    """
    sizes = [k for k, _ in profile]
    if row == "4":
        owners = [i for i, k in enumerate(sizes) for _ in range(k)]
        return Contingency({(i, j): 1 for j, i in enumerate(owners)}, sizes, [1] * len(owners))
    if row == "5":
        return Contingency({(i, 0): k for i, k in enumerate(sizes)}, sizes, [sum(sizes)])
    pairs = {(i, i): k - q for i, (k, q) in enumerate(profile)}
    pairs |= {(i, len(sizes)): q for i, (_, q) in enumerate(profile) if q}
    return Contingency(pairs, sizes, [k - q for k, q in profile] + [sum(q for _, q in profile)])


def row_scores(measure: str, row: str, profile: Profile, exclusive: str = "core") -> list[Score]:
    """What a measure gives a row: several scores only for XC in row 6, by how its ties fall."""
    t = row_table(row, profile)
    if (measure, row) == ("xc", "6"):
        reached = sorted(outcomes(profile, exclusive))
        return [Exclusive(*each, t.key_mentions).score(PAPER) for each in reached]
    # In row 4 no two classes want the same one, and in row 5 ties are between equal classes.
    return [MEASURES[measure].counts(Tables.alike(t)).score(PAPER)]


def outcomes(profile: Profile, exclusive: str = "core", ties: str = "some") -> set[tuple[int, int]]:
    """(correct, incorrect) of XC in row 6, for every way to settle its ties, or for one rule.

    The rules are about a class half of which are pronouns: its core class is always that of the
    ``"pronouns"``, or always the ``"rest"`` of it. Equal classes are served in any order.

    >>> profile = ((4, 3), (2, 1), (2, 0))
    >>> sorted(outcomes(profile)), outcomes(profile, ties="rest")
    ([(5, 1), (6, 1)], {(6, 1)})
    """
    part = tuple(shape for shape in profile if shape[1])
    whole = sum(k for k, q in profile if not q)
    reached = _reachable(part, exclusive) if ties == "some" else _settled(part, exclusive, ties)
    return {(correct + whole, incorrect) for correct, incorrect in reached}


@cache
def _reachable(part: Profile, exclusive: str) -> set[tuple[int, int]]:
    return reachable(row_table("6", part), exclusive)


def _settled(part: Profile, exclusive: str, ties: str) -> set[tuple[int, int]]:
    wanting = [(k, q) for k, q in part if 2 * q > k or (2 * q == k and ties == "pronouns")]
    if not wanting:
        return {(sum(k - q for k, q in part), 0)}
    first = max(k for k, _ in wanting)
    others = part if exclusive == "free" else [shape for shape in part if shape not in wanting]
    outcomes_of_rule = set()
    for k, q in wanting:
        if k == first:
            kept = sum(size - pronouns for size, pronouns in others)
            kept -= k - q if exclusive == "free" else 0
            outcomes_of_rule.add((kept + q, sum(pronouns for _, pronouns in part) - q))
    return outcomes_of_rule


def rounds_to(percent: int, value: Any) -> bool:
    """Whether a value is printed as this percentage, halves going up.

    Raises ArithmeticError for a double that is too near to a border to be decided.

    >>> rounds_to(81, Fraction(22, 27)), rounds_to(82, Fraction(22, 27))
    (True, False)
    """
    if isinstance(value, float) and abs(abs(100 * value - percent) - 0.5) < 1e-9:
        raise ArithmeticError(f"{value} is too near to a border of {percent}%")
    return bool(2 * percent - 1 <= 200 * value < 2 * percent + 1)


def fits(score: Score, measure: str, cells: Mapping[str, int]) -> bool:
    """Whether a score gives all the cells of its measure."""
    return all(
        rounds_to(cells[name], getattr(score.exact, part))
        for name, part in NAMES[measure].items()
        if name in cells
    )


def gives(profile: Profile, cells: Cells, exclusive: str = "core") -> bool:
    """Whether a profile gives the cells; XC's under some way to settle its ties."""
    return all(
        any(fits(score, name, cells[row]) for score in row_scores(name, row, profile, exclusive))
        for row, name in product(cells, NAMES)
        if not cells[row].keys().isdisjoint(NAMES[name])
    )


def missed(profile: Profile, cells: Cells, exclusive: str = "core") -> list[tuple[str, str]]:
    """The cells that a profile does not give, each judged alone."""
    return [
        (row, name)
        for row, names in cells.items()
        for name, percent in names.items()
        if not gives(profile, {row: {name: percent}}, exclusive)
    ]


# ------------------------------------------------------------------ What single cells force


def largest_sizes(text: Totals, cells: Cells) -> list[int]:
    """Sizes of the largest class that row 5's core classes admit: CPS = (k − 1) / (|E| − 1).

    >>> largest_sizes(MUC6, printed_cells())
    [46]
    """
    biggest = text.mentions - 2 * (text.classes - 1)
    admitted = []
    for k in range(2, biggest + 1):
        pair = Pair(Tally(1, 1), Tally(k - 1, text.mentions - 1))
        if k * text.classes >= text.mentions and fits(pair.score(PAPER), "c", cells["5"]):
            admitted.append(k)
    return admitted


def square_sums(text: Totals, cells: Cells) -> list[int]:
    """Σ k² that row 5's B³ admits: BPS = Σ k² / |E|². (Σ k² is odd where |E| is.)"""
    admitted = []
    for squares in range(text.mentions, text.mentions**2 + 1, 2):
        pair = Pair(Tally(1, 1), Tally(squares, text.mentions**2))
        if fits(pair.score(PAPER), "b3", cells["5"]):
            admitted.append(squares)
    return admitted


def core_sums(text: Totals, cells: Cells) -> list[tuple[int, int]]:
    """(Σ max(0, 2q − k), max q) that row 6's core classes admit.

    The core of a class with q pronouns is k − q, or q where that is more; the core of the class of
    pronouns is max q, and every other response class is its own core.

    >>> core_sums(MUC6, printed_cells())
    [(6, 26)]
    """
    resolved, links = text.mentions - text.pronouns, text.mentions - text.classes
    admitted = []
    for excess, most in product(range(text.pronouns + 1), range(1, text.pronouns + 1)):
        recall = Tally(resolved + excess - text.classes, links)
        precision = Tally(resolved + most - text.classes - 1, links - 1)
        if fits(Pair(recall, precision).score(PAPER), "c", cells["6"]):
            admitted.append((excess, most))
    return admitted


# ------------------------------------------------------------------ All profiles


def search(
    text: Totals,
    cells: Cells,
    exclusive: str = "core",
    progress: Callable[[list[list[int]]], Iterable[list[int]]] = iter,
) -> list[Profile]:
    """Every profile that gives the cells, under some way to settle XC's ties.

    ``progress`` wraps the lists of sizes, as a progress bar does.

    >>> text = Totals(mentions=8, classes=3, pronouns=3, pronoun_classes=2)
    >>> search(text, {"4": {}, "5": {}, "6": {}})
    [((3, 2), (3, 1), (2, 0)), ((3, 2), (3, 0), (2, 1)), ((4, 2), (2, 1), (2, 0))]
    """
    window = _Window.of(text, cells)
    if window is None:
        return []
    return [
        profile
        for sizes in progress(list(size_lists(text, cells)))
        for profile in _placements(sizes, text, window)
        if gives(profile, {"6": cells["6"]}, exclusive)
    ]


def size_lists(text: Totals, cells: Cells) -> Iterator[list[int]]:
    """The sizes, largest first, that give rows 4 and 5."""
    rows = {row: cells[row] for row in ("4", "5")}
    squares = square_sums(text, cells)
    for k in largest_sizes(text, cells):
        within = squares[0] - k * k if squares else 0, squares[-1] - k * k if squares else -1
        for others in partitions(text.mentions - k, text.classes - 1, k, within):
            if gives(tuple((size, 0) for size in (k, *others)), rows):
                yield [k, *others]


def partitions(
    total: int, parts: int, largest: int, squares: tuple[int, int]
) -> Iterator[tuple[int, ...]]:
    """The multisets of sizes, 2 ≤ k ≤ largest, with this sum and Σ k² in the closed range.

    >>> list(partitions(9, 3, 5, (27, 33)))
    [(5, 2, 2), (4, 3, 2), (3, 3, 3)]
    """
    if not parts:
        if not total and squares[0] <= 0 <= squares[1]:
            yield ()
        return
    if not 2 * parts <= total <= largest * parts:
        return
    even, uneven = _square_bounds(total, parts, largest)
    if even > squares[1] or uneven < squares[0]:
        return
    for k in range(min(largest, total - 2 * (parts - 1)), 1, -1):
        within = squares[0] - k * k, squares[1] - k * k
        for others in partitions(total - k, parts - 1, k, within):
            yield (k, *others)


@cache
def _square_bounds(total: int, parts: int, largest: int) -> tuple[int, int]:
    """Least and greatest Σ k²: sizes as even, and as uneven, as they can be."""
    smallest, more = divmod(total, parts)
    even = (parts - more) * smallest**2 + more * (smallest + 1) ** 2
    full, over = divmod(total - 2 * parts, largest - 2) if largest > 2 else (0, 0)
    uneven = full * largest**2 + (parts - full) * 4 + ((2 + over) ** 2 - 4 if over else 0)
    return even, uneven


@dataclass(frozen=True)
class _Window:
    """Bounds on sums over a profile, closed, each from cells of row 6."""

    excess: tuple[int, int]
    """Σ max(0, 2q − k), from CRS"""
    most: tuple[int, int]
    """max q, from CPS"""
    squares: tuple[int, int]
    """Σ q², from BPS = ((|E| − Σ q) Σ q + Σ q²) / (|E| Σ q)"""
    broken: tuple[float, float]
    """Σ q(k − q)/k, a little too wide, from BRS = 1 − 2/|E| · Σ q(k − q)/k"""

    @classmethod
    def of(cls, text: Totals, cells: Cells) -> _Window | None:
        e, p, row = text.mentions, text.pronouns, cells["6"]
        cores = core_sums(text, cells)
        squares = [
            s
            for s in range(p * p + 1)
            if "BPS" not in row or rounds_to(row["BPS"], Fraction((e - p) * p + s, e * p))
        ]
        if not cores or not squares:
            return None
        recalls = [row["BRS"] + d for d in (0.5, -0.5)] if "BRS" in row else [100.0, 0.0]
        low, high = (e * (100 - recall) / 200 for recall in recalls)
        return cls(
            (min(x for x, _ in cores), max(x for x, _ in cores)),
            (min(q for _, q in cores), max(q for _, q in cores)),
            (squares[0], squares[-1]),
            (low - 1e-6, high + 1e-6),
        )

    def admits(
        self, left: int, wanted: int, excess: int, most: int, squares: int, broken: float
    ) -> bool:
        """Whether so many classes more, with the pronouns left, may bring the sums within."""
        return (
            excess <= self.excess[1]
            and excess + left >= self.excess[0]
            and max(most, left - wanted + 1) >= self.most[0]
            and squares + left <= self.squares[1]
            and squares + left * left >= self.squares[0]
            and broken <= self.broken[1]
            and broken + left >= self.broken[0]
        )


def _placements(sizes: Sequence[int], text: Totals, window: _Window) -> Iterator[Profile]:
    """The ways in which the pronouns may fall on classes of these sizes."""
    pronouns = [0] * len(sizes)

    def fall(
        start: int, left: int, wanted: int, excess: int, most: int, squares: int, broken: float
    ) -> Iterator[Profile]:
        if not window.admits(left, wanted, excess, most, squares, broken):
            return
        if not wanted:
            if not left:
                yield tuple(zip(sizes, pronouns, strict=True))
            return
        for i in range(start, len(sizes) - wanted + 1):
            k = sizes[i]
            # Σ 2q ≤ Σ k + Σ max(0, 2q − k), over the classes to come.
            if 2 * left > sum(sizes[i : i + wanted]) + window.excess[1] - excess:
                return
            highest = min(k - 1, left - wanted + 1, window.most[1])
            if i and sizes[i - 1] == k:  # of equal classes, the first has most
                highest = min(highest, pronouns[i - 1])
            for q in range(highest, 0 if wanted > 1 else max(0, left - 1), -1):
                pronouns[i] = q
                yield from fall(
                    i + 1,
                    left - q,
                    wanted - 1,
                    excess + max(0, 2 * q - k),
                    max(most, q),
                    squares + q * q,
                    broken + q * (k - q) / k,
                )
            pronouns[i] = 0

    yield from fall(0, text.pronouns, text.pronoun_classes, 0, 0, 0, 0.0)


# ------------------------------------------------------------------ What is stored


def notation(profile: Profile) -> str:
    """Each class as size/pronouns, or as its size alone.

    >>> notation(((5, 2), (3, 0)))
    '5/2 3'
    """
    return " ".join(f"{k}/{q}" if q else str(k) for k, q in profile)


def parse(line: str) -> Profile:
    """Read a profile that `notation` has written.

    >>> parse("5/2 3")
    ((5, 2), (3, 0))
    """
    shapes = (word.partition("/") for word in line.split())
    return tuple((int(k), int(q or 0)) for k, _, q in shapes)


@cache
def stored() -> list[Profile]:
    """Every profile that gives all cells but XC's of row 6."""
    text = (DATA / "lost_text" / "profiles.txt").read_text(encoding="utf-8")
    return [parse(line) for line in text.splitlines()]


@cache
def solutions(exclusive: str = "core", ties: str = "some") -> list[Profile]:
    """The stored profiles that give XC of row 6 too, by its reading and how its ties fall.

    ``ties`` is ``"some"`` or ``"every"`` way to settle them, or a rule of `outcomes`.
    """
    enough = all if ties == "every" else any
    rule = "some" if ties == "every" else ties

    def holds(profile: Profile) -> bool:
        reached = outcomes(profile, exclusive, rule)
        counts = (Exclusive(*each, MUC6.mentions) for each in reached)
        return enough(fits(each.score(PAPER), "xc", printed_cells()["6"]) for each in counts)

    return [profile for profile in stored() if holds(profile)]


@dataclass(frozen=True)
class Remaining:
    """How many lists or profiles are left after a cell, or would be without it."""

    unit: str
    cell: str
    count: int


def counts(unit: str) -> list[Remaining]:
    """The counts of the second enumeration, ``tests/corefbook/second_enumeration.c``, in one unit.

    >>> counts("lists")[0]
    Remaining(unit='lists', cell='all', count=190268239)
    """
    text = (DATA / "lost_text" / "counts.txt").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return [Remaining(unit, cell, int(count)) for named, cell, count in rows if named == unit]


def how_many(
    text: Totals, largest: int, admits: Callable[[int, int], bool] = lambda k, q: True
) -> int:
    """How many profiles have classes of at most ``largest`` mentions, counted without listing.

    ``admits`` tells of a class with pronouns, by its size and their number, whether it may be.

    >>> text = Totals(mentions=8, classes=3, pronouns=3, pronoun_classes=2)
    >>> how_many(text, 8), how_many(text, 8, lambda k, q: 2 * q <= k)
    (3, 1)
    """
    import numpy

    others = text.classes - text.pronoun_classes
    part = numpy.zeros((text.pronoun_classes + 1, text.mentions + 1, text.pronouns + 1), int)
    rest = numpy.zeros((others + 1, text.mentions + 1), int)
    part[0, 0, 0] = rest[0, 0] = 1
    for k in range(2, min(largest, text.mentions) + 1):
        for q in (q for q in range(1, min(k, text.pronouns + 1)) if admits(k, q)):
            for m in range(text.pronoun_classes):
                part[m + 1, k:, q:] += part[m, : text.mentions + 1 - k, : text.pronouns + 1 - q]
        for m in range(others):
            rest[m + 1, k:] += rest[m, : text.mentions + 1 - k]
    with_pronouns = part[-1, :, -1]
    return sum(int(a) * int(b) for a, b in zip(with_pronouns, rest[-1, ::-1], strict=True))


def main() -> None:
    """Print the profiles that `stored` reads, with a progress bar if tqdm is installed."""
    try:
        from tqdm import tqdm as progress  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        progress = iter
    cells = without(printed_cells(), "6", *NAMES["xc"])
    for profile in search(MUC6, cells, progress=progress):
        print(notation(profile))


if __name__ == "__main__":
    main()
