"""What is wrong with a key and a response, and is no convention: where it is, and whom it hits."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, NoReturn

from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.no_overlap import SidesApart
from corefeval.partition import ByName, Mention, all_mentions, by_name, is_span
from corefeval.readers import BothSides, FilePair, conll, corefud
from corefeval.readers.conll import ConllDocument
from corefeval.readers.files import Entities, StrPath, line_of
from corefeval.readers.formats import COREFUD
from corefeval.scorers.bundles import Bundle, bundles
from corefeval.scorers.inputs import CountedTables, InputFiles, Inputs
from corefeval.scorers.nonstandard_lines import KINDS, of_names, together, untidy

REFUSED = {"missing", "repeated", "tokens", "twice"}
"""Kinds of faults for which a pair of files is not scored by default."""
NAMED_LINES = 3
MOST_NAMED = 8


class Fault(NamedTuple):
    """Something to mend, and in which line (counted from 1; None if only the file is known)."""

    kind: str
    """One of `KINDS`, "missing", "nothing", "order", "repeated", "shifted", "tokens", "word"."""
    file: str
    line: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.line}' if self.line else ''}: {self.what}"


def hit_by(kind: str) -> list[str]:
    """The scorers whose scores a kind of fault changes, although ours stays.

    >>> "coval" in hit_by("comment"), "e2e" in hit_by("comment")
    (True, False)
    """
    # Every scorer has its own rule for a repeated mention, and ours refuses it.
    if kind == "repeated":
        return []
    return [scorer for scorer, bundle in bundles().items() if _hits(kind, bundle)]


def _hits(kind: str, bundle: Bundle) -> bool:
    # The order matters where documents are paired by it, or mentions numbered through all of them.
    if kind == "order":
        return bool(bundle.pairing or bundle.documents)
    return _reads_otherwise(kind, bundle) or kind == bundle.places


def _reads_otherwise(kind: str, bundle: Bundle) -> bool:
    return kind in KINDS and bundle.reading in KINDS[kind].readers


def read_otherwise(bundle: Bundle, inputs: Inputs, faults: Iterable[Fault]) -> list[Fault]:
    """The lines that a scorer reads by rules of its own, which are not followed here."""
    if not isinstance(inputs, InputFiles):
        return []
    return [fault for fault in faults if _reads_otherwise(fault.kind, bundle)]


def rules_met(bundle: Bundle, lines: Iterable[Fault]) -> str:
    """What the scorer makes of these lines, in words."""
    return ", and ".join(dict.fromkeys(KINDS[each.kind].readers[bundle.reading] for each in lines))


def read_as_scorer(bundle: Bundle, files: FilePair, choice: Conventions) -> BothSides:
    """The documents of files for a scorer.

    Raises `CorefError` for lines that it reads otherwise than we do.
    """
    if not (bundle.reading or bundle.places or bundle.pairing) or files.response_path is None:
        return files.read(choice)
    files.hold()
    both = files.read(choice)
    if met := [fault for fault in _read_by_rules(files) if _hits(fault.kind, bundle)]:
        _refuse_lines(bundle, met)
    return both


def _refuse_lines(bundle: Bundle, met: list[Fault]) -> NoReturn:
    shown = "; ".join(map(str, met[:NAMED_LINES]))
    more = f"; and {len(met) - NAMED_LINES} more" if len(met) > NAMED_LINES else ""
    mend = ", ".join(dict.fromkeys(KINDS[each.kind].mend for each in met))
    lines = "lines" if len(met) > 1 else "line"
    raise CorefError(
        f"like={bundle.name!r}: the scorer reads {len(met)} {lines} of these files by rules of its "
        f"own, so its score is not known: {shown}{more}; {mend}, or leave out like (corefeval "
        "explain lists all)"
    )


def _read_by_rules(files: FilePair) -> Iterator[Fault]:
    """All lines that some scorer reads by rules of its own."""
    if files.format is COREFUD:
        yield from _begun_together(files.paths.values())
    if not files.format.is_read_otherwise:
        return
    inputs = InputFiles(files, Conventions(repeated="each", missing="empty"))
    for fault in chain(_of_lines(inputs), _of_sides(inputs)):
        if fault.kind in KINDS:
            yield fault


def _begun_together(paths: Iterable[StrPath]) -> Iterator[Fault]:
    for path in paths:
        for document in corefud.documents(path):
            for kind, name, line, what in together(document):
                yield Fault(kind, document.file, line, f"document {name!r}: {what}")


def found_in(inputs: Inputs) -> list[Fault]:
    """All that is to mend, by kind, file and line."""
    found = list(_of_sides(inputs))
    if isinstance(inputs, CountedTables):
        table = Contingency.union(inputs.of_documents.values())
        found = list(_nothing(inputs, SidesApart.of_table(table)))
    if isinstance(inputs, InputFiles):
        found += _of_lines(inputs)
        if inputs.pair.format is COREFUD:
            found += _begun_together(dict.fromkeys(inputs.paths))
    files = chain(inputs.names, *inputs.files)
    # Files in the order in which they were given, not in that of their names.
    place = {file: number for number, file in enumerate(dict.fromkeys(files))}
    return sorted(found, key=lambda each: (each.kind, place[each.file], each.line or 0))


# What the sides have or lack


def _of_sides(inputs: Inputs) -> Iterator[Fault]:
    for side, documents in enumerate(inputs.sides):
        for name, entities in documents.items():
            if name not in inputs.sides[1 - side]:
                what = f"is not in {inputs.names[1 - side]}"
                yield _fault(inputs, "missing", side, name, what)
            if isinstance(entities, ByName):
                yield from _repeated(inputs, side, name, entities)
    yield from _of_order(inputs)
    yield from _in_common(inputs)


def _fault(
    inputs: Inputs, kind: str, side: int, name: Any, what: str, line: int | None = None
) -> Fault:
    line = line or inputs.line(side, name)
    return Fault(kind, inputs.file(side, name), line, f"document {name!r}: {what}")


def _repeated(inputs: Inputs, side: int, name: Any, entities: ByName) -> Iterator[Fault]:
    for mention, of in repeated(entities).items():
        more = f" and {len(of) - MOST_NAMED} more" if len(of) > MOST_NAMED else ""
        what = f"mention {mention} is in entities {', '.join(of[:MOST_NAMED])}{more}"
        file, line = _place(inputs, side, name, entities.where(mention))
        yield Fault("repeated", file, line, f"document {name!r}: {what}")


def _place(inputs: Inputs, side: int, name: Any, where: str) -> tuple[str, int | None]:
    """The file and the line of which a message says that something is there."""
    for file in inputs.files[side]:
        # The readers write places for people; this is the one that has to be taken apart again.
        if line := re.match(r", lines? ([0-9]+)", where.removeprefix(file)):
            return file, int(line[1])
    return inputs.file(side, name), inputs.line(side, name)


def repeated(entities: Entities) -> dict[Mention, list[str]]:
    """The mentions that are given more than once, with the entities that have them."""
    given: defaultdict[Mention, list[str]] = defaultdict(list)
    for name, mentions in by_name(entities).items():
        for mention in mentions:
            given[mention].append(name)
    return {mention: names for mention, names in given.items() if len(names) > 1}


def _of_order(inputs: Inputs) -> Iterator[Fault]:
    key, response = inputs.sides
    in_key = [name for name in key if name in response]
    in_response = [name for name in response if name in key]
    moved = [(i, j) for i, j in zip(in_key, in_response, strict=True) if i != j]
    # One document that is moved moves all after it, so the first is the one to look at.
    for ours, theirs in moved[:1]:
        there = f"where {inputs.names[0]} has {ours!r}; {len(moved)} are at another place"
        yield _fault(inputs, "order", 1, theirs, f"comes here, {there}")


# Nothing, or little, in common


MOVES = {
    (-1, -1): "one token further left",
    (1, 1): "one token further right",
    (0, -1): "that end one token earlier",
    (0, 1): "that end one token later",
    (-1, 0): "that begin one token earlier",
    (1, 0): "that begin one token later",
}
"""How the two ends of the response's mentions would have to be moved."""
FEWEST = 3
"""Mentions of which it means something that most could be moved."""


