"""PROP.1 to PROP.13, and what else the paper says of all keys and responses.

A sentence about all of them is a search for a counterexample on every key and response of a few
mentions; the paper's own words are in its file in ``data/``. What is said to occur is true if it
occurs there. Scores are F1, or the value of a measure without F1, and 0/0 is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial, wraps
from itertools import product

from corefbook.enumeration import named_sides, profiles, tables, text, up_to, with_twinless
from corefbook.ledger import WORDS, Example, Figures, Search, load
from corefbook.papers.baldwin1998 import TOTAL_B3, reported
from corefbook.papers.popescubelis.cells import F_MEASURES, cell
from corefbook.papers.popescubelis.chance import agreement, kappa_of
from corefbook.papers.popescubelis.coherence import COMPARED, CRITERIA, no_zero
from corefbook.papers.popescubelis.exclusive import reachable
from corefbook.papers.popescubelis.propositions import (
    PROPOSITIONS,
    fragments,
    full_score,
    recall,
    same,
    score,
    without_key_singletons,
)
from corefbook.papers.vilain1995 import every_list_of_links
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition
from corefeval.overlap.twinless import completed
from corefeval.score import f1
from corefeval.scoring import metric

MOST = 6
"""The most mentions of a key and response that are searched here."""

AMONG = f"keys and responses of up to {WORDS[MOST]} mentions"
KEYS = f"keys of up to {WORDS[MOST]} mentions"

Holds = Callable[[Contingency], bool]
Statements = dict[str, tuple[str, Callable[..., bool]]]
"""What is said, and whether it holds of a case; by the names that the data have for it."""
TENTHS = [Fraction(n, 10) for n in range(11)]


def everywhere(holds: Holds) -> Search:
    """The search for a key and a response in which something does not hold."""
    return Search.of(AMONG, up_to(MOST), holds, text)


def somewhere(shows: Holds) -> bool:
    """Whether something occurs in a key and a response of a few mentions."""
    return any(map(shows, up_to(MOST)))


def first(shows: Holds) -> Contingency:
    """The smallest key and response in which something occurs."""
    return next(filter(shows, up_to(MOST)))


def both_sides(holds: Holds) -> Holds:
    """What is said of recall, of precision as well."""
    return wraps(holds)(lambda t: holds(t) and holds(t.T))


def links(t: Contingency) -> int:
    """|E| − |P_K|, as many links as the key needs."""
    return t.key_mentions - t.key_entities


def alone(t: Contingency) -> bool:
    """Whether the response is nothing but singletons: no resolution."""
    return t.T.key_entities == t.key_mentions


def together(t: Contingency) -> bool:
    """Whether the response is one entity: total grouping."""
    return t.T.key_entities == 1


def crude(t: Contingency) -> bool:
    """Total grouping for a key that is neither one entity nor nothing but singletons."""
    return together(t) and 1 < t.key_entities < t.key_mentions


# ------------------------------------------------------------------------- 2: criteria, f-measure


def criteria_met() -> str:
    """Which measures give all of the worst responses 0, by who is held to be the worst."""
    met = (
        f"{worst}: {', '.join(name for name, m in _by_name() if _gives_the_worst_zero(m, worst))}"
        for worst in WORST
    )
    return "; ".join(met)


@cache
def _gives_the_worst_zero(measure: str, worst: str) -> bool:
    return all(CRITERIA[f"4 {worst}"](measure, t) for t in up_to(MOST))


WORST = ("unresolved", "together", "no link")
"""Three answers to who the worst responses are, by their names in the criteria."""


def in_tenths(holds: Callable[[Fraction, Fraction], bool]) -> Search:
    """The search for two scores, in steps of a tenth, of which something does not hold."""
    return Search.of(
        "pairs of scores in steps of a tenth",
        product(TENTHS, TENTHS),
        lambda pair: holds(*pair),
        lambda pair: "r = {}, p = {}".format(*pair),
    )


# ------------------------------------------------------------------------------------ 3.1, 3.2: MUC


def parts_of_the_right_sets(t: Contingency) -> bool:
    """Whether fragments are subsets of the entity, and lie in entities of the other side."""
    key, response = (list(map(frozenset, side)) for side in named_sides(t))
    for these, others in ((key, response), (response, key)):
        for entity in these:
            cut = {entity & other for other in others} - {frozenset()}
            holders = {other for other in others if entity & other}
            if not all(part <= entity for part in cut) or not holders <= set(others):
                return False
    return True


def least_links() -> Search:
    """Whether |E| less the number of entities is the least number of links that make them."""
    least: dict[Partition, int] = {}
    for mentions in ("a", "ab", "abc", "abcd"):
        for made_by in every_list_of_links(mentions):  # shorter lists first
            least.setdefault(Partition.from_links(made_by, mentions), len(made_by))
    among = "partitions of up to four mentions, by all sets of links"
    return Search.of(among, least, lambda made: least[made] == len(made.mentions) - len(made))


@both_sides
def def_5_is_muc(t: Contingency) -> bool:
    """Whether DEF.5 gives the recall of Vilain et al., with missing links counted one by one."""
    missing = sum(len(cut) - 1 for cut in fragments(t))
    by_def_5, by_links = (t.key_mentions - len(t.pairs), links(t) - missing)
    return bool(by_def_5 == by_links == recall("muc", t) * links(t))


def zero_without_coreference(t: Contingency) -> bool:
    """Whether MUC is 0 if one side has singletons only, unless both do."""
    key, response = alone(t.T), alone(t)
    return not (key or response) or bool(score("muc", t) == (key and response))


def no_resolution_by_muc(t: Contingency) -> bool:
    """Whether no resolution has MUC recall 0 and precision 1, if the key has a link."""
    if not alone(t) or alone(t.T):
        return True
    return bool(recall("muc", t) == 0 == score("muc", t) and recall("muc", t.T) == 1)


def grouping_grows_with_the_rate(t: Contingency) -> bool:
    """Whether MUC of total grouping is the higher the fewer classes as many mentions are in."""
    if not together(t):
        return True
    fewer = (u for u in tables(t.key_mentions) if together(u) and u.key_entities < t.key_entities)
    return all(score("muc", u) > score("muc", t) for u in fewer)


def generous_muc_shown(example: Example | None, printed: str) -> str:
    """The smallest crude response above 0."""
    t = first(SOMEWHERE["generous_muc"][1])
    return f"{text(t)} has {score('muc', t)}, if total grouping is among the worst responses"


# -------------------------------------------------------------------------------------- 3.3: kappa

HALVES = Contingency.of(
    Partition.parse("{a b c d} {e f g h} {i} {j} {k}"),
    Partition.parse("{a b c d e f g h} {i} {j} {k}"),
)
"""Classes merged two by two beside singletons: here κ is above B³, C, XC and H."""


def kappa_below_muc() -> bool:
    """Whether F − κ = (b+c)(a+b)(a+c) / (s·D), so that κ is never above the MUC f-measure.

    With F = 2a/s, s = 2a+b+c, and κ = 2(ad−bc)/D, D = (a+b)(b+d) + (a+c)(c+d), this is the
    polynomial identity a·D − (ad−bc)·s = (b+c)(a+b)(a+c). Both sides have degree 3 at most in each
    letter, so that it holds everywhere if it does for four values of each. No factor is negative,
    even where d is: b+d = |P_K| − 1, c+d = |P_R| − 1, and a, b and c are numbers of links.
    """
    return all(
        a * ((a + b) * (b + d) + (a + c) * (c + d)) - (a * d - b * c) * (2 * a + b + c)
        == (b + c) * (a + b) * (a + c)
        for a, b, c, d in product(range(4), repeat=4)
    )


def perfect_kappa(t: Contingency) -> bool:
    """Whether κ, where DEF.7 gives a number, is 1 for perfect responses, and for no others."""
    kappa = kappa_of(t)
    return kappa is None or (kappa == 1) == same(t)


def same_but_kappa(known: Callable[[Contingency], object]) -> str | None:
    """Two tables that are alike in what is known, but not in κ."""
    table_of: dict[object, Contingency] = {}
    for t in sorted(up_to(MOST), key=lambda t: bool(score("muc", t) == 0)):  # scores above 0 first
        other = table_of.setdefault(known(t), t)
        if score("kappa", other) != score("kappa", t):
            return (
                f"for {text(other)} κ is {score('kappa', other)}, and for {text(t)} it is "
                f"{score('kappa', t)}. Both have MRS {recall('muc', t)} and MPS "
                f"{recall('muc', t.T)}"
            )
    return None


def kappa_is_comparable(example: Example | None, printed: str) -> str:
    """That κ is never above MUC, and above every other measure somewhere."""
    shown = (f"{name} {float(score(m, HALVES)):.3f}" for name, m in _by_name() if name != "κ")
    return (
        "with MUC it is so for every text: F − κ = (b+c)(a+b)(a+c) over a number that is not "
        f"negative, an identity that {'holds' if kappa_below_muc() else 'FAILS'}; not with the "
        f"others: {text(HALVES)} has κ {float(score('kappa', HALVES)):.3f}, {', '.join(shown)}"
    )


def _by_name() -> list[tuple[str, str]]:
    return [(name, quantity.partition(".")[0]) for name, quantity in F_MEASURES.items()]


# ----------------------------------------------------------------------------------------- 3.4: B³


def credits_by_overlap(t: Contingency) -> dict[tuple[int, int], set[tuple[Fraction, Fraction]]]:
    """The B³ recalls and precisions of the mentions in each Kᵢ∩Rⱼ, from sets (DEF.8)."""
    key, response = named_sides(t)
    credits: dict[tuple[int, int], set[tuple[Fraction, Fraction]]] = {}
    for mention, i in key.entity_of.items():
        j = response.entity_of[mention]
        k, r = (set(side.entities[n]) for side, n in ((key, i), (response, j)))
        credit = Fraction(len(k & r), len(k)), Fraction(len(k & r), len(r))
        credits.setdefault((i, j), set()).add(credit)
    return credits


@both_sides
def def_9_is_the_average(t: Contingency) -> bool:
    """Whether DEF.9 is the average of the mentions' scores by DEF.8."""
    key, response = named_sides(t)
    of = [
        Fraction(len(k & r), len(k))
        for k in map(set, key)
        for r in map(set, response)
        for _ in k & r
    ]
    return bool(sum(of) / len(of) == recall("b3", t))


