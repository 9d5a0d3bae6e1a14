"""JSON lines: a document in each line, its entities as lists of mentions.

A document is an object with a name (``doc_key``, ``document_id`` or ``id``; ``part_id`` or ``part``
if it has one) and with its entities. Those of a response are its ``predicted_clusters`` if it has
them, whatever else it has. All others are under one of these keys:

==========================  =====================  ===========================================
key                         as written by          a mention
==========================  =====================  ===========================================
``clusters``                e2e-coref and others   [begin, end], or as in PreCo
``span_clusters``           wl-coref, Stanza       [first token, token after the last]
``clusters_token_offsets``  maverick               [first token, last token]
``clusters_char_offsets``   maverick               [first character, last character]
``mention_clusters``        PreCo                  [sentence, its token, token after the last]
==========================  =====================  ===========================================

Tokens are those of ``sentences``, ``tokens``, ``cased_words`` or ``document``, counted from 0 in
the document; characters are counted where there is only a ``text`` (fastcoref), and word pieces
where there is a ``subtoken_map``, which makes words of them.

Whether an end is the last token (inclusive) or the one after it (exclusive) has to be proved: a
mention ``[5, 5]`` proves that all ends are inclusive, an end just outside its document that all are
exclusive, ``clusters_strings`` may show it, and so may a key that only one program writes. What
one file alone proves is taken for both, with a warning; where neither file has a proof, the
convention ``offsets`` says it. Mentions become pairs (first, last).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, chain, compress, count, islice, repeat, tee
from operator import add, eq, le
from typing import Any

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, shortened
from corefeval.partition import Mention, Partition
from corefeval.readers import files
from corefeval.readers.files import Entities, StrPath

Object = dict[str, Any]
Groups = Sequence[tuple[str, ...]]

NAMES = ("doc_key", "document_id", "id")
TEXTS = ("sentences", "tokens", "cased_words", "document", "text")
ENDS = {
    "span_clusters": "exclusive",
    "clusters_token_offsets": "inclusive",
    "clusters_char_offsets": "inclusive",
    "mention_clusters": "exclusive",
    "subtoken_map": "inclusive",
    "cased_words": "exclusive",
}
"""What the programs that write these keys mean by an end."""
CLUSTERS = ("clusters", *[key for key in ENDS if "clusters" in key])
GROUPS: Groups = (("predicted_clusters",), CLUSTERS)
WIDTHS = {2: "[begin, end]", 3: "[sentence, begin, end]"}
LINES = (
    "expected JSON lines: a whole document {…} in each line (`jq -c .` makes a line of a document "
    "that is spread over several, `jq -c '.[]'` lines of a list of documents)"
)


def read_pair(
    key_path: StrPath, response_path: StrPath | None, choice: Conventions
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response to it, by name; ``a_1`` is part 1 of document a.

    The response of a file that is given alone (``None``) is its ``predicted_clusters``.

    Raises `CorefError`, which names file, line, document and mention, for all that would make a
    score doubtful: what is no JSON or no document, names that are missing or come twice, offsets
    that are no whole numbers, lie outside the text or contradict each other, empty entities, word
    pieces without a map, documents or numbers of tokens that differ. Words that differ are only
    warned of, once per document.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> line = '{"doc_key": "d", "clusters": [[[0, 0]]], "predicted_clusters": [[[0, 0], [2, 3]]]}'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "both.jsonl")
    ...     _ = path.write_text(line)
    ...     read_pair(path, None, Conventions())
    ({'d': Partition('{(0, 0)}')}, {'d': Partition('{(0, 0) (2, 3)}')})
    """
    if response_path is None:
        response_path, groups, objects = key_path, GROUPS[:1], tee(_objects(key_path))
    else:
        groups, objects = GROUPS, (_objects(key_path), _objects(response_path))
    key, response = files.side_by_side(
        _documents(key_path, objects[0], GROUPS[1:]),
        _documents(response_path, objects[1], groups),
        _check_same_text,
    )
    if choice.missing == "error":
        files.check_same_documents(key_path, key, response_path, response)
    _find_ends([*key.values(), *response.values()], choice.offsets)
    return (
        {name: document.entities(choice.repeated) for name, document in key.items()},
        {name: document.entities(choice.repeated) for name, document in response.items()},
    )


