"""JSON lines: a document in each line, its entities as lists of mentions.

A document is an object with a name (``doc_key``, ``document_id`` or ``id``; ``part_id`` or ``part``
if it has one) and with its entities. Those of a response are its ``predicted_clusters`` if it has
them, whatever else it has. All others are under one of these keys, and a response is refused that
has more entities beside them, under a name that is not known here (as ``predictions``); if its
entities are the key's in every document, it is refused for any list or object of such a name that
the key lacks, because that may hold its own:

==========================  =====================  ===========================================
key                         as written by          a mention
==========================  =====================  ===========================================
``clusters``                e2e-coref and others   [begin, end], or as in PreCo
``span_clusters``           wl-coref, Stanza       [first token, token after the last]
``clusters_token_offsets``  maverick               [first token, last token]
``clusters_char_offsets``   maverick               [first character, last character]
``mention_clusters``        PreCo                  [sentence, its token, token after the last]
==========================  =====================  ===========================================

A document of the key whose entities wl-coref has predicted has both sides: those of the key are its
``clusters``, and the predicted ones its ``span_clusters``, where there are ``word_clusters``, too.

Tokens are those of ``sentences``, ``tokens``, ``cased_words`` or ``document``, counted from 0 in
the document; characters are counted where there is only a ``text`` (fastcoref; a ``text`` that is
a list is one of words), and word pieces where there is a ``subtoken_map``, which makes words of
them.

scorch has a mapping of entities under ``clusters``, whose mentions are texts and no places: two
mentions are the same if their texts are.

Whether an end is the last token (inclusive) or the one after it (exclusive) has to be proved in
each file: a mention ``[5, 5]`` proves that all its ends are inclusive, an end just outside its
document that all are exclusive, and a key that only one system writes that they are what this
system means. Otherwise the convention ``offsets`` says it. Mentions become pairs (first, last).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, chain, islice, tee
from math import inf
from typing import Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, shortened, warn
from corefeval.partition import all_mentions
from corefeval.readers import files
from corefeval.readers.files import Entities, StrPath
from corefeval.readers.texts import Text

Object = dict[str, Any]
Fields = tuple[str, ...]
Span = tuple[int, int]

NAME_KEYS, PART_KEYS = ("doc_key", "document_id", "id"), ("part_id", "part")
TEXTS = ("sentences", "tokens", "cased_words", "document", "text")
CLUSTERS = {
    "clusters": "",
    "span_clusters": "exclusive",
    "clusters_token_offsets": "inclusive",
    "clusters_char_offsets": "inclusive",
    "mention_clusters": "exclusive",
}
"""Where entities are, and what the systems that write them there mean by an end."""
ENDS = CLUSTERS | {
    "subtoken_map": "inclusive",
    "cased_words": "exclusive",
    "clusters_strings": "exclusive",
    "predicted_antecedents": "inclusive",
}
"""The same, and what those mean that write such keys beside them."""
TELLING_KEYS = {
    "token": ("subtoken_map", "cased_words", "predicted_antecedents"),
    "character": ("clusters_strings",),
}
"""The keys beside entities that tell it, by what is counted."""
PREDICTED = ("predicted_clusters",)
OF_WL_COREF = {"clusters", "span_clusters", "word_clusters"}
"""What wl-coref leaves in a document of the key whose entities it has predicted."""
OF_KEY: Fields = (*CLUSTERS,)
OF_RESPONSE: Fields = (*PREDICTED, *CLUSTERS)
"""Under which keys a side's entities may be, those that are looked for first in front."""
KEYS_OF_SIDE = {"key": OF_KEY, "response": OF_RESPONSE}
PREDICTIONS = re.compile("(?i)pred(icted|ictions?)?$|pred.*(cluster|coref|entit)|system.*cluster")
"""What the name of a key may be under which another system writes its entities."""
WRITTEN = re.compile("(?i)pred|output|generat|response|answer|completion")
"""Names under which a language model's answer stands."""
KNOWN = {*CLUSTERS, *PREDICTED, *TEXTS, *NAME_KEYS, *PART_KEYS}
"""The keys that no other writer's entities stand under."""
OF_WRITERS = {
    "e2e-coref, minimize.py and predict.py": "speakers constituents ner top_spans head_scores",
    "coref-hoi, preprocess.py": "sentence_map subtoken_map pronouns",
    "wl-coref, convert_to_jsonlines.py and convert_to_heads.py": "sent_id speaker pos deprel head "
    "head2span word_clusters",
    "fastcoref, predict": "clusters_strings",
    "maverick, maverick_model.py": "clusters_token_text clusters_char_text",
    "AllenNLP, its predictor": "top_spans antecedent_indices predicted_antecedents",
    "DyGIE++, doc/data.md": "ner relations events sentence_start predicted_ner "
    "predicted_relations predicted_events",
}
"""Keys of lists that are no entities, by their writers."""
NO_ENTITIES = KNOWN | {key for keys in OF_WRITERS.values() for key in keys.split()}
FEW_PROOFS = 5
"""If not one mention in so many shows that ends are inclusive, those that do may be faults."""
EXPECTED_LINES = (
    "expected JSON lines: a whole document {…} in each line (or, from the first line of the file "
    "on, documents over several lines, each after a line `{`, or one list of documents)"
)
EXPECTED_MENTIONS = (
    "expected a list of entities, each a list of mentions, all [begin, end] or, with `sentences`, "
    "all [sentence, begin, end], in whole numbers {}, begin not after end"
)
BLANKS = re.compile(r"\s*")
DOC_KEY = "`doc_key`, `document_id` or `id`"
EXPECTED_NAMES = f"expected names ({DOC_KEY}) in all documents of a file or in none"


