"""PROP.1 to PROP.13, the coherence criteria, and what else the paper says of all texts.

Each sentence is a `Claim`: a search for a counterexample among all pairs of partitions of a few
REs, up to renaming the REs. A sentence that a search refutes is false; one that it does not refute
has its proof in the paper's appendix, or in the docstring here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from math import fsum, isclose, log

from companion.enumeration import partitions, sides, up_to
from companion.ledger import Example
from companion.popescubelis.cells import F_MEASURES
from companion.popescubelis.texts import share_of_pronouns
from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.measures.core_classes import reachable
from corefeval.measures.information import independent
from corefeval.measures.kappa import Agreement
from corefeval.partition import Partition
from corefeval.registry import MEASURES, metric
from corefeval.score import Pair, Score

MOST = 6
"""The largest |E| of the search; a larger one is searched apart."""

ONE = Conventions(zero="one")


@dataclass(frozen=True)
class Case:
    """A key and a response, and what the paper's formulas call by a letter."""

    key: Partition
    response: Partition

    @cached_property
    def t(self) -> Contingency:
        return Contingency.of(self.key, self.response)

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {}

    def score(self, measure: str) -> Score:
        if measure not in self._scores:
            self._scores[measure] = MEASURES[measure].counts(self.t).score(ONE)
        return self._scores[measure]

    @property
    def e(self) -> int:
        """|E|"""
        return self.t.key_mentions

    @property
    def pk(self) -> int:
        """|P_K|"""
        return len(self.key)

    @property
    def pr(self) -> int:
        """|P_R|"""
        return len(self.response)

    def r(self, measure: str):
        """Recall success."""
        return self.score(measure).recall

    def p(self, measure: str):
        """Precision success."""
        return self.score(measure).precision

    def f(self, measure: str):
        """The f-measure, or κ, or DMT."""
        return self.score(measure).value

    @property
    def perfect(self) -> bool:
        return self.key == self.response

    @cached_property
    def turned(self) -> Case:
        """Key and response exchanged."""
        return Case(self.response, self.key)

    def __str__(self) -> str:
        return f"key {self.key}, response {self.response}"


@cache
def cases(most: int = MOST) -> tuple[Case, ...]:
    """All pairs of partitions of up to so many REs, smallest first, up to renaming the REs.

    >>> len(cases(3))
    15
    """
    return tuple(Case(*sides(t)) for t in up_to(most))


def case(key: str, response: str) -> Case:
    return Case(Partition.parse(key), Partition.parse(response))


# ------------------------------------------------------------------------------------- Claims


@dataclass(frozen=True)
class Claim:
    """What the paper says, and how to look for what speaks against it.

    ``against`` returns a counterexample in words, or None; ``truth`` is what is so instead. Of what
    is said to occur, ``occurs`` tells whether a case shows it.
    """

    says: str
    against: Callable[[], str | None]
    truth: str = ""
    occurs: Callable[[Case], bool] | None = None


CLAIMS: dict[str, Claim] = {}


def claim(name: str) -> str:
    """What the paper says, if the search finds nothing against it; else what is so instead."""
    made = CLAIMS[name]
    return made.says if _against(name) is None else made.truth or "false"


def searched(example: Example | None, printed: str) -> str:
    """What the search for a counterexample found; the claim is known by what is printed."""
    found = [(name, made) for name, made in CLAIMS.items() if made.says == printed]
    if not found:
        return "no claim has these words"
    ((name, made),) = found
    if made.occurs is not None:
        return f"so it is for {next(filter(made.occurs, cases()), 'no case')}"
    counterexample = _against(name)
    if counterexample is not None:
        return f"counterexample: {counterexample}"
    return f"none of the {len(cases())} pairs of partitions of up to {MOST} REs speaks against it"


@cache
def _against(name: str) -> str | None:
    return CLAIMS[name].against()


def everywhere(
    holds: Callable[[Case], bool],
    show: Callable[[Case], str] = str,
) -> Callable[[], str | None]:
    """The search for a case in which something does not hold."""

    def search() -> str | None:
        wrong = (each for each in cases() if not holds(each))
        return next((show(each) for each in wrong), None)

    return search


