"""What a page costs its reader: kilobytes as a server sends them, and jumps of its text."""

import pytest
from weights import largest_burst, served, shift, weight

MOST = {"index": 250, "errors": 600, "measures/b3": 600, "ledger": 600, "score-files": 600}
"""Kilobytes of all requests but Python."""
NEEDLESS = ("fontawesome", "fa-solid", "searchindex")
MOST_SHIFT = 0.1


@pytest.fixture(scope="module")
def packed():
    with served() as address:
        yield address


def test_pages_are_light(browser, packed):
    for page, most in MOST.items():
        found = weight(browser, f"{packed}{page}.html")
        assert 50 < found.kilobytes <= most, f"{page}: {found}"
        loaded = " ".join(found.largest)
        assert not any(name in loaded for name in NEEDLESS), f"{page}: {loaded}"


def test_formulas_are_typeset_where_there_are_some_and_nowhere_else(browser, packed):
    for page, some in (("index", False), ("cite", False), ("muc", True)):
        loaded = " ".join(weight(browser, f"{packed}{page}.html").largest)
        assert ("tex-chtml" in loaded) == some, page


def test_text_stays_where_it_is_while_a_phone_loads_the_page(browser, packed):
    for page in ("index", "muc", "ledger", "score-files"):
        assert shift(browser, f"{packed}{page}.html") <= MOST_SHIFT, page


def test_jumps_add_up_while_they_follow_each_other():
    assert largest_burst([]) == 0
    assert largest_burst([[100, 0.1], [900, 0.1], [3000, 0.15]]) == 0.2
    # A burst lasts five seconds at most.
    assert largest_burst([[i * 900, 0.5] for i in range(8)]) == 3
