"""Sections 1 to 3: referring acts, and what the paper counts on its sample text.

A class is named as the paper names it, K1 or R2. ``side`` says of which score: "key" of recall,
"response" of precision. What the paper calls an RE is a mention, a class an entity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product, zip_longest

from corefbook.enumeration import profiles
from corefbook.ledger import Example, Figures, Search, load, matches
from corefbook.papers.baldwin1998 import credit, share
from corefbook.papers.counted import how_many_entities, named, names, p, size
from corefbook.papers.popescubelis.cells import NAME, recomputed
from corefeval.measures.core_classes import Exclusive
from corefeval.measures.kappa import Agreement
from corefeval.overlap.partition import Mention, Partition
from corefeval.score import Pair, Tally
from corefeval.scoring import metric


def score(example: Example, measure: str):
    """Score an example by the paper's conventions: 0/0 is 1."""
    return metric(measure, zero="one")(example.key, example.response)


# ----------------------------------------------------------------------- 1.3: referring acts


def kinds_of_error(example: Example) -> str:
    """The errors of the last referring act with respect to those before it."""
    return errors_of(example.given["acts"])


def errors_of(acts: str) -> str:
    """The errors of the last of some referring acts.

    "2b" is an act for which the sender activates the MR 2 and the receiver the MR b.

    >>> errors_of("1a 1b"), errors_of("1a 2a"), errors_of("1a 2b")
    ('r-error', 'p-error', 'none')
    """
    *before, (sender, receiver) = (tuple(act) for act in acts.split())
    occurring = {
        "r-error": any(s == sender and r != receiver for s, r in before),
        "p-error": any(s != sender and r == receiver for s, r in before),
    }
    return " and ".join(kind for kind, occurs in occurring.items() if occurs) or "none"


ACTS = tuple(map("".join, product("12", "ab")))
"""The sender activates the MR 1 or another, the receiver the MR a or another."""


def no_double_error(preceding: int) -> Search:
    """Whether no referring act makes both errors if fewer than so many precede it."""
    tried = [" ".join(acts) for n in range(preceding) for acts in product(ACTS, repeat=n + 1)]
    double = [" ".join(acts) for acts in product(ACTS, repeat=preceding + 1)]
    wrong = [acts for acts in tried if errors_of(acts).count("error") == 2]
    if not any(errors_of(acts).count("error") == 2 for acts in double):
        wrong.append(f"none with {preceding} before it makes both")
    return Search(len(tried), "sequences of fewer referring acts", "".join(wrong[:1]))


# --------------------------------------------------------------------- 1.4: five errors or one


def errors(example: Example, measure: str = "muc", side: str = "key") -> int:
    """How many errors a measure counts, of recall or of precision: total less hits."""
    counted = _tally(example, measure, side)
    assert isinstance(counted.total, int) and isinstance(counted.hits, int)
    return counted.total - counted.hits


def who_splits(example: Example) -> str:
    """In which of the two more than one MR is activated by the ten referring acts."""
    who = {"speaker": len(example.key), "receiver": len(example.response)}
    return "activated in the " + " and ".join(name for name, mrs in who.items() if mrs > 1)


# --------------------------------------------------------------------------- Table 1, section 3.1


def letters_of_classes(example: Example) -> str:
    """The letters by which the classes of key and response are called."""
    letters = dict.fromkeys(f"{of[0]}{'i' if of[0] == 'K' else 'j'}" for of in named(example))
    return " and ".join(letters)


def across(example: Example, of: str) -> dict[str, list[Mention]]:
    """The fragments of a class, by the name of the class of the other side that has them."""
    mine = named(example)[of]
    parts = {
        name: [mention for mention in mine if mention in there]
        for name, there in named(example).items()
        if name[0] != of[0]
    }
    return {name: part for name, part in parts.items() if part}


def how_many_mentions(example: Example) -> int:
    """How many REs there are."""
    return len(example.key.mentions | example.response.mentions)


def spread(example: Example, of: str) -> frozenset[str]:
    """The classes that hold the fragments: π*(K), DEF.2, or σ*(R), DEF.4."""
    return frozenset(across(example, of))