def both_ways(holds: Callable[[Case], bool]) -> Callable[[Case], bool]:
    """Something that the paper says of recall, and likewise of precision."""
    return lambda each: holds(each) and holds(each.turned)


def say_it_occurs(name: str, says: str, occurs: Callable[[Case], bool]) -> None:
    """The search for a case that shows what the paper says to occur."""
    CLAIMS[name] = Claim(
        says,
        lambda: None if any(map(occurs, cases())) else "no such case among those searched",
        occurs=occurs,
    )


def say(name: str, says: str, against: Callable[[], str | None], truth: str = "") -> None:
    CLAIMS[name] = Claim(says, against, truth)


# ------------------------------------------------------------------------- 3.1 and 3.2: PROP.1–5


def parts(t: Contingency) -> list[int]:
    """|π(K)| of every key class."""
    found = [0] * t.key_entities
    for i, _ in t.pairs:
        found[i] += 1
    return found


def counts(each: Case, measure: str) -> Pair:
    counted = each.score(measure).counts
    assert isinstance(counted, Pair)
    return counted


def ratio(above: int, below: int) -> Fraction:
    """0/0 is 1, as for the scores."""
    return Fraction(above, below) if below else Fraction(1)


say(
    "PROP.1",
    "1 ≤ |π(K)| ≤ |K|",
    everywhere(
        both_ways(
            lambda x: all(1 <= n <= k for n, k in zip(parts(x.t), x.t.key_sizes, strict=True))
        )
    ),
)
say(
    "PROP.2",
    "the upper parts of the MRS and MPS fractions are equal",
    everywhere(lambda x: counts(x, "muc").recall.hits == counts(x, "muc").precision.hits),
)
say(
    "PROP.3 recall",
    "MRS = 100% ⇔ ∀K ∃!R: K ⊂ R",
    everywhere(both_ways(lambda x: (x.r("muc") == 1) == all(n == 1 for n in parts(x.t)))),
)
say(
    "PROP.3 f-measure",
    "f-measure = 100% ⇔ MRS = MPS = 100% ⇔ P_K = P_R",
    everywhere(lambda x: {x.f("muc") == 1, x.r("muc") == x.p("muc") == 1} == {x.perfect}),
)
say(
    "PROP.4",
    "P_R = {E} ⇒ MRS = 100% and MPS = (|E| - |P_K|) / (|E| - 1)",
    everywhere(
        lambda x: x.pr > 1 or (x.r("muc") == 1 and x.p("muc") == ratio(x.e - x.pk, x.e - 1))
    ),
)
say(
    "PROP.5",
    "MRS ≥ (|E| - |P_K|·|P_R|) / (|E| - |P_K|)",
    everywhere(
        both_ways(lambda x: x.e == x.pk or x.r("muc") >= ratio(x.e - x.pk * x.pr, x.e - x.pk))
    ),
)
say(
    "few classes",
    "a response with |P_R| < |E| / |P_K| obtains a positive score",
    everywhere(lambda x: x.pr * x.pk >= x.e or x.f("muc") > 0),
)
say(
    "no coreference",
    "in both cases the f-measure equals zero, unless |P_K| = |P_R| = |E|",
    everywhere(
        lambda x: x.e not in (x.pk, x.pr) or (x.f("muc") == 1 if x.pk == x.pr else x.f("muc") == 0)
    ),
)
say(
    "footnote 5",
    "Another lower limit for MRS",
    # MRS ≥ CRS (PROP.8) and CRS ≥ (|R_m| − |P_K|) / (|E| − |P_K|) (PROP.7).
    everywhere(
        lambda x: x.e == x.pk or x.r("muc") >= ratio(max(x.t.response_sizes) - x.pk, x.e - x.pk)
    ),
)


# ------------------------------------------------------------------------------------- 3.3: κ

HALVES = case("{a b c d} {e f g h} {i} {j} {k}", "{a b c d e f g h} {i} {j} {k}")
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


