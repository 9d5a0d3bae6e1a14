"""Recasens and Hovy: what the rows of the ledger alone do not prove."""

from corefbook import ledger
from corefbook.papers import recasens2010


def test_recasens_responses_have_the_mentions_of_the_key():
    examples = ledger.load("recasens2010").examples
    for example in examples.values():
        assert len(example.key.mentions) == 70 and len(example.key) == 64
        assert example.response.mentions == example.key.mentions
    assert len(examples["H"].response) == 1 and len(examples["G"].response) == 70
    assert [name for name, e in examples.items() if recasens2010.muc_undefined(e)] == ["G"]
