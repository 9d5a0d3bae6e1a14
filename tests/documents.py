"""Documents that several tests read: of CoNLL-2012 and of JSON lines, and records with labels."""

import json
import re
from typing import Any

from case_files import LIBRARY, WORDS

from corefeval import Partition


def document(columns: str, name: str = "(d); part 000") -> str:
    lines = [f"d\t0\t{i}\tw{i}\t{column}" for i, column in enumerate(columns.split())]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


def conll(*documents: str, names: str = "de") -> str:
    """Documents of last columns: a line per token, an empty line for each /."""
    lines = []
    for name, columns in zip(names, documents, strict=False):
        lines.append(f"#begin document ({name}); part 000")
        for token, column in enumerate(columns.split()):
            lines.append("" if column == "/" else f"{name}\t0\t{token}\tw\t{column}")
        lines.append("#end document")
    return "\n".join([*lines, ""])


def sides_of_records(rows):
    """Records (name, document, true label, predicted label) as two mappings from documents."""
    names = dict.fromkeys(document for _, document, *_ in rows)
    return [
        {
            name: Partition.from_labels(
                {row[0]: row[side] for row in rows if row[1] == name and row[side] is not None}
            )
            for name in names
        }
        for side in (2, 3)
    ]


TEXT = " ".join(WORDS)
INCLUSIVE = [[[0, 0], [2, 2], [7, 7]], [[2, 3], [5, 5]]]
EXCLUSIVE = [[[0, 1], [2, 3], [7, 8]], [[2, 4], [5, 6]]]
SYSTEMS = (LIBRARY / "readers/written.cases").read_text("utf-8").replace("\n    ", " ")
WRITTEN: dict[str, Any] = {
    name: json.loads(document)
    for name, document in re.findall("^([^#].*?): (.*)", SYSTEMS, re.MULTILINE)
}
