"""What remarks, refutations and slips of our copy say fails where it is no longer so."""

import pytest
from corefbook import ledger
from corefbook.ledger import Example
from corefbook.papers import baldwin1998, pradhan2014, vilain1995
from corefbook.papers.popescubelis import cells, claims

ALIKE = Example("", {"key_links": "A-B", "response_links": "A-B"})


def test_another_set_in_vilain_is_no_witness():
    with pytest.raises(AssertionError, match=r"theirs is \{A B C D\}"):
        baldwin1998.as_in_vilain(Example("", {"key": "{A B C}", "response_links": "A-B"}), "")


def test_links_half_right_are_no_witness():
    with pytest.raises(AssertionError, match="0 of 1 links"):
        vilain1995.half_of_the_links(ALIKE, "")


def test_baldwins_chain_gives_the_examples_recall():
    example = ledger.load("vilain1995").examples["problem-2"]
    printed = next(r for r in ledger.rows("vilain1995") if r.label.endswith("in our copy")).printed
    said = vilain1995.evaluated(example, printed)
    assert "it is 1/4 for the example" in said and said.endswith("in its place gives 1/2")


def test_vilain_needs_examples_with_twinless_mentions(monkeypatch):
    monkeypatch.setattr(Example, "response", property(lambda example: example.key))
    assert not pradhan2014.no_twinless_example().counterexample


def test_twinless_examples_of_b_cubed_are_noticed(monkeypatch):
    monkeypatch.setattr(Example, "response", property(lambda example: ALIKE.key))
    with pytest.raises(AssertionError, match="on one side only"):
        pradhan2014.examples_of_b_cubed(None, "")


@pytest.fixture
def changed(monkeypatch):
    """All cells of the tables, some of them others."""

    def change(others):
        every = {**cells.all_cells(), **others}
        monkeypatch.setattr(cells, "all_cells", lambda: every)

    return change


def test_c_always_below_muc_is_noticed(changed):
    lower = {place: "-1%" for place in cells.all_cells() if place[0] == "Table 4"}
    changed({place: text for place, text in lower.items() if place[2] == "c.f1"})
    with pytest.raises(AssertionError, match="C is below MUC"):
        claims.equal_in_table_4(None, "")


@pytest.mark.parametrize("name", ["La Hack 3", "Highly Syntactic Coreference"])
def test_exchanged_pairs_are_read_as_printed(name):
    recall, precision = baldwin1998.reported(name)
    (row,) = [row for row in ledger.rows("baldwin1998") if row.place == name]
    assert row.printed == f"{float(precision):.1%} precision {float(recall):.1%} recall"
    assert row.verdict == "remark" and "precision first" in row.note
