"""The numbers of a printed line: which of its digits are scores."""

from __future__ import annotations

import re

MISSING = "–"
NUMBER = re.compile(
    r"(?<![\w.,:/\[-])"  # no end of a word, of a version or of a minus: "e2e", "v2.0", "-3"
    r"(?:\d{1,3}(?:[.,]\d+)?|[.,]\d+)"
    r"(?![\w:/\]]|[.,]\d)"  # no beginning of one: "2nd", "81.4.1"
    r"|(?<!\S)[-–—−](?!\S)"  # a dash alone is a cell without a number
)
SPREAD = re.compile(r"(?:±|\\pm|\+/-)\s*[\d.,]+")
MEAN = re.compile(r"\W*(?:average|avg|mean|conll)\b", re.IGNORECASE)
"""How the line of the average begins."""
OF_ONE = re.compile(r"\W*(?:mentions?|muc|b3|b³|b-cubed|ceaf|blanc|lea)", re.IGNORECASE)
"""How the line of one measure begins."""


def numbers(text: str) -> list[str]:
    """The numbers of a line; digits that stick to words, years and labels are left out.

    Where some number has decimals, whole numbers before the first such one are labels.

    >>> numbers("e2e-coref 2017 & 81.4 & 79.5")
    ['81.4', '79.5']
    >>> numbers("Lee 18 80,4 – 79,5 %")
    ['80.4', '–', '79.5']
    >>> numbers("80.4 ± 0.3, 70")
    ['80.4', '70']
    """
    text = SPREAD.sub(" ", text)
    if re.search(r"\d\.\d", text) or re.search(r"\d,\d+,\d", text):
        text = text.replace(",", " ")  # not the decimal sign here
    texts = [number.replace(",", ".") for number in NUMBER.findall(text)]
    texts = ["0" + number if number.startswith(".") else number for number in texts]
    decimal = [place for place, number in enumerate(texts) if "." in number]
    if decimal and not OF_ONE.match(text):
        texts = texts[decimal[0] :]
    cells = [number if number[0].isdigit() else MISSING for number in texts]
    if OF_ONE.match(text):
        return cells
    first = next((i for i, number in enumerate(cells) if number != MISSING), len(cells))
    return cells[first:]