def agreement(each: Case) -> Agreement:
    counted = each.score("kappa").counts
    assert isinstance(counted, Agreement)
    return counted


def same_but_kappa(known: Callable[[Case], object]) -> str | None:
    """Two cases that are alike in what is known, but not in κ."""
    first: dict[object, Case] = {}
    for each in sorted(cases(), key=lambda x: x.f("muc") == 0):  # scores above 0 say more
        other = first.setdefault(known(each), each)
        if other.f("kappa") != each.f("kappa"):
            return (
                f"κ is {other.f('kappa')} for {other} and {each.f('kappa')} for {each}, where both "
                f"have MRS {each.r('muc')} and MPS {each.p('muc')}"
            )
    return None


def kappa_needs() -> str:
    """What κ is a function of, among the cases searched.

    Tried: the two scores; with |E|; their numerators and denominators; these and |E|.
    """
    known: dict[str, Callable[[Case], object]] = {
        "computed directly from MRS and MPS": lambda x: (x.r("muc"), x.p("muc")),
        "computed from MRS, MPS and |E|": lambda x: (x.r("muc"), x.p("muc"), x.e),
        "computed from the fractions MRS and MPS, unreduced": lambda x: counts(x, "muc"),
        "computed from the fractions MRS and MPS, unreduced, and |E|": lambda x: (
            counts(x, "muc"),
            x.e,
        ),
    }
    return next((words for words, of in known.items() if same_but_kappa(of) is None), "neither")


def same_muc(example: Example | None, printed: str) -> str:
    """Two cases of the same size and scores that κ tells apart."""
    return same_but_kappa(lambda x: (x.r("muc"), x.p("muc"), x.e)) or "no two cases"


say(
    "range of κ",
    "varying between -1 and 1",
    everywhere(
        lambda x: -1 <= x.f("kappa") <= 1,
        lambda x: f"κ is {x.f('kappa')} for {x}, with d = {agreement(x).neither}",
    ),
    "can be below -1",
)
say(
    "perfect κ", "1 means perfect agreement", everywhere(lambda x: (x.f("kappa") == 1) == x.perfect)
)
say("κ and MUC", "it is less indulgent", everywhere(lambda x: x.f("kappa") <= x.f("muc")))


def comparable() -> str:
    """The pairs of f-measures (and κ) of which one is never above the other."""
    names = {name: quantity.partition(".")[0] for name, quantity in F_MEASURES.items()}
    tried = (*cases(), HALVES)
    found = [
        f"{low} and {high}"
        for (low, m), (high, n) in product(names.items(), repeat=2)
        if m != n and all(each.f(m) <= each.f(n) for each in tried)
    ]
    return ", ".join(found)


def proof_about_kappa(example: Example | None, printed: str) -> str:
    """That κ and MUC are comparable, and that no other measure is below or above κ."""
    shown = (f"{name} {float(HALVES.f(m)):.3f}" for name, m in _by_name() if name != "κ")
    return (
        "with MUC's F, F − κ = (b+c)(a+b)(a+c) over a number that is not negative, an identity "
        f"that {'holds' if kappa_below_muc() else 'FAILS'}; {HALVES} has κ "
        f"{float(HALVES.f('kappa')):.3f}, {', '.join(shown)}"
    )


def _by_name() -> list[tuple[str, str]]:
    return [(name, quantity.partition(".")[0]) for name, quantity in F_MEASURES.items()]


# ------------------------------------------------------------------------------------ 3.4: B³


say(
    "PROP.6",
    "|P_K|/|E| ≤ BRS ≤ 1",
    everywhere(both_ways(lambda x: Fraction(x.pk, x.e) <= x.r("b3") <= 1)),
)
say(
    "upper limit of B³",
    "the upper limit (100%) is reached only for P_R = P_K",
    everywhere(lambda x: (x.f("b3") == 1) == x.perfect),
)
say(
    "lower limit of B³",
    "0% scores are never reached",
    everywhere(lambda x: x.r("b3") > 0 and x.p("b3") > 0),
)
say(
    "footnote 9",
    "coincide for all the REs in a given Ki ∩ Rj",
    everywhere(lambda x: all(len(credits) == 1 for credits in credits_by_overlap(x).values())),
)


