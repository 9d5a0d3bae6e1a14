"""Who searches for a measure by its name finds its chapter first."""

from __future__ import annotations

from measure_page import CHAPTERS
from sphinx.addnodes import index
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from corefeval.registry import MEASURES

ASKED = {
    "b-cubed": ["B-cubed", "B cubed", "bcubed", "B^3"],
    "coreference": ["gold and system", "predicted clusters", "mention, entity, link"],
    "twinless": ["twinless", "missing and spurious mentions", "predicted mentions"],
    "errors": ["error analysis", "error types"],
    "quick-start": [
        "pip install",
        "installation",
        "head match",
        "partial match",
        "CorefUD",
        "score a system",
        "LaTeX table",
    ],
    "score-files": ["online scorer", "drag and drop"],
    "which-measure": ["which measure to report", "which metric", "best metric"],
    "who-computes-what": ["coval", "other scorers", "e2e-coref", "reference scorer"],
    "glossary": ["F-score", "F-measure", "precision, recall, F1"],
    "measures/ceafm": ["CEAF-m", "phi3", "φ3", "mention-based CEAF"],
    "measures/ceafe": ["CEAF-e", "phi4", "φ4", "entity-based CEAF"],
    "measures/conll": ["CoNLL", "CoNLL score", "CoNLL F1", "CoNLL average"],
    "measures/pairwise": ["pairwise F1", "pairs"],
    "measures/ceaf1": ["cluster F1"],
    "measures/h": ["V-measure", "homogeneity", "completeness"],
    "measures/kappa": ["kappa", "inter-annotator agreement", "Cohen's kappa"],
    "significance": [
        "significance",
        "bootstrap",
        "confidence interval",
        "p-value",
        "permutation test",
    ],
    "records": ["entity resolution", "record linkage", "deduplication", "cluster labels"],
    "recipes": ["convert files"],
    "api": ["Python API", "Python library"],
    "ledger": ["printed numbers", "reproduced figures"],
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
