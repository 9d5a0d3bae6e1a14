"""What the argument page says that no cell of it computes, because it runs without NumPy."""

import json

from corefbook.ledger import DATA
from corefbook.studies import chances, verdicts

PAGE = DATA.parent / "book" / "one-answer-many-numbers.ipynb"
RUNS = [f"feature.{seed}" for seed in range(5)]


def said() -> str:
    cells = json.loads(PAGE.read_text("utf-8"))["cells"]
    return " ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_chance_seldom_gives_the_leads_within_documents():
    """Behind with singletons, ahead without, by B³: swaps of documents, three generators' seeds."""
    assert "as large as 4.5 and 9.5 points are both rarer than one in a thousand" in said()
    for seed in range(3):
        counted, dropped = (
            chances.leads("lemma", RUNS, "fcc", seed=seed, conventions=rule)["b3"]
            for rule in ("", "singletons=drop")
        )
        assert counted.mean < 0 < dropped.mean
        assert max(counted.p, dropped.p) < 0.001


def test_no_pair_of_means_is_significant_by_two_scorers_in_opposite_orders():
    assert "significant both ways](real-systems.ipynb), even before any correction" in said()
    told = chances.told_apart()
    assert all(not chances.opposed(told, rule, 0.05) for rule in verdicts.RULES[1:])