def read_pair(
    key_path: StrPath, response_path: StrPath | None, choice: Conventions
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response to it, by name; ``a_1`` is part 1 of document a.

    The response of a file that is given alone (``None``) is its ``predicted_clusters``.

    Documents are paired by their names; with ``choice.pairs == "order"``, or if no document of one
    side has a name, in their order, for which without that choice the words have to be the same.
    ``a`` on one side is also ``a_1`` on the other, if nothing else could be meant (see
    `files.meet_parts`); both have the name that the key has.

    Raises `CorefError`, which names file, line, document and mention, for what is no JSON or no
    document, names that some documents lack or that come twice, offsets that are no whole numbers,
    lie outside the text or contradict each other, empty entities, word pieces without a map,
    documents or numbers of tokens that differ, characters beside mentions that do not say what they
    count, and a response that has the key's own entities and perhaps others. Words that differ are
    only warned of, as is an empty mention that may have made ends inclusive.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> line = '{"doc_key": "d", "clusters": [[[0, 0]]], "predicted_clusters": [[[0, 0], [2, 3]]]}'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "both.jsonl")
    ...     _ = path.write_text(line)
    ...     read_pair(path, None, Conventions())
    ({'d': Partition('{(0, 0)}')}, {'d': Partition('{(0, 0) (2, 3)}')})
    """
    alone = response_path is None
    response_path = key_path if response_path is None else response_path
    # One file with both sides is parsed once, and each side takes its own fields of it.
    objects = tee(_objects(key_path)) if alone else (_objects(key_path), _objects(response_path))
    keys = _of_one_side(objects[0], OF_KEY)
    responses = _of_one_side(objects[1], PREDICTED if alone else OF_RESPONSE)
    first_key, first_response = next(keys), next(responses)
    # The first documents were taken to see whether they have names; they are put back.
    keys, responses = chain([first_key], keys), chain([first_response], responses)
    if choice.pairs == "order" or not (first_key.name and first_response.name):
        key, response = _in_order(keys, responses, choice.pairs)
    else:
        key, response = files.read_together(keys, responses, _check_same_text)
        files.meet_parts(key, response, _check_same_text)
        if choice.missing == "error":
            files.check_same_documents(key_path, key, response_path, response)
    sides = [*key.values()], [*response.values()]
    told = [document.differs for document in sides[1] if document.differs]
    files.warn_of_words(told, len(key.keys() & response.keys()))
    few = [find_ends(each, choice.offsets) for each in ([[*chain(*sides)]] if alone else sides)]
    ours, theirs = files.entities_in((key, response), lambda each: each.in_words(choice.repeated))
    refuse_copies(ours, theirs, sides[1])
    if not alone:
        warn_of_ends(few[0], ours, theirs)
        warn_of_ends(few[1], theirs, ours)
    return ours, theirs


def read_side(path: StrPath, side: str, choice: Conventions) -> dict[str, Entities]:
    """The documents of one side, by their names or by their numbers in the file."""
    found = list(documents(path, KEYS_OF_SIDE[side]))
    find_ends(found, choice.offsets)
    return {
        document.name or str(number): document.in_words(choice.repeated)
        for number, document in enumerate(found, 1)
    }


def documents(path: StrPath, fields: Fields) -> Iterator[JsonDocument]:
    """The documents of all files of a path, with the entities that stand under one of the keys."""
    return _of_one_side(_objects(path), fields)


class Place(NamedTuple):
    """A line of a file."""

    path: StrPath
    number: int

    def __str__(self) -> str:
        return f"{self.path}, line {self.number}"


def _objects(path: StrPath) -> Iterator[tuple[Place, Object]]:
    """The documents of all files of a path, and the lines where they begin."""
    return files.in_each_file(path, _objects_in)


def _objects_in(file: StrPath) -> Iterator[tuple[Place, Object]]:
    found = False
    for number, content in _of_file(file):
        found = True
        yield Place(file, number), content
    if not found:
        raise CorefError(f"{file}: the file has no document; {EXPECTED_LINES}")


def _of_file(path: StrPath) -> Iterator[tuple[int, Object]]:
    """The documents of a file, and the number of the line where each begins.

    They are objects, one in each line or, if the first line has not all of one, over several lines
    or in a list.
    """
    lines = _numbered_lines(path)
    first = list(islice(lines, 1))
    # Only such a first line shows that a document goes on; files of lines are read line by line.
    if any(line == "{" or line.startswith("[") for _, line in first):
        return _spread(path, chain(first, lines))
    return _in_lines(path, chain(first, lines))


def _numbered_lines(path: StrPath) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, and their numbers."""
    for first, lines in files.blocks(path):
        for number, line in enumerate(lines, first):
            if text := line.strip("\ufeff \t"):
                yield number, text