def name_of_projection(example: Example, of: str) -> str:
    """Which of σ(R) and σ*(R) has no REs but those of R."""
    holders = {m for name in spread(example, of) for m in named(example)[name]}
    candidates = {f"σ({of})": p(example, of).mentions, f"σ*({of})": frozenset(holders)}
    return " or ".join(n for n, res in candidates.items() if res <= set(named(example)[of]))


# ------------------------------------------------------------------------- 3.2: MUC, 3.5: cores


def reconnecting(example: Example, of: str, label: str = "RE") -> str:
    """Two REs whose link joins the fragments of a class: the last of one, the first of the next."""
    before, behind = across(example, of).values()
    return f"{label}{before[-1]} and {label}{behind[0]}"


def core_class(example: Example, of: str) -> str:
    """The core class, DEF.12: that of the other side with most REs of a class; first of equals."""
    return max(across(example, of).items(), key=lambda part: len(part[1]))[0]


def core(example: Example, of: str, label: str = "RE") -> frozenset[str]:
    """The core fragment of a class: its largest one, DEF.11."""
    return frozenset(
        f"{label}{mention}" for mention in across(example, of)[core_class(example, of)]
    )


def core_size(example: Example, of: str) -> int:
    """How many REs the core fragment of a class has."""
    return len(core(example, of))


def outside_core(example: Example, of: str, label: str = "RE") -> str:
    """The REs of a class that are outside its core."""
    inside = across(example, of)[core_class(example, of)]
    *most, last = (f"{label}{mention}" for mention in named(example)[of] if mention not in inside)
    return f"{', '.join(most)} and {last}" if most else last


def core_errors(example: Example, of: str) -> int:
    """How many errors C counts for a class, or for several: REs outside the core."""
    return sum(size(example, name) - core_size(example, name) for name in of.split())


# ---------------------------------------------------------------------------- Table 2: κ

CELLS = ("both", "response_only", "key_only", "neither")
"""What κ counts: a, b, c and d of its formulas."""


def identity(example: Example, of: str) -> str:
    """The fraction of the four counts that is a MUC score."""
    counts = _agreement(example)
    letter = dict(zip("abcd", counts, strict=True))
    wanted = _tally(example, "muc", "key" if of == "recall" else "response")
    fractions = [
        f"{x}/({x}+{y})"
        for x, y in permutations(letter, 2)
        if Tally(letter[x], letter[x] + letter[y]) == wanted
    ]
    return " or ".join(fractions)


def all_links(example: Example) -> str:
    """The sum of counts that is the number of links of a tree of all REs, |E| − 1."""
    tree = how_many_mentions(example) - 1
    return "+".join("abcd") if counted_links(example) == tree else "another sum"


