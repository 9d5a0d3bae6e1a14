"""What holds the sentences of which-measure.ipynb."""

from itertools import combinations
from statistics import mean

from corefbook.evidence.fold import Held
from corefbook.studies import card, people, real, story, verdicts
from corefeval import evaluate, metric
from corefeval.errors import CorefError
from corefeval.registry import SUITES
from corefeval.scorers.bundles import bundles


def mean_f1(corpus, name):
    """F1 of a configuration by each measure, the mean of its three seeds."""
    of_seeds = [real.f1("hypercoref", corpus, f"{name}.{seed}") for seed in range(3)]
    return {m: mean(run[m] for run in of_seeds) for m in real.ORDER}


def held(bare, idle, key, many, nearest) -> Held:
    suite = [name for name in SUITES["standard"] if name != "mentions"]
    no_link = {name: metric(name)("{a b} {c d}", "{a c} {b d}").exact.value for name in suite}
    large = card.PROBES["large, not small, joined"]
    whole = {mention for entity in nearest for mention in entity}
    cut = {mention for entity in nearest.without_singletons() for mention in entity}
    alone = {mention for entity in key if len(entity) == 1 for mention in entity}
    two = [story.responses()[name] for name in ("own mentions", "same head")]

    def scored(response, **chosen):
        """F1 of the standard suite."""
        total = evaluate({"": key}, {"": response}, **chosen).total
        return {name: score.exact.value for name, score in total.items()}

    def conll_of_two(scorer):
        """The CoNLL scores of the two responses by a scorer, if it has one."""
        try:
            return tuple(
                evaluate({"": key}, {"": response}, "conll", like=scorer).total["conll"].exact.value
                for response in two
            )
        except CorefError:
            return None

    reference, e2e, scorch = (
        [scored(each, like=scorer) for each in two] for scorer in ("reference", "e2e", "scorch_cli")
    )
    rules = {conll_of_two(scorer) for scorer in bundles()} - {None}
    in_table = {conll_of_two(scorer) for scorer in story.RULES}
    leads = sorted(100 * (other - one) for one, other in rules)
    third = evaluate({"": bare}, {"": nearest}, "conll")["conll"].exact.value
    turned = verdicts.turned("ecbp")
    readings = {
        (scope, rule): verdicts.seeds("fcc", rule, scope)
        for scope in ("documents", "corpus")
        for rule in ("", "singletons=drop")
    }
    means = {name: mean(run["b3"] for run in runs) for name, runs in readings.items()}
    place = "cdcr-corpora", "fcc"
    idle_f1 = real.f1(*place, "links-nothing", "documents")["b3"]
    of_runs = [real.f1(*place, f"feature.{n}", "documents") for n in range(5)]
    by_scope = {name: [*people.reached(name).values()] for name in people.SCOPES}
    average = {
        name: {m: mean(pair[m] for pair in pairs_of) for m in people.MEASURES}
        for name, pairs_of in by_scope.items()
    }
    both_ceafe = [pair["ceafe"] for pair in by_scope["all"]]
    of_conll = sorted(pair["conll"] for pair in by_scope["all"])
    same_tokens = [pair for pair in people.pairs() if not pair.other_tokens]
    plays = [pair.act.split("-")[0] for pair in same_tokens]
    configurations = real.configurations()
    contradicted: dict[str, list[int]] = {"muc": [], "b3": [], "ceafe": []}
    for corpus in ("ecbp", "fcct", "gvc"):
        by_mean = [mean_f1(corpus, name) for name in configurations]
        for m, counts in contradicted.items():
            counts.append(
                sum(
                    (one[m] - two[m]) * (one["conll"] - two["conll"]) < 0
                    for one, two in combinations(by_mean, 2)
                )
            )
    return Held(
        sentences=[
            ("reach a CoNLL score of 67 on average", round(average["all"]["conll"])),
            ("both have marked, the mean CoNLL score is 90", round(average["both"]["conll"])),
            ("CEAFₑ varies most, from 26 to 82", round(min(both_ceafe)), round(max(both_ceafe))),
            (
                "varies most",
                max(
                    people.MEASURES,
                    key=lambda m: (
                        max(pair[m] for pair in by_scope["all"])
                        - min(pair[m] for pair in by_scope["all"])
                    ),
                )
                == "ceafe",
            ),
            (
                "The highest CoNLL score, 87, is one pair's; the next has 77",
                *map(round, of_conll[:-3:-1]),
            ),
            ("and ten short texts", len(many) - 1),
            ("put 37 of 136 pairs of", turned.by_e2e, turned.pairs),
            (
                "are on average 4.5 points behind a baseline or 11.2 ahead",
                -min(means.values()),
                max(means.values()),
            ),
            ("LEA pays for nothing but right links", no_link["lea"] == 0),
            ("To LEA it costs more, singletons aside", card.change("lea", *large) == "falls"),
            (
                "to MUC a join of two large entities costs the same",
                card.change("muc", *large) == "same",
            ),
            ("B³ and CEAFₑ can pay 0.50 for", *{no_link["b3"], no_link["ceafe"]}),
            ("B³ still pays, because", no_link["b3"] > 0),
            ("which gets 0.92", idle.exact.f1),
            ("a B³ F1 of four fifths", idle.exact.f1 > 0.8),
            ("CEAFₑ is 17 or 52", round(100 * e2e[0]["ceafe"]), round(100 * scorch[0]["ceafe"])),
            ("Every scorer that we know gives the CoNLL scores", rules == in_table),
            ("By three of the four same head", sum(lead > 0 for lead in leads), len(leads)),
            ("same head is ahead, by 4.95 to 21.56 points", leads[1], leads[-1]),
            (
                "adds spurious mentions to the key as singletons",
                scorch[0]["ceafe"] > reference[0]["ceafe"],
            ),
            ("move it, by up to 27 points", round(100 * (reference[1]["conll"] - e2e[1]["conll"]))),
            ("The first two score different mentions", cut != whole),
            ("in the response each of them is spurious", alone <= whole),
            ("on one corpus, another seed reversed 127", verdicts.turned("fcct").by_seed),
            ("of 408 pairs", 3 * turned.pairs),
            (
                "linking nothing beats three of a real system's five runs",
                sum(run["b3"] < idle_f1 for run in of_runs),
                len(of_runs),
            ),
            ("from 56 to 87", round(of_conll[0]), round(of_conll[-1])),
            ("In 19 pairs two people", len(same_tokens)),
            ("In three German plays", len({*plays})),
            ("and ten short texts", len(many) - 1),
            ("12 of the 19 comparisons are of one play", max(map(plays.count, plays)), len(plays)),
            ("it is behind, by 0.90", -leads[0]),
            (
                "MUC is free of the first fault and B³ of the second, and LEA of",
                no_link["muc"] == no_link["lea"] == 0 and card.change("b3", *large) == "falls",
            ),
            ("For 17 configurations on three real corpora", len(configurations)),
            (
                "contradicted MUC most",
                all(
                    muc == max(muc, b3, ceafe)
                    for muc, b3, ceafe in zip(*contradicted.values(), strict=True)
                ),
            ),
            (
                "51.56 stands in the table above, too",
                *{f"{float(100 * score):.2f}" for score in (scorch[0]["ceafe"], third)},
            ),
        ]
    )