def _in_lines(path: StrPath, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Object]]:
    """The object in each line, or all of them: Stanza writes one right after the other."""
    for number, line in lines:
        content, end = _decoded(path, number, line, 0)
        yield number, content
        while (place := _after(line, end)) < len(line):
            if line[place] != "{":
                rest = shortened(line[place:].rstrip())
                raise CorefError(
                    f"{path}, line {number}: no JSON at {rest}: Extra data; {EXPECTED_LINES}"
                )
            content, end = _decoded(path, number, line, place)
            yield number, content


def _spread(path: StrPath, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Object]]:
    """Objects over several lines, one after another or in a list."""
    numbers, texts = zip(*lines, strict=True)
    begins = list(accumulate((len(line) + 1 for line in texts), initial=0))
    text = "\n".join(texts)
    in_list = text.startswith("[")
    place = _after(text, int(in_list))
    while place < len(text) and not (in_list and text[place:] == "]"):
        number = numbers[bisect_right(begins, place) - 1]
        content, end = _decoded(path, number, text, place)
        yield number, content
        place = _after(text, end)
        if in_list and text.startswith(",", place):
            place = _after(text, place + 1)
    if in_list and place == len(text):
        raise CorefError(f"{path}, line {numbers[-1]}: the list has no end (is it cut off?)")


def _after(text: str, place: int) -> int:
    """The next place that is no blank."""
    return BLANKS.match(text, place).end()  # type: ignore[union-attr]  # it matches anywhere


def _decoded(path: StrPath, number: int, text: str, place: int) -> tuple[Object, int]:
    """The object that begins at a place, and where it ends."""
    try:
        content, end = DECODER.raw_decode(text, place)
    except CorefError as error:
        raise CorefError(f"{path}, line {number}: {error}; {EXPECTED_LINES}") from None
    # A list within a thousand lists is too deep for Python's parser.
    except (ValueError, RecursionError) as error:
        raise CorefError(f"{path}, line {number}: {_no_json(text, error)}") from None
    if type(content) is not dict:
        found = shortened(content)[:60]
        raise CorefError(f"{path}, line {number}: {EXPECTED_LINES}; found {found}")
    return content, end


def _no_json(text: str, error: Exception) -> str:
    """What is wrong with a line that is no JSON, and what to do."""
    at = getattr(error, "pos", 0)
    if text[:1] in ("{", "[") and not text[at:].strip():
        where = "" if "\n" in text else " in this line"
        return f"the document does not end{where} (is it cut off?); {EXPECTED_LINES}"
    return f"no JSON at {shortened(text[at:])}: {getattr(error, 'msg', error)}; {EXPECTED_LINES}"


