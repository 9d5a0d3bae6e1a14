"""How far the text of a page jumps while it loads."""

import pytest
from weights import largest_burst, served, shift

MOST_SHIFT = 0.1


@pytest.fixture(scope="module")
def packed():
    with served() as address:
        yield address


def test_text_stays_where_it_is_while_a_phone_loads_the_page(browser, packed):
    for page in ("index", "muc", "ledger", "score-files"):
        assert shift(browser, f"{packed}{page}.html") <= MOST_SHIFT, page


def test_jumps_add_up_while_they_follow_each_other():
    assert largest_burst([]) == 0
    assert largest_burst([[100, 0.1], [900, 0.1], [3000, 0.15]]) == 0.2
    # A burst lasts five seconds at most.
    assert largest_burst([[i * 900, 0.5] for i in range(8)]) == 3