def _objects(path: StrPath) -> Iterator[tuple[int, Object]]:
    """The objects of a file, each with the number of its line; a line may hold several."""
    found = False
    for first, lines in files.blocks(path):
        for number, line in enumerate(lines, first):
            rest = line.lstrip("\ufeff").strip()
            while rest:
                content, rest = _object(rest, f"{path}, line {number}")
                found = True
                yield number, content
    if not found:
        raise CorefError(f"{path}: the file has no document; {LINES}")


def _object(text: str, where: str) -> tuple[Object, str]:
    """The object with which a text begins, and the rest of the text."""
    try:
        content, end = DECODER.raw_decode(text)
    except CorefError as error:
        raise CorefError(f"{where}: {error}") from None
    except json.JSONDecodeError as error:
        wrong = f"no JSON at {shortened(text[error.pos :])}: {error.msg.lower()}"
        wrong += " (is the file cut off?)" if error.pos >= len(text) - 1 else ""
    except (ValueError, RecursionError) as error:  # too long a number, too deep a list
        wrong = str(error)
    else:
        if type(content) is dict:
            return content, text[end:].lstrip()
        wrong = f"{shortened(content)} is no document"
    raise CorefError(f"{where}: {wrong}; {LINES}")


def _unique(pairs: list[tuple[str, Any]]) -> Object:
    content = dict(pairs)
    if len(content) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise CorefError(f"the key {twice!r} comes twice in one object; leave one of them out")
    return content


DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def _documents(
    path: StrPath, objects: Iterable[tuple[int, Object]], groups: Groups
) -> Iterator[Document]:
    """All documents of a file, with the entities of the first of these groups that it has."""
    lines: dict[str, int] = {}
    field = ""
    for number, content in objects:
        document = Document(path, number, content, groups)
        field = field or document.field
        if document.name in lines:
            raise CorefError(
                f"{document.where}: it is in line {lines[document.name]}, too; expected each once, "
                "and a `part_id` of its own for each part of one name"
            )
        if document.field != field:
            raise CorefError(
                f"{document.where}: its entities are under `{document.field}`, those of line "
                f"{min(lines.values())} under `{field}`; expected one key in all of the file"
            )
        lines[document.name] = number
        yield document


