"""A key and a response, of whatever kind, in the ways in which scorers take them."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from corefeval.contingency import Contingency, Tables
from corefeval.conventions import DEFAULTS, Conventions
from corefeval.errors import CorefError
from corefeval.partition import ByName, Mention, all_mentions
from corefeval.readers import FilePair, conll
from corefeval.readers.conll import ConllDocument
from corefeval.readers.files import Entities, files_in, meet_parts, reading_bar
from corefeval.repeats import REPEATS
from corefeval.scorers.bundles import NoScore, all_listings, pooled, renamed
from corefeval.scoring import lacked_document, paired, tables_by, tables_of

KeyAndResponse = Sequence[Mapping[Any, Entities]]
Rules = Mapping[str, str]
"""How a measure is computed: a choice for each convention, and for the fields of a bundle."""
MOST_REPEATED = 10_000
"""A mention in n entities of the key and m of the response makes n · m pairs of entities that share
it, (n − 1)(m − 1) more than the n + m − 1 that grow with the files: how many more are scored. At
this number a score of every scorer takes a second or two (measured in November 2026)."""


class Inputs:
    """A key and a response in Python, as mappings from documents to entities."""

    names: Sequence[str] = ("key", "response")
    """What messages call the sides."""
    sides: KeyAndResponse
    files: Sequence[Sequence[str]] = (("key",), ("response",))
    """What they call the files of each side."""
    differently_cut = False
    """Whether the sides part their documents into other sentences."""

    def __init__(self, key: Mapping[Any, Any], response: Mapping[Any, Any]) -> None:
        self.sides = all_listings(key, response)

    def file(self, side: int, document: Any) -> str:
        """The file that has a document."""
        return self.names[side]

    def line(self, side: int, document: Any) -> int | None:
        """The line in which a document begins."""
        return None

    def matched(self, rules: Rules) -> KeyAndResponse:
        """Both sides, as a scorer reads them that finds mentions by this ``match``."""
        return self.sides

    def place(self, rules: Rules, side: int, document: Any, mention: Any) -> Mention:
        """What a scorer calls a mention that knows other places, or one document of all."""
        return (document, mention) if rules["documents"] else mention

    def sides_of(self, rules: Rules) -> KeyAndResponse:
        """Key and response, with the documents and mentions that a scorer has.

        Raises `NoScore` for documents at which the scorer stops.
        """
        key, response = self.matched(rules)
        # A scorer that pairs by order scores as many documents as the shorter side has.
        if rules["pairing"]:
            response = dict(zip(key, response.values(), strict=False))
            key = {name: key[name] for name in response}
        # Some scorers go through the key's documents, and never see any other.
        if rules["extra"]:
            response = {name: response[name] for name in response if name in key}
        if rules["missing"] == "error" and (lacked := lacked_document(key, response)):
            raise NoScore(lacked)
        sides = [key, response]
        if rules["places"] or rules["documents"]:
            sides = [
                renamed(documents, partial(self.place, rules, side))
                for side, documents in enumerate(sides)
            ]
        return [pooled(side) for side in sides] if rules["documents"] else sides

    def tables(self, rules: Rules) -> Mapping[Hashable, Tables]:
        """The tables of each document.

        Raises `NoScore` as `sides_of` does, and `CorefError` for what only the scorer can score.
        """
        key, response = self.sides_of(rules)
        # Only these choices keep all listings, whose pairs can grow with the square of the files.
        if rules["repeated"] in REPEATS:
            _refuse_many_repeats(key, response)
        documents = paired(key, response, rules["missing"])
        # With no document in common there is no score, which is another thing than a score of 0.
        if not documents:
            raise CorefError("no document is on both sides")
        chosen = {name: rules[name] for name in ("repeated", "singletons", "twinless")}
        (tables,) = tables_by(documents, [DEFAULTS.but(**chosen)]).values()
        return tables


def _refuse_many_repeats(key: Mapping[Any, Entities], response: Mapping[Any, Entities]) -> None:
    pairs = 0
    for document in key.keys() & response.keys():
        if isinstance(key[document], ByName) or isinstance(response[document], ByName):
            here, there = (Counter(all_mentions(side[document])) for side in (key, response))
            shared = here.keys() & there.keys()
            pairs += sum((here[mention] - 1) * (there[mention] - 1) for mention in shared)
    if pairs > MOST_REPEATED:
        raise CorefError(
            f"mentions that both sides repeat make {pairs} more pairs of entities; no more than "
            f"{MOST_REPEATED} are compared"
        )


class CountedTables(Inputs):
    """Tables of mentions, of label arrays or of a database: what is counted, without mentions."""

    def __init__(self, of_documents: Mapping[Hashable, Contingency]) -> None:
        self.sides = [{}, {}]
        self.of_documents = of_documents

    def tables(self, rules: Rules) -> Mapping[Hashable, Tables]:
        if rules["documents"]:
            raise CorefError("a table does not say which entities of two documents are one")
        choice = Conventions(singletons=rules["singletons"], twinless=rules["twinless"])
        return {name: tables_of(t, choice) for name, t in self.of_documents.items()}


class InputFiles(Inputs):
    """A key and a response with all their repeats, documents in the order of the files."""

    def __init__(self, files: FilePair, choice: Conventions) -> None:
        # A choice for another format is refused before large files are read.
        files.check(choice)
        files.hold()
        self.pair, self.choice = files, choice
        self.paths = [files.key_path, files.response_path or files.key_path]
        self.names = [*map(str, self.paths)]
        every_path = [*map(files_in, self.paths)]
        self.files = [[*map(str, of_side)] for of_side in every_path]
        self.text: list[dict[str, ConllDocument]] = [{}, {}]
        """For CoNLL-2012: the documents with their lines."""
        self.sentences: list[dict[str, tuple[int, list[int]]]] = [{}, {}]
        """How many sentences are in the documents before, and the tokens that begin one."""
        self.begun_twice: list[tuple[ConllDocument, ConllDocument]] = []
        """Documents that begin twice: the first, and the other, which counts."""
        # Where other scorers read lines by rules of their own, the lines are kept.
        if files.format.is_read_otherwise and files.response_path is not None:
            with reading_bar(*self.paths):
                for side in (0, 1):
                    self._read_conll(side)
            # Nothing is checked here: what differs between the sides is what is to be explained.
            meet_parts(self.text[0], self.text[1], lambda key, response: None)
            self.sides = [dict(self._conll(side)) for side in (0, 1)]
            self.differently_cut = self.sentences[0] != self.sentences[1]
        else:
            self.sides = files.read(choice)

    def _read_conll(self, side: int) -> None:
        text = self.text[side]
        for document in conll.documents(self.paths[side]):
            if document.name in text:
                # Our readers refuse such a file; here it is something to tell.
                self.begun_twice.append((text[document.name], document))
            text[document.name] = document

    def _conll(self, side: int) -> Iterator[tuple[str, Entities]]:
        before = 0
        for name, document in self.text[side].items():
            begins = document.sentences
            self.sentences[side][name] = before, begins
            before += len(begins)
            yield name, document.entities("each")

    def file(self, side: int, document: Any) -> str:
        known = self.text[side].get(document)
        return str(known.path) if known else self.names[side]

    def line(self, side: int, document: Any) -> int | None:
        return self.text[side][document].begin if document in self.text[side] else None

    def matched(self, rules: Rules) -> KeyAndResponse:
        dropped = rules["singletons"] if rules["match"] != "exact" else "keep"
        # Mentions of other formats are not matched, and singletons can go later, with the tables.
        choice = self.choice.but(match=rules["match"], singletons=dropped)
        if choice == self.choice:
            return self.sides
        with warnings.catch_warnings():
            # The first reading has given every warning of these files.
            warnings.simplefilter("ignore")
            return self.pair.read(choice)

    def place(self, rules: Rules, side: int, document: Any, mention: Any) -> Mention:
        if rules["places"] != "sentence":
            return super().place(rules, side, document, mention)
        before, begins = self.sentences[side][document]
        # The sentence of a token is the last one that begins at or before it.
        first, last = (bisect_right(begins, token) - 1 for token in mention)
        number = last + (before if rules["documents"] else 0)
        return number, mention[0] - begins[first], mention[1] - begins[last]