def credits_by_overlap(each: Case) -> dict[tuple[int, int], set[tuple[Fraction, Fraction]]]:
    """The B³ recalls and precisions of the REs in each Kᵢ∩Rⱼ, from sets."""
    found: dict[tuple[int, int], set[tuple[Fraction, Fraction]]] = {}
    for mention, i in each.key.entity_of.items():
        j = each.response.entity_of[mention]
        k, r = (set(side.entities[n]) for side, n in ((each.key, i), (each.response, j)))
        credit = Fraction(len(k & r), len(k)), Fraction(len(k & r), len(r))
        found.setdefault((i, j), set()).add(credit)
    return found


def low_scores_of_b3(example: Example | None, printed: str) -> str:
    """How low B³ gets: one key class of n REs, and a response of singletons."""
    found = []
    for n in (2, 10, 100):
        key, response = Partition([range(n)]), Partition([[i] for i in range(n)])
        score = metric("b3")(key, response)
        assert score.f1 == Fraction(2, n + 1)
        found.append(f"{float(score.f1):.0%} for {n}")
    return (
        "when a key of one class of n REs gets a response of singletons, the f-measure is 2/(n+1): "
        + ", ".join(found)
    )


# ------------------------------------------------------------------------------------- 3.5: C, XC


def cores(t: Contingency) -> list[int]:
    """|c(K)| of every key class."""
    found = [0] * t.key_entities
    for (i, _), n in t.pairs.items():
        found[i] = max(found[i], n)
    return found


def but_cores_singletons(t: Contingency) -> bool:
    """Whether all fragments but one core fragment of each key class are singletons."""
    by_class: dict[int, list[int]] = {}
    for (i, _), n in t.pairs.items():
        by_class.setdefault(i, []).append(n)
    return all(sum(n > 1 for n in found) <= 1 for found in by_class.values())


say(
    "PROP.7",
    "CRS ≥ (|R_m| - |P_K|) / (|E| - |P_K|)",
    everywhere(
        both_ways(
            lambda x: x.e == x.pk or x.r("c") >= ratio(max(x.t.response_sizes) - x.pk, x.e - x.pk)
        )
    ),
)
say("PROP.8", "CPS ≤ MPS and CRS ≤ MRS", everywhere(both_ways(lambda x: x.r("c") <= x.r("muc"))))
say(
    "PROP.8, equality",
    "CRS = MRS ⇔ ∀K, π(K) \\ {c(K)} is a set of singletons",
    everywhere(both_ways(lambda x: (x.r("c") == x.r("muc")) == but_cores_singletons(x.t))),
)
say(
    "upper limit of C",
    "The C measure obviously satisfies the upper limit criterion",
    everywhere(lambda x: (x.f("c") == 1) == x.perfect),
)
say(
    "no resolution by C",
    "zero recall, hence zero f-measure, except if the key is such as |P_K| = |E|",
    everywhere(lambda x: x.pr < x.e or (x.r("c") == x.f("c") == 0) == (x.pk < x.e)),
)
say(
    "total grouping by C",
    "obtains a precision score above zero",
    everywhere(lambda x: x.pr > 1 or max(x.t.key_sizes) < 2 or x.p("c") > 0),
)
say(
    "upper limit of XC",
    "the upper limit criterion is easy to verify",
    everywhere(lambda x: all((got == (x.e, 0)) == x.perfect for got in ways(x))),
)
say_it_occurs("XC and C", "does not always fulfill this goal", lambda x: x.f("xc") > x.f("c"))


def ways(each: Case) -> set[tuple[int, int]]:
    """(correct, incorrect) of XC for both readings and every way to settle ties."""
    return reachable(each.t, "core") | reachable(each.t, "free")


