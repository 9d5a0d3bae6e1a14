"""The figures of a paper's file one by one, and spoiled: what a test of the ledger needs."""

import re

from corefbook import ledger
from corefbook.ledger import Paper


def figures(name):
    """Every figure of a paper's file, apart."""
    paper = ledger.load(name)
    for group in paper.content["figures"]:
        common = {k: v for k, v in group.items() if k != "rows"}
        for row in group["rows"]:
            for figure in ledger.figures._spelled_out(common | row):
                yield paper, figure


def spoiled(printed):
    """Another figure: its last digit one more, or its last word or letter another."""
    if printed in ledger.NUMBERS:
        return "nine"
    if digits := re.findall(r"\d", printed):
        at = printed.rindex(digits[-1])
        other = (int(printed[at]) + 1) % 10
        if printed[:at].endswith("/"):
            other = other or 1  # nothing can be divided by 0
        return f"{printed[:at]}{other}{printed[at + 1 :]}"
    return re.sub(r"\w(?=\W*$)", "ŋ", printed) if re.search(r"\w", printed) else f"{printed}ŋ"


def row(paper, figure):
    (only,) = Paper(paper.name, {**paper.content, "figures": [{**figure, "rows": [{}]}]}).rows()
    return only