def _unique(pairs: list[tuple[str, Any]]) -> Object:
    content = dict(pairs)
    # Python's parser keeps the last of two equal keys; a response could be lost in silence.
    if len(content) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, _ in pairs if times[key] > 1)
        raise CorefError(f"the key {twice!r} comes twice in one object")
    return content


def _of_one_side(objects: Iterable[tuple[Place, Object]], fields: Fields) -> Iterator[JsonDocument]:
    """The documents of one side, all with their entities under the same of these keys."""
    begun: dict[str, JsonDocument] = {}
    first: JsonDocument | None = None
    named = False
    for document in _each(objects, fields):
        if first is None:
            # Asked now, because pairing by order gives names to documents that had none.
            first, named = document, bool(document.name)
        # Some would be paired by name and others by order, and a document could be paired twice.
        if bool(document.name) != named:
            raise CorefError(
                f"{document.where}: it has {'a' if document.name else 'no'} name, unlike the "
                f"documents before; {EXPECTED_NAMES}"
            )
        if document.name:
            files.refuse_begun(begun, document, document.where)
        # Systems mean other ends by other keys, so two of them in a file cannot both be trusted.
        if document.field != first.field:
            raise CorefError(
                f"{document.where}: its entities are under `{document.field}`, those of line "
                f"{first.begin} under `{first.field}`; expected one key in all of the file"
            )
        yield document


def _each(objects: Iterable[tuple[Place, Object]], fields: Fields) -> Iterator[JsonDocument]:
    """The documents; after a fault those of other files are looked at for theirs."""
    faults = files.ErrorsByFile()
    for place, content in objects:
        with faults.of(place.path):
            document = JsonDocument(place, content, fields)
            if not faults.told:
                yield document
    faults.tell()


DECODER = json.JSONDecoder(object_pairs_hook=_unique)