CRITERIA = {
    1: "upper limit",
    2: "lower limit",
    3: "direct lower limit",
    4: "reciprocal lower limit",
    5: "low scores",
    6: "relative indulgence / severity",
}
"""The coherence criteria of section 2.2 by their numbers."""


def criterion_number(name: str) -> int:
    return next(number for number, called in CRITERIA.items() if called == name)


def criterion_broken_by_total_grouping() -> str:
    """Which lower limit a response of one class breaks by C, if it is among the worst responses.

    The direct one says that what scores 0 is among the worst, the reciprocal one that all of the
    worst score 0.
    """
    grouped = next(x for x in cases() if x.pr == 1 and 1 < x.pk < x.e)
    name = "reciprocal lower limit" if grouped.f("c") > 0 else "direct lower limit"
    return f"{name} criterion ({criterion_number(name)})"


def criterion_met_by_dmt() -> str:
    """Which criterion says that low scores signal poor responses: a score of 0 only for the worst.

    DMT is 0 only between a single class and nothing but singletons.
    """
    worst = all({x.pk, x.pr} == {1, x.e} for x in cases() if x.e > 1 and x.f("dmt") == 0)
    name = "direct lower limit" if worst else "none"
    return f"{name} criterion ({criterion_number(name)})"


def grouping_by_c(example: Example | None, printed: str) -> str:
    grouped = next(x for x in cases() if x.pr == 1 and 1 < x.pk < x.e)
    return (
        f"{grouped}: CPS is {grouped.p('c')}, CRS {grouped.r('c')}, the f-measure {grouped.f('c')}"
    )


# ------------------------------------------------------------------------------------------ 3.6: H


def entropy(sizes: Iterable[int]) -> float:
    """H(P), DEF.15, in natural units."""
    listed = list(sizes)
    return -fsum(n / sum(listed) * log(n / sum(listed)) for n in listed)


def conditioned(t: Contingency) -> float:
    """H(P_K|P_R), DEF.16."""
    total = t.key_mentions
    return -fsum(n / total * log(n / r) * times for (n, k, r), times in t.triples.items())


def entropies(example: Example) -> dict[str, float]:
    """The four entropies of an example by their names in the paper."""
    t = Contingency.of(example.key, example.response)
    return {
        "H(P_K)": entropy(t.key_sizes),
        "H(P_R)": entropy(t.response_sizes),
        "H(P_K|P_R)": conditioned(t),
        "H(P_R|P_K)": conditioned(t.T),
    }


def proportional(t: Contingency) -> bool:
    """Whether the vectors (|K₁∩Rⱼ|, …, |Kₙ∩Rⱼ|) are proportional, PROP.12."""
    vectors = [
        [t.pairs.get((i, j), 0) for i in range(t.key_entities)] for j in range(t.T.key_entities)
    ]
    return all(
        a[i] * b[j] == a[j] * b[i]
        for a, b in combinations(vectors, 2)
        for i, j in combinations(range(t.key_entities), 2)
    )


def near(a: float, b: float) -> bool:
    return isclose(a, b, abs_tol=1e-12)


say(
    "PROP.9 equation",
    "H(P_R) = H(P_K) - H(P_K|P_R) + H(P_R|P_K)",
    everywhere(
        lambda x: near(
            entropy(x.t.response_sizes),
            entropy(x.t.key_sizes) - conditioned(x.t) + conditioned(x.t.T),
        )
    ),
)
say(
    "PROP.9 inequalities",
    "0 ≤ H(P_K|P_R) ≤ H(P_K)",
    everywhere(both_ways(lambda x: -1e-12 <= conditioned(x.t) <= entropy(x.t.key_sizes) + 1e-12)),
)
say(
    "PROP.10",
    "f-measure = 100% ⇔ H(P_R|P_K) = H(P_K|P_R) = 0 ⇔ P_R = P_K",
    everywhere(
        lambda x: (
            {x.f("h") == 1, near(conditioned(x.t), 0) and near(conditioned(x.t.T), 0)}
            == {x.perfect}
        )
    ),
)
say(
    "PROP.11",
    "f-measure = 0 iff at least one of the following conditions holds",
    everywhere(
        lambda x: (
            (x.f("h") == 0)
            == ((x.pr == 1) != (x.pk == 1) or (x.pr > 1 and x.pk > 1 and independent(x.t)))
        )
    ),
)
say(
    "PROP.12",
    "The following conditions are equivalent",
    everywhere(
        lambda x: (
            {
                near(conditioned(x.t), entropy(x.t.key_sizes)),
                near(conditioned(x.t.T), entropy(x.t.response_sizes)),
            }
            == {independent(x.t)}
        )
    ),
)
say(
    "PROP.12 vectors",
    "vectors are proportional",
    everywhere(both_ways(lambda x: independent(x.t) == proportional(x.t))),
)
say(
    "no independent response",
    "not always possible to attain 0% with a non trivial response",
    lambda: None if keys_without_independent_responses() else "every key has such a response",
)


