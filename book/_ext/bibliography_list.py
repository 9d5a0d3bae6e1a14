"""Links of plain Markdown reach the entries of the bibliography.

A chapter cites as any notebook can show it, `[Luo [2005]](bibliography.md#luo-2005)`: an entry's
id is its key (`bibtex_cite_id`), and the link says on hover what the role `cite` would say.
"""

from __future__ import annotations

from docutils import nodes
from pybtex.plugin import find_plugin
from sphinx.application import Sphinx

PLAIN = find_plugin("pybtex.backends", "plaintext")()


def name_entries(app: Sphinx, doctree: nodes.document) -> None:
    """Let MyST find the keys, as it finds headings; a key without an entry is a warning."""
    for place, listed in app.env.get_domain("cite").bibliographies.items():
        if place.docname == app.env.docname:
            named = app.env.metadata[place.docname].setdefault("myst_slugs", {})
            for key, entry in listed.citation_nodes.items():
                named[key] = (None, entry["ids"][0], key)


def entitle(app: Sphinx, doctree: nodes.document, page: str) -> None:
    entries = {
        app.builder.get_relative_uri(page, cited.bibliography_key.docname)
        + f"#{cited.citation_id}": cited.tooltip_entry.text.render(PLAIN).replace("\\url ", "")
        for cited in app.env.get_domain("cite").citations
    }
    for link in doctree.findall(nodes.reference):
        if link.get("refuri") in entries:
            link["reftitle"] = entries[link["refuri"]]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", name_entries)
    app.connect("doctree-resolved", entitle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
