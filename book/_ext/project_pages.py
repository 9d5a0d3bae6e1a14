"""What pages say of the project: how to cite it, and what this copy was built with."""

from __future__ import annotations

import platform
import re
import sys
from functools import cache
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from corefbook import ledger
from sphinx.errors import ExtensionError

import corefeval

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
        """The project of the book in this folder."""
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

    @property
    def software(self) -> str:
        """The library as BibTeX."""
        return self.bibtex("software", self.name)

    @property
    def book(self) -> str:
        """The book as BibTeX."""
        return self.bibtex("misc", f"{self.name}-book", howpublished="Jupyter Book")

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


@cache
def project() -> Project:
    """What CITATION.cff says of this project."""
    return Project.read(ledger.DATA.parent / "book")


def bibtex(book: Path, key: str) -> str:
    """The entry of that key, as references.bib has it."""
    text = (book / "references.bib").read_text(encoding="utf-8")
    entry = re.search(rf"^@\w+{{{re.escape(key)},$.*?^}}$", text, re.MULTILINE | re.DOTALL)
    if not entry:
        raise ExtensionError(f"references.bib has no entry {key}")
    return entry[0]


def versions() -> dict[str, str]:
    """The packages that this copy was made with, and the machine."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    lines = {"corefeval": corefeval.__version__, "Python": python}
    lines |= {name: version(name) for name in PACKAGES}
    return lines | {"system": _system(), "processor": _processor()}


def _system() -> str:
    if sys.platform == "linux":
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}"
    return f"{platform.system()} {platform.release()}, {platform.machine()}"


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*: (.+)$", about.read_text(), re.M) if about.exists() else None
    return named[1] if named else platform.processor() or "unknown"
