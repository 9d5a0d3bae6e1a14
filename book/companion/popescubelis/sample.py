"""Sections 1 to 3: referring acts, and what the paper counts on its sample text.

A class is named as the paper names it, K1 or R2. ``side`` says of which score: "key" of recall,
"response" of precision. What the paper calls an RE is a mention, a class an entity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product, zip_longest

from companion.baldwin1998 import credit
from companion.ledger import WORDS, Example, load
from companion.popescubelis.cells import NAME, holds, recomputed
from corefeval.contingency import Contingency
from corefeval.measures.core_classes import Exclusive
from corefeval.measures.kappa import Agreement
from corefeval.partition import Mention, Partition
from corefeval.registry import metric
from corefeval.score import Pair, Tally, f1


def score(example: Example, measure: str):
    """By the paper's conventions: 0/0 is 1."""
    return metric(measure, zero="one")(example.key, example.response)


# ----------------------------------------------------------------------- 1.3: referring acts


def kinds_of_error(acts: str) -> str:
    """The errors of the last referring act with respect to those before it.

    "2b" is an act for which the sender activates the MR 2 and the receiver the MR b.

    >>> kinds_of_error("1a 1b"), kinds_of_error("1a 2a"), kinds_of_error("1a 2b")
    ('r-error', 'p-error', 'none')
    """
    *before, (sender, receiver) = (tuple(act) for act in acts.split())
    found = {
        "r-error": any(s == sender and r != receiver for s, r in before),
        "p-error": any(s != sender and r == receiver for s, r in before),
    }
    return " and ".join(kind for kind, occurs in found.items() if occurs) or "none"


def how_many_errors(acts: str) -> int:
    return kinds_of_error(acts).count("error")


def possibilities(wrong: bool = False) -> int:
    """What a second act can be after the act "1a": how many cases, or how many wrong ones."""
    seconds = [f"1a {sender}{receiver}" for sender, receiver in product("12", "ab")]
    return sum(how_many_errors(acts) > 0 for acts in seconds) if wrong else len(seconds)


def acts_before_a_double_error() -> int:
    """The least number of acts that must precede one with both errors."""
    acts = list(map("".join, product("12", "ab")))
    return next(
        n
        for n in range(4)
        if any(how_many_errors(" ".join(all_acts)) == 2 for all_acts in product(acts, repeat=n + 1))
    )


# --------------------------------------------------------------------- 1.4: five errors or one


def errors(example: Example, measure: str = "muc", side: str = "key") -> int:
    """Total less hits: what a measure counts as recall (precision) errors."""
    counted = _tally(example, measure, side)
    assert isinstance(counted.total, int) and isinstance(counted.hits, int)
    return counted.total - counted.hits


def who_splits(example: Example) -> str:
    """Which of the two activates more than one MR."""
    who = {"speaker": len(example.key), "receiver": len(example.response)}
    return " and ".join(name for name, mrs in who.items() if mrs > 1)


# --------------------------------------------------------------------------- Table 1, section 3.1


def classes(example: Example) -> dict[str, list[Mention]]:
    """The REs of every class by its name, K1, K2, …, R1, R2, …"""
    named = {f"K{i}": entity for i, entity in enumerate(example.key, 1)}
    return named | {f"R{j}": entity for j, entity in enumerate(example.response, 1)}


def across(example: Example, of: str) -> dict[str, list[Mention]]:
    """The fragments of a class, by the name of the class of the other side that has them."""
    mine = classes(example)[of]
    parts = {
        name: [mention for mention in mine if mention in there]
        for name, there in classes(example).items()
        if name[0] != of[0]
    }
    return {name: part for name, part in parts.items() if part}


def members(example: Example, of: str) -> str:
    """A class as Table 1 lists it."""
    return ", ".join(map(str, classes(example)[of]))


def how_many_mentions(example: Example) -> int:
    """|E|"""
    return len(example.key.mentions | example.response.mentions)


def how_many_classes(example: Example, side: str = "key") -> int:
    """|P_K| or |P_R|"""
    return len(example.key if side == "key" else example.response)


def size(example: Example, of: str) -> int:
    """|K| or |R|"""
    return len(classes(example)[of])


def letters_of_classes(example: Example) -> str:
    """The letters by which classes are called."""
    return " and ".join(
        dict.fromkeys(f"{name[0]}{'i' if name[0] == 'K' else 'j'}" for name in classes(example))
    )


