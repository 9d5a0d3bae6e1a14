"""What holds the sentences of one-answer-many-numbers.ipynb."""

from math import comb
from statistics import mean

from corefbook.evidence.fold import Held
from corefbook.studies import labels, people, real, verdicts
from corefeval import evaluate, metric


def by(measure, runs):
    return [run[measure] for run in runs]


def in_one_entity(key):
    """The mentions of each document as one entity."""
    return {name: [set().union(*found)] for name, found in key.items()}


def lead(scores):
    """How far the better setting is ahead."""
    return abs(scores["set for GUM"] - scores["set for OntoNotes"])


def like_e2e(response, scope):
    """What e2e-coref's scorer prints of a response to GVC."""
    sides = labels.sides("cdcr-corpora-gvc", response, scope)
    found = evaluate(*sides, ["muc", "b3", "ceafe", "conll"], like="e2e").total
    return [100 * score.exact.f1 for score in found.values()]


def documents(corpus):
    """How many documents of a corpus were scored."""
    of_lemma = real.report("cdcr-corpora", corpus, "lemma", "documents")
    return len(of_lemma.counts)


def f1_of(act, response, scorer, measure):
    """What a scorer printed of an annotation."""
    return next(
        float(row["f1"])
        for row in people.printed_rows()
        if (row["act"], row["response"]) == (act, response)
        and (row["scorer"], row["measure"]) == (scorer, measure)
    )


def printed_ahead(scorer):
    """Which of the system's runs a scorer puts ahead of the baseline."""
    scores = verdicts.printed_f1()[scorer]
    runs = enumerate(verdicts.RUNS)
    return {n for n, run in runs if scores[run] > scores["lemma"]}


