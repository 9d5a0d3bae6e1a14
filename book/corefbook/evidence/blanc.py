"""What holds the sentences of blanc.ipynb."""

from fractions import Fraction

from corefbook.enumeration import partitions
from corefbook.evidence.fold import Held
from corefeval import Partition, Scorer, metric
from corefeval.measures import blanc as module


def held(
    answer,
    blanc,
    cases,
    changes,
    idle,
    key,
    key_of_70,
    links,
    measures,
    of_class,
    rated,
    response,
    series,
    sets,
    systems,
) -> Held:
    library = measures["BLANC"]
    sides = [*partitions("abcd"), *partitions("abe")]
    all_sides = [[set(entity) for entity in side] for side in sides]
    same = [[*library(k, r).exact[:3]] == blanc(k, r) for k in all_sides for r in all_sides]
    one, other = links(key), links(response)
    linked, apart = links(sets("{a b c} {d e} {f} {g} {h}"))
    of_classes = [
        of_class(k, r)[2] if k else 0 for k, r in zip(links(key), links(response), strict=True)
    ]
    of_g = library(idle.key, idle.response).exact.f1
    at_half = abs(of_g - Fraction(1, 2)) < 0.01
    at_floor = 0.49 < series["BLANC"][-1][1] < 0.5
    sizes = systems["A"].key.sizes
    unlinked = [
        metric(name)(side, "{a} {b} {c} {d}").exact.recall
        for side in ("{a b} {c} {d}", "{a b c} {d}", "{a b c d}")
        for name in ("blanc", "blanc_both")
    ]
    doubled = [
        metric("blanc")(k, r).exact.f1 == 2 * metric("blanc_both")(k, r).exact.f1
        for k, r in cases.values()
    ]
    linked_by_g = [*measures["MUC"](idle.key, idle.response).counts.precision]
    least = {
        title: min(systems, key=lambda name: rated[f"system {name}"][title]) for title in measures
    }
    both_rules = ("blanc", "blanc_both")
    agree = [
        len({metric(rule)(each.key, each.response).exact for rule in both_rules}) == 1
        for each in (systems["G"], systems["H"])
    ]
    single = [{"a"}], [{"a"}]
    corpus = Scorer(both_rules)
    for k, r in cases.values():
        corpus.update(k, r)
    of_both = [corpus.compute()[name].exact.f1 for name in both_rules]
    by_b3 = {name: rated[f"system {name}"]["B³"] for name in systems}
    as_quoted = [
        Partition(key_of_70) == each.key and Partition(answer(changes[name])) == each.response
        for name, each in systems.items()
    ]
    ranges = {
        title: 100 * (max(column) - min(column))
        for title in ("B³", "BLANC")
        for column in [[rated[f"system {name}"][title] for name in "ABCDEF"]]
    }
    ends = {title: line[-1][1] for title, line in series.items()}
    return Held(
        sentences=[
            ("BLANC stops at one half", at_floor),
            ("MUC stays at 0", max(score for _, score in series["MUC"])),
            ("B³ and CEAFₘ rise towards 1", all(ends[m] > 0.9 for m in ("B³", "CEAFₘ"))),
            ("F1 of eight systems", len(systems)),
            ("A text has 70 mentions", len(systems["A"].key.mentions)),
            ("61 are mentioned once", sizes.count(1)),
            ("only three people or things", len(sizes) - sizes.count(1)),
            (
                "B³ and CEAFₘ give it more than 90%",
                all(rated["system G"][m] > 0.9 for m in ("B³", "CEAFₘ")),
            ),
            ("most mentions are singletons", 2 * sizes.count(1) > sum(sizes)),
            ("B³ ranks G even above system F", by_b3["G"] > by_b3["F"]),
            ("BLANC gives system G one half", at_half),
            ("Here is their key, and what each of them changes", all(as_quoted)),
            ("It has six pairs of mentions", len(one[0] | one[1])),
            ("The key links two of them and keeps four", *map(len, one)),
            ("links three and keeps three apart", *map(len, other)),
            ("Of the 28 pairs, 24 are", len(linked | apart), len(apart)),
            ("would get 24/28", Fraction(len(apart), len(linked | apart))),
            ("has an F1 of 2/5", of_classes[0]),
            ("non-coreference links 4/7", of_classes[1]),
            ("an F1 of 17/35", *blanc(key, response)[2:]),
            ("`blanc` below then gives no score", blanc(*single) == []),
            ("and the library 0.)", library(*single).exact.f1),
            ("The library's numbers are those of our sets", all(same)),
            ("The mean of the two is about one half", at_floor),
            ("50% is a poor one", at_half),
            ("lie four points apart", round(ranges["B³"])),
            ("more than twenty-five", ranges["BLANC"] > 25),
            ("MUC's recall is 0 and", measures["MUC"](idle.key, idle.response).exact[0]),
            ("and its precision 0/0", linked_by_g == [0, 0]),
            (
                "By B³, CEAFₘ and BLANC, system H earns least",
                least == {"B³": "H", "CEAFₘ": "H", "BLANC": "H", "MUC": "G"},
            ),
            (
                "and less than a tenth",
                all(rated["system H"][m] < 0.1 for m in ("B³", "CEAFₘ", "BLANC")),
            ),
            ("For G and H they agree", agree == [True, True]),
            ("The key's rule doubles the score", all(doubled)),
            ("both rules give an F1 of 17/35", of_both[0]),
            ("and both rules give", of_both[0] == of_both[1]),
            ("it spreads systems that", ranges["BLANC"] > 5 * ranges["B³"]),
            ("One half, exactly", set(unlinked[:4]) == {Fraction(1, 2)}),
            ("is 0 by either rule", max(unlinked[4:])),
            ("linking nothing earns about 50%", at_half),
            ("its zero is not at 0", of_g > 0.1),
        ],
        listings=[module.blanc, module._links],
    )
