"""What holds the sentences of ceaf.ipynb."""

from corefbook import ledger
from corefbook.alignment import align, pairs_to_search
from corefbook.evidence.fold import Held
from corefeval import Contingency, Partition, metric
from corefeval.measures.ceaf import ceaf_m
from corefeval.overlap.alignment import EXACT_SIZE, best_sum


def held(
    alignments,
    apart,
    apart4,
    by_sets,
    c,
    ceaf,
    ceafe,
    key,
    key4,
    key5,
    large,
    linked,
    linked4,
    one_to_one,
    phi3,
    phi4,
    responses,
    sets,
    small,
    total,
) -> Held:
    luo = ledger.load("luo2005").examples
    f1_of = {
        (m, n): metric(m)(key, r).exact.f1
        for m in ("muc", "b3", "ceafm")
        for n, r in responses.items()
    }
    as_quoted = [Partition.parse(r) for r in responses.values()] == [
        e.response for e in luo.values()
    ]
    kept = {n: metric("ceafm")(key, r).counts.recall.hits for n, r in responses.items()}
    opening = ("{Conradin the_boy} {the_doctor his}", "{Conradin his the_boy} {the_doctor}")
    in_place = metric("ceafm")(*opening).counts.recall
    perfect = {metric("ceaf1")(key, responses[name]).counts.recall.hits for name in "ab"}
    in_c = metric("b3")(key, c).exact.recall, metric("ceafm")(key, c).exact.recall
    totals = [(total(p, phi3), total(p, phi4)) for p in alignments(key, responses["a"])]
    muc_of_d = [*metric("muc")(key, responses["d"]).counts.precision]
    in_ceafe = [ceafe(key5, each).exact.precision for each in (linked, apart)]
    of_sizes = [metric("ceafm")(large + small, each).exact.recall for each in (large, small)]
    open_pairs = [pairs_to_search(key, response) for response in responses.values()]
    of_four = {
        name: [metric(name)(key4, each).exact for each in (apart4, linked4)]
        for name in ("b3", "ceafe", "conll")
    }
    raised = [part.precision for part in of_four["ceafe"]]
    merged, cut = (
        metric("ceafe")(*pair).exact
        for pair in (("{a b} {c d}", "{a b c d}"), ("{a b c d}", "{a b} {c d}"))
    )
    t = Contingency.of(Partition.parse(key5), Partition.parse(linked))
    chosen = [*align(t, lambda n, k, r: n)]
    return Held(
        sentences=[
            ("A text speaks of three people", len(sets(key))),
            ("It has two entities, so each alignment", len(sets(responses["a"]))),
            (
                "leaves one of the key's three out",
                len(sets(key)) - len(sets(responses["a"])),
                len(sets(key)),
            ),
            (
                "because one entity counts three times",
                len(sets(c)),
                sum(bool(k & r) for k in sets(key) for r in sets(c)),
            ),
            (
                "uses the one entity of response c three times",
                len(sets(c)),
                sum(bool(k & r) for k in sets(key) for r in sets(c)),
            ),
            ("CEAF uses it once", len(one_to_one) == 1),
            ("K1 has one partner only", len(chosen)),
            ("R2 is right about d and e, and earns nothing", chosen == [(0, 0)]),
            ("a perfect recall, which is 1", in_c[0]),
            ("CEAFₘ gives it a recall of 5/12", in_c[1]),
            ("recall is 5/12", in_c[1]),
            ("only 5 of the 12 mentions", kept["c"], sum(map(len, sets(c)))),
            ("three of four are in place", in_place.hits, in_place.total),
            ("CEAFₑ is 11/15", metric("ceafe")(*opening).exact.recall),
            ("one key and the four responses above", as_quoted),
            ("by either similarity, 10 and 11/6", *max(totals)),
            ("The second line has the largest total", totals[1:2] == [max(totals)]),
            ("For all four responses, the library's", len(responses)),
            (
                "the library's `ceafm` and `ceafe` give what our sets give",
                all(
                    metric(m)(key, each).exact[:2] == ceaf(key, each, phi)
                    for m, phi in by_sets.items()
                    for each in responses.values()
                ),
            ),
            ("None at all", not any(open_pairs)),
            ("more than 60 entities", EXACT_SIZE),
            ("gives a and b the same score", f1_of["muc", "a"] == f1_of["muc", "b"]),
            ("prefers a to b", f1_of["b3", "a"] > f1_of["b3", "b"]),
            ("MUC's precision for d is 0/0", muc_of_d == [0, 0]),
            ("the tests take F1 as 0", f1_of["muc", "d"]),
            ("the five mentions of", kept["c"]),
            ("d keeps three", kept["d"]),
            ("each return one of the key's three entities", *perfect, 3),
            ("its precision falls from 3/8 to 1/4", *in_ceafe),
            ("one entity more", len(sets(apart)) - len(sets(linked))),
            ("a recall of 25/27, and the second 2/27", *of_sizes),
            ("the best alignment is worth 4/3", *{2 * part.recall for part in of_four["ceafe"]}),
            (
                "precision rises from 1/3 to 4/9, and CEAFₑ from 4/9 to 8/15",
                *raised,
                *(part.f1 for part in of_four["ceafe"]),
            ),
            (
                "B³ falls, but not by as much",
                of_four["b3"][1].f1 < of_four["b3"][0].f1
                and of_four["conll"][1].f1 > of_four["conll"][0].f1,
            ),
            ("from 10/27 to 17/45", *(part.f1 for part in of_four["conll"])),
            (
                "a merger in a perfect response leaves CEAFₑ's recall below",
                merged.recall < merged.precision and cut.precision < cut.recall,
            ),
            ("50 of 54 mentions", len(sets(large)[0]), sum(map(len, sets(large + small)))),
        ],
        listings=[ceaf_m, best_sum],
    )