def held(by_scope, fourth, key, leads, rows_of) -> Held:
    def at(place):
        """MUC of a file against itself with one token cut."""
        cut = people.cut_at(place, second)
        return 100 * metric("muc")(second, cut).f1

    second = people.entities("sara-2", "E")
    first_two = people.agreement(*people.annotated_sides("sara-3", "A", "B"))
    shared = people.agreement(*people.marked_by_both(*people.annotated_sides("sara-3", "A", "B")))
    of_act = people.annotated_sides("sara-3", "A", "B")
    of_met = people.met(*of_act)
    met = people.agreement(*of_met)
    missed_whole = [
        [entity for entity in side if entity not in kept]
        for side, kept in zip(of_act, of_met, strict=True)
    ]
    no_borders = people.agreement(*people.borders_paired(*of_act))
    both = [
        f1_of("sara-3", "SH", scorer, m)
        for m in ("muc", "b3", "ceafe")
        for scorer in ("reference", "coval")
    ]
    gaps = [each["muc"] - each["ceafe"] for each in people.reached().values()]
    acts = {pair.act for pair in people.reached()}
    asked_of = people.leads()
    split = people.disagreements()
    clear = [each for each, by_score in split.items() if people.both_ahead(by_score) > 2]
    from_three = fourth.leads(3)
    aligned = {
        act: people.agreement(*people.annotated_sides(act, *two))["muc"]
        for act, two in {"sara-2": "EA", "cato-2": "CF"}.items()
    }
    scopes_of_runs = verdicts.of_runs()
    within, none_within, across, none_across = scopes_of_runs.values()
    of_key = "cdcr-corpora", "fcc", "lemma", "entities.key"
    _, alone, _ = real.whole(*of_key)
    _, singletons, _ = real.whole(*of_key, "documents")
    b3 = by("b3", within)
    behind = {
        m: [scope for scope, runs in scopes_of_runs.items() if mean(by(m, runs)) < 0]
        for m in people.MEASURES
    }
    others = {scope: {*people.MEASURES} - {*some} for scope, some in rows_of.items()}
    seventeen = real.configurations()
    pairs = comb(len(seventeen), 2)
    turned_on = {c: verdicts.turned(c) for c in ("ecbp", "fcct", "gvc")}
    on_gvc = [
        each
        for rule in ("", "singletons=drop")
        for scope in ("documents", "corpus")
        for run in verdicts.seeds("gvc", rule, scope)
        for each in run.values()
    ]
    for scope in ("documents", "corpus"):
        runs = [like_e2e(f"feature.{seed}", scope) for seed in range(5)]
        base = like_e2e("lemma", scope)
        on_gvc += [a - b for run in runs for a, b in zip(run, base, strict=True)]
    of_gvc, _ = labels.sides("cdcr-corpora-gvc", "lemma", "documents")
    useless = 100 * evaluate(of_gvc, in_one_entity(of_gvc), "muc")["muc"].f1
    of_runs = [
        real.f1("cdcr-corpora", "gvc", f"feature.{seed}", "documents")["muc"] for seed in range(5)
    ]
    fewer = "repeated=first singletons=drop"
    of_gum = real.report("gum", "gum", "xrenner-gum", "documents", "repeated=first")
    no_singletons = people.agreement(*(people.of_size(side, 2) for side in of_act))
    met_gap = met["muc"] - met["ceafe"]
    less = [each["muc"] - each["ceafe"] for each in (no_borders, no_singletons)]
    on_gum, on_ontogum = verdicts.settings("gum"), verdicts.settings("ontogum")
    rest_of_six = [first_two[m] for m in ("muc", "b3", "ceafm", "blanc", "lea")]

    def left_alone(name):
        """How many of the key's singletons a response to FCC leaves alone."""
        _, response = labels.sides("cdcr-corpora-fcc", name, "documents")
        return sum(
            len(entity) == 1 and {*entity} <= alone_of[document]
            for document, found in response.items()
            for entity in found
        )

    alone_of = {
        name: set().union(*(one for one in found if len(one) == 1)) for name, found in key.items()
    }
    in_baseline, *in_runs = map(left_alone, ["lemma", *verdicts.RUNS])
    ahead_by = {scorer: printed_ahead(scorer) for scorer in verdicts.SCORERS}
    with_singletons = [ahead_by[name] for name in ("reference", "coval")]
    without = [ahead_by[name] for name in ("coval_no_singletons", "e2e")]
    as_authors = [
        row.equal
        for row in real.printed_scores()
        if (row.corpus, row.scope, row.measure) == ("fcc", "documents", "b3")
    ]
    return Held(
        sentences=[
            ("A has marked many more entities than B", 2 * len(of_act[0]) > 3 * len(of_act[1])),
            (
                "Most of A's have no mention that B has marked",
                2 * len(missed_whole[0]) > len(of_act[0]),
            ),
            (
                "most of these are small",
                all(
                    sum(len(entity) < 3 for entity in missed) > len(missed) / 2
                    for missed in missed_whole
                ),
            ),
            (
                "Borders explain less, and so do singletons",
                met_gap < min(less) and max(less) < max(gaps),
            ),
            ("gap is the widest", max(gaps) == first_two["muc"] - first_two["ceafe"]),
            ("gap is the widest of 19", len(gaps)),
            ("in three plays", len({act.split("-")[0] for act in acts})),
            ("The narrowest is 10 points", round(min(gaps))),
            (
                "In all 19 pairs MUC is above B³, and CEAFₑ is last",
                all(
                    each["muc"] > each["b3"] > each["ceafe"] and each["ceafe"] == min(each.values())
                    for each in people.reached().values()
                ),
            ),
            ("once in 45 comparisons", len(asked_of)),
            ("that makes seven scores", len(people.MEASURES)),
            ("In the first five", len(split) - len(clear)),
            ("This is the sixth", clear == [fourth] == [*split][5:]),
            (
                "Only CEAFₑ says that A agrees better with C",
                [m for m, number in leads.items() if number > 0] == ["ceafe"],
            ),
            ("and all seven scores agree on D", max(from_three.values()) < 0),
            (
                "set of runs, two verdicts",
                len({mean(by("b3", runs)) > 0 for runs in scopes_of_runs.values()}),
            ),
            ("is 4.5 points behind on average", -mean(b3)),
            ("and it is 9.5 ahead", mean(by("b3", none_within))),
            ("the lead of 4.5 points is no longer", -mean(b3)),
            ("17 configurations, two orders", len(seventeen)),
            ("one model in 17 configurations", len(seventeen)),
            (
                "FCC-T: 34 of 136 pairs change places without singletons",
                turned_on["fcct"].dropped,
                pairs,
            ),
            (
                "one scope of four puts the system behind on average",
                len(behind["b3"]),
                len(scopes_of_runs),
            ),
            (
                "Of these rows only MUC's have the system ahead",
                [
                    (scope, title)
                    for scope, found in by_scope.items()
                    for title, numbers in found.items()
                    if min(numbers) > 0
                ]
                == [("within", "MUC"), ("across", "MUC")],
            ),
            (
                "without singletons fewer pairs change on ECB+",
                verdicts.share_alone("ecbp") > verdicts.share_alone("fcct")
                and turned_on["ecbp"].dropped < turned_on["fcct"].dropped,
            ),
            (
                "nearly the football test set",
                len(labels.columns("cdcr-corpora-fcc")["key"]) - sum(verdicts.sizes("fcct")) == 3,
            ),
            ("can turn a perfect score into 7", round(at(0))),
            (
                "Real files have such tokens",
                [b - a for *_, a, b in people.Pair("sara-2", "E", "A").other_tokens].count(2) > 0,
            ),
            ("prints a MUC of 22", round(f1_of("sara-2", "AK", "reference", "muc"))),
            (
                "but a sentence too many shifts coval, too",
                f1_of("cato-2", "SE", "coval", "muc") < aligned["cato-2"] - 5,
            ),
            ("which is right", round(aligned["sara-2"]) == 85),
            ("and B³ with two of five", sum(x > 0 for x in b3), len(b3)),
            ("MUC puts the system ahead with every seed", min(by("muc", within)) > 0),
            ("on 60 documents", len(of_gum.counts)),
            (
                "each setting wins at home",
                on_gum["set for GUM"] > on_gum["set for OntoNotes"]
                and on_ontogum["set for GUM"] < on_ontogum["set for OntoNotes"],
            ),
            (
                "without them, both leads shrink",
                lead(on_gum) > lead(verdicts.settings("gum", fewer)) > 0
                and lead(on_ontogum) > lead(verdicts.settings("ontogum", fewer)) > 0,
            ),
            ("The least of these leads is 3.1", min(on_gvc)),
            ("and it gets 82.8", useless),
            ("by MUC a useless response is ahead of all", useless > max(of_runs)),
            ("The chart leaves out eight rows", len([m for some in others.values() for m in some])),
            (
                "the four within documents change sides, too",
                len([m for m in others["within"] if min(by(m, within)) < 0 < max(by(m, within))]),
            ),
            (
                "and the four across documents do not",
                len([m for m in others["across"] if min(by(m, across)) > 0]),
            ),
            (
                "ahead of a system's first three runs, and e2e-coref's",
                *{5 - len(ahead) for ahead in with_singletons},
            ),
            (
                "scorer puts it behind them; on the last two runs all agree",
                len({3, 4} & set.intersection(*ahead_by.values())),
            ),
            (
                "The last two rows leave out whatever is mentioned once",
                len([runs for runs in without if len(runs) == 5]),
            ),
            ("as the data's authors did for theirs", all(as_authors) and len(as_authors) > 0),
            ("makes 401 of the 479", singletons - alone, singletons),
            (
                "two people agree at 78, at 64, or at 26",
                *(round(first_two[m]) for m in ("muc", "b3", "ceafe")),
            ),
            (
                "at 78 of 100 points, and CEAFₑ at 26",
                round(first_two["muc"]),
                100,
                round(first_two["ceafe"]),
            ),
            (
                "CEAFₘ, BLANC and LEA give 71, 70 and 61",
                *(round(first_two[m]) for m in ("ceafm", "blanc", "lea")),
            ),
            ("so CEAFₑ is the one that stands apart", 2 * first_two["ceafe"] < min(rest_of_six)),
            (
                "are left, from 52 points to 18",
                round(first_two["muc"] - first_two["ceafe"]),
                round(shared["muc"] - shared["ceafe"]),
            ),
            (
                "marked many entities, at least 290, and D only 147",
                min(len(people.entities("sara-4", person)) for person in "AC"),
                len(people.entities("sara-4", "D")),
            ),
            ("though CEAFₑ by less than a point", -1 < from_three["ceafe"] < 0),
            (
                "30 of the 45 comparisons are from one act",
                sum(each.act == "sara-1" for each in asked_of),
                len(asked_of),
            ),
            (
                "In most comparisons all seven scores name the same person",
                2 * len(split) < len(asked_of),
            ),
            (
                "which we did not write, print the same three",
                [round(f1) for f1 in both] == [78, 78, 64, 64, 26, 26],
            ),
            ("anew, prints 85", round(f1_of("sara-2", "AK", "coval", "muc"))),
            ("122 documents about one tournament", documents("fcc")),
            ("Within documents the system is 4.5 points behind on average", -mean(b3)),
            (
                "Across documents it is ahead both ways, by 6.5 and 11.2",
                mean(by("b3", across)),
                mean(by("b3", none_across)),
            ),
            ("The baseline leaves 369 of the key's singletons alone", in_baseline),
            ("and no run more than 298", max(in_runs)),
            (
                "the two CEAFs and BLANC put the system behind on average",
                {m for m, found in behind.items() if "within" in found}
                == {"b3", "ceafm", "ceafe", "blanc"},
            ),
            (
                "MUC, LEA and the CoNLL score never do",
                {m for m, found in behind.items() if not found} == {"muc", "lea", "conll"},
            ),
            ("That of 9.5 has", mean(by("b3", none_within))),
            (
                "another seed can change about as many, or more",
                all(each.by_seed > 0.85 * each.dropped_runs for each in turned_on.values()),
            ),
            (
                "not every change is large, as the fourth row says",
                all(each.by_a_point < 0.6 * each.dropped for each in turned_on.values()),
            ),
            (
                "on FCC-T, where it is largest",
                max(turned_on, key=lambda c: turned_on[c].dropped) == "fcct",
            ),
            (
                "more to leave out than on the Gun Violence Corpus",
                min(map(verdicts.share_alone, ("ecbp", "fcct"))) > verdicts.share_alone("gvc"),
            ),
            (
                "without singletons fewer pairs change on ECB+ than on FCC-T",
                verdicts.share_alone("ecbp") > verdicts.share_alone("fcct")
                and turned_on["ecbp"].dropped < turned_on["fcct"].dropped,
            ),
        ]
    )