class JsonDocument:
    """A document as it stands in a file; `find_ends` makes its ends inclusive."""

    def __init__(self, place: Place, content: Object, fields: Fields) -> None:
        self.path, self.begin, self.where = place.path, place.number, str(place)
        self.differs = ""
        """The first word that differs from the key's, in a response."""
        try:
            self.name, self.part = _name_and_part(content)
            """Nothing if it has no name; the name has the part in it."""
            self.where += f": document {self.name!r}" if self.name else ""
            self.field = _field(content, fields)
            self.more = {key: content[key] for key in content if _may_hold(key, content[key])}
            """What may have other entities; of a response, at last, unless the key has it, too."""
            self.text = _sentences(content, self.field)
            """Sentences of tokens, or one of characters; nothing for word pieces."""
            of_characters = self.text and type(self.text[0]) is str
            counts_characters = of_characters or self.field == "clusters_char_offsets"
            self.unit = "character" if counts_characters else "token"
            self.lengths = list(map(len, self.text or ()))
            self.starts = list(accumulate(self.lengths, initial=0))
            self.limit = self.size = inf if self.text is None else self.starts[-1]
            """The largest end that there can be, and how many tokens or characters there are."""
            self.word_of: Any = content.get("subtoken_map")
            """The number of each word piece's word, None where it has none."""
            if self.word_of is not None:
                self._count_words()
            self.named = type(content[self.field]) is dict
            """Whether mentions are names, as scorch has them, and no places."""
            self.unit = "name" if self.named else self.unit
            self.triples = False
            with suppress(TypeError, LookupError):
                self.triples = "sentences" in content and len(content[self.field][0][0]) == 3
            self.entities = list(self._read(content[self.field]))
            self.spans = [] if self.named else list(chain.from_iterable(self.entities))
            self.blank = self._before_blank()
        except CorefError as error:
            raise CorefError(f"{self.where}: {error}") from None
        marks = (
            self.field,
            *TELLING_KEYS.get("character" if _lists_words(content) else self.unit, ()),
        )
        known = [key for key in marks if key in content and ENDS.get(key)]
        self.mark = "mention_clusters" if self.triples else next(iter(known), "")
        """The key that shows, by the system that writes it, what ends mean."""

    def _count_words(self) -> None:
        numbers: list[Any] = self.word_of if type(self.word_of) is list else [""]
        kinds = set(map(type, numbers))
        if not kinds <= {int, type(None)} or self.limit not in (inf, len(numbers)):
            raise CorefError(
                f"`subtoken_map` is {shortened(self.word_of)}; expected a list with the number of "
                f"its word for each of {self.limit} word pieces"
            )
        self.size = 1 + max((word for word in numbers if word is not None), default=-1)
        # Its text is of word pieces, which differ between systems: there are no words to compare.
        self.text, self.limit = None, len(numbers)

    def _read(self, clusters: Any) -> Iterator[list[Span]]:
        range_of_places = "from 0 on" if self.limit == inf else f"from 0 to {self.limit}"
        expected = EXPECTED_MENTIONS.format(range_of_places)
        if self.named:
            yield from self._of_names(clusters)
            return
        if type(clusters) is not list:
            raise CorefError(f"`{self.field}` is {shortened(clusters)}; {expected}")
        for number, entity in enumerate(clusters, 1):
            pairs = self._pairs(entity)
            if not pairs or len(pairs) < len(entity):
                wrong = f"is {shortened(entity)}"
                if type(entity) is list and entity:
                    mention = next(each for each in entity if not self._pairs([each]))
                    wrong = f"has the mention {shortened(mention)}"
                raise CorefError(f"entity {number} of `{self.field}` {wrong}; {expected}")
            yield pairs

    def _of_names(self, clusters: Mapping[str, Any]) -> Iterator[list[Any]]:
        """Entities by name, as scorch writes them: each a list of its mentions' names."""
        for name, entity in clusters.items():
            if type(entity) is not list or not entity or {*map(type, entity)} != {str}:
                raise CorefError(
                    f"entity {name!r} of `{self.field}` is {shortened(entity)}; expected a list of "
                    "texts, the names of its mentions"
                )
            yield entity

    def _pairs(self, entity: Any) -> list[Span]:
        """The mentions of an entity as [begin, end] in the document; what is none is left out."""
        limit = self.limit
        try:
            if self.triples:
                return [
                    (self.starts[sentence] + begin, self.starts[sentence] + end)
                    for sentence, begin, end in entity
                    if {type(sentence), type(begin), type(end)} == {int}
                    and min(sentence, begin) >= 0
                    and begin < end <= self.lengths[sentence]
                ]
            return [
                (begin, end)
                for begin, end in entity
                if type(begin) is type(end) is int and 0 <= begin <= end <= limit
            ]
        # An entity may be anything: it is cheaper to try than to ask for the type of each mention.
        except (TypeError, ValueError, LookupError):
            return []

    def _before_blank(self) -> str:
        """A mention of characters whose last one would be a blank if ends were inclusive."""
        if self.unit != "character" or not self.text:
            return ""
        text = self.text[0]
        for begin, end in self.spans:
            # No system marks a blank as the end of a mention, so its ends are exclusive.
            if end < len(text) and text[end].isspace():
                return f"mention {[begin, end]} would end with a blank if ends were inclusive"
        return ""

    def proofs(self) -> Iterator[tuple[str, str]]:
        """Whether its ends are inclusive or exclusive, and how it proves it."""
        for begin, end in self.spans:
            if begin == end:
                yield "inclusive", f"mention {[begin, end]} would be empty if ends were exclusive"
                break
        for begin, end in self.spans:
            if end == self.limit:
                outside = f"mention {[begin, end]} would end outside the text"
                yield "exclusive", f"{outside} if ends were inclusive"
                break
        if self.mark:
            yield ENDS[self.mark], f"with `{self.mark}`, ends are {ENDS[self.mark]}"

    def in_words(self, repeated: str) -> Entities:
        """Its entities, named by their numbers; their mentions as pairs (first, last)."""
        if self.word_of is not None:
            self.entities = [list(map(self._words, entity)) for entity in self.entities]
        of_number = {str(number): entity for number, entity in enumerate(self.entities, 1)}
        return files.entities_of(of_number, repeated, lambda mention: self.where)

    def _words(self, mention: Span) -> Span:
        first, last = (self.word_of[piece] for piece in mention)
        if first is None or last is None or not 0 <= first <= last:
            raise CorefError(
                f"{self.where}: mention {[*mention]}, in word pieces, is {[first, last]} by "
                "`subtoken_map`; expected a first and a last word"
            )
        return first, last


