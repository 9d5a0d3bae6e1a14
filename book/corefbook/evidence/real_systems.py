"""What holds the sentences of real-systems.ipynb."""

from itertools import combinations

from corefbook.evidence.fold import Held
from corefbook.studies import chances, labels, real, verdicts
from corefbook.tables import Table
from corefeval import compare, evaluate


def entities_of(name, scope):
    place = "hypercoref", "ecbp", name, "entities.response", scope
    return real.whole(*place)


def listed(p):
    return real.said(p, chances.LEAST)


def completed(name):
    """B³ without singletons, what one side lacks made its singletons."""
    sides = labels.sides("cdcr-corpora-fcc", name, "documents")
    report = evaluate(*sides, ["b3"], singletons="drop", twinless="complete")
    return report["b3"].exact.f1


def held(
    between,
    couple,
    f1,
    fcc,
    joined,
    lemma,
    of_ecb,
    of_fcc,
    of_gvc,
    order,
    over_runs,
    points,
    runs,
    subtopic,
    swapped,
    titles,
    told,
    trained,
    uncut,
    wiki,
) -> Held:
    place = "cdcr-corpora", "fcc"
    entities, singletons, _ = real.whole(*place, "lemma", "entities.key", "documents")
    configurations = real.configurations()
    above_b3 = [each["muc"] - each["b3"] for each in fcc]
    three_two = {m for m in order if sum(each[m] > 0 for each in fcc) == 2}
    sure_of_fcc = [m for m in order if of_fcc.differences[m].p < 0.05]
    with_zero = [
        m for m, of in of_fcc.differences.items() if of.interval.low <= 0 <= of.interval.high
    ]
    above = sum(f1["link nothing"][1] > run[1] for run in [*f1.values()][3:])
    gained, gained_4 = (
        [b - a for a, b in zip(points(lemma.total), points(runs[seed].total), strict=True)]
        for seed in (0, 4)
    )
    archived = real.printed_scores()
    nearest = min(
        (
            [told[rule, pair].p for rule in verdicts.RULES[:2]]
            for pair in chances.opposed(told, "e2e")
        ),
        key=max,
    )
    of_documents = chances.leads("lemma", trained, "fcc")
    p_of_seeds = {m: [compare(lemma, run).differences[m].p for run in runs] for m in ("muc", "b3")}

    def surely(found):
        """Measures with p < .05, if each is four Monte Carlo errors from it."""
        ps = {m: float(found.differences[m].p) for m in order}
        errors = {m: (p * (1 - p) / 10_000) ** 0.5 for m, p in ps.items()}
        assert all(abs(p - 0.05) > 4 * errors[m] for m, p in ps.items())
        return [m for m in order if ps[m] < 0.05]

    leads_elsewhere = [*verdicts.seeds("gvc"), *verdicts.seeds("ecbp")]
    on_ecbp = verdicts.seeds("ecbp", scope="corpus", baseline="lemma-delta")
    on_subtopics = "cdcr-corpora-ecbp", "subtopics"
    strongest = max(
        (name for name in labels.columns(on_subtopics[0]) if "lemma" in name),
        key=lambda name: real.f1("cdcr-corpora", "ecbp", name)["conll"],
    )
    joined_across = [labels.across(on_subtopics[0], f"feature.{n}", "subtopics") for n in range(5)]
    never_behind = all(run[m] > 0 for run in leads_elsewhere for m in order)
    by_rule_of_e2e = chances.leads("lemma", trained, "fcc", conventions="singletons=drop")["b3"]
    both_ways = of_documents["b3"].mean < 0 < by_rule_of_e2e.mean
    ps = [swapped[m].p for m in ("muc", "blanc", "conll")]

    def in_subtopics(name):
        """Every F1 of a response to ECB+ that is cut at subtopics."""
        sides = labels.sides(on_subtopics[0], name, "subtopics")
        total = evaluate(*sides, order).total
        return [score.exact.f1 for score in total.values()]

    of_delta = in_subtopics("lemma-delta")
    all_positive = all(
        ours > theirs
        for n in range(5)
        for ours, theirs in zip(in_subtopics(f"feature.{n}"), of_delta, strict=True)
    )
    by_muc, by_b3 = chances.uncut_shares("lemma-delta", trained, ["muc", "b3"])
    pairs = list(combinations(range(17), 2))
    uncut_means = verdicts.means_by("ecbp", "reference")
    cut_means = verdicts.means_by("ecbp", "reference", scope="subtopics")
    mended = [cut_means[name] - uncut_means[name] for name in uncut_means]
    by_rule = verdicts.turned("ecbp")
    by_reference, by_e2e = (told[rule, couple] for rule in ("reference", "e2e"))
    leads_of_wiki = {place: lead for place, (lead, _) in wiki.items()}
    sure_of_wiki = [place for place, (_, p) in wiki.items() if p < 0.05]
    crossing = all(
        entities_of(f"{name}.{n}", "subtopics") != entities_of(f"{name}.{n}", "corpus")
        for name in configurations
        for n in range(3)
    )
    of_wiki = real.report("wiki-grounded", "wiki", "lee", "documents").total
    by_seed = Table(
        ["", "p of the mean", *(f"p, seed {n}" for n in range(5))],
        [
            [title, *map(listed, of_documents[m].p_of_all)]
            for m, title in zip(order, titles, strict=True)
        ],
        "FCC: p of the lead of feature, documents swapped.",
    )
    without = over_runs(
        real.report(*place, "lemma", "documents", "singletons=drop"),
        [real.report(*place, n, "documents", "singletons=drop") for n in trained],
    )
    entities_uncut, alone_uncut, _ = real.whole(*place, "lemma", "entities.key")
    bare_runs = verdicts.seeds("fcc", "singletons=drop")
    behind = [completed(name) < completed("lemma") for name in trained]
    return Held(
        sentences=[
            ("print 9,074 scores", len(archived) if all(row.equal for row in archived) else 0),
            (
                "For 192, all of baselines",
                sum(row.corpus.endswith("-baselines") for row in archived),
            ),
            ("joins 42 to 50 entities", *sorted(joined_across)[::4]),
            (
                "and lemma-delta none",
                labels.across(on_subtopics[0], "lemma-delta", "subtopics") == 0,
            ),
            ("where the key has one", labels.across(on_subtopics[0], "key", "subtopics")),
            ("all seven scores prefer feature with every seed", all_positive),
            ("more than a fifth of the swaps by MUC", bool(by_muc > 0.2)),
            ("and in about half by B³", bool(0.45 < by_b3 < 0.55)),
            (
                "means survive Bonferroni's correction for 42 tests",
                max(of_documents[m].p for m in ("muc", "b3")) * len(order) * 6 < 0.05,
            ),
            ("with all five seeds, by at most 1.5 points", max(run["muc"] for run in on_ecbp)),
            ("By B³, it is ahead with two", sum(each["b3"] > 0 for each in fcc)),
            ("Both CEAFs and BLANC side with B³", {*order[1:5]} <= three_two),
            ("Only the interval of MUC's lead leaves out 0", {*with_zero} == {*order[1:]}),
            ("other runs and documents might put feature ahead", "b3" in with_zero),
            ("more than three of the five runs get", above, len(fcc)),
            (
                "with seeds 0, 1 and 2",
                max(p_of_seeds["b3"][:3]) < 0.001 and min(p_of_seeds["b3"][3:]) > 0.05,
            ),
            (
                "and in the mean of all five",
                [m for m in order if of_documents[m].p < 0.001] == ["muc", "b3"]
                and bool(of_documents["b3"].mean < 0),
            ),
            ("every measure prefers feature with every seed", never_behind),
            (
                "On GVC the lead is significant by every measure",
                max(of_gvc.differences[m].p for m in order) < 0.001,
            ),
            (
                "significant by MUC, BLANC and the CoNLL score",
                surely(of_ecb) == ["muc", "blanc", "conll"],
            ),
            (
                "those of the last three are about half a point",
                all(
                    0.003 < of_ecb.differences[m].difference < 0.006
                    for m in ("b3", "ceafm", "ceafe")
                ),
            ),
            ("Those by MUC and BLANC are", max(ps[:2]) < 0.05),
            ("neither survives Bonferroni's", 7 * min(ps) > 0.05),
            ("correction for seven measures", len(order)),
            ("the CoNLL score's lead is not significant", ps[2] > 0.05),
            ("rises by 0.5 points at most", max(mended)),
            ("The −0.0 of CoNLL", fcc[2]["conll"]),
            ("though a tiny one", 0 < -fcc[2]["conll"] < 0.01),
            ("has p of 0.07 and 0.08", *nearest),
            (
                "Here is such a pair, with its corrected p",
                by_e2e.corrected < 0.05 < by_reference.corrected,
            ),
            ("orders the 17 configurations", len(configurations)),
            ("and in 20 subtopics", len({*subtopic.values()})),
            ("ECB+ has 20 subtopics", len({*subtopic.values()})),
            ("for 136 tests", len(pairs)),
            ("On how many of the 136 pairs", len(pairs)),
            ("can still make a significant lead out of none", round(by_e2e.lead) == 6),
            ("has 122 documents", len(lemma.documents)),
            (
                "Uncut, the verdict stays",
                min(uncut["clark", by] for by in ("", "singletons=drop")) > 0,
            ),
            ("734 pronouns were given their", of_wiki["mentions"].counts.recall.total),
            ("34 groups", len({*joined.values()})),
            ("it gives more than lemma gets", f1["link everything"][0] > f1["lemma"][0]),
            (
                "But B³ precision falls far less, and MUC precision rises",
                gained[3] < 2 * gained_4[3] < 0 < gained_4[1],
            ),
            (
                "Recall rises by both measures, a little less than with seed 0",
                all(0 < gained_4[n] < gained[n] < gained_4[n] + 5 for n in (0, 2)),
            ),
            (
                "with all five seeds, and B³ puts it behind on average",
                min(each["muc"] for each in fcc) > 0 and sum(each["b3"] for each in fcc) < 0,
            ),
            ("and B³ agrees with MUC", min(run["b3"] for run in bare_runs) > 0),
            (
                "they leave lemma ahead of the first three runs",
                behind == [True, True, True, False, False],
            ),
            (
                "Leave singletons out, and B³ prefers feature with every seed",
                min(run["b3"] for run in bare_runs) > 0,
            ),
            ("the lead by MUC is far above that by B³", min(above_b3) > 15),
            (
                "Its 166 entities become 672, and 479 of these are singletons",
                entities_uncut,
                entities,
                singletons,
            ),
            ("The cut made 401 of them", singletons - alone_uncut),
            (
                "as the archive's authors did",
                any(row.scope == "documents" and row.equal for row in archived),
            ),
            (
                "two scorers order 37 of 136 pairs differently",
                len(chances.opposed(told, "e2e")),
                len(pairs),
            ),
            ("and for no pair are both orders significant", not chances.opposed(told, "e2e", 0.05)),
            ("Within documents, measures part only on FCC", never_behind),
            ("with all five, by at most 1.1 points", max(-run["b3"] for run in on_ecbp)),
            ("with seed 4 both prefer feature", fcc[4]["muc"] > 0 < fcc[4]["b3"]),
            (
                "points, and LEA sides with it",
                all(run["muc"] > 0 > max(run["b3"], run["lea"]) for run in on_ecbp),
            ),
            (
                "MUC's verdict on FCC is significant, and no other measure's",
                sure_of_fcc == surely(of_fcc) == ["muc"],
            ),
            ("Entities are cut at the subtopics here", crossing),
            ("The cut at subtopics mends errors", min(mended) > 0),
            ("Uncut, 18 pairs change without singletons", by_rule.dropped),
            (
                "B³'s verdict on these five runs turns into its opposite",
                both_ways and max(of_documents["b3"].p, by_rule_of_e2e.p) < 0.001,
            ),
            ("to the strongest baseline", strongest == "lemma-delta"),
            ("By B³, other runs and documents might put feature ahead", "b3" in with_zero),
            (
                "the lead of lemma is significant with seeds 0, 1 and 2",
                max(p_of_seeds["b3"][:3]) < 0.001 and min(p_of_seeds["b3"][3:]) > 0.05,
            ),
            ("There is none", not any(chances.opposed(told, r, 0.05) for r in verdicts.RULES[1:])),
            (
                "Two random orders would disagree about as often",
                bool(0.45 < between / len(pairs) < 0.55),
            ),
            (
                "Against clark the verdict turns, and both leads are significant",
                leads_of_wiki["clark", ""] > 0
                and leads_of_wiki["clark", "singletons=drop"] < 0
                and ("lee", "") not in sure_of_wiki
                and len(sure_of_wiki) == 3,
            ),
            (
                "with the baseline it is 39.8, and B³'s is 75.2",
                *(100 * lemma.total[m].exact.recall for m in ("muc", "b3")),
            ),
            ("MUC's recall has more to gain", gained[0] > gained[2] > 0),
            ("it has a p of .02", 0.015 < without.differences["b3"].p < 0.025),
        ],
        lists=[by_seed],
    )