def counted_links(example: Example) -> int:
    """What a, b, c and d are together."""
    return sum(_agreement(example))


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
    """The letters of a row of the table: links that exist in P_R2, or do not

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
        f"on the sample text the places give a = {a}, b = {b}, d = {d}, c = {c}. Then a/(a+c) is "
        f"{Tally(a, a + c)} where MRS is {recall}, and the agreement a + d would count the {d} "
        f"links of one side only, but not the {c} links that neither side makes"
    )


# ----------------------------------------------------------------------------------- 3.4: B³


def found_whole(example: Example, of: str) -> bool:
    """Whether the B³ recall of all REs of these classes is 1."""
    res = (mention for name in of.split() for mention in named(example)[name])
    return all(share(example, mention) == 1 for mention in res)


def class_normalisers() -> str:
    """What BRS' and BPS' of DEF.10 have to be divided by if classes have the same weight."""
    return " and ".join(map(class_normaliser, ("key", "response")))


def class_normaliser(side: str) -> str:
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
        f"as printed, a perfect response to the sample text gets {got} = {float(got):.0%}. The "
        f"response of Figure 2 of Baldwin et al. then has a precision of "
        f"{_divided(camp, 'response', '1/|E|')}, where they print {_by_classes(camp, 'response')}"
    )


def _by_classes(example: Example, side: str) -> Fraction:
    return Fraction(_tally(example, "b3_class", side).ratio(Fraction(1)))


def _divided(example: Example, side: str, normaliser: str) -> Fraction:
    """Σ (|R∩K| / |K|)², or / |R|, times 1/|E|, 1/|P_K| or 1/|P_R|."""
    classes = {"1/|P_K|": len(example.key), "1/|P_R|": len(example.response)}
    squares = Fraction(_tally(example, "b3_class", side).hits)
    return squares / classes.get(normaliser, how_many_mentions(example))


# ----------------------------------------------------------------------------------- 3.5.4: XC


def exclusive_cores(example: Example) -> dict[str, str]:
    """xc*(K) of each key class in the order in which they are assigned; ∅ if it is taken."""
    core_of: dict[str, str] = {}
    for name in sorted(names(example, "key"), key=lambda name: -size(example, name)):
        best = core_class(example, name)
        core_of[name] = "∅" if best in core_of.values() else best
    return core_of


def distinct_exclusive_cores(example: Example) -> bool:
    """Whether different key classes have different exclusive core classes."""
    cores = list(exclusive_cores(example).values())
    return len(set(cores)) == len(cores)


def other_precision(example: Example, printed: str) -> str:
    """What the usual precision, of the REs in exclusive core classes, would be."""
    counts: Exclusive = score(example, "xc").counts
    correct, incorrect, mentions = counts
    usual = Fraction(correct, correct + incorrect)
    return (
        f"{correct} correct and {incorrect} incorrect of {mentions}: XPS is 1 less the "
        f"incorrect over |E|; correct/(correct + incorrect) would be {float(usual):.0%}"
    )


# ------------------------------------------------------------------------------------- 3.7: DMT


def sizes(example: Example, side: str = "key") -> str:
    """The sizes of the classes in descending order, filled up with zeros in quotes."""
    paired = list(zip_longest(*map(_descending, (example.key, example.response))))
    column = [pair[0 if side == "key" else 1] for pair in paired]
    return f"({', '.join('‘0’' if n is None else str(n) for n in column)})"


def distance(example: Example) -> int:
    """The distance between the sorted sizes of key and response."""
    return _distance(_descending(example.key), _descending(example.response))


@cache
def extremes(mentions: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The largest distance of two lists of sizes of so many REs, and the two that have it."""
    lists_of_sizes = list(profiles(mentions))
    return max((_distance(a, b), a, b) for a in lists_of_sizes for b in lists_of_sizes)


def largest_distance(example: Example) -> int:
    """The largest distance between two lists of sizes of as many REs."""
    return extremes(how_many_mentions(example))[0]


def farthest(example: Example) -> str:
    """The two lists of sizes that are farthest apart."""
    mentions = how_many_mentions(example)
    _, a, b = extremes(mentions)
    zeros = (0,) * (max(len(a), len(b)) - len(a))
    return f"{_abridged(a + zeros)} and {_abridged(b)}"


NORMALISERS: dict[str, Callable[[int], int]] = {
    "1/|E|": lambda e: e,
    "1/(|E| - 1)": lambda e: e - 1,
    "1/(2·|E|)": lambda e: 2 * e,
    "1/(2·(|E| - 1))": lambda e: 2 * (e - 1),
}


def distance_normaliser() -> str:
    """What the distance has to be multiplied by to give rows 1 to 3 of Table 3."""
    cells = recomputed("Table 3", "dmt.value")
    fitting = (
        name
        for name, normaliser in NORMALISERS.items()
        if all(matches(text, _dmt(example, normaliser)) for example, text in cells)
    )
    return " or ".join(fitting)


def other_normalisers(example: Example | None, printed: str) -> str:
    """What the normalisers give for the three rows."""
    cells = recomputed("Table 3", "dmt.value")
    shown = (
        f"{name} gives {', '.join(f'{float(_dmt(e, n)):.0%}' for e, _ in cells)}"
        for name, n in NORMALISERS.items()
    )
    return f"rows 1 to 3 are printed {', '.join(t for _, t in cells)}. {'. '.join(shown)}"


def padding() -> str:
    """From which index on Ki has to be empty to give the example's distance

    Tried: from the number of classes on, or behind it.
    """
    example = load(NAME).examples["sample"]
    k, r = _descending(example.key), _descending(example.response)
    distance_by = {">": _distance(k, r), "≥": _distance(k[:-1], r[:-1])}
    fits = [
        sign
        for sign, d in distance_by.items()
        if 1 - Fraction(d, 32) == score(example, "dmt").exact.value
    ]
    return f"i {' or '.join(fits)} |P_K|"