def keys_without_independent_responses() -> list[str]:
    """Keys of several classes to which only a response of one class is independent."""
    found: dict[str, bool] = {}
    for x in cases():
        if x.pk > 1:
            zero = x.pr > 1 and x.f("h") == 0
            found[str(x.key)] = found.get(str(x.key), False) or zero
    return [key for key, any_zero in found.items() if not any_zero]


def keys_shown(example: Example | None, printed: str) -> str:
    return f"the smallest such key is {keys_without_independent_responses()[0]}"


def no_resolution_by_h(example: Example | None, printed: str) -> str:
    """That "no resolution", which section 5.1 calls extremely crude, does not score 0."""
    crude = next(x for x in cases() if x.pr == x.e and 1 < x.pk < x.e)
    return f"no resolution is above 0: {crude} has the f-measure {crude.f('h'):.2f}"


# ---------------------------------------------------------------------------------- 3.7: DMT


say(
    "symmetry of DMT",
    "symmetrical with respect to P_K and P_R",
    everywhere(lambda x: x.f("dmt") == x.turned.f("dmt")),
)
say(
    "range of DMT",
    "vary between 0% and 100%",
    everywhere(lambda x: 0 <= x.f("dmt") <= 1),
)
say_it_occurs(
    "upper limit of DMT",
    "a score of 100% does not mean that the response structurally matches the key",
    lambda x: x.f("dmt") == 1 and not x.perfect,
)
say(
    "more classes",
    "recall errors outnumber precision errors",
    # By MUC, recall errors less precision errors are |P_R| − |P_K|.
    everywhere(lambda x: agreement(x).key_only - agreement(x).response_only == x.pr - x.pk),
)


# ------------------------------------------------------------------------------ 4: generalizations


def grouped(measure: str) -> Callable[[Case], bool]:
    return lambda x: x.pr > 1 or x.r(measure) == 1


WITH_RECALL = ("muc", "b3", "c", "xc", "h")


def recall_of_total_grouping() -> str:
    """Which measures do not give full recall to a response of one class."""
    short = [m for m in WITH_RECALL if not all(map(grouped(m), cases()))]
    if not short:
        return "100% recall"
    return f"100% recall, except for {', '.join(MEASURES[m].name.upper() for m in short)}"


def precision_of_no_resolution() -> str:
    """Which measures do not give full precision to a response of singletons."""
    short = [m for m in WITH_RECALL if not all(x.pr < x.e or x.p(m) == 1 for x in cases())]
    return f"100%, except for {', '.join(short)}" if short else "100%"


def total_grouping_by_xc(example: Example | None, printed: str) -> str:
    found = next(x for x in cases() if x.pr == 1 and x.r("xc") < 1)
    return f"{found}: XRS is {found.r('xc')}"


def without_key_singletons(x: Case) -> Case:
    """The key's singletons removed: P_K², E² and, of the response, what is left."""
    key = x.key.without_singletons()
    left = ([m for m in entity if m in key.mentions] for entity in x.response)
    return Case(key, Partition(filter(None, left)))