def rate(example: Example, side: str = "key") -> Tally:
    """|E| / |P_K|, REs per class."""
    return Tally(how_many_mentions(example), how_many_classes(example, side))


def fragments(example: Example, of: str) -> Partition:
    """π(K), DEF.1, or σ(R), DEF.3."""
    return Partition(across(example, of).values())


def how_many_fragments(example: Example, of: str) -> int:
    """|π(K)| or |σ(R)|"""
    return len(across(example, of))


def projects_as(example: Example, of: str) -> str:
    """The number of fragments as the paper says it."""
    n = how_many_fragments(example, of)
    return "single fragments" if n == 1 else f"divided in {WORDS[n]}"


def response_partition(example: Example) -> Partition:
    """P_R"""
    return example.response


def spread(example: Example, of: str) -> frozenset[str]:
    """π*(K), DEF.2, or σ*(R), DEF.4: the classes that hold the fragments."""
    return frozenset(across(example, of))


def name_of_projection(example: Example, of: str) -> str:
    """Which of σ(R) and σ*(R) is made of REs of R alone, as the projection of R is."""
    holders = {m for name in spread(example, of) for m in classes(example)[name]}
    candidates = {f"σ({of})": fragments(example, of).mentions, f"σ*({of})": frozenset(holders)}
    return " or ".join(n for n, res in candidates.items() if res <= set(classes(example)[of]))


# -------------------------------------------------------------------------------- 2.3: f-measure


def f_formula() -> str:
    """The formula of the f-measure, if it gives `f1` for all r and p in steps of a tenth."""
    tenths = [Fraction(n, 10) for n in range(11)]
    same = all(
        f1(r, p) == (2 / (1 / r + 1 / p) if r and p else 0) for r, p in product(tenths, repeat=2)
    )
    return "2 / (1/r + 1/p), or 0 if r = 0 or p = 0" if same else "another"


def nearer() -> str:
    """To which of two different scores the f-measure is nearer."""
    tenths = [Fraction(n, 10) for n in range(11)]
    lower = all(f1(r, p) - r < p - f1(r, p) for r in tenths for p in tenths if r < p)
    return "the lower value of the two scores" if lower else "either"


# ------------------------------------------------------------------------- 3.2: MUC, 3.5: cores


def wrong_by_class(example: Example, side: str = "key", by: str = "+") -> str:
    """Σ |π(K)| − 1 as the paper writes it out."""
    return f"({by.join(str(missed_links(example, of)) for of in _names(example, side))})"


def possible_by_class(example: Example, side: str = "key", by: str = "+") -> str:
    """Σ |K| − 1 as the paper writes it out."""
    return f"({by.join(str(possible_errors(example, of)) for of in _names(example, side))})"


def missed_links(example: Example, of: str) -> int:
    """|π(K)| − 1: the errors of a class by MUC."""
    return how_many_fragments(example, of) - 1


def missed(example: Example, of: str) -> str:
    """The same as the paper says it."""
    n = missed_links(example, of)
    return "a single link" if n == 1 else f"{WORDS[n]} links"


def possible_errors(example: Example, of: str) -> int:
    """|K| − 1"""
    return size(example, of) - 1


def reconnecting(example: Example, of: str) -> str:
    """A link that would join the two fragments of a class: the last of one, the first of the next.

    REs are here called ERs, as the paper does where it names this link.
    """
    first, second = across(example, of).values()
    return f"ER{first[-1]} and ER{second[0]}"


def error_rate(example: Example, measure: str = "muc", side: str = "key") -> Tally:
    """MRE and its like."""
    return Tally(errors(example, measure, side), _tally(example, measure, side).total)


def core_class(example: Example, of: str) -> str:
    """c*(K), DEF.12: the class of the other side that holds most of it; the first of equals."""
    return max(across(example, of).items(), key=lambda part: len(part[1]))[0]


def core(example: Example, of: str) -> Partition:
    """{c(K)}, DEF.11"""
    return Partition([across(example, of)[core_class(example, of)]])


def core_size(example: Example, of: str) -> int:
    """|c(K)|"""
    return len(core(example, of).mentions)


def outside_core(example: Example, of: str, label: str = "RE") -> str:
    """The REs of a class that are outside its core, as the paper lists them."""
    inside = core(example, of).mentions
    named = [f"{label}{mention}" for mention in classes(example)[of] if mention not in inside]
    *most, last = named
    return f"{', '.join(most)} and {last}" if most else last


