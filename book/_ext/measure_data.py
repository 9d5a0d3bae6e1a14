"""What the book has to say of a measure beside the library: the front matter of its page.

The pages also stand in the table of contents, in the order of the registry: _toc.yml has a pattern
for them, which would sort them by their letters.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx_external_toc.api import Document, FileItem, GlobItem

from corefeval.registry import MEASURES

PAGES = Path(__file__).parents[1] / "measures"
PATTERN = "measures/*"
RECIPE = "corefeval/measures/README.md"


class Extension(NamedTuple):
    """A paper that extends a measure, and what to: scores of that kind cite both."""

    cite: str
    purpose: str


class Data(NamedTuple):
    """The front matter of a measure's page."""

    derived_in: str
    """The chapter that explains the measure, and perhaps a ``#section`` of it."""
    own_judgement: bool
    """Whether the page says itself when to report the measure; else the chapter's end does."""
    formula: str = ""
    """The docstring's formula in LaTeX: what stands before "over" there is above the line."""
    picture: str = "overlap"
    """How the docstring's example is drawn: one of `measure_page.PICTURES`."""
    from_sets: str = ""
    """The functions of the chapter that define the measure. Averages and variants have none."""
    searched_as: tuple[str, ...] = ()
    """What readers type who want this page, beside the measure's name and title."""
    extended_by: Extension | None = None

    @property
    def chapter(self) -> str:
        return self.derived_in.partition("#")[0]

    @property
    def section(self) -> str:
        return self.derived_in.partition("#")[2]


@cache
def of(name: str) -> Data:
    """The front matter of a measure's page. A page that is missing stops the build."""
    path = PAGES / f"{name}.md"
    if not path.is_file():
        raise ExtensionError(
            f"the measure {name} has no page: write book/measures/{name}.md as {RECIPE} says"
        )
    return parsed(path.read_text(encoding="utf-8"), f"book/measures/{name}.md")


def parsed(page: str, where: str) -> Data:
    """The front matter of a page; ``where`` it stands is for the errors."""
    fields = [name for name in Data._fields if name != "own_judgement"]
    given = yaml.safe_load(page.split("---\n")[1]) if page.startswith("---\n") else {}
    if "derived_in" not in given:
        found = ", ".join(given) or "none"
        raise ExtensionError(f"{where}: expected front matter with derived_in, found {found}")
    if unknown := given.keys() - set(fields):
        expected = " or ".join([", ".join(fields[:-1]), fields[-1]])
        raise ExtensionError(f"{where}: {min(unknown)} is unknown; expected {expected}")
    if "extended_by" in given:
        given["extended_by"] = Extension(**given["extended_by"])
    return Data(**given, own_judgement="# When to report it" in page)


def judged() -> list[str]:
    """The measures whose chapter says at its end what they are good at, and what they miss."""
    return [name for name in MEASURES if not of(name).own_judgement]


def list_pages(app: Sphinx, config: Config) -> None:
    """Put the pages into the table of contents, in the place of the pattern."""
    contents = config.external_site_map
    pages = [FileItem(f"measures/{name}") for name in MEASURES]
    (listed,) = [tree.items for tree in contents["measures"].subtrees]
    at = listed.index(GlobItem(PATTERN))
    listed[at : at + 1] = pages
    for page in pages:
        contents[page] = Document(docname=page)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", list_pages, priority=950)  # after the contents are read
    return {"parallel_read_safe": True, "parallel_write_safe": True}