def b3_stays_high() -> bool:
    """Whether there is a key to which no response gets a low B³: none below 1/2."""
    b3 = [score("b3", t) for t in tables(4) if [*t.key_sizes] == [2, 2]]
    return bool(min(b3) == Fraction(1, 2))


def low_scores_of_b3(example: Example | None, printed: str) -> str:
    """How low B³ gets for one key, and for ever larger ones."""
    in_words = []
    for n in (2, 10, 100):
        f1_score = metric("b3")(Partition([range(n)]), Partition([[i] for i in range(n)])).exact.f1
        if f1_score != Fraction(2, n + 1):
            raise ValueError(f"B³ of {n} mentions in one entity and as singletons is {f1_score}")
        in_words.append(f"{float(f1_score):.0%} for {n}")
    return (
        "no response to the key {a b} {c d} scores below 1/2; only if the key is free as well are "
        "there lower scores: one class of n mentions and a response of singletons have 2/(n+1), "
        + ", ".join(in_words)
    )


# -------------------------------------------------------------------------------------- 3.5: C, XC


def equal_in_table_4(example: Example | None, printed: str) -> str:
    """The rows of Table 4 in which C and MUC are the same."""
    both = ("muc.f1", "c.f1")
    rows = [n for n in "23456" if len({cell("Table 4", f"example-{n}", m) for m in both}) == 1]
    if not rows:
        raise AssertionError("C is below MUC in all of Table 4")
    return f"they are equal in examples {' and '.join(rows)} of Table 4"