class Document:
    """A document as it stands in a file; `_find_ends` makes its mentions pairs (first, last)."""

    def __init__(self, path: StrPath, begin: int, content: Object, groups: Groups) -> None:
        self.path, self.begin, self.where = path, begin, f"{path}, line {begin}"
        try:
            self.name = _name(content)
            self.where += f": document {self.name!r}"
            self.field = _field(content, groups)
            self._read(content)
        except CorefError as error:
            raise CorefError(f"{self.where}: {error}") from None

    def _read(self, content: Object) -> None:
        keys = (self.field, "subtoken_map", "cased_words")
        self.schema = next((key for key in keys if key in ENDS and key in content), "")
        """The key that shows, by the program that writes it, what ends mean."""
        self.sizes, columns = _numbers(self.field, content[self.field])
        if len(columns) == 3:
            self.schema = "mention_clusters"
            content, columns = _in_document(content, columns)
        self.begins, self.ends = columns
        self.text, limit, self.unit = _text(self.field, content)
        self.word_of: Any = content.get("subtoken_map")
        """The number of each word piece's word, None where it has none."""
        self.count = limit
        if self.word_of is not None:
            self.text, limit, self.count = None, *_count_pieces(self.word_of, limit)
        self.proofs: dict[str, str] = {}
        """Whether ends are inclusive or exclusive, as far as the document proves it, and how."""
        if self.sizes:
            self._prove(limit)
            self._compare(content.get("clusters_strings"))
        if self.schema:
            how = f"with `{self.schema}`, ends are {ENDS[self.schema]}"
            self.proofs.setdefault(ENDS[self.schema], how)

    def _prove(self, limit: int | None) -> None:
        """Prove what ends mean by the mentions' numbers."""
        last = max(self.ends)
        most = last if limit is None else limit
        if min(self.begins) < 0 or last > most or not all(map(le, self.begins, self.ends)):
            wrong = next([*each] for each in self.mentions() if not 0 <= each[0] <= each[1] <= most)
            among = "" if limit is None else f" in a document of {limit}"
            raise CorefError(
                f"there can be no mention {wrong}{among}; expected [begin, end], counted from 0, "
                "begin not after end, and end in the document or next to it"
            )
        for one in compress(self.begins, map(eq, self.begins, self.ends)):
            self.proofs["inclusive"] = (
                f"mention [{one}, {one}] would be empty if ends were exclusive"
            )
            break
        if last == limit:
            long = f"mention {[self.begins[self.ends.index(last)], last]}"
            self.proofs["exclusive"] = f"{long} would end outside the text if ends were inclusive"

    def _compare(self, shown: Any) -> None:
        """Prove it by the texts of the mentions, where a document gives them."""
        if self.field != "clusters" or self.text is None or type(shown) is not list:
            return
        strings = [each for entity in shown if type(entity) is list for each in entity]
        for kind, more in (("exclusive", 0), ("inclusive", 1)):
            if [self.text[begin : end + more] for begin, end in self.mentions()] == strings:
                first = [self.begins[0], self.ends[0]]
                self.proofs[kind] = f"{shortened(strings[0])} in `clusters_strings` is {first}"
                return

    def mentions(self) -> Iterator[tuple[int, int]]:
        return zip(self.begins, self.ends, strict=True)

    def entities(self, repeated: str) -> Entities:
        """Its entities, named by their numbers."""
        if self.word_of is not None and self.sizes:
            self.begins, self.ends = map(
                list, zip(*map(self._in_words, self.mentions()), strict=True)
            )
        numbers = chain.from_iterable(map(repeat, count(), self.sizes))
        entity_of: dict[Mention, int] = dict(zip(self.mentions(), numbers, strict=True))
        names = list(map(str, range(1, len(self.sizes) + 1)))
        if len(entity_of) == len(self.begins):
            return Partition.of_numbers(entity_of, self.sizes, names)
        mentions = self.mentions()
        listed = {name: [*islice(mentions, n)] for name, n in zip(names, self.sizes, strict=True)}
        return files.entities_of(listed, repeated, lambda mention: self.where)

    def _in_words(self, mention: tuple[int, int]) -> tuple[int, int]:
        first, last = (self.word_of[piece] for piece in mention)
        if first is None or last is None or not 0 <= first <= last:
            wrong = f"mention {[*mention]}, in word pieces, is {[first, last]} by `subtoken_map`"
            raise CorefError(f"{self.where}: {wrong}; expected a first and a last word")
        return first, last


def _name(content: Object) -> str:
    """A document's name, with its part as e2e-coref writes it: ``bc/cctv/00/cctv_0000_1``."""
    name = next((content[key] for key in NAMES if key in content), None)
    part = next((content[key] for key in ("part_id", "part") if key in content), "")
    if type(name) not in (str, int) or type(part) not in (str, int) or name == "":
        raise CorefError(
            f"the document has the name {shortened(name)} and the part {shortened(part)}; expected "
            "as `doc_key` (or `document_id` or `id`; `part_id` or `part`) a text or a whole number"
        )
    return f"{name}_{part}" if part != "" else str(name)