def removable(measure: str) -> Callable[[Case], bool]:
    """Whether recall is the same without the key's singletons (PROP.13, as the appendix has it)."""

    def holds(x: Case) -> bool:
        smaller = without_key_singletons(x)
        return bool(smaller.e == 0 or smaller.r(measure) == x.r(measure))

    return holds


say(
    "PROP.13",
    "Recall scores MRS and CRS are invariable",
    everywhere(
        lambda x: all(
            removable(measure)(each) for measure in ("muc", "c") for each in (x, x.turned)
        )
    ),
)
say(
    "PROP.13 for others",
    "Such results do not hold for the B3, the XC or the H measures",
    lambda: (
        None
        if not any(all(map(removable(measure), cases())) for measure in ("b3", "xc", "h"))
        else "they hold for one of them"
    ),
)


def invariable(example: Example | None, printed: str) -> str:
    """Where the recall of B³, XC and H changes when the key's singletons are removed."""
    shown = []
    for measure in ("b3", "xc", "h"):
        x = next(each for each in cases() if not removable(measure)(each))
        before, after = x.r(measure), without_key_singletons(x).r(measure)
        shown.append(f"{measure} from {float(before):.2f} to {float(after):.2f} for {x}")
    return "recall changes: " + "; ".join(shown)


def mrs_as_defined(key: Partition, response: Partition) -> Fraction:
    """DEF.5 with π(K) as DEF.1 defines it: a mention that no response class has is in no fragment.

    >>> mrs_as_defined(Partition.parse("{a b c}"), Partition.parse("{a b}"))
    Fraction(1, 1)
    """
    t = Contingency.of(key, response)
    return ratio(t.key_mentions - sum(parts(t)), t.key_mentions - t.key_entities)


def completed(key: Partition, response: Partition) -> tuple[Partition, Partition]:
    """P'_K and P'_R, DEF.19."""
    return (
        Partition([*key, *([m] for m in response.mentions - key.mentions)]),
        Partition([*response, *([m] for m in key.mentions - response.mentions)]),
    )


@cache
def unequal_cases() -> tuple[Case, ...]:
    """Keys of up to four REs, and responses with some of them, and perhaps one more.

    Of every key class, some RE is in the response: else DEF.5 could exceed 1.
    """
    return tuple(
        found
        for n in range(1, 5)
        for key in map(Partition, partitions("abcd"[:n]))
        for kept in range(n + 1)
        for more in ("", "x")
        for response in map(Partition, partitions("abcd"[:kept] + more))
        if all(parts((found := Case(key, response)).t))
    )


def effect_of_completion() -> str:
    """Whether DEF.19 changes MRS as DEF.5 defines it, where E is E_K."""
    same = all(
        mrs_as_defined(x.key, x.response) == mrs_as_defined(*completed(x.key, x.response))
        for x in unequal_cases()
    )
    return "does not affect the MUC and core-class measures" if same else "affects the MUC measure"


def completion_shown(example: Example | None, printed: str) -> str:
    """Where it does, and that MUC and C as implemented do not change."""
    x = next(
        x
        for x in unequal_cases()
        if mrs_as_defined(x.key, x.response) != mrs_as_defined(*completed(x.key, x.response))
    )
    after = mrs_as_defined(*completed(x.key, x.response))
    same = all(
        metric(m, zero="one")(u.key, u.response).f1
        == metric(m, zero="one", twinless="complete")(u.key, u.response).f1
        for u in unequal_cases()
        for m in ("muc", "c")
    )
    return (
        f"for {x}, DEF.5 goes from {mrs_as_defined(x.key, x.response)} to {after}; MUC of Vilain "
        f"et al., to which a mention that the response lacks is a part of its own, and C "
        f"{'do not change' if same else 'CHANGE'}"
    )


# ----------------------------------------------------------------------------------- section 5.1


def pronouns_of_all(example: Example | None, printed: str) -> str:
    """The share of pronouns from the two numbers that section 5.1 gives."""
    found = share_of_pronouns()
    return f"{found} = {float(found.ratio(Fraction(0))):.1%}"
