"""The corpora of the chapter on significance: systems that make as many errors as they are told."""

import pytest
from corefbook.studies import synthetic

from corefeval import evaluate


def test_more_errors_make_worse_systems():
    key = synthetic.key(300, seed=3)
    assert min(map(len, key.values())) >= 2
    scores = []
    for errors in (0, 0.1, 0.2, 0.3, 0.4):
        response = synthetic.response(key, "A", errors)
        assert response == synthetic.response(key, "A", errors)
        assert all(response[document].mentions == key[document].mentions for document in key)
        scores.append(evaluate(key, response, "b3").total["b3"])
    f1s = [score.exact.f1 for score in scores]
    assert f1s[0] == 1 and f1s == sorted(set(f1s), reverse=True)
    assert synthetic.response(key, "A", 0.3) != synthetic.response(key, "B", 0.3)


def test_mean_and_total_disagree_as_searched():
    key, *responses = synthetic.disagreement("b3", 5)
    assert sum(len(side.mentions) for side in key) == 5
    scores = []
    for response in responses:
        report = evaluate(dict(enumerate(key)), dict(enumerate(response)), "b3")
        mean = sum(each["b3"].exact.f1 for each in report.documents.values()) / 2
        scores.append((mean, report.total["b3"].exact.f1))
    (mean, total), (other_mean, other_total) = scores
    assert mean < other_mean and total > other_total
    assert synthetic.disagreement("muc", 5) is None


@pytest.mark.release
def test_the_chapters_shares_hold_with_three_seeds():
    """How often ten, forty and 160 documents show a difference depends on the swaps drawn."""
    key = synthetic.key(3200, seed=1)
    both = [synthetic.response(key, *system) for system in (("A", 0.3), ("B", 0.26))]
    first, second = (evaluate(key, response, "muc")["muc"].f1 for response in both)
    for seed in range(3):
        shares, leads = [], []
        for size, corpora in {10: 100, 40: 50, 160: 20}.items():
            differences = synthetic.repeated("muc", key, *both, size, corpora, seed)
            shown = [abs(one.difference) for one in differences if one.p < 0.05]
            shares.append(len(shown) / corpora)
            leads.append(sum(shown) / len(shown))
        assert shares[0] < 0.15 and shares == sorted(shares) and shares[2] > 0.85, seed
        assert leads[0] > 2 * (second - first), seed