def core_errors(example: Example, of: str) -> int:
    """|K| − |c(K)|: the errors of a class by C."""
    return size(example, of) - core_size(example, of)


def shared_core_classes(example: Example) -> str:
    """The key classes that have the same core class."""
    users: dict[str, list[str]] = {}
    for name in _names(example, "key"):
        users.setdefault(core_class(example, name), []).append(name)
    return ", ".join(" and ".join(names) for names in users.values() if len(names) > 1)


# ---------------------------------------------------------------------------- Table 2: κ

CELLS = ("both", "response_only", "key_only", "neither")
"""What κ counts: a, b, c and d of its formulas."""


def identity(example: Example, of: str) -> str:
    """The one fraction x/(x+y) of the counts that has a MUC score's numerator and denominator."""
    counts = _agreement(example)
    named = {letter: getattr(counts, cell) for letter, cell in zip("abcd", CELLS, strict=True)}
    wanted = _tally(example, "muc", "key" if of == "recall" else "response")
    found = [
        f"{x}/({x}+{y})"
        for x, y in permutations(named, 2)
        if Tally(named[x], named[x] + named[y]) == wanted
    ]
    return " or ".join(found)


def all_links(example: Example) -> str:
    """Whether the four counts add up to the |E| − 1 links of a tree of all REs."""
    counts = _agreement(example)
    together = sum(getattr(counts, cell) for cell in CELLS)
    return "a+b+c+d" if together == how_many_mentions(example) - 1 else "another sum"


def letters(example: Example) -> dict[str, str]:
    """What a, b, c and d must count for the three identities of section 3.3 to hold."""
    counts = _agreement(example)
    muc = tuple(_tally(example, "muc", side) for side in ("key", "response"))
    (only,) = (
        dict(zip("abcd", cells, strict=True))
        for cells in permutations(CELLS)
        for a, b, c, _ in [[getattr(counts, cell) for cell in cells]]
        if (Tally(a, a + c), Tally(a, a + b)) == muc
    )
    return only


def row_of_table_2(example: Example, exists: bool) -> str:
    """The letters of the links that exist, or not, in the row's partition.

    The column's partition is the one whose links are a + c, the row's the one whose are a + b.
    """
    where = {cell: letter for letter, cell in letters(example).items()}
    cells = ("both", "response_only") if exists else ("key_only", "neither")
    return " ".join(where[cell] for cell in cells)


def table_2_as_printed(example: Example, printed: str) -> str:
    """What the order of the bottom row as it is printed leads to."""
    counts, recall = _agreement(example), _tally(example, "muc", "key")
    a, b = counts.both, counts.response_only
    d, c = counts.key_only, counts.neither
    return (
        f"on the sample text the places give a = {a}, b = {b}, d = {d}, c = {c}; then a/(a+c) is "
        f"{Tally(a, a + c)} where MRS is {recall}, and the agreement a + d would count the {d} "
        f"links of one side only, but not the {c} that neither side makes"
    )


# ----------------------------------------------------------------------------------- 3.4: B³


def credit_of_all(example: Example, of: str, side: str = "key") -> Tally:
    """The credit that all REs of a class have."""
    (only,) = {credit(example, mention, side) for mention in classes(example)[of]}
    return only


def how_many_credits(example: Example, of: str, side: str = "key") -> int:
    """How many different credits the REs of a class have."""
    return len({credit(example, mention, side) for mention in classes(example)[of]})


def class_normaliser(side: str = "key") -> str:
    """Which 1/… of the paper's numbers gives the B³ of classes of equal weight (DEF.10).

    Tried on the examples of Baldwin et al. 1998, whose figures b3_class reproduces, and on perfect
    responses, whose score has to be 1.
    """
    perfect = Example("perfect", {"key": "{a b} {c}", "response": "{a b} {c}"})
    camp = [e for e in load("baldwin1998").examples.values() if e.key.mentions]
    tried = [perfect, *camp]
    fitting = [
        name
        for name in ("1/|E|", "1/|P_K|", "1/|P_R|")
        if all(_by_classes(e, side) == _divided(e, side, name) for e in tried)
    ]
    return " or ".join(fitting)


