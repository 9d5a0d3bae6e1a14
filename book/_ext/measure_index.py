"""Who searches for a measure by its name finds its chapter first."""

from __future__ import annotations

from measure_page import CHAPTERS
from sphinx.addnodes import index
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from corefeval.registry import MEASURES

ASKED = {
    "b-cubed": ["B-cubed", "B cubed", "bcubed", "B^3"],
    "quick-start": ["pip install", "installation", "head match", "partial match", "CorefUD"],
    "which-measure": ["which measure to report", "which metric"],
    "glossary": ["F-score", "F-measure"],
    "measures/ceafm": ["CEAF-m", "phi3", "φ3", "mention-based CEAF"],
    "measures/ceafe": ["CEAF-e", "phi4", "φ4", "entity-based CEAF"],
    "measures/conll": ["CoNLL", "CoNLL score"],
    "measures/pairwise": ["pairwise F1", "pairs"],
    "measures/ceaf1": ["cluster F1"],
    "measures/h": ["V-measure", "homogeneity", "completeness"],
    "significance": ["significance", "confidence interval", "p-value"],
    "ledger": ["printed numbers"],
    "cite": ["BibTeX", "citation"],
}
"""What else readers search for, and the page that answers it."""


class MeasureNames(SphinxTransform):
    """Measures' names and titles in the index, which Sphinx's search looks through."""

    default_priority = 500  # before the entries of the index are collected

    def apply(self) -> None:
        for name, place in CHAPTERS.items():
            chapter, _, section = place.partition("#")
            if chapter == self.env.docname:
                for entry in (name, MEASURES[name].title):
                    entries = [("single", entry, section, "main", None)]
                    self.document.append(index(entries=entries))
        for phrase in ASKED.get(self.env.docname, ()):
            self.document.append(index(entries=[("single", phrase, "", "main", None)]))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(MeasureNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
