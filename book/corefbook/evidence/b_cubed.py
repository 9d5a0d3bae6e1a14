"""What holds the sentences of b-cubed.ipynb."""

from fractions import Fraction
from itertools import combinations

from corefbook import ledger
from corefbook.enumeration import partitions
from corefbook.evidence.fold import Held
from corefbook.ratios import ratio
from corefbook.tables import Equal
from corefeval import Partition, metric
from corefeval.measures.b_cubed import b_cubed, b_cubed_by_entity


def held(
    b3,
    b3_by_entity,
    credits,
    figure_6,
    first,
    halves,
    key,
    measures,
    of_figure_6,
    recalls,
    second,
    sets,
    ten,
    whole,
) -> Held:
    examples = ledger.load("baldwin1998").examples.values()
    both = [*partitions("abcd"), *partitions("abe")]
    sides = [str(Partition(each)) for each in both]
    pairs = [(k, r) for k in sides for r in sides]
    same = [metric("b3")(k, r).exact[:2] == b3(k, r) for k, r in pairs]
    drawn = [each.response for each in examples if each.name.startswith("example")]
    muc = [metric("muc")(key, response).exact.precision for response in (first, second)]
    by_entity = [b3_by_entity(key, response)[1] for response in (first, second)]
    by_mention = [b3(key, response)[1] for response in (first, second)]
    higher = all(one > other for one, other in zip(by_entity, by_mention, strict=True))
    closer = abs(by_entity[0] - by_entity[1]) < abs(by_mention[0] - by_mention[1])
    opening = ("{Conradin the_boy} {the_doctor his}", "{Conradin his the_boy} {the_doctor}")
    found_of = credits(*map(sets, opening))
    full = {
        credit for each in (first, second) for credit in credits(sets(key), sets(each)).values()
    }
    n_wrong = []
    for response in (first, second):
        together = [set(p) for s in sets(response) for p in combinations(s, 2)]
        n_wrong.append(sum(not any(p <= s for s in sets(key)) for p in together))

    def recall_by_class(key, response):
        """The mean of the R_S weighted by |S|, from the parts of each S."""
        total = Fraction(0)
        for s in sets(key):
            parts = [s & entity for entity in sets(response) if s & entity]
            missing = sum(len(s) - len(part) for part in parts for _ in part)
            total += len(s) * (1 - Fraction(missing, len(s) ** 2))
        return ratio(total, sum(len(s) for s in sets(key)))

    covered = [(k, r) for k, r in pairs if set().union(*sets(k)) <= set().union(*sets(r))]
    proved = all(recall_by_class(k, r) == b3(k, r)[0] for k, r in covered)
    without_d = measures["B³"]("{a b c} {d}", "{a b c}").exact
    cut = {name: each(whole, halves).exact.recall for name, each in measures.items()}
    everywhere = {recall for _, recall in recalls["MUC"]}
    alone, absent = "{a b} {c}", "{a b}"
    idle = ledger.load("recasens2010").examples["G"]
    links_nothing = all(size == 1 for size in idle.response.sizes)
    idle_f1 = metric("b3")(idle.key, idle.response).exact.f1
    all_alone = "{1} {2} {3} {4} {5} {6} {7} {8} {9} {10}"
    left_alone = [b3(k, all_alone) == (Fraction(len(sets(k)), 10), 1) for k in (whole, halves)]
    as_parts = {recall_by_class("{a b c}", alone), b3("{a b c}", alone)[0]}
    in_no_part = recall_by_class("{a b c}", absent)
    no_credit = b3("{a b c}", absent)[0]
    of_links = metric("muc")(whole, halves).counts.recall
    return Held(
        sentences=[
            (
                "Ten mentions need nine links, one of them is missing",
                len(ten),
                of_links.total,
                of_links.total - of_links.hits,
            ),
            ("Ten mentions, cut in two", len(ten), len(sets(halves))),
            (
                "MUC does not notice where, and B³ does",
                len(everywhere) == 1 < len({recall for _, recall in recalls["B³"]}),
            ),
            ("a quarter of the key's mentions is gone", 1 - without_d.recall),
            ("All of them agree", of_figure_6.count(Equal) == 4 * len(figure_6)),
            ("recall is 8/9, wherever we cut", cut["MUC"]),
            ("wherever we cut", len(everywhere) == 1),
            ("the same recall is 1/2", cut["B³"]),
            ("and gives 0.82", recalls["B³"][0][1]),
            ("recall is the mean of 1, 1, 1/2 and 1/2", *sorted(found_of.values(), reverse=True)),
            (
                "Two responses make one mistake each",
                drawn == list(map(Partition.parse, (first, second))),
            ),
            ("together: 25 of them, five times five, against 10", *n_wrong[::-1]),
            ("precision is 9/10", *set(muc)),
            ("every credit for recall is 1", *full),
            ("16/21 for the small one, and 7/12 for the large one", *by_mention),
            ("Both precisions are higher than before", higher),
            ("they lie closer together", closer),
            ("It gives what our sets give", all(same)),
            ("Let's prove it", proved),
            ("three recalls are possible", len({*as_parts, in_no_part, no_credit})),
            ("misses nothing | the second definition | 7/9", in_no_part),
            ("as in MUC | both definitions | 5/9", *as_parts),
            ("above | the first definition | 4/9", no_credit),
            ("a response that links nothing", links_nothing),
            ("gets an F1 of 0.96", idle_f1),
            ("so precision is 1", all(left_alone)),
        ],
        listings=[b_cubed, b_cubed_by_entity],
    )