def perfect_xc(t: Contingency) -> bool:
    """Whether XC is 1 for perfect responses alone, in both readings and however ties fall."""
    outcomes = reachable(t, "core") | reachable(t, "free")
    return all((outcome == (t.key_mentions, 0)) == same(t) for outcome in outcomes)


NAMES = {
    1: "upper limit",
    2: "lower limit",
    3: "direct lower limit",
    4: "reciprocal lower limit",
    5: "low scores",
    6: "relative indulgence / severity",
}
"""The coherence criteria of section 2.2 by their numbers."""


def criterion_number(name: str) -> int:
    """The number of a criterion in the list of section 2.2."""
    return next(number for number, called in NAMES.items() if called == name)


def criterion_broken_by_total_grouping() -> str:
    """Which criterion total grouping breaks by C, if it is among the worst responses

    The direct one says that what scores 0 is among the worst, the reciprocal one that all of the
    worst score 0.
    """
    name = "reciprocal lower limit" if score("c", first(crude)) > 0 else "direct lower limit"
    return f"{name} criterion ({criterion_number(name)})"


def grouping_by_c(example: Example | None, printed: str) -> str:
    """The smallest crude response, and its scores by C."""
    t = first(crude)
    return (
        f"of {text(t)} CRS is {recall('c', t)}, CPS {recall('c', t.T)}, and the f-measure "
        f"{score('c', t)}"
    )


