"""What holds the sentences of rewards.ipynb."""

from itertools import combinations
from math import comb

from corefbook.enumeration import partitions
from corefbook.evidence.fold import Held
from corefbook.studies import blind_spots, story
from corefeval import metric


def held(
    NAMES,
    by_chance,
    chance_beaten,
    cost,
    dropped,
    errors,
    hundred,
    key,
    key_links,
    kinds,
    largest,
    left_over,
    most,
    of_one,
    paid,
    pairs,
    pronouns,
    ratios,
    responses,
    split_over,
    systems,
    table,
    text,
    value,
    wrong_pairs,
) -> Held:
    table = {n: line | {"random": by_chance[n]} for n, line in table.items()}
    guess = ["same head", "agreement", "own mentions", "random"]
    worst = [min(table[n], key=table[n].get) for n in ("b3", "b3_class", "ceafm", "ceafe")]
    by_class = sorted(systems, key=table["b3_class"].get)[-3:]
    conll, muc, by_entity = table["conll"], table["muc"], table["b3_class"]
    far = {n: line["one entity"] - line["singletons"] for n, line in table.items()}
    same = all(abs(dropped[x]["muc"] - muc[x]) < 1e-9 for x in systems)
    before = conll["own mentions"] > conll["agreement"]
    after = dropped["own mentions"]["conll"] < dropped["agreement"]["conll"]
    random_beats = [x for x in systems if conll["random"] > conll[x]]
    shares = largest.count(1) / len(key), sum(largest[:3]) / len(key.mentions)

    def anchored(response):
        """The share of pronouns with a right name or noun in their entity."""
        found = 0
        for p in pronouns:
            right = set(key.entities[key.entity_of[p]]) - pronouns
            found += bool(right & set(response.entities[response.entity_of[p]]))
        return found / len(pronouns)

    effects = {(n, k): blind_spots.effect(n, k) for n in NAMES for k in kinds}
    blind = {(n, k) for (n, k), effect in effects.items() if effect == "blind"}
    lone = [("drop", "singletons"), ("spurious", "singletons")]
    on_the_line = [n for n, r in ratios.items() if {*r.values()} == {1}]
    right = [n for n, r in ratios.items() if min(r.values()) > 1]
    by_rate = sorted(most.opposite, key=lambda pair: most.rate(*pair))
    highest = by_rate[-1] == ("ceafe", "blanc") and most.rate("ceafe", "blanc")
    alone = [name for name in NAMES if name != "conll"]
    merged = {n: {blind_spots.notices(n, ("merge", s)) for s in ("large", "small")} for n in alone}
    both_ways = {
        n: {blind_spots.notices(n, (e, "large")) for e in ("split", "merge")}
        for n in ("ceafm", "ceafe", "blanc")
    }
    undecided = sorted(NAMES, key=lambda name: most.tied[name])
    five, by_one = (blind_spots.comparison(5, NAMES, zero=z) for z in ("zero", "one"))
    with_one = blind_spots.comparison(4, NAMES, spurious="x")
    given = blind_spots.comparison(4, NAMES)
    couples = [*combinations(NAMES, 2)]
    higher = [p for p in couples if with_one.rate(*p) > given.rate(*p)]
    by_conll = [most.rate(n, "conll") for n in ("muc", "b3", "ceafe")]
    split, merge = (
        metric("ceafe")("{a b c d} {e f} {g}", each).exact
        for each in ("{a b} {c d} {e f} {g}", "{a b c d e f} {g}")
    )
    four_splits = {cost("muc", ("split", size)) for size in ("large", "small")}
    of_six = len([*partitions("abcdef")])
    two_largest = sorted(key, key=len)[-1:-3:-1]
    alone_7 = "{a} {b} {c} {d} {e} {f} {g}"
    pairs_7 = "{a b} {c d} {e} {f} {g}"
    joined_7 = "{a b c d} {e} {f} {g}"
    of_paid = {
        n: [value(n, each) for each in paid.values()] for n in ("muc", "b3", "ceafe", "conll")
    }
    fewer = len(paid["singletons"]) - len(paid["wrong pairs"])
    up_to_four = [blind_spots.raised_by_wrong_links(NAMES, n) for n in (2, 3, 4)]
    return Held(
        sentences=[
            (
                "MUC prefers one entity to no link; all others prefer no link",
                [name for name, lead in far.items() if lead > 0] == ["muc"],
            ),
            (
                "Conradin (1) and the Woman (2)",
                [story.called(text, entity) for entity in two_largest] == ["Conradin", "the Woman"],
            ),
            ("Six errors. Key entities", len(errors)),
            ("What four errors take", blind_spots.ERRORS),
            ("from a score of 100", 100 * metric("b3")(hundred, hundred).exact.f1),
            ("of all with six mentions", most.pairs == of_six * comb(of_six, 2)),
            ("all 490 mentions", len(key.mentions)),
            ("MUC gives you 69.1", muc["one entity"]),
            ("by entity gives you 94.2", by_entity["singletons"]),
            ("Most entities are singletons", shares[0] > 1 / 2),
            ("three hold more than a third of the mentions", 1 / 3 < shares[1] < 0.4),
            ("LEA gives singletons 39.2", table["lea"]["singletons"]),
            ("gave it 39.2 and 48.5", table["lea"]["singletons"], table["blanc"]["singletons"]),
            ("one entity of all more than half are right", 2 * key_links > of_one),
            (
                "understood nothing than to same head",
                all(muc["one entity"] > muc[x] for x in guess),
            ),
            ("beat nearest", by_class[0] == "nearest"),
            (
                "which give no pronoun an antecedent",
                not any(anchored(responses[x]) for x in ("singletons", "same head")),
            ),
            ("gives 58% of them", anchored(responses["nearest"])),
            ("to the last digit", same),
            ("One entity is the worst", {*worst} == {"one entity"}),
            (
                "has 48.5, and chance has 49.9",
                table["blanc"]["singletons"],
                table["blanc"]["random"],
            ),
            ("puts random above", len(random_beats) == 4),
            ("and the others of its mentions are left over", len(left_over) == key_links),
            ("as MUC's 0 shows", max(of_paid["muc"]) == 0),
            ("CEAFₑ rises from 58.9 to 71.7", *of_paid["ceafe"]),
            ("129 entities fewer to divide by", fewer),
            (
                "129 wrong links raise CEAFₑ and the CoNLL score, and lower B³",
                len(wrong_pairs) * (of_paid["b3"][1] < of_paid["b3"][0]),
            ),
            ("from 41.0 to 43.1", *of_paid["conll"]),
            ("only these two rise by a wrong link", set().union(*up_to_four) == {"ceafe", "conll"}),
            (
                "With seven mentions B³ by entity can, too",
                metric("b3_class")(alone_7, joined_7).exact.f1
                > metric("b3_class")(alone_7, pairs_7).exact.f1,
            ),
            ("On 11 of the 15 pairs", len(split_over), len(pairs)),
            (
                "By MUC one entity is better than singletons, by all others worse",
                [n for n, d in far.items() if d > 0] == ["muc"],
            ),
            ("only under MUC", chance_beaten == ["muc"]),
            ("an order changes", before and after),
            ("has 100 mentions", len(hundred.mentions)),
            ("on the key of 100 mentions", len(hundred.mentions)),
            ("so that there are fifteen kinds", len(kinds) == 15),
            ("Four splits cost MUC the same", len(four_splits) == 1),
            ("for 16 of the 21 pairs of measures", len(higher), len(couples)),
            ("All marks of MUC lie", (on_the_line, right) == (["muc"], ["b3", "blanc"])),
            ("costs it 3.6 times as much", 1 / ratios["ceafe"]["drop"]),
            ("Only MUC is blind", blind == {("muc", k) for k in lone}),
            (
                "For MUC and B³ a merged entity",
                [n for n in alone if merged[n] == {"P"}] == ["muc", "b3", "lea"],
            ),
            (
                "unless one of the two was a singleton",
                metric("lea")("{a b} {c}", "{a b c}").exact.recall < 1,
            ),
            ("CEAF and BLANC lower both", all(each == {"R P"} for each in both_ways.values())),
            ("contradict each other most, on more than a fifth of all pairs", highest > 1 / 5),
            ("It contradicts MUC on 3.3%", most.rate("muc", "conll")),
            ("which it also contains, on 20.0%", most.rate("ceafe", "conll")),
            ("it follows MUC and B³ far more", 2 * max(by_conll[:2]) < by_conll[2]),
            (
                "a split leaves precision below recall, and a merge recall below",
                split.precision < split.recall and merge.recall < merge.precision,
            ),
            ("is undecided least often", undecided[0] == "conll"),
            ("CEAFₘ is undecided most often", undecided[-1] == "ceafm"),
            ("The rates do not depend", by_one.opposite == five.opposite),
        ]
    )
