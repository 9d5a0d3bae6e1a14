"""data/real: small, without names, and its labels score what was counted in the archives."""

import pytest
from corefbook.studies import labels, real

from corefeval import evaluate


def test_stored_labels_are_small_and_name_nothing():
    files = sorted(path for path in real.FOLDER.iterdir() if path.suffix == ".xz")
    assert [path.name for path in files] == sorted(f"{name}.csv.xz" for name in real.ARCHIVES)
    assert sum(path.stat().st_size for path in files) <= 500_000
    for archive in real.ARCHIVES:
        assert all(not line.document or line.document.isdigit() for line in real.lines(archive))


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