def criterion_met_by_dmt() -> str:
    """Which criterion says that a score of 0 goes to the worst responses only

    DMT is 0 only between a single class and nothing but singletons.
    """
    zero = [t for t in up_to(MOST) if t.key_mentions > 1 and score("dmt", t) == 0]
    worst = all({t.key_entities, t.T.key_entities} == {1, t.key_mentions} for t in zero)
    name = "direct lower limit" if worst else "lower limit"
    return f"{name} criterion ({criterion_number(name)})"


# ------------------------------------------------------------------------------------------- 3.6: H


def no_resolution_by_h(example: Example | None, printed: str) -> str:
    """That "no resolution", which section 5.1 calls extremely crude, does not score 0."""
    t = first(lambda t: alone(t) and 1 < t.key_entities < t.key_mentions)
    shown = f"{text(t)} has {score('h', t):.2f}"
    return f"no resolution, which section 5.1 calls crude, is above 0: {shown}"


def _keys() -> Iterator[tuple[int, ...]]:
    """Sizes of the keys of several classes, of up to `MOST` mentions."""
    for n in range(2, MOST + 1):
        yield from (sizes for sizes in profiles(n) if len(sizes) > 1)


@cache
def classes_with_zero(sizes: tuple[int, ...]) -> frozenset[int]:
    """The numbers of response classes with which H can be 0 for a key of these sizes."""
    key = sorted(sizes)
    with_zero = (t for t in tables(sum(sizes)) if sorted(t.key_sizes) == key and score("h", t) == 0)
    return frozenset(t.T.key_entities for t in with_zero)


def keys_shown(example: Example | None, printed: str) -> str:
    """The smallest such key."""
    sizes = next(sizes for sizes in _keys() if classes_with_zero(sizes) == {1})
    return f"the smallest such key has classes of {' and '.join(map(str, sizes))}"


def h_is_neither_above_nor_below() -> bool:
    """Whether H is above, and below, each other measure somewhere."""
    tried = [*up_to(MOST), HALVES]
    others = [name for _, name in _by_name() if name != "h"]
    return all(
        any(score("h", t) > score(name, t) for t in tried)
        and any(score("h", t) < score(name, t) for t in tried)
        for name in others
    )


# --------------------------------------------------------------------------------------- 3.7: DMT


def classes_and_errors(t: Contingency) -> bool:
    """Whether MUC's recall errors exceed its precision errors by as much as |P_R| exceeds |P_K|."""
    counts = agreement(t)
    return counts.key_only - counts.response_only == t.T.key_entities - t.key_entities


def average_positions(key: tuple[int, ...], response: tuple[int, ...]) -> str:
    """Which group stands first on average, where |K| ≥ |R| ("key") or where |K| < |R|.

    >>> average_positions((4, 1, 1), (2, 2, 2))
    'key'
    """
    places = max(len(key), len(response))
    k, r = ((*sizes, *[0] * (places - len(sizes))) for sizes in (key, response))
    groups: dict[bool, list[int]] = {True: [], False: []}
    for place in range(places):
        groups[k[place] >= r[place]].append(place)
    if not all(groups.values()):
        return "neither"
    one, other = (Fraction(sum(group), len(group)) for group in groups.values())
    return "key" if one < other else "response" if other < one else "neither"


def more_classes_by_position() -> Search:
    """Whether more response classes follow from the average positions of section 3.7."""
    sizes = (pair for n in range(1, MOST + 1) for pair in product(profiles(n), repeat=2))
    return Search.of(
        f"pairs of sizes of up to {WORDS[MOST]} mentions",
        (pair for pair in sizes if average_positions(*pair) == "key"),
        lambda pair: len(pair[1]) > len(pair[0]),
        lambda pair: "sizes {} and {}".format(*pair),
    )


# ------------------------------------------------------------------------------ 4: generalizations

WITH_RECALL = ("muc", "b3", "c", "xc", "h")


def grouping_by_xc(example: Example | None, printed: str) -> str:
    """The smallest key for which XC is an exception."""
    t = first(lambda t: together(t) and recall("xc", t) < 1)
    return f"by XC recall is {recall('xc', t)} for {text(t)}"


