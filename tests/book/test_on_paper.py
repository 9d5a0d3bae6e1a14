"""No text is lost on paper: none is cut, faded or beyond the sheet."""

import re
import shutil
import subprocess
from pathlib import Path
from unicodedata import normalize

import pytest
from browsing import need, settled, visit
from page_rules import LOOK

PRINTED = ["errors", "measures", "one-page", "command-line", "glossary", "ledger"]
"""A page of each kind."""


def on_paper(tab, address: str):
    """A page as it is laid out on a sheet of A4 with these margins, 186 mm wide."""
    view = tab(viewport={"width": 703, "height": 1000})
    visit(view, address)
    view.emulate_media(media="print")
    view.wait_for_function("matchMedia('print').matches")
    return view


def printed(view, page: Path) -> str:
    """The text of the page's PDF, without blanks."""
    need(shutil.which("pdftotext"), "pdftotext is not there: it is a part of poppler-utils")
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "12mm")
    page.write_bytes(view.pdf(format="A4", margin=margin, prefer_css_page_size=True))
    done = subprocess.run(["pdftotext", "-raw", page, "-"], capture_output=True, check=True)
    return solid(done.stdout.decode("utf-8"))


def solid(text: str) -> str:
    """Without blanks and hyphens, which paper has elsewhere, and with ligatures as letters."""
    return re.sub(r"[\s\u00ad\u2010-]", "", normalize("NFKC", text))


@pytest.mark.parametrize("page", PRINTED)
def test_tables_and_code_are_printed_to_their_end(page, site, tab, tmp_path):
    view = on_paper(tab, f"{site}{page}.html")
    assert settled(view, f"({LOOK}).lost()") == []
    ends = view.evaluate(f"({LOOK}).ends()")
    assert len(ends) > 1 or page == "one-page"
    text = printed(view, tmp_path / "page.pdf")
    assert [end for end in ends if solid(end) not in text] == []


CUTS = {
    "td:last-child { position: relative; left: 300mm }": "beyond the sheet",
    "pre { max-width: 20mm; white-space: pre !important; overflow: hidden !important }": "cut",
    ".text_html { mask-image: linear-gradient(red, transparent) !important }": "faded",
}


@pytest.mark.parametrize("rule", CUTS, ids=CUTS.values())
def test_what_paper_lacks_is_seen(rule, site, tab, tmp_path):
    view = on_paper(tab, f"{site}errors.html")
    view.add_style_tag(content=f"@media print {{ {rule} }}")
    lost = {each.partition(":")[0] for each in view.evaluate(f"({LOOK}).lost()")}
    if CUTS[rule] != "beyond the sheet":
        assert CUTS[rule] in lost
        return
    ends = view.evaluate(f"({LOOK}).ends()")
    text = printed(view, tmp_path / "page.pdf")
    assert [end for end in ends if solid(end) not in text]