def _in_common(inputs: Inputs) -> Iterator[Fault]:
    both = [name for name in inputs.sides[0] if name in inputs.sides[1]]
    apart = SidesApart()
    for name in both:
        sides = inputs.sides[0][name], inputs.sides[1][name]
        apart = apart.with_more(SidesApart.of_document(name, sides))
    yield from _nothing(inputs, apart)
    number = apart.response
    # If most mentions are shared, a shift cannot be what is wrong.
    if number < FEWEST or 2 * apart.met > number:
        return
    key, response = ({n: {*all_mentions(side[n])} for n in both} for side in inputs.sides)
    for move, says in MOVES.items():
        moved = sum(_would_share(move, key[name], response[name]) for name in both)
        if 2 * moved > number:
            what = f"{moved} of {number} response mentions are key mentions {says}"
            yield Fault("shifted", inputs.names[1], None, what)
    # A document too many or too few moves all that follow by one place.
    for step, where in ((-1, "before"), (1, "after")):
        others = both[step:] + both[:step]
        turned = sum(len(key[n] & response[m]) for n, m in zip(others, both, strict=True))
        if others != both and 2 * turned > number:
            what = f"{turned} of {number} response mentions are mentions of the key's document"
            yield Fault("shifted", inputs.names[1], None, f"{what} {where} theirs")