def _lists_words(content: Object) -> bool:
    """Whether fastcoref was given words: it then lists the words of each mention.

    >>> _lists_words({"clusters_strings": [[["her", "cat"]]]})
    True
    >>> _lists_words({"clusters_strings": [["her cat"]]})
    False
    """
    with suppress(TypeError, LookupError):
        return type(content["clusters_strings"][0][0]) is list
    return False


def _name_and_part(content: Object) -> tuple[str, str]:
    """A document's name, and its part, which is in the name as e2e-coref writes it.

    >>> _name_and_part({"doc_key": "bc/cctv/00/cctv_0000", "part_id": 1})
    ('bc/cctv/00/cctv_0000_1', '1')
    >>> _name_and_part({"text": "Ann"})
    ('', '')
    """
    name = next((content[key] for key in NAME_KEYS if key in content), None)
    part = next((content[key] for key in PART_KEYS if key in content), "")
    if name is None or name == "":
        return "", ""
    if type(name) not in (str, int) or type(part) not in (str, int):
        raise CorefError(
            f"the document has the name {shortened(name)} and the part {shortened(part)}; expected "
            "as `doc_key` (or `document_id` or `id`; `part_id` or `part`) a text or a whole number"
        )
    return (f"{name}_{part}", str(part)) if part != "" else (str(name), "")


def _field(content: Object, fields: Fields) -> str:
    """The key of a document's entities."""
    # wl-coref writes its predictions into the key's own document, under another name.
    if content.keys() >= OF_WL_COREF and not content.keys() & set(PREDICTED):
        return "span_clusters" if set(PREDICTED) <= set(fields) else "clusters"
    found = [key for key in fields if key in content]
    if not found:
        unknown = _unknown(content)
        hint = f" (if `{unknown[0]}` has them, rename it)" if unknown else ""
        raise CorefError(
            f"it has no entities under {' or '.join(f'`{key}`' for key in fields)}; expected them "
            f"there, or those of a response in a file of their own{hint}"
        )
    if found[0] in PREDICTED:
        return found[0]
    of_maverick = ["clusters_token_offsets", "clusters_char_offsets"]
    # maverick writes the same entities twice, by tokens and by characters.
    others = [] if found == of_maverick else found[1:]
    # A response may have its predictions under a name that only its system knows.
    if set(PREDICTED) <= set(fields):
        others = others + _unknown(content)
    if others:
        raise CorefError(
            f"it has entities under `{found[0]}` and `{others[0]}`; expected one of them: call "
            "those of a response `predicted_clusters`"
        )
    return found[0]


def _unknown(content: Object) -> list[str]:
    """The keys of other names that may have entities."""
    return [key for key in content if key not in KNOWN and _may_be_entities(key, content[key])]


def _may_be_entities(key: str, value: Any) -> bool:
    """Whether a value looks like entities, or is empty under a name that says so.

    >>> _may_be_entities("system", [[[0, 0], [3, 3]]]), _may_be_entities("predictions", [])
    (True, True)
    >>> _may_be_entities("ner", [[[0, 0, "PERSON"]]]), _may_be_entities("top_spans", [[0, 0]])
    (False, False)
    """
    if value == []:
        return bool(PREDICTIONS.search(key))
    try:
        mention = value[0][0]
        return len(mention) in (2, 3) and set(map(type, mention)) == {int}
    except (TypeError, LookupError):
        return False


def _may_hold(key: str, value: Any) -> bool:
    """Whether there may be entities in a list, an object or a text of a name that is not known.

    >>> _may_hold("system", []), _may_hold("pred", {"clusters": []}), _may_hold("ner", [[0, 1]])
    (True, True, False)
    >>> _may_hold("answer", "[[[0, 0]]]"), _may_hold("output", None), _may_hold("source", "web")
    (True, True, False)
    """
    if type(value) in (list, dict):
        return key not in NO_ENTITIES
    # A language model writes its answer as a text, and nothing where it fails.
    is_text = value is None or isinstance(value, str)
    return is_text and key not in KNOWN and ("[" in (value or "") or bool(WRITTEN.search(key)))