def _all_in_full(part: str, kind: Holds, besides: str = "") -> Search:
    def lower(t: Contingency) -> list[str]:
        measures = [name for name in WITH_RECALL if name != besides]
        return [m for m in measures if getattr(full_score(m, t).exact, part) != 1]

    tried = filter(kind, up_to(MOST))
    return Search.of(KEYS, tried, lambda t: not lower(t), lambda t: f"{lower(t)[0]} for {text(t)}")


def recall_without_response_singletons(t: Contingency) -> Fraction:
    """DEF.5 without the fragments that are singletons of the response."""
    kept = sum(t.response_sizes[j] > 1 for _, j in t.pairs)
    return Fraction(t.key_mentions - kept, links(t)) if links(t) else Fraction(1)


def response_singletons_shown(example: Example | None, printed: str) -> str:
    """The smallest case, which leaves the range of recall."""
    t = first(SOMEWHERE["response_singletons_count"][1])
    by_def_5 = recall_without_response_singletons(t)
    return f"without them DEF.5 would be {by_def_5} for {text(t)}, where MRS is {recall('muc', t)}"


def keeps(measure: str) -> Holds:
    """Whether recall (or κ) is the same without the key's singletons and their mentions."""
    of = score if measure == "kappa" else recall
    return lambda t: bool(of(measure, without_key_singletons(t)) == of(measure, t))


def singletons_matter(measures: list[str]) -> bool:
    """Whether each of these measures changes somewhere without the key's singletons."""
    return not any(all(map(keeps(measure), _with_singletons())) for measure in measures)


def _with_singletons() -> list[Contingency]:
    """Tables whose key has singletons, and other entities."""
    return [t for t in up_to(MOST) if min(t.key_sizes) == 1 < max(t.key_sizes)]


def singletons_shown(example: Example | None, printed: str) -> str:
    """Where the recall of B³, XC and H changes."""
    shown = []
    for measure in ("b3", "xc", "h"):
        t = next(t for t in _with_singletons() if not keeps(measure)(t))
        before, after = recall(measure, t), recall(measure, without_key_singletons(t))
        shown.append(f"{measure} from {float(before):.2f} to {float(after):.2f} for {text(t)}")
    return "recall changes: " + "; ".join(shown)


def same_mentions_in_the_muc_paper() -> Search:
    """Whether key and response have the same mentions in every example of the MUC paper."""
    return Search.of(
        "examples of Vilain et al. 1995",
        load("vilain1995").examples.values(),
        lambda each: each.key.mentions == each.response.mentions,
        lambda each: f"its {each.name}: key {each.key}, response {each.response}",
    )


def b_cubed_within_documents(example: Example | None, printed: str) -> str:
    """What Baldwin et al. report of B³ on the documents of MUC-7."""
    recall, precision = reported(TOTAL_B3)
    shown = f"recall {float(recall):.0%} and precision {float(precision):.0%}"
    return f"of their own system Baldwin et al. report {shown} by this measure"


def effect_of_completion() -> Search:
    """Whether MUC and C are the same with and without the singletons that DEF.19 adds

    Without them, a mention that one side lacks is a fragment of its own, as Vilain et al. count.
    """

    def alike(t: Contingency) -> bool:
        both = (t, completed(t))
        return all(len({full_score(m, each).exact[:3] for each in both}) == 1 for m in ("muc", "c"))

    among = "keys and responses of up to four mentions, some of them on one side only"
    tried = (t for n in range(1, 5) for t in with_twinless(n))
    return Search.of(among, tried, alike, lambda t: f"sizes {t.key_sizes} and {t.response_sizes}")


# --------------------------------------------------------------------------------------- appendix


@both_sides
def fragments_are_overlaps(t: Contingency) -> bool:
    """Whether an entity has as many fragments as it overlaps entities of the other side."""
    key, response = (list(map(set, side)) for side in named_sides(t))
    indicator = [sum(1 for r in response if k & r) for k in key]
    return sorted(indicator) == sorted(map(len, fragments(t)))


def core_is_the_largest(t: Contingency) -> bool:
    """Whether |c(R)| ≥ |K∩R| for every K, so that the cores together are at least as large as K."""
    cores = [max(cut) for cut in fragments(t.T)]
    return max(t.key_sizes) <= sum(cores) and all(
        n <= cores[j] for (_, j), n in zip(t.pairs, t.pairs.values(), strict=True)
    )


# ------------------------------------------------------------------ statements that are one line

