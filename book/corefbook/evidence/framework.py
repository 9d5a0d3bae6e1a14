"""What holds the sentences of framework.ipynb."""

from fractions import Fraction
from itertools import product, zip_longest
from math import isclose

from corefbook import ledger
from corefbook.enumeration import partitions
from corefbook.evidence.fold import Held
from corefeval import Partition, measures, metric


def crossing(m):
    """Two sides of m entities; each two entities share one mention."""
    rows = [frozenset((i, j) for j in range(m)) for i in range(m)]
    return rows, [frozenset((i, j) for i in range(m)) for j in range(m)]


def held(
    P_K,
    P_R,
    bits,
    both,
    c_measure,
    chance_and_kappa,
    core,
    counts,
    d_rows,
    dealt,
    dmt,
    errors_of_rows,
    exclusive_cores,
    found,
    given,
    h,
    improved,
    kappa,
    kappas,
    key,
    mean,
    met,
    of_row_6,
    of_rows,
    printed,
    response,
    two_sided,
    xc,
) -> Held:
    sides = [[frozenset(e) for e in side] for side in partitions("abcd")]
    same: list[bool] = []
    for K, R in product(sides, repeat=2):
        of = {n: metric(n, zero="one")(K, R) for n in ("c", "xc", "h", "dmt")}
        xrs, xps = (tally.ratio(1) for tally in xc(K, R))
        mine = c_measure(K, R).ratio(1), xrs, h(K, R)
        same += map(isclose, mine, (of[n].exact.recall for n in ("c", "xc", "h")))
        same.append(xps == of["xc"].exact.precision)
        same.append(of["dmt"].exact.value == dmt(K, R))
    example = ledger.load("popescubelis").examples["sample"]
    typed = (example.key, example.response) == tuple(map(Partition.parse, (key, response)))
    a, b, c, d = counts(P_K, P_R)
    ten_errors = []
    for name in ("muc", "c"):
        recall = metric(name)("{1 2 3 4 5 6 7 8 9 10}", "{1 2 3 4 5} {6 7 8 9 10}").counts.recall
        ten_errors.append(recall.total - recall.hits)
    sent, lost, added, received = bits.values()
    often = sum(share for shared, share in dealt.items() if shared in (8, 9))
    linked = a + c, a + b, a + b + c + d
    independent = Fraction((a + b) * (a + c), linked[-1])
    reached = sum(dealt[n] for n in dealt if kappas[n] >= kappa)
    of_sizes = [sorted(map(len, side), reverse=True) for side in (P_K, P_R)]
    gaps = [abs(k - r) for k, r in zip_longest(*of_sizes, fillvalue=0)]
    small = "{a b} {c d}", "{a b} {c} {d}"
    large = "{a b} {c d} {e}", "{a b} {c} {d} {e}"
    of_small, of_large = (
        (metric("muc")(*pair), metric("kappa")(*pair).exact.value) for pair in (small, large)
    )
    lowest = [chance_and_kappa(*counts(*crossing(m)))[-1] for m in (2, 3, 4)]
    takers = {P_K.index(K): P_R.index(R) for K, R in exclusive_cores(P_K, P_R).items() if R}
    no_link = metric("h")(key, [[str(m)] for m in range(1, 18)])
    of_everything = {
        (len(side), metric("muc")(side, [{*"abcd"}]).exact.precision) for side in sides
    }
    fewer_is_better = of_everything == {(n, Fraction(4 - n, 3)) for n in (1, 2, 3, 4)}
    recall_rises = all(improved[n].exact.recall > found[n].exact.recall for n in two_sided)
    moved = {n: improved[n].exact.precision - found[n].exact.precision for n in two_sided}
    falls = moved["XC"] == 0 and moved["B³"] < 0 and moved["H"] < 0
    missed = [row.example for row in d_rows if row.group == "differs"]
    return Held(
        sentences=[
            (
                "One response, seven measures: six scores above 0, and κ below it",
                len(found) == 7 and [m for m in found if found[m].exact.value < 0] == ["κ"],
            ),
            (
                "What is outside them is an error: 11, 12 and 17",
                {m for K in P_K for m in K - core(K, P_R)} == {"11", "12", "17"},
            ),
            ("Before and after mention 17 moves", sum(map(len, P_K))),
            (
                "One answer, seven measures, and scores from −0.18 to 0.81",
                min(each.exact.value for each in found.values()),
                max(each.exact.value for each in found.values()),
            ),
            ("A passage of a guidebook has 17 mentions", sum(map(len, P_K))),
            (
                "The highest score is MUC's. The lowest is by κ",
                [f(found, key=lambda m: found[m].exact.value) for f in (max, min)] == ["MUC", "κ"],
            ),
            ("Here is the passage that we scored above", typed),
            ("MUC counts one error, and the manuscript's own core classes count five", *ten_errors),
            (
                "the key makes 13 of the 16 links and the response 14, and both make 11",
                a + c,
                a + b + c + d,
                a + b,
                a,
            ),
            ("a = 11", a),
            ("b = 3", b),
            ("c = 2", c),
            ("d = 0", d),
            ("The response finds most of the key's links", 2 * a > a + c),
            ("each side drew its links independently, 13 and 14 of 16", *linked),
            ("share 11.375 on average", independent),
            ("and our response is a little below it", a < independent),
            ("Most random responses share 8 or 9 links", often > Fraction(1, 2)),
            ("independent links give 0, and these random responses give less", mean < 0),
            (
                "deal the 17 mentions like cards, into entities of 9, 7 and 1",
                len(both),
                *sorted(map(len, P_R), reverse=True),
            ),
            ("Fewer than one in a hundred share 11 or more", 0 < reached < Fraction(1, 100)),
            ("Their mean κ is far below 0", mean < -1),
            (
                "only those that share 12 links are above it",
                [n for n in kappas if kappas[n] > 0] == [12],
            ),
            ("it is among the best that chance could deal", reached < Fraction(1, 100)),
            ("It has no lowest value", lowest == [-2, -3, -4]),
            (
                "it is 2/5. With one more singleton on both sides it is 1/2",
                of_small[1],
                of_large[1],
            ),
            (
                "recall and precision of MUC stay what they are",
                of_small[0].exact[:2] == of_large[0].exact[:2],
            ),
            ("K3 takes R1 and K4 takes R2", takers == {2: 0, 3: 1}),
            ("has full precision, and its", no_link.exact.precision == 1),
            ("0.45 on the guidebook text", no_link.exact.recall),
            (
                "Random responses mostly share fewer links with the key than ours",
                reached < Fraction(1, 100),
            ),
            ("plus what is added, is received", isclose(sent - lost + added, received)),
            ("more than half of what is sent is lost", lost > sent / 2),
            (
                "for all 225 pairs of partitions of four mentions, all 1,125 scores are equal",
                len(sides) ** 2,
                sum(same),
            ),
            ("a κ below 0!", found["κ"].exact.value == kappa < 0),
            ("prints 34-p", int(printed["1"][:2])),
            ("This counts against the formula", missed == ["2", "6"]),
            ("unless our copy misreads 42", int(str(errors_of_rows["2"])[:2])),
            ("the one with fewer entities gives this response the higher", fewer_is_better),
            ("they come last", str(errors_of_rows["1"]) == printed["1"]),
            ("The gaps are 2, 2, 2 and 2, together 8", *gaps, sum(gaps)),
            ("The distance is 8 of 32 at most", sum(gaps), 2 * (sum(map(len, P_K)) - 1)),
            ("is the 0.75 of the first picture", found["DMT"].exact.value),
            ("K1 and K2 come too late, and get none", [len(given[K]) for K in P_K[:2]] == [0, 0]),
            (
                "41.55 would be printed as 42",
                100 * errors_of_rows["2"].value,
                int(str(errors_of_rows["2"])[:2]),
            ),
            ("few of its possible keys give what is printed", 0 < 10 * met < len(of_row_6)),
            (
                "Three rows have published texts",
                [sorted(map(len, side)) for side in (P_K, P_R)]
                == [sorted(side) for side in of_rows["1"]],
            ),
            ("Move mention 17 of", sum(map(len, P_K))),
            ("Recall rises by every", recall_rises),
            ("so does the precision of MUC and C", moved["MUC"] > 0 < moved["C"]),
            ("XC precision stays, and the precision of B³ and H falls", falls),
            (
                "mention 17 had an entity to itself",
                *(int(m) for entity in P_R if len(entity) == 1 for m in entity),
            ),
        ],
        listings=[
            measures.kappa.kappa,
            measures.core_classes.c,
            measures.core_classes.xc,
            measures.information.h,
            measures.distributional.dmt,
        ],
    )