def refuse_copies(
    key: Mapping[str, Entities], response: Mapping[str, Entities], documents: Iterable[JsonDocument]
) -> None:
    """Refuse a response that has the key's own entities, and something that may be its own."""
    both = key.keys() & response.keys()
    doubtful = (each for each in documents if each.more and each.field not in PREDICTED)
    first = next(doubtful, None)
    # A system that is perfect in every document is rarer than a key sent as a response.
    if first and both and all(key[name] == response[name] for name in both):
        raise CorefError(
            f"{first.where}: in every document its `{first.field}` are the key's entities, and it "
            f"has `{next(iter(first.more))}`, which the key has not: if these are those of the "
            "response, call them `predicted_clusters`; else leave them out"
        )


def _sentences(content: Object, field: str) -> list[Any] | None:
    """The sentences of a document, if it has any; a text is one sentence of characters."""
    keys = ("text",) if field == "clusters_char_offsets" else TEXTS
    key = next((key for key in keys if content.get(key) is not None), "")
    text: Any = content.get(key)
    if not key:
        return None
    if type(text) is str and key in ("document", "text"):
        return [text]
    kinds = set(map(type, text)) if type(text) is list else {None}
    # Some systems store word pieces as their numbers, which are told apart further down.
    if kinds != {list} and kinds != {int} and not kinds <= {str}:
        raise CorefError(f"`{key}` is {shortened(text)}; expected a list of tokens or of sentences")
    sentences = text if kinds == {list} else [text]
    first = next(chain.from_iterable(sentences), "")
    pieces = "sentence_map" in content or type(first) is int or first in ("[CLS]", "<s>")
    # Without the map nobody knows which words the pieces are of.
    if pieces and "subtoken_map" not in content:
        missing = f"`{key}` has word pieces, but there is no `subtoken_map`"
        raise CorefError(f"{missing}; add it, or write words")
    return sentences


def find_ends(documents: list[JsonDocument], chosen: str) -> str:
    """Make the ends of all mentions of a file inclusive.

    The result is the proof that they were, if only few mentions give it, and nothing else does.
    """
    proofs = {} if chosen == "found" else {chosen: f"offsets={chosen!r} was chosen"}
    for document in documents:
        for kind, how in document.proofs():
            proofs.setdefault(kind, f"{document.where}: {how}")
    # Weaker than a proof, since a text may have odd mentions: it counts where nothing else does.
    if not proofs and (blank := next((each for each in documents if each.blank), None)):
        proofs["exclusive"] = f"{blank.where}: {blank.blank}"
    # All ends of a file are of one kind, as one system wrote them.
    if len(proofs) == 2:
        raise CorefError(
            f"{proofs['inclusive']}; but {proofs['exclusive']}; expected ends of one kind: change "
            "whichever is wrong"
        )
    for document in documents:
        if document.spans and not proofs:
            begin, end = document.spans[0]
            raise CorefError(
                f"{document.where}: mention {[begin, end]} may end with {end} (inclusive) or with "
                f"{end - 1} (exclusive), and nothing in the file shows which; pass --offsets "
                'inclusive or --offsets exclusive (in Python offsets="inclusive" or "exclusive")'
            )
        if "exclusive" in proofs and not document.named:
            document.entities = [
                [(begin, end - 1) for begin, end in entity] for entity in document.entities
            ]
    if chosen != "found" or "inclusive" not in proofs or any(each.mark for each in documents):
        return ""
    spans = chain.from_iterable(document.spans for document in documents)
    proved = [begin == end for begin, end in spans]
    return proofs["inclusive"] if FEW_PROOFS * sum(proved) < len(proved) else ""


def warn_of_ends(few: str, here: Mapping[str, Entities], there: Mapping[str, Entities]) -> None:
    """Warn if ends that few mentions prove to be inclusive fit the other side less than others."""
    if not few:
        return
    taken = otherwise = 0
    for name, entities in here.items():
        ours: set[Any] = set(all_mentions(entities))
        others = set(all_mentions(there.get(name, {})))
        for first, last in ours:
            taken += (first, last) in others
            otherwise += (first, last - 1) in others
    # A single faulty mention would shift every end by one: both readings are tried.
    if otherwise > taken:
        warn(
            f"{few}, and few others show it: all ends are taken as inclusive, and {taken:,} "
            f"mentions are those of the other side; with exclusive ends {otherwise:,} would be. Is "
            "this mention a fault?"
        )


