"""Pages about the project: how to cite it, what this copy was built with, what has changed."""

from __future__ import annotations

import platform
import re
import sys
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from companion import ledger
from sphinx.errors import ExtensionError
from templates import filled

import corefeval
from corefeval.registry import MEASURES, Measure

PACKAGES = (
    "numpy",
    "scipy",
    "matplotlib",
    "jupyter-book",
    "sphinx",
    "myst-nb",
    "sphinx-book-theme",
    "nbclient",
    "ipykernel",
)
"""What computes the chapters' numbers and renders them."""

FIGURE = "vilain1995-table-1-row-1-muc-recall"
"""The row of the ledger that is cited as an example."""


class Project(NamedTuple):
    """What CITATION.cff says. What it does not say yet, addresses above all, is empty."""

    name: str
    title: str
    authors: tuple[str, ...]
    version: str
    year: str
    url: str
    repository: str
    doi: str

    @classmethod
    def read(cls, book: Path) -> Project:
        """That of the book in this folder."""
        return cls.of(
            yaml.safe_load((book.parent / "CITATION.cff").read_text(encoding="utf-8")),
            yaml.safe_load((book / "_config.yml").read_text(encoding="utf-8")),
        )

    @classmethod
    def of(cls, given: dict[str, Any], config: dict[str, Any]) -> Project:
        archived = [i["value"] for i in given.get("identifiers", ()) if i["type"] == "doi"]
        return cls(
            name=given["title"].partition(":")[0],
            title=given["title"],
            authors=tuple(_author(author) for author in given["authors"]),
            version=given["version"],
            year=str(given.get("date-released") or config["copyright"])[:4],
            url=given.get("url", "").rstrip("/"),
            repository=given.get("repository-code", ""),
            doi=given.get("doi") or (archived[0] if archived else ""),
        )

    @property
    def link(self) -> str:
        """The address that lasts longest of those that there are."""
        doi = f"https://doi.org/{self.doi}" if self.doi else ""
        return doi or self.url or self.repository

    def address(self, page: str) -> str:
        return f"{self.url}/{page}.html"

    def sentence(self) -> str:
        """The project as a reference in Markdown."""
        text = f"{', '.join(self.authors)}. *{self.title}*, version {self.version}, {self.year}."
        return f"{text} <{self.link}>" if self.link else text

    def of_page(self, title: str, page: str) -> str:
        """A page as a reference in HTML, as its title is."""
        text = (
            f"{escape(', '.join(self.authors))}. “{title}”. In <em>{escape(self.title)}</em>, "
            f"version {self.version}, {self.year}."
        )
        return f"{text} {escape(self.address(page))}" if self.url else text

    def bibtex(self, kind: str, key: str, **more: str) -> str:
        fields = {
            # A name in braces of its own is the name of a group, not of a person.
            "author": " and ".join(f"{{{name}}}" for name in self.authors),
            "title": self.title,
            "version": self.version,
            "year": self.year,
            **more,
            "doi": self.doi,
            "url": self.url or self.repository,
        }
        lines = (f"  {name:8}= {{{value}}}," for name, value in fields.items() if value)
        return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _author(given: dict[str, str]) -> str:
    """A group has one name, a person several."""
    names = (given.get("given-names"), given.get("name-particle"), given.get("family-names"))
    return given.get("name") or " ".join(filter(None, names))


def citation(book: Path) -> str:
    """The library, as a sentence and as BibTeX."""
    project = Project.read(book)
    entry = project.bibtex("software", project.name)
    return filled("citation.md", sentence=project.sentence(), entry=entry)


def book_citation(book: Path) -> str:
    """The book as BibTeX."""
    project = Project.read(book)
    entry = project.bibtex("misc", f"{project.name}-book", howpublished="Jupyter Book")
    return filled("citation.md", sentence="", entry=entry)


def figure_citation(book: Path) -> str:
    """How to cite one row of the ledger, with its address there."""
    (row,) = (row for row in ledger.rows("vilain1995") if row.id == FIGURE)
    version = Project.read(book).version
    return (
        f"> Vilain *et al.* (1995), {row.place}, row 1, {row.label} {row.printed}: "
        f'*{row.verdict}* by corefeval {version}, <a href="ledger.html#{row.id}">{row.id}</a>'
    )


def addresses(book: Path) -> str:
    """Where the project is to be found, as far as CITATION.cff says it."""
    return filled("addresses.md", project=Project.read(book))


def measure_papers(book: Path) -> str:
    """The papers of the measures as BibTeX, each with the measures that it defines."""
    defined: dict[str, list[Measure]] = {}
    for measure in MEASURES.values():
        defined.setdefault(measure.cite, []).append(measure)
    papers = [(key, bibtex(book, key), measures) for key, measures in defined.items()]
    return filled("measure-papers.md", papers=papers)


def bibtex(book: Path, key: str) -> str:
    """The entry of that key, as references.bib has it."""
    text = (book / "references.bib").read_text(encoding="utf-8")
    found = re.search(rf"^@\w+{{{re.escape(key)},$.*?^}}$", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ExtensionError(f"references.bib has no entry {key}")
    return found[0]


def versions(book: Path) -> str:
    """The machine in words, and the packages as a table."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    lines = {"corefeval": corefeval.__version__, "Python": python}
    lines |= {name: version(name) for name in PACKAGES}
    lines |= {"system": _system(), "processor": _processor()}
    return filled("versions.md", lines=lines)


def _system() -> str:
    if sys.platform == "linux":
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}"
    return f"{platform.system()} {platform.release()}, {platform.machine()}"


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*: (.+)$", about.read_text(), re.M) if about.exists() else None
    return named[1] if named else platform.processor() or "unknown"


def changelog(book: Path) -> str:
    """CHANGELOG.md without its title, which the page has."""
    text = (book.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    return text.partition("\n")[2].strip()
