"""The sheet on paper, and the checklist."""

import re

from test_book import parsed, words

from corefeval import evaluate
from corefeval.conventions import CHOICES, FIRST_CHOICES, OF_FILES
from corefeval.signature import parsed as parsed_signature

# The sheet


def test_the_sheet_fits_one_page_of_paper(site, tab):
    view = tab(f"{site}one-page.html")
    view.wait_for_load_state("networkidle")
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", view.pdf(format="A4", prefer_css_page_size=True))
    assert len(pages) == 1


def test_each_card_of_the_sheet_has_definition_picture_and_range():
    (sheet,) = parsed("one-page.html").xpath("//*[contains(@class, 'sheet')]")
    *measures, conll = sheet.xpath(".//*[contains(@class, 'sd-card-body')]")
    assert len(measures) == 6
    for card in measures:
        said = words(card)
        assert card.xpath(".//figure//img/@alt") and "range [" in said
        assert all(f"{role}:" in said for role in ("Counts", "Misses", "Use"))
    assert "Use:" in words(conll)


# The checklist


def test_a_shared_task_can_adopt_the_section_with_its_signature():
    (cell,) = parsed("which-measure.html").xpath("//*[@id='cell-decided-beforehand']")
    text = cell.xpath(".//*[contains(@class, 'cell_output')]")[0].text_content().strip()
    real = evaluate({"d": "{a b}"}, {"d": "{a b}"}).signature
    adopted = parsed_signature(f"{real.split()[0]} {text.splitlines()[-1]}")
    assert len(adopted) > 1 and adopted.items() <= parsed_signature(real).items()
    decided = [f"- {name}: {FIRST_CHOICES[name]} (" for name in (*CHOICES, *OF_FILES)]
    assert re.findall(r"- \w+: \w+ \(", text) == decided
    assert max(map(len, text.splitlines())) <= 72
