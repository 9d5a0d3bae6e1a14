"""What holds the sentences of walk-through.ipynb."""

from fractions import Fraction

from corefbook import ledger
from corefbook.draw.panels import PANELS
from corefbook.evidence.fold import Held
from corefbook.tables import Differs
from corefeval import Partition, metric


def held(
    K,
    R,
    alignments,
    b3,
    classes,
    found,
    key_mentions,
    lea,
    links_of,
    mean,
    muc,
    names,
    ours,
    parts,
    phi3,
    printed,
    response,
    response_mentions,
    steps,
    table,
) -> Held:
    values = [score.exact.f1 for score in found.values()]
    example = ledger.load("pradhan2014").examples["walk-through"]
    two = "{a b} {c d}"
    with_x = "{a b x} {c d}"
    others = [m for m in names if m not in ("ceafe", "conll")]
    of_spurious = [metric(m)(two, with_x) for m in others]
    of_missing = [metric(m)(with_x, two) for m in others]
    in_entity = [s.exact.recall == 1 > s.exact.precision for s in of_spurious]
    in_entity += [s.exact.precision == 1 > s.exact.recall for s in of_missing]
    of_links = steps["F1 of coreference"][1]
    lost = [needed - given for given, needed in (muc(K, R), muc(R, K))]
    seven, eight = len(key_mentions), len(response_mentions)
    by_library = {name: [*found[name].exact[:3]] for name in ours}
    as_printed = {
        (row.title, row.part): Fraction(row.printed)
        for row in ledger.rows("pradhan2014")
        if row.place.startswith("section 4") and row.part
    }
    as_ours = {("B³", "F1"): ours["B³"][2], ("BLANC", "F1"): mean[2]}
    hundredths = {100 * abs(round(value, 2) - as_printed[cell]) for cell, value in as_ours.items()}
    on_one_side = (key_mentions - response_mentions, response_mentions - key_mentions)
    in_others = set().union(*map(links_of, R))
    return Held(
        sentences=[
            (
                "one response of eight, six measures (CEAF has two)",
                len({response}),
                eight,
                len(names) - 1,
                sum("CEAF" in title for title in names.values()),
            ),
            ("(CEAF has two)", sum("CEAF" in title for title in names.values())),
            ("and has two spurious ones, h and i", len(on_one_side[1])),
            (
                "Two key entities and three response entities have six alignments",
                len(K),
                len(R),
                len(list(alignments(phi3))),
            ),
            (
                "one of three for {a b c}, and one of six for {d e f g}",
                *(n for k in K for n in (len(links_of(k) & in_others), len(links_of(k)))),
            ),
            ("weighted by the three and the four mentions of", *map(len, K)),
            ("with the response's three entities", len(R)),
            ("We have seen five ways", len(PANELS)),
            ("Which of the seven scores rise", len(found)),
            ("and five measures see it", len(PANELS)),
            ("One response, seven numbers", len({response}), len(found)),
            ("It cuts both key entities", all(len(parts(k, R)) > 1 for k in K)),
            ("misses e, and invents h and i", on_one_side == ({"e"}, {"h", "i"})),
            ("e has no orange half, h and i have no blue one", on_one_side == ({"e"}, {"h", "i"})),
            ("The example", (example.key, example.response) == (Partition(K), Partition(R))),
            ("goes from 0.28 by LEA to 0.53 by CEAFₘ", min(values), max(values)),
            ("One key of seven mentions", 1, seven),
            ("the key's seven mentions", seven),
            ("the response's eight", eight),
            ("Two links of five", *muc(K, R)),
            ("of five, on either side", muc(K, R) == muc(R, K)),
            ("Recall is 5/12", b3[0]),
            ("and precision 1/2, over the", b3[1]),
            ("have six alignments", len(list(alignments(phi3)))),
            ("which is 5/21", lea(K, R)),
            ("with what our functions have given under it", ours == by_library),
            ("Two cells differ, by one hundredth each", printed.count(Differs), *hundredths),
            ("three in blue for the key and three in orange", *lost),
            ("prints as 0.23 on the way", of_links),
            ("counts all three as equal", len(steps)),
            ("the mean of 0.23 and 0.50", of_links, classes["non-coreference"][2]),
            ("seven numbers for the same pair", len(found)),
            ("A missing mention mostly costs recall", all(in_entity)),
            ("all seven numbers rise", sum(b < after for _, b, after in table)),
            ("from 0.46 to 0.59", *table[-1][1:]),
            ("All rise", all(before < after for _, before, after in table)),
        ]
    )
