"""Addresses that the book once had: each leads somewhere still, and keeps its anchor."""

import re
from pathlib import Path

import forwards
from companion import ledger
from test_book import HTML, anchors

OLD = (Path(__file__).parent / "old_addresses.txt").read_text("utf-8").split()
"""Every page of the book before its chapters were put together, and every cell of the ledger."""


def now(page: str) -> str:
    """Where a page leads: to itself, while it is there."""
    target = forwards.FORWARDS.get(page.removesuffix(".html"))
    return f"{target.partition('#')[0]}.html" if target else page


def test_every_old_address_leads_somewhere():
    assert len(OLD) > 100
    lost = []
    for address in OLD:
        page, _, anchor = address.partition("#")
        if not (HTML / page).is_file() or (anchor and anchor not in anchors(now(page))):
            lost.append(address)
    assert lost == []


def test_every_row_of_the_ledger_keeps_its_address():
    """Where a label or a place is worded anew, ``known_as`` or ``address`` keep the old words."""
    rows = (Path(__file__).parent / "old_rows.txt").read_text("utf-8").split()
    assert len(rows) > 1000
    assert {*rows} - {row.id for row in ledger.rows()} == set()


def test_a_page_that_has_gone_leads_to_one_that_is_there():
    for page, target in forwards.FORWARDS.items():
        written = (HTML / f"{page}.html").read_text("utf-8")
        name, _, anchor = target.partition("#")
        there = "../" * page.count("/") + target.replace(name, f"{name}.html")
        assert re.findall(r'<a href="([^"]+)"', written) == [there]
        assert name not in forwards.FORWARDS, f"{page} leads to {name}, which has gone"
        assert not anchor or anchor in anchors(f"{name}.html")


def test_what_stands_behind_the_page_is_kept(site, tab):
    """With a script a search and an anchor are kept; without one the page leads on all the same."""
    made = HTML / "made-to-be-forwarded.html"
    made.write_text(forwards.forward("MUC", "muc#exercises"), encoding="utf-8")
    try:
        for script, asked, reached in (
            (True, "?figure=x#cell-parts", "muc.html?figure=x#cell-parts"),
            (True, "", "muc.html#exercises"),
            (False, "", "muc.html#exercises"),
        ):
            view = tab(site + made.name + asked, java_script_enabled=script)
            view.wait_for_url(site + reached)
    finally:
        made.unlink()
