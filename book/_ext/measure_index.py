"""Who searches for a measure by its name finds its chapter first."""

from __future__ import annotations

from measure_page import CHAPTERS
from sphinx.addnodes import index
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform


class MeasureNames(SphinxTransform):
    """Each measure's name as an entry of the index, which Sphinx's search looks through."""

    default_priority = 500  # before the entries of the index are collected

    def apply(self) -> None:
        for name, place in CHAPTERS.items():
            chapter, _, section = place.partition("#")
            if chapter == self.env.docname:
                entry = ("single", name, section, "main", None)
                self.document.append(index(entries=[entry]))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(MeasureNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
