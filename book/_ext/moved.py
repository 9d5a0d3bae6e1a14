"""Pages that became part of another one: the old address leads to where the content is now."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import Any

from sphinx.application import Sphinx

MOVED = {
    "five-measures": "properties.html#what-the-five-reward",
    "paper-tables": "ledger.html#the-papers-tables-recomputed",
    "teach": "practice.html#teach-with-it",
    "what-it-costs": "records.html#what-it-costs",
}
"""Where the content of an old page begins. Headings below it have kept their addresses."""

PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>This page has moved</title>
<link rel="canonical" href="$page">
<noscript><meta http-equiv="refresh" content="0; url=$address"></noscript>
<script>
location.replace(location.hash ? "$page" + location.search + location.hash : "$address");
</script>
</head>
<body>
<main>
<h1>This page has moved</h1>
<p>Its content is now <a href="$address">on another page</a>.</p>
</main>
</body>
</html>
""")


def write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    for name, address in MOVED.items():
        page = address.partition("#")[0]
        text = PAGE.substitute(page=page, address=address)
        Path(app.outdir, f"{name}.html").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
