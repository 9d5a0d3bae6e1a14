"""What holds the sentences of who-computes-what.ipynb."""

from fractions import Fraction

from corefbook import ledger
from corefbook.evidence.fold import Held
from corefbook.studies import real, scorers, suites
from corefeval import evaluate, metric
from corefeval.display import percent
from corefeval.score import Score
from corefeval.scorers.bundles import bundles


def recall_by(scorer, name, measure):
    """The recall that our choices for a scorer give for an input."""
    score = scorers.ours(scorer, name, measure)
    assert isinstance(score, Score), score
    return score.exact.recall


def held(
    copies,
    differences,
    e2e,
    key,
    keys,
    mended,
    pairs,
    places,
    pooled,
    recall,
    reference,
    response,
    shown,
    truncated,
    two_thirds,
) -> Held:
    suite = ledger.rows("reference_scorer")
    of_lea = ledger.rows("reference_scorer_lea")
    scorers_by = scorers.by_value
    cases = ledger.load("reference_scorer").examples
    entities, alone, _ = real.whole("cdcr-corpora", "fcc", "lemma", "entities.key")
    doubled = scorers_by("twice-key-one-entity", "ceafe", "recall")
    (above,) = [value for value in doubled if float(value) > 1]
    usual, *unusual = scorers_by("pradhan", "ceafe", "F1").values()
    b3_twice = scorers_by("twice-two-entities", "b3", "F1")
    zero_links = scorers_by("only-singletons", "muc", "F1")
    two_rules = scorers_by("key-singletons-linked", "blanc", "F1")
    lacking = scorers_by("missing-document", "muc", "recall")
    of_coval = [scorers.printed(name, "ceafm").get("coval", "") for name in scorers.inputs()]
    ceafm_of_coval = [scorers.numbers(value) for value in of_coval]
    recalls = [numbers[0] for numbers in ceafm_of_coval if numbers]
    exchanged = scorers_by("document-order", "muc", "recall")
    (of_exchanged,) = [v for v, names in exchanged.items() if "hf_coval" in names]
    a3 = cases["A3"]
    of_a3 = metric("muc")(a3.key, a3.response)
    r, p = float(of_a3.recall), float(of_a3.precision)
    gap = Fraction(percent(two_thirds)) - Fraction(truncated(two_thirds))
    in_key, in_response = ({at[m]: m for m in at} for at in places)
    both = {*in_key} & {*in_response}
    moved = [at for at in both if in_key[at] != in_response[at]]
    apart = 100 * (reference["conll"].exact.f1 - e2e["conll"].exact.f1)
    by_rule = {
        rule: evaluate(
            {"d": [["a", "b"], ["c", "d"]]},
            {"d": [["a", "b"], ["b", "c", "d"]]},
            "b3",
            repeated=rule,
        ).total["b3"]
        for rule in ("first", "merge", "each")
    }
    of_rules = [score.exact.f1 for score in by_rule.values()]
    (of_litbank,) = [v for v, names in b3_twice.items() if "litbank" in names]
    in_response_twice = scorers_by("twice-one-entity", "ceafe", "recall")
    l1 = metric("muc")(cases["L1"].key, cases["L1"].response).exact.f1
    prints_l1 = {Fraction(percent(l1)), Fraction(truncated(l1))}

    def exact(row):
        """The value that a row of the ledger is about, as a fraction."""
        name, part = row.measure.split(".")
        case = cases[row.example]
        return getattr(metric(name)(case.key, case.response).exact, part)

    half = Fraction(5, 10**6)  # of the fifth digit
    close = [abs(exact(row) - ledger.reckoned(row.printed)) <= half for row in suite + of_lea]
    invents = {"d": [["a", "b", "l"], ["c", "d", "l"]]}
    of_invented = [
        evaluate({"d": "{a b} {c d}"}, invents, "b3", repeated=rule)
        for rule in ("reference", "first")
    ]
    done: list[int] = []
    left: list[str] = []
    for scorer in bundles():
        for measure in scorers.measures_of(scorer):
            done.append(scorers.given_by_choices(scorer, measure).cases)
            left += scorers.exceptions(scorer, measure)
    repeating = [name for name in left if name.startswith("twice")]
    policies = ("b3_all", "b3_cai", "b3_conll")
    java = [scorers.given_by_choices("java", name) for name in policies]
    later = [*ledger.load(scorers.LATER).content["choices"]]
    twice = scorers.kinds_of_later_inputs()["a mention twice"]
    missed = [row.place for row in ledger.rows(scorers.LATER) if row.verdict == "missed"]
    parted = {place.split(", ")[0] for place in missed if place.endswith("twice")}
    return Held(
        sentences=[
            ("The response mended in two ways", len(mended)),
            ("or its two entities join", mended["first"].count("{")),
            ("MUC of two documents", len(keys)),
            (
                "1.0 is the first word of the second sentence",
                all("1.0" in at.values() for at in places),
            ),
            ("print 1/3", recall_by("e2e", "perfect-singletons", "ceafe")),
            ("We asked 33, and here are 14 of", len(recall), len(shown)),
            ("Seven scorers", sum(value < 1 for value in recall.values())),
            ("those of six systems", len({*copies.split()} - {"coreference_eval"})),
            ("All the others print 1", {*recall.values()} == {recall["e2e"], 1}),
            ("including the 19 that are", len(recall) - len(shown)),
            ("has 166 entities in its key, and 78 of", entities, alone),
            ("CEAFₑ recall of 53.0%", Fraction(entities - alone, entities)),
            ("a recall of 110%, and so", Fraction(above)),
            ("do 19 other scorers", len(doubled[above]) - 1),
            ("more than ten points apart", apart > 10),
            (
                "B³ falls to 58.82 and CEAFₑ to 53.33",
                Fraction(percent(e2e["b3"].exact.f1)),
                Fraction(percent(e2e["ceafe"].exact.f1)),
            ),
            ("which counts links, stays", e2e["muc"] == reference["muc"]),
            ("We ran 38 scorers", len(bundles())),
            ("on up to 36 small inputs", len(scorers.inputs())),
            ("CoreNLP got 29 inputs", min(each.cases for each in java)),
            ("In three of its 36 small cases", len(suites.cases("reference"))),
            ("the other 33 cases it expects 228 numbers", len(cases), len(suite)),
            ("So do 99 numbers for LEA", len(of_lea)),
            ("agree to the last digit given", all(close)),
            ("a B³ precision of two thirds", two_thirds),
            ("The library prints 66.67", Fraction(percent(two_thirds))),
            (
                "So a printed 66.66 stands for everything from there up to 66.67, "
                "and a rounded 66.67 for",
                Fraction(truncated(two_thirds)),
                Fraction(truncated(two_thirds)) + gap,
                Fraction(percent(two_thirds)),
            ),
            (
                "MUC F1 of exactly 75%, and in doubles, cut off, this is 74.99",
                of_a3.exact.f1,
                Fraction(truncated(2 * p * r / (p + r))),
            ),
            ("a difference of 0.01 from", gap),
            ("A difference of 0.02 has", 2 * gap),
            (
                "Of the 33 scorers that compute CEAFₑ, 30 print",
                len(usual) + sum(map(len, unusual)),
                len({*usual} - {"litbank"}),
            ),
            ("from 2/3 to 1, for", min(of_rules), max(of_rules)),
            ("script prints even less, 0.6627", float(of_litbank)),
            (
                "Why is their recall 3/4, and not 1",
                by_rule["each"].exact.recall,
                by_rule["first"].exact.recall,
            ),
            (
                "the reference scorer removes no copies",
                "reference" in {*doubled[above]} & {*in_response_twice["1"]},
            ),
            ("Most scorers, 20 of them", len(b3_twice[f"{float(of_rules[-1]):.4f}"])),
            (
                "B³ precision is 4/9 by this rule, and 2/3 by",
                *(each.total["b3"].exact.precision for each in of_invented),
            ),
            ("The 110% come from a copy", sum(pairs) / 2),
            ("The first pair alone has 6/5", pairs[0]),
            ("names print the same, and", not any(each.counterexample for each in java)),
            ("from 0.78 to 0.33", pooled.exact.recall, Fraction(of_exchanged)),
            (
                "a response that lacks a whole document can be perfect",
                {"ua1", "scorch_cli", "coreference_eval"} <= {*lacking["1"]},
            ),
            ("Four places are on both sides, and two of them hold", len(both), len(moved)),
            (
                "MUC is 0.33, without",
                *(
                    float(value)
                    for value, names in scorers_by("sentence-break", "muc", "F1").items()
                    if "coval" in names
                ),
            ),
            ("tibert prints 1 if", zero_links["1"] == ["tibert"]),
            (
                "By the first rule the score is 0.80, by the second 0.40",
                *(metric(name)(key, response).exact.f1 for name in ("blanc", "blanc_both")),
            ),
            (
                "The reference scorer and scorch leave a class out",
                {"reference", "scorch_cli"} <= {*two_rules["0.8"]}
                and {"ua2", "corefud_exact", "tibert"} <= {*two_rules["0.4"]},
            ),
            (
                "Of 5,575 triples of recall, precision and F1 they give 5,374",
                sum(done) + len(left),
                sum(done),
            ),
            (
                "Most of the others concern mentions that are repeated",
                2 * len(repeating) > len(left),
            ),
            ("we drew sixteen inputs", len(scorers.later_inputs()) == 16),
            ("ran nine scorers on them", len(later)),
            ("In the last four inputs", len(twice)),
            (
                "every value is as printed",
                not [place for place in missed if place.endswith("once")],
            ),
            ("two scorers print something else", len(parted)),
            ("and can exceed 100%", max(value for value in recalls if value is not None) > 1),
            ("prints 44.44", *prints_l1),
            ("prints 44.45", *(number + gap for number in prints_l1)),
            ("with an F1 of 4/9", l1),
            ("There are none", min(differences) == 0),
        ],
        lists=[
            scorers.facts(),
            scorers.versions(),
            scorers.given(),
            scorers.not_given(),
            scorers.not_given_later(),
        ],
    )