EVERYWHERE: Statements = {
    "few_classes": (
        "MUC is above 0 if there are fewer response classes than mentions in a key class",
        lambda t: t.T.key_entities * t.key_entities >= t.key_mentions or score("muc", t) > 0,
    ),
    "limit_by_props_7_and_8": (
        "the lower limit of C recall bounds MUC recall too",
        lambda t: recall("muc", t) * links(t) >= max(t.response_sizes) - t.key_entities,
    ),
    "kappa_is_less_indulgent": (
        "κ is never above MUC",
        lambda t: bool(score("kappa", t) <= score("muc", t)) and kappa_below_muc(),
    ),
    "perfect_b3": (
        "B³ is 1 for perfect responses, and for no others",
        lambda t: (score("b3", t) == 1) == same(t),
    ),
    "same_credit_in_an_overlap": (
        "B³ gives all mentions of an overlap the same recall and precision",
        lambda t: all(len(credits) == 1 for credits in credits_by_overlap(t).values()),
    ),
    "perfect_c": (
        "C is 1 for perfect responses, and for no others",
        lambda t: (score("c", t) == 1) == same(t),
    ),
    "no_resolution_by_c": (
        "no resolution has C recall and F1 0, except if the key has singletons only",
        lambda t: not alone(t) or (recall("c", t) == score("c", t) == 0) != alone(t.T),
    ),
    "total_grouping_by_c": (
        "total grouping has a C precision above 0, if a key class has two mentions",
        lambda t: not together(t) or max(t.key_sizes) < 2 or recall("c", t.T) > 0,
    ),
    "c_is_more_severe": (
        "the f-measure of C is below that of MUC",
        lambda t: score("c", t) < score("muc", t),
    ),
    "dmt_is_symmetrical": (
        "DMT is the same with key and response exchanged",
        lambda t: score("dmt", t) == score("dmt", t.T),
    ),
    "range_of_dmt": ("DMT is between 0 and 1", lambda t: 0 <= score("dmt", t) <= 1),
    "fewer_fragments_than_classes": (
        "every key class has fewer fragments than the response has classes",
        lambda t: all(len(cut) < t.T.key_entities for cut in fragments(t)),
    ),
    "fewer_than_the_class": (
        "|K| > |c(K)| + |π(K)| − 1",
        lambda t: all(sum(cut) > max(cut) + len(cut) - 1 for cut in fragments(t)),
    ),
}
"""Statements about every key and response: what is said, and whether it holds of a table."""

ON_BOTH_SIDES: Statements = {
    "b3_is_above_zero": ("B³ recall and precision are above 0", lambda t: recall("b3", t) > 0),
    "squares": (
        "|K|² ≥ Σ |K∩R|² ≥ |K|",
        lambda t: all(sum(cut) ** 2 >= sum(n * n for n in cut) >= sum(cut) for cut in fragments(t)),
    ),
    "numerators_of_c_and_muc": (
        "Σ (|K| − |π(K)|) ≥ Σ (|c(K)| − 1)",
        lambda t: (
            sum(sum(cut) - len(cut) for cut in fragments(t))
            >= sum(max(cut) - 1 for cut in fragments(t))
        ),
    ),
    "core_and_one_of_each": (
        "|K| ≥ |c(K)| + |π(K)| − 1",
        lambda t: all(sum(cut) >= max(cut) + len(cut) - 1 for cut in fragments(t)),
    ),
    "equal_if_singletons": (
        "|K| = |c(K)| + |π(K)| − 1 exactly if all fragments but the core are singletons",
        lambda t: all(
            (sum(cut) == max(cut) + len(cut) - 1) == all(n == 1 for n in cut[:-1])
            for cut in fragments(t)
        ),
    ),
    "same_denominator": (
        "|E| − |P_K| is the same without the key's singletons",
        lambda t: links(without_key_singletons(t)) == links(t),
    ),
}
"""The same, where what is written about recall is meant of precision too."""

SOMEWHERE: Statements = {
    "generous_muc": (
        "MUC gives a crude response more than 0",
        lambda t: crude(t) and bool(score("muc", t) > 0),
    ),
    "as_many_classes_and_wrong": (
        "a wrong response can have as many classes as the key",
        lambda t: t.key_entities == t.T.key_entities and not same(t),
    ),
    "full_dmt_and_wrong": (
        "a wrong response can have a DMT of 1",
        lambda t: bool(score("dmt", t) == 1) and not same(t),
    ),
    "response_singletons_count": (
        "MUC recall is another if the response's singletons are not counted",
        lambda t: recall_without_response_singletons(t) != recall("muc", t),
    ),
}
"""What is said to occur, and whether a table shows it."""

