"""Docstrings as they are written: formulas with |K|, and names in single backticks.

Signatures are as a person writes a call: without types, and a class that only the library makes has
none, unless it is a named tuple, whose fields it lists. A class's attributes and methods are folded
below their names.
"""

from __future__ import annotations

import ast
import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

MADE_BY_USERS = ("corefeval.Scorer", "corefeval.Partition")


def escape_bars(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """A size such as |K| is no substitution of reStructuredText; code keeps its bars."""
    for i, line in enumerate(lines):
        if line.startswith(">>>"):
            break
        # autodoc may hand over the same lines twice.
        lines[i] = re.sub(r"(``.*?``|\\\|)|\|", lambda found: found[1] or r"\|", line)


def as_called(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str, returned: str
) -> tuple[str, str] | None:
    """The signature without the types of its arguments; what is returned stays."""
    if what == "class" and name not in MADE_BY_USERS and not issubclass(obj, tuple):
        return "", ""
    return without_types(signature), returned


def without_types(signature: str | None) -> str:
    """A signature as a call is typed.

    >>> without_types("(key: Any, metrics: str | None = 'standard', *, level: float = 0.95)")
    "(key, metrics='standard', *, level=0.95)"
    """
    if not signature:
        return ""
    (function,) = ast.parse(f"def _{re.sub('~', '', signature)}: ...").body
    assert isinstance(function, ast.FunctionDef)
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return f"({ast.unparse(function.args)})"


def fold_members(app: Sphinx, document: nodes.document) -> None:
    """Fold the attributes and methods of a class; the summary has their names."""
    for described in [*document.findall(addnodes.desc)]:
        content = described[-1]
        members = [each for each in described.findall(addnodes.desc) if each.parent is content]
        if described["objtype"] != "class" or not members:
            continue
        names = [each[0]["ids"][0].rpartition(".")[2] for each in members]
        said = ", ".join(f"<code>{escape(name)}</code>" for name in names)
        first = content.index(members[0])
        if isinstance(content[first - 1], addnodes.index):
            first -= 1
        opened = f'<details class="members"><summary>{said}</summary>'
        content.insert(first, nodes.raw("", opened, format="html"))
        content.append(nodes.raw("", "</details>", format="html"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("autodoc-process-signature", as_called)
    app.connect("doctree-read", fold_members)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
