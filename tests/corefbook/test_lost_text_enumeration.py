"""The full search for the lost MUC-6 text gives what is stored."""

import pytest
from corefbook.papers.popescubelis import lost_text


@pytest.mark.release
def test_the_search_gives_what_is_stored():
    cells = lost_text.without(lost_text.printed_cells(), "6", *lost_text.NAMES["xc"])
    assert lost_text.search(lost_text.MUC6, cells) == lost_text.stored()
    lists = list(lost_text.size_lists(lost_text.MUC6, cells))
    assert len(lists) == lost_text.counts("lists")[-1].count