OF_TWO_SCORES: Statements = {
    "nearer_to_the_lower": (
        "the f-measure is nearer to the lower of two different scores",
        lambda r, p: r == p or f1(r, p) - min(r, p) < max(r, p) - f1(r, p),
    ),
    "vanishes_with_one_score": (
        "the f-measure tends to 0 with one of the two scores: it is at most twice as much",
        lambda r, p: f1(r, p) <= 2 * p,
    ),
    "zero_with_one_score": (
        "the f-measure is 0 as soon as one of the two scores is",
        lambda r, p: (f1(r, p) == 0) == (r == 0 or p == 0),
    ),
}
"""Statements about every recall and precision."""

SEARCHED = (
    parts_of_the_right_sets,
    def_5_is_muc,
    zero_without_coreference,
    no_resolution_by_muc,
    grouping_grows_with_the_rate,
    perfect_kappa,
    def_9_is_the_average,
    perfect_xc,
    classes_and_errors,
    fragments_are_overlaps,
    core_is_the_largest,
)
"""Statements about every key and response that take more than a line: the functions above."""

FIGURES: Figures = {
    name: (f"Whether {says}.", cache(partial(search, holds)))
    for statements, search in (
        (EVERYWHERE, everywhere),
        (ON_BOTH_SIDES, lambda holds: everywhere(both_sides(holds))),
        (SOMEWHERE, somewhere),
        (OF_TWO_SCORES, in_tenths),
    )
    for name, (says, holds) in statements.items()
}
FIGURES |= {
    holds.__name__: (str(holds.__doc__), cache(partial(everywhere, holds))) for holds in SEARCHED
} | {
    "proposition": (
        "One of the paper's thirteen propositions",
        cache(lambda name: everywhere(PROPOSITIONS[name])),
    ),
    "low_scores_follow": (
        "Whether a measure that gives all the worst responses 0 can get low on every key",
        lambda: Search.of(
            "measures and kinds of worst responses",
            product(COMPARED, WORST),
            lambda case: not _gives_the_worst_zero(*case) or no_zero(case[0], MOST) is None,
            ", worst: ".join,
        ),
    ),
    "range_of_kappa": (
        "Whether κ is between −1 and 1",
        lambda: Search.of(
            AMONG,
            up_to(MOST),
            lambda t: -1 <= score("kappa", t) <= 1,
            lambda t: f"κ is {score('kappa', t)} for {text(t)}, with d = {agreement(t).neither}",
        ),
    ),
    "same_muc": (
        "Two responses to as many mentions with the same MUC scores that κ tells apart",
        lambda example, printed: (
            same_but_kappa(lambda t: (t.key_mentions, *full_score("muc", t).exact[:2]))
            or "no two cases"
        ),
    ),
    "low_scores_of_h": (
        "Whether every key of two mentions or more has a response that H gives 0",
        lambda: no_zero("h", MOST) is None,
    ),
    "one_class_will_do": (
        "Whether a response of one class scores 0 by H, if the key has several",
        lambda: Search.of(KEYS, _keys(), lambda sizes: 1 in classes_with_zero(sizes)),
    ),
    "some_numbers_of_classes_never_score_zero": (
        "Whether H is above 0 for every response of some number of classes to some key",
        lambda: any({*range(2, sum(key) + 1)} - classes_with_zero(key) for key in _keys()),
    ),
    "some_keys_have_no_other_zero": (
        "Whether to some key only the response of one class scores 0 by H",
        lambda: any(classes_with_zero(sizes) == {1} for sizes in _keys()),
    ),
    "full_dmt_shown": (
        "The smallest such response",
        lambda example, printed: f"so it is for {text(first(SOMEWHERE['full_dmt_and_wrong'][1]))}",
    ),
    "recall_of_total_grouping": (
        "Whether total grouping has full recall by all measures, but for one that is excepted",
        lambda besides="": _all_in_full("recall", together, besides),
    ),
    "precision_of_no_resolution": (
        "Whether no resolution has full precision by all measures",
        lambda: _all_in_full("precision", alone),
    ),
}
"""Figures in words, and what computes them, by their names in the data."""
