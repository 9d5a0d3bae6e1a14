"""What holds the sentences of coreference.ipynb."""

from itertools import combinations
from statistics import mean

from corefbook.evidence.fold import Held
from corefbook.ratios import ratio
from corefeval import Partition, metric


def pairs_of(side):
    return {two for entity in side for two in combinations(sorted(entity), 2)}


def held(
    by_b3, by_muc, found, groups, key, longer, names, ranked, response, right, spanning_trees, trees
) -> Held:
    chain, star = (Partition.from_links(f"A-B B-C {last}-D") for last in "CB")
    alone, one = Partition([name] for name in names), Partition([names])
    best, second_by_muc = ranked[0], sorted(groups, key=by_muc.get)[-2]
    by_ceafe = {group: metric("ceafe")(key, group).exact.f1 for group in groups}
    best_wrong = max(by_ceafe[each] for each in groups if each != best)
    one_moved = {each for each in groups if sorted(each.sizes) == [1, 3]}
    of_five = [float(score.f1) for score in found.values()]
    pairs_of_novel = 10_000 * 9_999 // 2
    lacking = metric("b3")(key, "{Conradin the_boy}")
    of_key, of_response = (
        [set(entity) for entity in Partition.parse(side)] for side in (key, response)
    )
    of_longer = Partition.parse(longer).sizes
    # A reader may empty a side: then there is no such pair of entities.
    in_order = [*zip(of_key, of_response, strict=False)]
    misplaced = {mention for k, r in in_order for mention in r - k}
    ten = [range(first, first + 10) for first in range(0, 100, 10)]
    of_ten, of_all = pairs_of(ten), pairs_of([range(100)])
    rates = [ratio(len(of_ten & of_all), len(side)) for side in (of_ten, of_all)]
    on_both = pairs_of(of_key) & pairs_of(of_response)
    return Held(
        sentences=[
            ("speaks four times of two people", sum(Partition.parse(key).sizes), len(of_key)),
            (
                "makes three pairs of Conradin, his and the boy, and one of them",
                len(pairs_of(of_response)),
                len(on_both),
            ),
            (
                "Recall is 1/2, precision is 1/3",
                *(ratio(len(on_both), len(pairs_of(side))) for side in (of_key, of_response)),
            ),
            ("gets one of the four wrong", len(misplaced), len(names)),
            ("and you get five answers", len({*of_five})),
            ("Four mentions make six pairs", len(names), len([*combinations(names, 2)])),
            (
                "K1 has two mentions, R1 has three, and they share two",
                *(size for k, r in in_order[:1] for size in (len(k), len(r), len(k & r))),
            ),
            ("Take ten people with ten mentions each", len(ten), *{*map(len, ten)}),
            ("By pairs, recall is 1 and precision is 1/11", *rates),
            (
                "The plain mean would be 0.55; F1, the harmonic mean, is 0.17",
                mean(rates),
                2 / sum(1 / each for each in rates),
            ),
            ("Let's ask five of them", len(found)),
            ("makes one person of all four mentions", len(one), len(names)),
            ("There are four more mentions", sum(of_longer) - 4),
            ("The doctor now has four mentions", max(of_longer)),
            (
                "One wrong mention, as five measures count it: five scores",
                len(misplaced),
                len(found),
                len({*of_five}),
            ),
            ("Two people, K1 and K2", len(of_key)),
            ("and of two people only", len(of_key)),
            (
                "Conradin and the boy are one of them. The doctor and his are the other",
                of_key == [{"Conradin", "the_boy"}, {"the_doctor", "his"}],
            ),
            ("is the only mention whose two entities differ", misplaced == {"his"}),
            ("The 16 ways to write one entity", len(trees)),
            ("of four mentions as three links", len({*sum(trees[0], ())}), len(trees[0])),
            ("One pair is in both", len(on_both)),
            (
                "Only Conradin and the boy are a pair on both sides",
                on_both == {("Conradin", "the_boy")},
            ),
            (
                "K2 is divided between R1 and R2",
                [bool(k & r) for k in of_key[1:2] for r in of_response] == [True, True],
            ),
            (
                "One response with one mistake, under five measures",
                len({response}),
                len(misplaced),
                len(found),
            ),
            ("Three people, eight mentions", len(of_longer), sum(of_longer)),
            (
                "and all four alone",
                sorted(max(each.sizes) for each in right if by_b3[each] < 1) == [1, 2, 2],
            ),
            ("from 0.33 to 0.73", min(of_five), max(of_five)),
            (
                "F1 goes from 0.33 by LEA to 0.73 by CEAFₑ",
                found["LEA"].exact.f1,
                found["CEAFₑ"].exact.f1,
            ),
            ("The sentence speaks of somebody four times", sum(Partition.parse(key).sizes)),
            ("Two lists of links, and one entity", chain == star),
            ("Four mentions need three links", len(names), len(trees[0])),
            ("There are 16, and the number grows fast", len(trees)),
            ("six mentions have 1,296", len(spanning_trees("ABCDEF"))),
            ("10,000 mentions, a long novel, make 49,995,000", 10_000, pairs_of_novel),
            ("Four mentions can be grouped in 15 ways", len(groups)),
            ("a measure has to rank the other 14", len(groups) - 1),
            ("Which of the 15 groupings", len(groups)),
            (
                "A response that lacks mentions can do so, too",
                lacking.exact.precision == 1 and lacking.exact.f1 < 1,
            ),
            ("Both measures put the key first", by_b3[best] == by_muc[best] == 1),
            ("MUC gives the second place to the response", second_by_muc == one),
            ("level with the response that leaves every mention alone", by_b3[one] == by_b3[alone]),
            ("to which MUC gives nothing", by_muc[alone] == 0),
            (
                "CEAFₑ has a third favourite, the responses that move one mention",
                one_moved == {each for each in groups if by_ceafe[each] == best_wrong},
            ),
        ]
    )