def _nothing(inputs: Inputs, apart: SidesApart) -> Iterator[Fault]:
    if what := apart.nothing_shared():
        yield Fault("nothing", inputs.names[1], None, what)


def _would_share(move: tuple[int, int], key: set[Mention], response: set[Mention]) -> int:
    """How many response mentions that are two offsets are key mentions, once they are moved."""
    spans = [mention for mention in response if is_span(mention)]
    return sum((span[0] + move[0], span[1] + move[1]) in key for span in spans)


# Lines of CoNLL-2012


def _of_lines(files: InputFiles) -> Iterator[Fault]:
    for before, last in files.begun_twice:
        what = f"begins in {line_of(before, last)}, too; the last counts"
        yield Fault("twice", str(last.path), last.begin, f"document {last.name!r}: {what}")
    for side, text in enumerate(files.text):
        for kind, document, line, what in untidy(text):
            yield _fault(files, kind, side, document, what, line)
    key, response = files.text
    for name in key:
        if name in response:
            yield from _of_tokens(files, name, key[name], response[name])
    for kind, document, line, what in of_names(files.text):
        yield _fault(files, kind, 1, document, what, line)


def _of_tokens(
    files: InputFiles, name: str, key: ConllDocument, response: ConllDocument
) -> Iterator[Fault]:
    words = list(conll.differing_words(key, response))
    # With a token more on one side every later word differs, which would be told for each.
    if len(key.tokens) != len(response.tokens):
        yield _of_numbers(files, name, (key, response), words)
        return
    for token in words:
        ours, theirs = (conll.word(side.tokens[token]) for side in (key, response))
        there = f"{key.path}, line {key.line(token)}"
        what = f"the word is {theirs!r}, but {ours!r} in {there}"
        yield _fault(files, "word", 1, name, what, response.line(token))
    # Some scorers name a mention by its sentence, so a sentence break more moves mentions.
    begins = set(response.sentences)
    for token in begins.symmetric_difference(key.sentences):
        here = "a" if token in begins else "no"
        there = f"{key.path}, line {key.line(token)}"
        what = f"{here} sentence begins here, unlike {there}"
        yield _fault(files, "sentence", 1, name, what, response.line(token))


def _of_numbers(
    files: InputFiles, name: str, sides: tuple[ConllDocument, ConllDocument], words: list[int]
) -> Fault:
    """More tokens on one side than on the other."""
    sizes = [len(side.tokens) for side in sides]
    longer = sizes.index(max(sizes))
    # The first word that differs is where a token was lost; else one is missing at the end.
    line = sides[longer].line(min([*words, *sizes]))
    there = f"{min(sizes)} in {sides[1 - longer].path}"
    what = f"{max(sizes)} tokens, but {there}; other from here on"
    return _fault(files, "tokens", longer, name, what, line)
