"""data/real/labels: what they score is what was counted in the archives, by another road."""

import pytest
import real_labels
from companion.studies import labels, real
from real_sources import Corpus

from corefeval import evaluate
from corefeval.errors import CorefError


def test_columns_are_numbered_each_for_itself():
    key = [((0, 7), "b"), ((0, 9), "a"), ((1, 2), "b")]
    response = [((1, 2), "x"), ((0, 7), "y"), ((0, 9), "y")]
    corpus = Corpus("c", key, {"r": response, "r-kmeans": key}, {})
    assert real_labels.as_csv(corpus, ("r",)) == "document,key,r\n0,0,0\n0,1,0\n1,0,1\n"


def test_a_response_with_other_mentions_is_refused():
    with pytest.raises(CorefError, match="expected the key's mentions"):
        real_labels.numbered([((0, 1), "a")], [(0, 1), (0, 2)])


@pytest.mark.parametrize(
    ("archive", "corpus", "response", "scope"),
    [
        ("cdcr-corpora", "fcc", "feature.3", "documents"),
        ("cdcr-corpora", "gvc", "lemma", "corpus"),
        ("cdcr-corpora", "ecbp", "lemma-delta", "corpus"),
        ("hypercoref", "ecbp", "ecbp.ecbp.p.0", "corpus"),
        ("hypercoref", "fcct", "ss_bbc_25k.bbc.p.2", "corpus"),
        ("hypercoref", "gvc", "gvc.gvc.c.1", "corpus"),
    ],
)
def test_labels_score_what_was_counted(archive, corpus, response, scope):
    sides = labels.sides(f"{archive}-{corpus}", response, scope)
    counted = evaluate(*sides, real.COUNTED).total
    stored = real.report(archive, corpus, response, scope).total
    assert {m: s.counts for m, s in counted.items()} == {m: stored[m].counts for m in real.COUNTED}
