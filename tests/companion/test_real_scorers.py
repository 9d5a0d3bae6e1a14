"""What scorers that are not ours print of public responses, and what this library says of them.

The printouts in data/real/scorers.csv are the scorers' own: tools/real_scorers.py runs them. Here
our scores of the same labels, by each scorer's conventions, are held to what it prints.
"""

import pandas as pd
import pytest
import real_scorers

from corefeval import evaluate, from_labels
from corefeval.analysis.number_match import cut_by_perl

PRINTED = pd.read_csv(real_scorers.STORED, dtype=str)
LABELS = {
    corpus: pd.read_csv(real_scorers.LABELS / f"{corpus}.csv.xz")
    for corpus in real_scorers.RESPONSES
}


def printed(corpus, response, scorer, measure, part="f1"):
    rows = PRINTED.query(
        "corpus == @corpus and response == @response and scorer == @scorer and measure == @measure"
    )
    return float(rows[part].item())


def mean(corpus, response, scorer):
    """The mean of the three F1 that a scorer prints, from their two decimals."""
    return sum(printed(corpus, response, scorer, name) for name in real_scorers.MEASURES) / 3


@pytest.mark.parametrize(
    ("corpus", "response"),
    [(corpus, name) for corpus, names in real_scorers.RESPONSES.items() for name in names],
)
def test_our_scores_are_what_the_scorers_print(corpus, response):
    labels = LABELS[corpus]
    document = labels["document"] if corpus in real_scorers.BY_DOCUMENT else None
    table = from_labels(labels["key"], labels[response], document)
    of_response = PRINTED.query("corpus == @corpus and response == @response")
    for scorer, rows in of_response.groupby("scorer"):
        ours = evaluate(table, list(rows["measure"]), like=scorer)
        for row in rows.itertuples():
            score = ours[row.measure]
            shown = cut_by_perl(score) if scorer == "reference" else score.parts
            for part in ("recall", "precision", "f1"):
                of_ours = f"{float(100 * shown[part]):.2f}"
                assert of_ours == f"{float(getattr(row, part)):.2f}", (scorer, row.measure, part)


def test_every_response_has_every_scorer():
    counted = PRINTED.groupby(["corpus", "response"]).size().to_dict()
    assert counted == {
        (corpus, name): 12 - ((corpus, "ceafe") in real_scorers.TOO_LONG)
        for corpus, names in real_scorers.RESPONSES.items()
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


def test_of_the_pair_without_a_cut_each_rule_has_another_one_ahead():
    first, second = (
        {scorer: [mean("hypercoref-ecbp", f"{name}.p.{seed}", scorer) for seed in range(3)]
         for scorer in ("coval", "e2e")}
        for name in ("ecbp.ecbp", "ss_abc_25k.abc")
    )  # fmt: skip
    assert sum(first["coval"]) > sum(second["coval"]) + 3
    assert sum(first["e2e"]) + 3 < sum(second["e2e"])


def test_a_file_has_a_token_for_each_mention():
    labels = pd.DataFrame({"document": [1, 1, 2], "key": [0, 0, 1]})
    assert real_scorers.conll(labels, "key").splitlines() == [
        "#begin document (1); part 000", "1\t0\t0\tm0\t(0)", "1\t0\t1\tm1\t(0)", "",
        "#end document",
        "#begin document (2); part 000", "2\t0\t0\tm0\t(1)", "", "#end document",
    ]  # fmt: skip
    assert real_scorers.documents(labels, "key") == [[[0, 1]], [[0]]]