def perfect_by_def_10(example: Example | None, printed: str) -> str:
    """What a perfect response to the sample text would get."""
    sample = load(NAME).examples["sample"]
    perfect = Example("", {"key": sample.given["key"], "response": sample.given["key"]})
    got = _divided(perfect, "key", "1/|E|")
    camp = load("baldwin1998").examples["example-1"]
    return (
        f"as printed, a perfect response to the sample text gets {got} = {float(got):.0%}, and the "
        f"response of Figure 2 of Baldwin et al. "
        f"{_divided(camp, 'response', '1/|E|')} in precision for their "
        f"{_by_classes(camp, 'response')}"
    )


def _by_classes(example: Example, side: str) -> Fraction:
    found = metric("b3_class")(example.key, example.response)
    score = found.recall if side == "key" else found.precision
    assert isinstance(score, Fraction)
    return score


def _divided(example: Example, side: str, normaliser: str) -> Fraction:
    """Σ (|R∩K| / |K|)², or / |R|, times 1/|E|, 1/|P_K| or 1/|P_R|."""
    t = Contingency.of(example.key, example.response)
    t = t if side == "key" else t.T
    classes = {"1/|P_K|": len(example.key), "1/|P_R|": len(example.response)}
    squares = t.sum(lambda n, k, r: Fraction(n * n, k * k))
    return squares / classes.get(normaliser, how_many_mentions(example))


# ----------------------------------------------------------------------------------- 3.5.4: XC


def exclusive_cores(example: Example) -> dict[str, str]:
    """xc*(K) of each key class in the order in which they are assigned; ∅ if it is taken."""
    found: dict[str, str] = {}
    for name in sorted(_names(example, "key"), key=lambda name: -size(example, name)):
        best = core_class(example, name)
        found[name] = "∅" if best in found.values() else best
    return found


def exclusive_core(example: Example, of: str) -> str:
    """xc*(K)"""
    return exclusive_cores(example)[of]


def order_of_assignment(example: Example) -> str:
    """The key classes from the largest to the smallest."""
    *most, last = exclusive_cores(example)
    return f"{', then '.join(most)} and {last}"


def distinctness(example: Example) -> str:
    """Whether different key classes have different exclusive core classes."""
    found = list(exclusive_cores(example).values())
    if len(set(found)) == len(found):
        return "always distinct"
    real = [name for name in found if name != "∅"]
    return "distinct or empty" if len(set(real)) == len(real) else "shared"


def other_precision(example: Example, printed: str) -> str:
    """What the usual precision, of the REs in exclusive core classes, would be."""
    counts = score(example, "xc").counts
    assert isinstance(counts, Exclusive)
    correct, incorrect = counts.core
    usual = Fraction(correct, correct + incorrect)
    return (
        f"{correct} correct and {incorrect} incorrect of {counts.mentions}: XPS is 1 less the "
        f"incorrect over |E|; correct/(correct + incorrect) would be {float(usual):.0%}"
    )


# ------------------------------------------------------------------------------------- 3.7: DMT


def sizes(example: Example, side: str = "key") -> str:
    """The sizes in descending order, filled up with zeros in quotes."""
    paired = list(zip_longest(*map(_descending, (example.key, example.response))))
    column = [pair[0 if side == "key" else 1] for pair in paired]
    return f"({', '.join('‘0’' if n is None else str(n) for n in column)})"


def distance_terms(example: Example) -> str:
    """||R_i| − |K_i|| as the paper writes them out: the larger response sizes first."""
    return " + ".join(f"|{r}-{k}|" for k, r in _paired(example))


def distance(example: Example) -> int:
    return _distance(_descending(example.key), _descending(example.response))