def _in_order(
    keys: Iterable[JsonDocument], responses: Iterable[JsonDocument], chosen: str
) -> tuple[dict[str, JsonDocument], dict[str, JsonDocument]]:
    """The documents of both sides, each with the one that has its place in the other file."""
    sides = files.InOrder[JsonDocument](), files.InOrder[JsonDocument]()
    for number, (key, response) in enumerate(files.in_order(keys, responses), 1):
        # Where one file has both sides, a document is its own pair.
        # Names of mentions prove nothing; one document beside one needs no proof.
        alone = number == 1 and key.named and response.named
        if chosen != "order" and key.where != response.where and not alone:
            _prove_pair(key, response)
        # Both sides need one name, by which reports and messages call the pair.
        key.name = response.name = key.name or response.name or str(number)
        sides[0][key.name], sides[1][key.name] = key, response
        _check_same_text(key, response)
    return sides


def _prove_pair(key: JsonDocument, response: JsonDocument) -> None:
    """Refuse two documents that nothing shows to be the same."""
    if key.text is None or response.text is None or key.unit != response.unit:
        units = f"{key.unit}s there and {response.unit}s here"
        what = "one has no words" if key.unit == response.unit else f"mentions count {units}"
    elif list(chain(*key.text)) != list(chain(*response.text)):
        what = "their words differ"
    else:
        return
    raise CorefError(
        f"{response.where}: a document without a name is paired with {key.where}, in the order of "
        f"the files, and {what}; expected the same words in both, names in both ({DOC_KEY}), or "
        '--pairs order (in Python pairs="order")'
    )


def _check_same_text(key: JsonDocument, response: JsonDocument) -> None:
    """Refuse texts of different lengths; note what differs. Let the texts go."""
    response.more = {
        name: None
        for name, value in response.more.items()
        if name not in key.more or key.more[name] != value
    }
    key.more = {}
    # Without a text a document counts tokens by default, which nothing proves.
    if key.unit != response.unit and inf in (key.size, response.size):
        silent, other = (key, response) if key.size == inf else (response, key)
        raise CorefError(
            f"{response.where}: {other.path} counts {other.unit}s, and {silent.path} does not say "
            "what it counts; expected `sentences` or `tokens` in both, or the same `text`"
        )
    # The texts are let go: a corpus of them would fill the memory.
    ours, theirs, key.text, response.text = key.text, response.text, None, None
    words = ""
    if ours is not None and theirs is not None and ours != theirs:
        pairs = zip(*map(chain.from_iterable, (ours, theirs)), strict=False)
        for n, (one, other) in enumerate(pairs):
            if one != other:
                words = f"{response.unit} {n} is {other!r} here, and {one!r} in {key.where}"
                break
    sizes = [files.count_of(side.size, side.unit) for side in (key, response)]
    if inf not in (key.size, response.size) and sizes[0] != sizes[1]:
        told = f"it has {sizes[1]}, and {sizes[0]} in {key.where}"
        hint = f" ({words})" if words else ""
        raise CorefError(f"{response.where}: {told}; expected the same text{hint}")
    if words:
        response.differs = f"{response.where}: {words}"


# For people who look at errors in the text


def texts(paths: dict[str, StrPath], names: Sequence[str]) -> dict[str, Text]:
    """The words of documents by their names: the key's, where both sides have words."""
    return {
        name: text
        for side in reversed(paths)
        for name, text in _texts(paths[side], KEYS_OF_SIDE[side], names)
    }


def _texts(path: StrPath, fields: Fields, names: Sequence[str]) -> Iterator[tuple[str, Text]]:
    parts = dict.fromkeys(names, "")
    namesakes = files.Namesakes(parts)
    for number, (place, content) in enumerate(_objects(path)):
        document = JsonDocument(place, content, fields)
        name = document.name
        # Documents without names are paired by their order, and so are their words.
        if not name and number < len(names):
            name = names[number]
        elif name not in parts:
            found = namesakes.of(name, document.part)
            name = found[0] if len(found) == 1 else ""
        # Word pieces are not the words of the text.
        if document.text is None or document.word_of is not None or not name:
            continue
        between = "" if document.unit == "character" else " "
        words = list(chain.from_iterable(document.text))
        yield name, Text(words, sentences=document.starts[:-1] or [0], between=between)
