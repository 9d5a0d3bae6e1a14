"""What holds the sentences of records.ipynb."""

from fractions import Fraction

import numpy as np
from sklearn import metrics as sklearn

import corefeval
from corefbook.evidence.fold import Held


def to_a_hundredth(part, whole):
    return Fraction(round(100 * part / whole), 100)


def held(
    DRAWS,
    ENDS,
    LABELLED,
    MIDDLE,
    SAMPLES,
    across,
    b3,
    big,
    by_lea,
    drawn_by_chance,
    f1_by,
    held,
    inner,
    joins,
    most_alone,
    moved,
    nothing,
    of_all,
    once,
    order,
    outer,
    parts,
    population,
    records,
    rows,
    sampled,
    share,
    sides,
    spread,
    summed,
    tenths,
    their_precision,
    their_recall,
    timed,
    unmatched,
) -> Held:
    f1 = {name: score.exact.f1 for name, score in unmatched.items()}
    precisions = {
        join: [total[name].exact.precision for name in sampled] for join, total in joins.items()
    }
    lower, higher = (
        all(
            (a < b) if low else (a > b)
            for a, b in zip(precisions[join], precisions["population"], strict=True)
        )
        for join, low in (("outer join", True), ("inner join", False))
    )
    same = {name for name in sampled if outer[name].exact.recall == inner[name].exact.recall}
    by = {row: f1_by(across[row]) for row in ("topic", "document")}
    near = [abs(outer[n].exact.recall - population[n].exact.recall) for n in sampled]
    three = "muc", "b3", "pairwise"
    same_by_library = all(
        np.isclose(share(side)[m], float(getattr(population[name], part)))
        for part, side in sides.items()
        for m, name in enumerate(three)
    )
    lea_found = [float(total["lea"].precision) for total in by_lea.values()]
    of_mayor = {*across["document"][across["true"] == "mayor"]}
    noisy = {(row["workload"], row["mentions"]): row["open"] for row in parts["alignment"]["rows"]}
    noise = max(workload for workload, _ in noisy if "global" in workload)
    moved_anywhere = int(noise.split()[-1].removesuffix("%")) / 100
    hardly_open = noisy[noise, 1_000_000] < 1000
    slower = [
        ratio
        for name, ratio in {**timed, **once}.items()
        if name not in ("corefeval", "reading alone")
    ]
    reference = [ratio for name, ratio in {**timed, **once}.items() if name.startswith("reference")]
    by_rules = all(row["same by its rules"] for row in parts["scorers"]["scores"])
    return Held(
        sentences=[
            (
                "Most other scorers take more than twice as long",
                2 * sum(ratio > 2 for ratio in slower) > len(slower),
            ),
            ("348 documents and 20,000 mentions", 348, 20_000),
            ("takes longer than corefeval", min(slower) > 1),
            ("more than ten times as long", bool(reference) and min(reference) > 10),
            ("by its rules", by_rules),
            ("With 20% of a million mentions", moved_anywhere),
            ("hardly a pair is left open", hardly_open),
            ("of ten duplicates", sum(len(entity) > 1 for entity in most_alone)),
            ("; nine in ten lie between low", round(MIDDLE[1] - MIDDLE[0], 9) == 0.9),
            ("mayor in three documents", len(of_mayor)),
            ("of two columns", len(records.columns)),
            ("Ten records, by two libraries", len(records), len({sklearn, corefeval})),
            ("Three means of the same records' shares", len(rows)),
            ("Here are 100,000 rows", big.key_mentions),
            ("A tenth of its records", to_a_hundredth(sum(moved), len(moved))),
            ("A tenth of the entities, labelled whole", Fraction(len(tenths[0]), len(order))),
            ("we draw a tenth of its entities", to_a_hundredth(len(drawn_by_chance), len(nothing))),
            ("is right about most records", f1["b3"] > 0.8),
            ("since they have no pair to count", f1["pairwise"] == f1["muc"] == 0),
            ("half of BLANC is 0", unmatched["blanc"].counts.coreference.recall.hits == 0),
            ("within five points of the population", max(near) < 0.05),
            ("far too much of LEA's precision", lea_found[1] > 2 * lea_found[0]),
            ("must stay whole for it", abs(lea_found[2] - lea_found[0]) < 0.06),
            ("add up hits and totals", same_by_library),
            ("we label 60 entities", LABELLED),
            ("from only these we make an interval of 95%", ENDS[1] - ENDS[0]),
            ("by 1,000 draws with replacement", DRAWS),
            ("We do this 200 times", SAMPLES),
            ("a range of 8 to 13 points", *(round(100 * f(spread)) for f in (min, max))),
            (
                "92% to 96% of the intervals",
                *(Fraction(round(100 * f(held)), 100) for f in (min, max)),
            ),
            ("it is the same, but for LEA", same == {"muc", "b3", "pairwise"}),
            ("precision is far too low", lower),
            ("precision is too high", higher),
            ("those of the population, one by one", summed == of_all),
            ("by document every score is 1", min(f1_by(across["document"])) == "1.000" and 1),
            ("its recall is that of `b3_class`", their_recall == b3["b3_class"].exact.recall),
            (
                "its precision is none of this book's",
                their_precision not in (b3["b3"].exact.precision, b3["b3_class"].exact.precision),
            ),
            ("the result is the same, number by number", parts["spark"]["targets"][0]["met"]),
            (
                "The choice changes every measure",
                all(a != b for a, b in zip(*by.values(), strict=True)),
            ),
        ]
    )
