"""Who searches for a measure by its name finds its chapter first."""

from __future__ import annotations

import measures
from sphinx.addnodes import index
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from corefeval.registry import MEASURES

ASKED = {
    "b-cubed": ["B-cubed", "B cubed", "bcubed", "B^3"],
    "coreference": ["gold and system", "predicted clusters", "mention, entity, link"],
    "twinless": [
        "twinless",
        "missing and spurious mentions",
        "mentions on one side",
        "predicted mentions",
        "gold mentions",
    ],
    "errors": ["error analysis", "error types", "entity that costs most"],
    "quick-start": ["pip install", "installation", "score a system"],
    "recipes": [
        "convert files",
        "head match",
        "partial match",
        "CorefUD",
        "LaTeX table",
        "zero anaphora",
        "jsonl clusters",
        "torchmetrics",
        "wandb",
        "TensorBoard",
    ],
    "recipes#labels-in-columns": ["DBSCAN"],
    "recipes#other-tokens": ["LLM", "large language model"],
    "recipes#what-the-library-does-not-cover": [
        "split antecedents",
        "windows of a book",
        "book-length documents",
    ],
    "measures#conventions": ["too many repeated mentions"],
    "measures#in-words-of-other-fields": ["Fowlkes", "Mallows", "Fowlkes-Mallows"],
    "published-tables": ["rounding", "rounded F1", "wrong table", "decimal places"],
    "file-rules": ["duplicate mentions", "mention in two entities", "empty document"],
    "muc": ["link-based measure", "MUC of singletons is 0"],
    "ceaf": ["Hungarian algorithm", "Kuhn-Munkres"],
    "real-systems": ["better system"],
    "practice": ["exercises"],
    "errata": ["misprint", "errors in papers"],
    "score-files": [
        "online scorer",
        "drag and drop",
        "why is my CEAFe different",
        "another number",
    ],
    "which-measure": ["which measure to report", "which metric", "best metric"],
    "who-computes-what": [
        "coval",
        "other scorers",
        "e2e-coref",
        "reference scorer",
        "macro average",
    ],
    "who-computes-what#documents-added-up-averaged-or-made-one": ["Hugging Face", "huggingface"],
    "scorers": ["conformance suite", "test my scorer", "is my scorer right"],
    "glossary": ["F-score", "F-measure", "precision, recall, F1"],
    "glossary#term-F1": ["definition of F1"],
    "significance": [
        "significance",
        "bootstrap",
        "confidence interval",
        "p-value",
        "permutation test",
        "compare two systems",
    ],
    "records": [
        "entity resolution",
        "how fast",
        "record linkage",
        "deduplication",
        "cluster labels",
        "data frame",
    ],
    "api": ["Python API", "Python library"],
    "ledger": ["printed numbers", "reproduced figures"],
    "cite": ["BibTeX", "citation"],
}
"""What else readers search for, and the page or section that answers it.

What they call a measure stands in `measures.toml`.
"""


class MeasureNames(SphinxTransform):
    """Measures' names and titles in the index, which Sphinx's search looks through."""

    default_priority = 500  # before the entries of the index are collected

    def apply(self) -> None:
        page = self.env.docname
        for name, measure in MEASURES.items():
            described = measures.of(name)
            if page == described.chapter:
                _, _, section = described.derived_in.partition("#")
                self.add(name, section)
                self.add(measure.title, section)
            if page == "measures":
                for phrase in described.searched_as:
                    self.add(phrase, described.id)
        for place, phrases in ASKED.items():
            asked, _, section = place.partition("#")
            if asked == page:
                for phrase in phrases:
                    self.add(phrase, section)

    def add(self, phrase: str, section: str = "") -> None:
        self.document.append(index(entries=[("single", phrase, section, "main", None)]))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(MeasureNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