def _field(content: Object, groups: Groups) -> str:
    """The key of a document's entities."""
    for group in groups:
        found = [key for key in group if key in content]
        if len(found) > 1 and found != ["clusters_token_offsets", "clusters_char_offsets"]:
            both = f"it has entities under `{found[0]}` and `{found[1]}`; expected one of them"
            raise CorefError(f"{both}: call those of a response `predicted_clusters`")
        if found:
            return found[0]
    keys = " or ".join(f"`{key}`" for group in groups for key in group)
    alone = "; or give the response in a second file" if groups == GROUPS[:1] else ""
    raise CorefError(f"it has no entities under {keys}; expected a list of them there{alone}")


def _text(field: str, content: Object) -> tuple[Any, int | None, str]:
    """The tokens or characters of a document, how many and what they are, if it has them."""
    keys = ("text",) if field == "clusters_char_offsets" else TEXTS
    key = next((key for key in keys if content.get(key) is not None), "")
    if not key:
        return None, None, "" if keys is TEXTS else "character"
    text = content[key]
    if type(text) is str and key in ("text", "document"):
        return text, len(text), "character"
    kinds = set(map(type, text)) if type(text) is list else {None}
    if kinds != {list} and kinds != {int} and not kinds <= {str}:  # int: numbers of word pieces
        raise CorefError(f"`{key}` is {shortened(text)}; expected a list of tokens or of sentences")
    first = next(_flat(text), None)
    pieces = type(first) is int or first in ("[CLS]", "<s>") or "sentence_map" in content
    if pieces and "subtoken_map" not in content:
        missing = f"`{key}` has word pieces, but there is no `subtoken_map`"
        raise CorefError(f"{missing}; add it, or write words")
    return text, sum(map(len, text)) if kinds == {list} else len(text), "token"


def _flat(text: Any) -> Iterator[Any]:
    """Tokens or characters; those of sentences one after another."""
    return chain.from_iterable(text) if set(map(type, text)) == {list} else iter(text)


def _count_pieces(word_of: Any, pieces: int | None) -> tuple[int, int]:
    """How many word pieces these numbers belong to, and how many words they make."""
    if type(word_of) is not list or not set(map(type, word_of)) <= {int, type(None)}:
        raise CorefError("`subtoken_map` is no list of the numbers of words")
    if pieces not in (None, len(word_of)):
        raise CorefError(f"`subtoken_map` has {len(word_of)} numbers for {pieces} word pieces")
    return len(word_of), 1 + max((word for word in word_of if word is not None), default=-1)


def _numbers(field: str, clusters: Any) -> tuple[list[int], list[list[int]]]:
    """The sizes of the entities, and the two or three numbers of all mentions in columns."""
    if clusters == []:
        return [], [[], []]
    widths = (3,) if field == "mention_clusters" else (2,) if field in ENDS else (2, 3)
    with suppress(TypeError, ValueError):  # a number where a list should be; mentions of two kinds
        sizes = list(map(len, clusters))
        mentions = list(chain.from_iterable(clusters))
        (width,) = set(map(len, mentions))
        numbers = list(chain.from_iterable(mentions))
        alike = width in widths and set(map(type, numbers)) == {int}
        if type(clusters) is list and all(sizes) and alike:
            return sizes, [numbers[place::width] for place in range(width)]
    raise CorefError(
        f"{_malformed(field, clusters, widths)}; expected a list of entities, each a list of "
        f"mentions, each {' or '.join(WIDTHS[width] for width in widths)} in whole numbers"
    )


def _malformed(field: str, clusters: Any, widths: tuple[int, ...]) -> str:
    """What is wrong with what should be lists of lists of two or three whole numbers."""
    if type(clusters) is not list:
        return f"`{field}` is {shortened(clusters)}"
    for number, cluster in enumerate(clusters, 1):
        if type(cluster) is not list or not cluster:
            return f"entity {number} of `{field}` is {shortened(cluster)}"
        for each in cluster:
            if type(each) is not list or len(each) not in widths or set(map(type, each)) != {int}:
                return f"entity {number} of `{field}` has the mention {shortened(each)}"
    return f"`{field}` has mentions of two and of three numbers"


