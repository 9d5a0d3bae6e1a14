"""What holds the sentences of lea.ipynb."""

from fractions import Fraction

from corefbook.evidence.fold import Held
from corefeval import metric
from corefeval.measures import lea as module


def held(
    idle, joined, lea_recall, links, named, of_idle, right, series, sets, whole, without, wrong
) -> Held:
    astray = ("{Conradin the_boy} {the_doctor his}", "{Conradin his the_boy} {the_doctor}")
    b3 = metric("b3")
    unmoved = [
        metric(name)("{a b c}", named).exact.recall - metric(name)("{a b c}", without).exact.recall
        for name in ("ceafm", "lea")
    ]
    sizes = idle.key.sizes
    of_g = {
        name: metric(name)(idle.key, idle.response).exact.f1 for name in ("muc", "blanc", "lea")
    }
    halves = [metric(name)(right, wrong).exact.f1 for name in ("b3", "ceafm", "ceafe")]
    no_pair = metric("lea")("{a} {b c}", "{a} {b} {c}").exact

    def links_of(side):
        return set().union(*map(links, sets(side)))

    return Held(
        sentences=[
            (
                "Ten mentions, cut in two. MUC is the same wherever the cut is",
                len(whole) == 10 and len({value for _, value in series["MUC"]}) == 1,
            ),
            (
                "B³ and LEA fall as the parts get more equal",
                all(
                    values == sorted({*values}, reverse=True)
                    for title in ("B³", "LEA")
                    for values in [[value for _, value in series[title]]]
                ),
            ),
            ("Two entities of m joined", len(joined(2)[0])),
            (
                "No two mentions that share an entity of the key share one",
                links_of(right).isdisjoint(links_of(wrong)),
            ),
            ("The key has two links. The response finds one of them", 2, lea_recall(*astray) * 2),
            ("LEA gives 0, because it pays only", metric("lea")(right, wrong).exact.f1),
            ("MUC gives 0, too", metric("muc")(right, wrong).exact.f1),
            ("Half of the score for a response", {*halves} == {Fraction(1, 2)}),
            (
                "B³'s recall rises",
                b3("{a b c}", named).exact.recall > b3("{a b c}", without).exact.recall,
            ),
            ("CEAFₘ and LEA do not move", {*unmoved} == {0}),
            ("three links one, b–c, is right", 3, 3 * lea_recall("{a b c}", "{a} {b c}")),
            ("a system that links nothing can earn 0.87", of_g["lea"]),
            ("LEA gives it 0.87", of_g["lea"]),
            ("far more than MUC and BLANC do", of_g["lea"] > of_g["blanc"] + 0.3),
            ("Of the key's 70 mentions, 61 are", sum(sizes), sizes.count(1)),
            ("is right about all of these", of_g["lea"] == Fraction(61, 70)),
            ("without one right pair earns 1/3", no_pair.f1),
            (
                "A response without a link: MUC gives it nothing, BLANC half, and",
                of_g["muc"] == 0 and round(of_g["blanc"], 2) == Fraction(1, 2),
            ),
            (
                "LEA almost as much as CEAF and B³",
                of_g["lea"] < min(of_idle[m] for m in ("CEAFₘ", "CEAFₑ", "B³")) < of_g["lea"] + 0.1,
            ),
            ("which links nothing at all", max(idle.response.sizes) == 1),
            (
                "B³ even gives recall to a mention that is linked to nothing",
                b3("{a b c}", named) != b3("{a b c}", without),
            ),
            (
                "a mention alone only where the key entity has no better partner",
                [metric("ceafm")("{a b c}", each).exact.recall for each in ("{x y}", "{x y} {a}")]
                == [0, Fraction(1, 3)],
            ),
            ("no credit for keeping mentions apart", lea_recall("{a b} {c d}", "{a b c d}") == 1),
            ("Only precision notices", lea_recall("{a b c d}", "{a b} {c d}") < 1),
            (
                "not even to a spurious mention",
                lea_recall("{a} {b c}", "{a x} {b c}") == Fraction(2, 3),
            ),
        ],
        listings=[module.lea, module._weighted_share],
    )