@cache
def extremes(mentions: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The largest distance of two lists of sizes of so many REs, and the two that have it."""
    found = list(_profiles(mentions, mentions))
    return max((_distance(a, b), a, b) for a in found for b in found)


def largest_distance(example: Example) -> int:
    return extremes(how_many_mentions(example))[0]


def farthest(example: Example) -> str:
    """The two lists of sizes that are farthest apart."""
    mentions = how_many_mentions(example)
    _, a, b = extremes(mentions)
    zeros = (0,) * (max(len(a), len(b)) - len(a))
    return f"{_abridged(a + zeros)} and {_abridged(b)}"


def relative_distance(example: Example) -> Tally:
    return Tally(distance(example), largest_distance(example))


NORMALISERS: dict[str, Callable[[int], int]] = {
    "1/|E|": lambda e: e,
    "1/(|E| - 1)": lambda e: e - 1,
    "1/(2·|E|)": lambda e: 2 * e,
    "1/(2·(|E| - 1))": lambda e: 2 * (e - 1),
}


def distance_normaliser() -> str:
    """Which normaliser of the distance gives the DMT cells of Table 3, rows 1 to 3."""
    cells = recomputed("Table 3", "dmt.value")
    found = (
        name
        for name, normaliser in NORMALISERS.items()
        if all(holds(text, _dmt(example, normaliser)) for example, text in cells)
    )
    return " or ".join(found)


def other_normalisers(example: Example | None, printed: str) -> str:
    """What the normalisers give for the three rows."""
    cells = recomputed("Table 3", "dmt.value")
    shown = (
        f"{name} gives {', '.join(f'{float(_dmt(e, n)):.0%}' for e, _ in cells)}"
        for name, n in NORMALISERS.items()
    )
    return f"for rows 1 to 3, printed {', '.join(t for _, t in cells)}: {'; '.join(shown)}"


def padding() -> str:
    """From which index on K_i and R_i have to be empty for the example's distance and size lists.

    Tried: from the number of classes on, or behind it.
    """
    example = load(NAME).examples["sample"]
    k, r = _descending(example.key), _descending(example.response)
    found = {">": _distance(k, r), "≥": _distance(k[:-1], r[:-1])}
    fits = [sign for sign, d in found.items() if 1 - Fraction(d, 32) == score(example, "dmt").value]
    return f"i {' or '.join(fits)} |P_K|"


def padded_as_printed(example: Example | None, printed: str) -> str:
    sample = load(NAME).examples["sample"]
    k, r = _descending(sample.key), _descending(sample.response)
    return (
        f"as printed, the last class of either side would be emptied: sizes {k[:-1]} and {r[:-1]}, "
        f"at a distance of {_distance(k[:-1], r[:-1])}, not {_distance(k, r)}"
    )


def positions(example: Example, larger: str, named: str) -> str:
    """Where the classes of one side, sorted by size, are the larger ones, by the names of a side.

    The name of a class that this side does not have is in quotes.
    """
    there = len(example.key if named == "K" else example.response)
    surplus = [(r - k) * (1 if larger == "R" else -1) for k, r in _paired(example)]
    found = [i for i, more in enumerate(surplus, 1) if more > 0]
    return " and ".join(f"{named}{i}" if i <= there else f"‘{named}{i}’" for i in found)


def _dmt(example: Example, normaliser: Callable[[int], int]) -> Fraction:
    return 1 - Fraction(distance(example), normaliser(how_many_mentions(example)))


def _descending(partition: Partition) -> tuple[int, ...]:
    return tuple(sorted(partition.sizes, reverse=True))


def _paired(example: Example) -> list[tuple[int, int]]:
    sides = _descending(example.key), _descending(example.response)
    return list(zip_longest(*sides, fillvalue=0))


def _distance(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(abs(k - r) for k, r in zip_longest(a, b, fillvalue=0))


def _profiles(mentions: int, most: int) -> Iterator[tuple[int, ...]]:
    """All lists of class sizes of so many REs, in descending order."""
    if not mentions:
        yield ()
    for first in range(min(mentions, most), 0, -1):
        for rest in _profiles(mentions - first, first):
            yield (first, *rest)


def _abridged(listed: Sequence[int]) -> str:
    """With dots for what is repeated: (17, 0, ..., 0).

    >>> _abridged([3, 0, 0, 0]), _abridged([2, 1])
    ('(3, 0, ..., 0)', '(2, 1)')
    """
    shown = [str(n) for n in listed]
    last = shown[-1]
    start = next(i for i in range(len(shown)) if set(shown[i:]) == {last})
    if len(shown) - start > 2:
        shown[start:] = [last, "...", last]
    return f"({', '.join(shown)})"


# --------------------------------------------------------------------------------------- Helpers


def _names(example: Example, side: str) -> list[str]:
    return [name for name in classes(example) if name[0] == side[0].upper()]


def _tally(example: Example, measure: str, side: str) -> Tally:
    counts = score(example, measure).counts
    assert isinstance(counts, Pair)
    return counts.recall if side == "key" else counts.precision


def _agreement(example: Example) -> Agreement:
    counts = score(example, "kappa").counts
    assert isinstance(counts, Agreement)
    return counts
