"""Pages about the project: how to cite it, what this copy was built with, what has changed."""

from __future__ import annotations

import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml
from sphinx.errors import ExtensionError

PACKAGES = (
    "numpy",
    "scipy",
    "pandas",
    "matplotlib",
    "jupyter-book",
    "sphinx",
    "myst-nb",
    "sphinx-book-theme",
    "nbclient",
    "ipykernel",
)
"""What computes the chapters' numbers and renders them."""


def citation(book: Path) -> str:
    """CITATION.cff as a sentence and as BibTeX."""
    given = yaml.safe_load((book.parent / "CITATION.cff").read_text(encoding="utf-8"))
    year = str(given.get("date-released") or _copyright(book))[:4]
    names = [author["name"] for author in given["authors"]]
    text = f"{', '.join(names)}. *{given['title']}*, version {given['version']}, {year}."
    fields = {
        # A name in braces of its own is the name of a group, not of a person.
        "author": " and ".join(f"{{{name}}}" for name in names),
        "title": given["title"],
        "version": given["version"],
        "year": year,
    }
    lines = "\n".join(f"  {name:8}= {{{value}}}," for name, value in fields.items())
    return f"> {text}\n\n```bibtex\n@software{{corefeval,\n{lines}\n}}\n```"


def _copyright(book: Path) -> str:
    return yaml.safe_load((book / "_config.yml").read_text(encoding="utf-8"))["copyright"]


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
    lines: dict[str, Any] = {"corefeval": version("corefeval"), "Python": python}
    lines |= {name: version(name) for name in PACKAGES}
    lines |= {"system": _system(), "processor": _processor()}
    return "\n".join(
        ["| what | version |", "|---|---|", *(f"| {k} | {v} |" for k, v in lines.items())]
    )


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
