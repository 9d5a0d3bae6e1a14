"""Store the labels of public archives' keys and responses: data/real/labels.

python tools/real_labels.py ARCHIVE SOURCE ... writes a file a corpus, from the same sources as
tools/real_counts.py; ``--check`` compares with the stored files instead, and the exit code is 1 if
they differ. A label is a whole number, given anew in each column, in the order of first occurrence:
no word of a text is stored, and no name of a document.
"""

from __future__ import annotations

import argparse
import csv
import io
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

from real_counts import read
from real_sources import Corpus, Side, Source

from corefeval.errors import CorefError

FOLDER = Path(__file__).parents[1] / "data" / "real" / "labels"
ARCHIVES = {"cdcr-corpora": ("lemma", "feature."), "hypercoref": ("",)}
"""The archives whose labels may be passed on, and the beginnings of the responses that are."""
CORPORA = ("ecbp", "gvc", "fcc", "fcct")


def labels(source: Source, beginnings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The name of each corpus, and its columns as CSV."""
    for corpus in source.corpora:
        if corpus.name in CORPORA:
            yield corpus.name, as_csv(corpus, beginnings)


def as_csv(corpus: Corpus, beginnings: tuple[str, ...]) -> str:
    """A row a mention: its document, the document's subtopic where it is known, and the labels."""
    mentions = [mention for mention, _ in corpus.key]
    columns = {"document": [str(mention[0]) for mention in mentions]}
    if subtopics := corpus.units.get("subtopics"):
        columns["subtopic"] = [subtopics[mention[0]] for mention in mentions]
    columns["key"] = numbered(corpus.key, mentions)
    for name, side in corpus.responses.items():
        if name.startswith(beginnings) and "-kmeans" not in name and "-gold" not in name:
            columns[name] = numbered(side, mentions)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return file.getvalue()


def numbered(side: Side, mentions: list[tuple[int, ...]]) -> list[str]:
    """The number of each mention's entity. Every response has the key's mentions, each once."""
    entity_of = dict(side)
    if len(side) != len(entity_of) or entity_of.keys() != set(mentions):
        raise CorefError("expected the key's mentions, each in one entity")
    number_of: dict[str, int] = {}
    return [str(number_of.setdefault(entity_of[each], len(number_of))) for each in mentions]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", choices=ARCHIVES)
    parser.add_argument("source", nargs="+", type=Path)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    chosen = parser.parse_args(arguments)
    differ = False
    for corpus, text in labels(read(chosen.archive, chosen.source), ARCHIVES[chosen.archive]):
        path = FOLDER / f"{chosen.archive}-{corpus}.csv.xz"
        if chosen.check:
            same = path.is_file() and lzma.decompress(path.read_bytes()).decode() == text
            print(f"{path.name}: {'as stored' if same else 'differs from what is stored'}")
            differ = differ or not same
        else:
            FOLDER.mkdir(exist_ok=True)
            preset = 9 | lzma.PRESET_EXTREME
            path.write_bytes(lzma.compress(text.encode(), preset=preset))
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
