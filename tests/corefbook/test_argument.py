"""What two pages say that no cell of theirs computes: the argument runs without NumPy."""

import json

import pytest
from corefbook.ledger import DATA
from corefbook.studies import chances, real, verdicts

from corefeval import compare_systems

BOOK = DATA.parent / "book"
RUNS = [f"feature.{seed}" for seed in range(5)]


def said(page: str = "one-answer-many-numbers") -> str:
    cells = json.loads((BOOK / f"{page}.ipynb").read_text("utf-8"))["cells"]
    return " ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


@pytest.mark.proof
def test_chance_seldom_gives_the_leads_within_documents():
    """Behind with singletons, ahead without, by B³: swaps of documents, three generators' seeds."""
    assert "so large a lead comes less than once in a thousand times" in said()
    assert "only run 1 has both leads significant" in said()
    assert "for runs 0 and 2 only the baseline's" in said()
    for seed in range(3):
        counted, dropped = (
            chances.leads("lemma", RUNS, "fcc", seed=seed, conventions=rule)["b3"]
            for rule in ("", "singletons=drop")
        )
        assert counted.mean < 0 < dropped.mean
        assert max(counted.p, dropped.p) < 0.001
        # Run by run: the baseline's first three leads, and one of the system's.
        assert max(counted.p_of_runs[:3]) < 0.001
        assert [p < 0.05 for p in dropped.p_of_runs[:3]] == [False, True, False]


def test_drawing_runs_leaves_one_lead_significant():
    differences = []
    for rule in ("", "singletons=drop"):
        base, *runs = (
            real.report("cdcr-corpora", "fcc", name, "documents", rule) for name in ("lemma", *RUNS)
        )
        with pytest.warns(UserWarning, match="of 5 runs"):
            compared = compare_systems({"lemma": base, "feature": runs})
        differences.append(compared.differences["b3"])
    assert "4.5 points is no longer significant at .05. That of 9.5 has a p of .02" in said()
    assert differences[0].difference < 0 < differences[1].difference
    assert differences[0].p > 0.05 and 0.015 < differences[1].p < 0.025


@pytest.mark.proof
def test_no_pair_is_significant_both_ways():
    assert "[no pair is significant both ways](real-systems.ipynb)" in said()
    assert "though for no pair are both orders significant" in said("which-measure")
    of_pairs = chances.told_apart()
    assert all(not chances.opposed(of_pairs, rule, 0.05) for rule in verdicts.RULES[1:])