def padded_as_printed(example: Example | None, printed: str) -> str:
    sample = load(NAME).examples["sample"]
    k, r = _descending(sample.key), _descending(sample.response)
    return (
        f"as printed, the last class of either side would be emptied: sizes {k[:-1]} and {r[:-1]}, "
        f"at a distance of {_distance(k[:-1], r[:-1])}, not {_distance(k, r)}"
    )


def positions(example: Example, larger: str, named: str) -> str:
    """Where the sorted classes of one side are the larger ones

    The name of a class that this side does not have is in quotes.
    """
    there = len(example.key if named == "K" else example.response)
    surplus = [(r - k) * (1 if larger == "R" else -1) for k, r in _paired(example)]
    places = [i for i, more in enumerate(surplus, 1) if more > 0]
    return " and ".join(f"{named}{i}" if i <= there else f"‘{named}{i}’" for i in places)


def _dmt(example: Example, normaliser: Callable[[int], int]) -> Fraction:
    return 1 - Fraction(distance(example), normaliser(how_many_mentions(example)))


def _descending(partition: Partition) -> tuple[int, ...]:
    return tuple(sorted(partition.sizes, reverse=True))


def _paired(example: Example) -> list[tuple[int, int]]:
    sides = _descending(example.key), _descending(example.response)
    return list(zip_longest(*sides, fillvalue=0))


def _distance(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(abs(k - r) for k, r in zip_longest(a, b, fillvalue=0))


def _abridged(listed: Sequence[int]) -> str:
    """Write sizes with dots for what is repeated: (17, 0, ..., 0).

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


def _tally(example: Example, measure: str, side: str) -> Tally:
    counts: Pair = score(example, measure).counts
    return counts.recall if side == "key" else counts.precision


def _agreement(example: Example) -> Agreement:
    counts: Agreement = score(example, "kappa").counts
    return counts


# ------------------------------------------------------------------ Figures of one expression

FIGURES: Figures = {
    "avoids_p_error": (
        "Whether the last referring act makes no p-error",
        lambda example: "p-error" not in kinds_of_error(example),
    ),
    "how_many_errors": (
        "How many kinds of error the last referring act makes",
        lambda example: kinds_of_error(example).count("error"),
    ),
    "possibilities": (
        "How many second referring acts there can be",
        lambda example: len({f"{example.given['acts']} {act}" for act in ACTS}),
    ),
    "wrong_possibilities": (
        "How many of the second referring acts are errors",
        lambda each: sum("error" in errors_of(f"{each.given['acts']} {act}") for act in ACTS),
    ),
    "members": (
        "The REs of a class",
        lambda example, of: ", ".join(map(str, named(example)[of])),
    ),
    "rate": (
        "Coreference rate: how many REs there are for a class",
        lambda each, side="key": Tally(how_many_mentions(each), how_many_entities(each, side)),
    ),
    "error_rate": (
        "The share of errors: MRE and its like",
        lambda each: Tally(errors(each), _tally(each, "muc", "key").total),
    ),
    "same_core_classes": (
        "Whether the classes of each pair have the same core class",
        lambda each, pairs: all(core_class(each, a) == core_class(each, b) for a, b in pairs),
    ),
    "how_many_credits": (
        "How many different B³ scores the REs of a class have",
        lambda each, of: len({credit(each, mention) for mention in named(each)[of]}),
    ),
    "exclusive_core": (
        "The exclusive core class of a key class; ∅ if it is taken",
        lambda example, of: exclusive_cores(example)[of],
    ),
    "order_of_assignment": (
        "The key classes in the order in which the algorithm takes them",
        lambda example: ", ".join(exclusive_cores(example)),
    ),
    "distance_terms": (
        "The terms of the distance, response sizes first",
        lambda example: " + ".join(f"|{r}-{k}|" for k, r in _paired(example)),
    ),
    "relative_distance": (
        "The distance over the largest one",
        lambda example: Tally(distance(example), largest_distance(example)),
    ),
}
