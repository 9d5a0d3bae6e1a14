"""What holds the sentences of properties.ipynb."""

from fractions import Fraction
from typing import Any

from corefbook import enumeration
from corefbook.evidence.fold import Held
from corefbook.papers.popescubelis import coherence, neighbours, propositions
from corefbook.papers.popescubelis.propositions import recall
from corefbook.studies import blind_spots
from corefeval import metric


def PK(t):
    return len(t.key_sizes)


def PR(t):
    return len(t.response_sizes)


def limit(sizes, r):
    """PROP.5."""
    return Fraction(sum(sizes) - len(sizes) * r, sum(sizes) - len(sizes))


def merging(size):
    """κ and B³ where two key entities of that size are merged."""
    one, two = ([(i, m) for m in range(size)] for i in range(2))
    others = [["i"], ["j"], ["k"]]
    sides = [one, two, *others], [one + two, *others]
    return [metric(name)(*sides).exact.value for name in ("kappa", "b3")]


def held(
    E,
    FIVE,
    above,
    b3,
    cut_off,
    effects,
    everything,
    exceptions,
    in_one_entity,
    kappa,
    key,
    merged,
    muc_minimum,
    names,
    one_for_all,
    players,
    relative,
    response,
    shifted,
    simple,
    story_key,
    tried,
    value,
    without_c,
    zeros,
) -> Held:
    def meet(*criteria):
        """The measures of which these criteria hold in all cases."""
        asked = [coherence.CRITERIA[each] for each in criteria]
        return [
            name
            for name in coherence.COMPARED
            if all(asks(name, t) for asks in asked for t in everything)
        ]

    two_pairs = [t for t in everything if sorted(t.key_sizes) == [2, 2]]
    none_against = [
        name for name, holds in propositions.PROPOSITIONS.items() if not exceptions(holds)
    ]
    smallest = [exceptions(card.agrees)[0] for card in neighbours.CARDS]
    floors: dict[Any, Any] = {}
    for t in everything:
        case = tuple(sorted(t.key_sizes)), PR(t)
        if PK(t) < E(t):
            floors[case] = min(floors.get(case, 1), recall("muc", t))
    attained = all(low == muc_minimum(*case) for case, low in floors.items())
    never = [
        (one, other)
        for one in names
        for other in names
        if one != other and above(one, other) == "> 8"
    ]
    singles = [metric(name)("{a}", "{a}").exact.f1 for name in ("muc", "h")]
    counted, left_out = (metric("b3")(*pair).exact.recall for pair in (shifted, without_c))
    c_of_four, b3_of_four = (
        metric(name, zero="one")(*cut_off).exact.recall for name in ("c", "b3")
    )
    of_two_and_one = propositions.spread(enumeration.tables(3)[1])
    blind = {(n, k) for (n, k), effect in effects.items() if effect == "blind"}
    lone = [("drop", "singletons"), ("spurious", "singletons")]
    swaps = {("dmt", ("swap", size)) for size in ("large", "small")}
    rising = [n for n in FIVE if effects[n, lone[1]] == "rises"]
    whole = blind_spots.key()
    at_zero = [
        name for name in tried if metric(name)(story_key, simple["singletons"]).exact.value == 0
    ]
    full = [name for name in one_for_all if in_one_entity(name) == 1]
    return Held(
        sentences=[
            ("What four errors take", blind_spots.ERRORS),
            ("from a score of 100", 100 * metric("b3")(whole, whole).exact.f1),
            ("C ignores singletons", {("c", each) for each in lone} <= blind),
            ("DMT ignores swaps", swaps <= blind),
            (
                "κ, XC, H and DMT reward an invented singleton",
                rising == ["kappa", "xc", "h", "dmt"],
            ),
            ("relative to five zeros", len(zeros)),
            (
                "the best of the simple strategies",
                all(relative(n, "nearest", z) > 0 for n in tried for z in zeros),
            ),
            ("is the zero of MUC, C and κ already", at_zero == ["muc", "c", "kappa"]),
            ("It is true of MUC, B³, C and H", full == ["muc", "b3", "c", "h"]),
            (
                "Three small cases: each refutes a sentence",
                metric("muc")("{a b} {c}", "{a b c}").exact.recall == 1
                and metric("c")(*cut_off).exact.recall > metric("b3")(*cut_off).exact.recall
                and counted > 0,
            ),
            ("among up to eight", max(map(E, everything))),
            ("Recall of a response dealt to three", players),
            (
                "three, four and three mentions are enough to see it",
                *(
                    metric("mentions")(*pair).counts.recall.total
                    for pair in (merged, cut_off, shifted)
                ),
            ),
            (
                "Only the perfect response has a MUC recall of 1",
                metric("muc")(*merged).exact.recall,
            ),
            ("B³ recall is the same without the key's", counted != left_out),
            (
                "B³ recall is 2/3. Leave c out, which is alone in the key, and it is 1/2",
                counted,
                left_out,
            ),
            (
                "one error of three, which leaves 2/3. B³ gives a, b and c 3/4 "
                "each and d 1/4, which is 5/8",
                c_of_four,
                Fraction(3, 4),
                Fraction(1, 4),
                b3_of_four,
            ),
            ("with the sizes 2 and 1 has 27/4", 2, 1, of_two_and_one),
            (
                "PROP.5 promises nothing for more than three response entities",
                limit((10, 1, 1), 3) > 0 >= limit((10, 1, 1), 4),
            ),
            ("even six leave a recall of 0.44", muc_minimum((10, 1, 1), 6)),
            ("Nothing speaks against any of the thirteen", len(none_against) == 13),
            ("The thirteen propositions survive", len(none_against) == 13),
            ("Fourteen false neighbours", len(neighbours.CARDS) == 14),
            ("no false neighbour survives four", max(map(E, smallest))),
            ("and falls with four mentions at most", max(map(E, smallest))),
            (
                "for most false neighbours two or three mentions are enough",
                sum(E(t) <= 3 for t in smallest) > len(smallest) / 2,
            ),
            ("has an F1 of 0 by MUC and by H", max(singles)),
            ("the least recall that", attained),
            (
                "C exceeds B³ in some case of four mentions, and MUC in none",
                above("c", "b3") == 4 and above("c", "muc") == "> 8",
            ),
            ("Four cells say", len(never)),
            ("Two of them we can prove", {("c", "muc"), ("kappa", "muc")} < {*never}),
            ("Of the fourth, κ ≤ B³′", ("kappa", "b3_class") in never),
            ("all measures here but DMT meet it", {*coherence.COMPARED} - {*meet("1")} == {"dmt"}),
            ("only κ gives 0 to both of them", meet("4 unresolved", "4 together") == ["kappa"]),
            ("and κ gives it to others, too", "kappa" not in meet("3 crude")),
            ("MUC and C do just what we ask", meet("3 no link", "4 no link") == ["muc", "c"]),
            (
                "no response of the same mentions scores below 1/2",
                Fraction(min(value("b3", t) for t in two_pairs)),
            ),
            ("Up to eight mentions it never fails", ("kappa", "b3") in never),
            (
                "merge two of forty mentions, and κ rises to 0.85 while B³ falls to 0.68",
                *merging(40),
            ),
            (
                "κ is first above B³ with eleven mentions",
                metric("mentions")(key, response).counts.recall.total == 11
                and kappa(key, response).exact.value > b3(key, response).exact.f1,
            ),
        ],
        listings=[card.agrees for card in neighbours.CARDS],
    )
