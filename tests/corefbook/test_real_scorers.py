"""What scorers that are not ours print of public responses, and what this library says of them.

The printouts in data/real/scorers.csv are the scorers' own, as data/real/README.md says. Here our
scores of the same labels, by each scorer's conventions, are held to what it prints.
"""

import pandas as pd
import pytest
from corefbook.studies import labels, real

from corefeval import evaluate, from_labels, leads
from corefeval.analysis.number_match import cut_by_perl

RESPONSES = {
    "cdcr-corpora-fcc": ["lemma", *(f"feature.{seed}" for seed in range(5))],
    "hypercoref-ecbp": [
        f"{name}.p.{seed}" for name in ("ecbp.ecbp", "ss_abc_25k.abc") for seed in range(3)
    ],
}
BY_DOCUMENT = {"cdcr-corpora-fcc"}
TOO_LONG = {("hypercoref-ecbp", "ceafe")}
"""What the reference scorer aligns for hours: 805 entities with as many."""

PRINTED = pd.read_csv(real.FOLDER / "scorers.csv", dtype=str)
LABELS = {corpus: pd.read_csv(labels.FOLDER / f"{corpus}.csv.xz") for corpus in RESPONSES}


def printed(corpus, response, scorer, measure, part="f1"):
    rows = PRINTED.query(
        "corpus == @corpus and response == @response and scorer == @scorer and measure == @measure"
    )
    return float(rows[part].item())


def mean(corpus, response, scorer):
    """The mean of the three F1 that a scorer prints, from their two decimals."""
    return sum(printed(corpus, response, scorer, name) for name in ("muc", "b3", "ceafe")) / 3


@pytest.mark.parametrize(
    ("corpus", "response"),
    [(corpus, name) for corpus, names in RESPONSES.items() for name in names],
)
def test_our_scores_are_what_the_scorers_print(corpus, response):
    columns = LABELS[corpus]
    document = columns["document"] if corpus in BY_DOCUMENT else None
    table = from_labels(columns["key"], columns[response], document)
    of_response = PRINTED.query("corpus == @corpus and response == @response")
    for scorer, rows in of_response.groupby("scorer"):
        ours = evaluate(table, list(rows["measure"]), like=scorer)
        for row in rows.itertuples():
            score = ours[row.measure]
            shown = cut_by_perl(score) if scorer == "reference" else score.parts
            for part in ("recall", "precision", "f1"):
                of_ours = f"{float(100 * shown[part]):.2f}"
                assert of_ours == f"{float(getattr(row, part)):.2f}", (scorer, row.measure, part)


@pytest.mark.filterwarnings("ignore:p is within two standard errors")
@pytest.mark.parametrize("seed", range(5))
def test_printed_scores_stand_in_their_scorers_rows(seed):
    """Both F1 that a scorer prints, as the rule that has its name says them."""
    columns, responses = LABELS["cdcr-corpora-fcc"], ("lemma", f"feature.{seed}")
    tables = {
        name: from_labels(columns["key"], columns[name], columns["document"]) for name in responses
    }
    by_rule = leads(None, tables, ["muc", "b3", "ceafe"], resamples=100)
    compared = 0
    for measure, rules in by_rule.rules.items():
        for scorer in ("reference", "coval", "coval_no_singletons", "e2e"):
            (rule,) = [rule for rule in rules if scorer in rule.scorers]
            of_printed = [printed("cdcr-corpora-fcc", name, scorer, measure) for name in responses]
            # The reference scorer cuts decimals off.
            within = 0.0101 if scorer == "reference" else 0.0051
            assert [float(100 * score) for score in rule.scores] == pytest.approx(
                of_printed, abs=within
            ), (scorer, measure)
            ahead = responses[rule.order[0][0]]
            assert ahead == max(responses, key=dict(zip(responses, of_printed, strict=True)).get)
            compared += 1
    assert compared == 12


def test_every_response_has_every_scorer():
    counted = PRINTED.groupby(["corpus", "response"]).size().to_dict()
    assert counted == {
        (corpus, name): 12 - ((corpus, "ceafe") in TOO_LONG)
        for corpus, names in RESPONSES.items()
        for name in names
    }


def test_their_own_printouts_put_different_responses_ahead():
    seeds = [f"feature.{seed}" for seed in range(5)]

    def lead(scorer):
        of = "cdcr-corpora-fcc"
        baseline = printed(of, "lemma", scorer, "b3")
        return sum(printed(of, seed, scorer, "b3") - baseline for seed in seeds) / 5

    assert lead("reference") < -4 and lead("coval") < -4
    assert lead("coval_no_singletons") > 9 and lead("e2e") > 9


def test_each_rule_has_another_response_ahead():
    first, second = (
        {scorer: [mean("hypercoref-ecbp", f"{name}.p.{seed}", scorer) for seed in range(3)]
         for scorer in ("coval", "e2e")}
        for name in ("ecbp.ecbp", "ss_abc_25k.abc")
    )  # fmt: skip
    assert sum(first["coval"]) > sum(second["coval"]) + 3
    assert sum(first["e2e"]) + 3 < sum(second["e2e"])