def _in_document(content: Object, columns: list[list[int]]) -> tuple[Object, list[list[int]]]:
    """Mentions [sentence, begin, end] as [begin, end] in a document; a blank is no sentence."""
    sentences = content.get("sentences")
    if type(sentences) is not list or set(map(type, sentences)) != {list}:
        raise CorefError("its mentions are [sentence, begin, end]; expected `sentences`, too")
    start = [0, *accumulate(0 if each == [" "] else len(each) for each in sentences)]
    for s, begin, end in zip(*columns, strict=True):
        if not (0 <= s < len(sentences) and 0 <= begin < end <= start[s + 1] - start[s]):
            raise CorefError(
                f"mention {[s, begin, end]} is not in `sentences`; expected [sentence, begin, "
                "end], all counted from 0, where end is the token after the mention"
            )
    first = [start[sentence] for sentence in columns[0]]
    content = content | {"sentences": [each for each in sentences if each != [" "]]}
    return content, [list(map(add, first, column)) for column in columns[1:]]


def _find_ends(documents: list[Document], chosen: str) -> None:
    """Make the ends of all mentions last tokens; each document with a schema has its own proof."""
    others = [document for document in documents if not document.schema]
    for group in (others, *([document] for document in documents if document.schema)):
        if _ends(group, chosen) == "exclusive":
            for document in group:
                document.ends = [end - 1 for end in document.ends]


def _ends(documents: list[Document], chosen: str) -> str:
    """Whether the ends of documents are inclusive or exclusive."""
    proofs: dict[str, str] = {}
    for document in documents:
        for kind, how in document.proofs.items():
            proofs.setdefault(kind, f"{document.where}: {how}")
    if chosen != "found":
        proofs.setdefault(chosen, f"offsets={chosen!r} was chosen")
    if len(proofs) == 2:
        both = f"{proofs['inclusive']}; but {proofs['exclusive']}"
        advice = "mend the wrong one" if chosen == "found" else "mend the file, or choose otherwise"
        raise CorefError(f"{both}; expected ends of one kind: {advice}")
    proved = {(d.path, d.field) for d in documents if d.proofs}
    unclear = (d for d in documents if d.sizes and (d.path, d.field) not in proved)
    if chosen != "found" or (open_one := next(unclear, None)) is None:
        return next(iter(proofs), "inclusive")
    begin, end = next(open_one.mentions())
    told = (
        f"{open_one.where}: mention {[begin, end]} may end with {end} (inclusive) or with "
        f"{end - 1} (exclusive), and nothing "
    )
    if not proofs:
        raise CorefError(
            f"{told}in the files shows which; pass --offsets inclusive or --offsets exclusive "
            '(in Python offsets="inclusive" or "exclusive")'
        )
    ((kind, how),) = proofs.items()
    told += f"under `{open_one.field}` in the file shows which"
    files.warn(f"{told}; taken as {kind}, since {how}")
    return kind


def _check_same_text(key: Document, response: Document) -> None:
    """Refuse other units, or another number of them; warn of other words. Let the texts go."""
    if key.unit and response.unit and key.unit != response.unit:
        units = f"its mentions count {response.unit}s, those of {key.where} {key.unit}s"
        raise CorefError(f"{response.where}: {units}; expected the same in both")
    words = ""
    if key.text is not None and response.text is not None and key.text != response.text:
        pairs = zip(_flat(key.text), _flat(response.text), strict=False)
        for n, (ours, theirs) in enumerate(pairs):
            if ours != theirs:
                words = f"{key.unit} {n} is {theirs!r} here, and {ours!r} in {key.where}"
                break
    if None not in (key.count, response.count) and key.count != response.count:
        counts = f"it has {response.count} {response.unit}s, and {key.count} in {key.where}"
        hint = f" ({words})" if words else ""
        raise CorefError(f"{response.where}: {counts}; expected the same text{hint}")
    if words:
        files.warn(f"{response.where}: {words}; scored by position all the same")
    key.text = response.text = None
