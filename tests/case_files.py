"""What stands in the files of cases of tests/library: lines with an arrow, and files in short.

In a file stands

    «(0) - (0)»        in conll.cases a document of these last columns; «(e): (0) -» names it
    «"clusters": []»   in jsonlines.cases the document USUAL, but for these keys
    «1:(e1 2:e1) / 1»  in corefud.cases a document of these sentences: a node, behind a colon what
                       stands in Entity=, behind @ its DEPS; «id=e; 1» names it, and
                       «fields=eid-head; 1» has other fields
    WORDS, SENTENCES   those of USUAL
    \\n, \\xe9, …        Python's escapes, in UTF-8; behind `latin-1:` in that encoding
"""

import json
import re
from pathlib import Path

LIBRARY = Path(__file__).parent / "library"
WORDS = ["Ann", "sees", "her", "cat", ".", "It", "sees", "Ann", "."]
USUAL = {
    "doc_key": "d",
    "sentences": [WORDS[:5], WORDS[5:]],
    "clusters": [[[0, 0], [2, 2], [7, 7]], [[2, 3], [5, 5]]],
}
NAMED = {"WORDS": json.dumps(WORDS), "SENTENCES": json.dumps(USUAL["sentences"])}


def conll(text: str) -> str:
    name, columns = re.fullmatch(r"(?:(\([^:]*): )?(.*)", text, re.DOTALL).groups()
    lines = [f"d\t0\t{i}\tw{i}\t{column}" for i, column in enumerate(columns.split())]
    return "\n".join([f"#begin document {name or '(d)'}", *lines, "#end document", ""])


def jsonlines(text: str) -> str:
    return json.dumps(USUAL | json.loads(f"{{{text}}}")) + "\n"


def corefud(text: str) -> str:
    *options, sentences = text.split("; ")
    chosen = {"id": "d", "fields": "eid-etype-head-other"}
    chosen |= dict(option.split("=") for option in options)
    lines = [f"# newdoc id = {chosen['id']}", f"# global.Entity = {chosen['fields']}"]
    for sentence in sentences.split(" / "):
        lines += [*map(node_of, sentence.split()), ""]
    return "\n".join([*lines, ""])


def node_of(text: str) -> str:
    node, _, entity = text.partition(":")
    node, _, deps = node.partition("@")
    misc = f"A=b|Entity={entity}|C=d" if entity else "_"
    return "\t".join([node, f"w{node}", *["_"] * 6, deps.replace("/", ":") or "_", misc])


DOCUMENTS = {"conll": conll, "jsonlines": jsonlines, "corefud": corefud}


def content(form: str, text: str) -> bytes:
    """What stands in a file."""
    encoding, text = re.fullmatch("(?:(latin-1|utf-16-..):)?(.*)", text).groups()
    for name, stands_for in NAMED.items():
        text = text.replace(name, stands_for)
    text = text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    text = re.sub("«(.*?)»", lambda found: DOCUMENTS[form](found[1]), text, flags=re.DOTALL)
    return text.encode(encoding or "utf-8")


def lines_of(name: str) -> list[list[str]]:
    """What stands before the arrow and behind it in each line of a file, as "readers/conll"."""
    text = (LIBRARY / f"{name}.cases").read_text("utf-8").replace("\n    ", " ")
    lines = [line.partition("  # ")[0] for line in text.splitlines()]
    return [line.split(" => ") for line in lines if line and not line.startswith("# ")]
