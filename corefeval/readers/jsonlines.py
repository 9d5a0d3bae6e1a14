"""JSON lines: a document in each line, its entities as lists of mentions.

A document is an object with a name (``doc_key``, ``document_id``, ``doc_id``, ``docid`` or ``id``;
``part_id`` or ``part`` if it has one) and with its entities under one of these keys, those of a
response under ``predicted_clusters`` if it has that one:

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
the document; characters are counted where there is only a ``text``, and word pieces where there is
a ``subtoken_map``, which makes words of them. scorch has a mapping of entities under ``clusters``,
whose mentions are names.

An end is the last token (inclusive) or the one after it (exclusive): `MEANINGS` and `BESIDE` say
which, by keys that one system writes; else a mention ``[5, 5]`` or one that ends just outside its
document shows it, or the option ``offsets`` says it. Where nothing does, see `settle_ends`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, chain, pairwise
from math import inf
from typing import Any

from corefeval.errors import CorefError, named, shortened, warn
from corefeval.overlap.no_overlap import MANY, OF_EACH_SIDE
from corefeval.readers.files import Document, StrPath, common_name, in_each_file, lines

Object = dict[str, Any]

NAMES, PARTS = ("doc_key", "document_id", "doc_id", "docid", "id"), ("part_id", "part")
TEXTS = ("sentences", "tokens", "cased_words", "document", "text")
MEANINGS = {
    "clusters": "",
    "span_clusters": "exclusive",
    "clusters_token_offsets": "inclusive",
    "clusters_char_offsets": "inclusive",
    "mention_clusters": "exclusive",
}
"""Where entities are, and what the systems that write them there mean by an end."""
OF_TOKENS = {
    "subtoken_map": "inclusive",
    "cased_words": "exclusive",
    "predicted_antecedents": "inclusive",
}
OF_FASTCOREF = {"clusters_strings": "exclusive"}
BESIDE = OF_TOKENS | OF_FASTCOREF
"""What those mean that write such keys beside ``clusters``."""
PREDICTED = "predicted_clusters"
OF_WL_COREF = {"clusters", "span_clusters", "word_clusters"}
"""What wl-coref leaves in a document of the key whose entities it has predicted."""
OF_MAVERICK = ["clusters_token_offsets", "clusters_char_offsets"]
"""The same entities twice, by tokens and by characters."""
EXPORTS = {
    "annotations": "Label Studio",
    "completions": "Label Studio",
    "_task_hash": "Prodigy",
    "entities": "doccano",
    "label": "doccano",
    "%FEATURE_STRUCTURES": "INCEpTION",
}
"""By keys of theirs the annotation tools that write them."""
KNOWN = {*MEANINGS, *BESIDE, *TEXTS, *NAMES, *PARTS, PREDICTED}
PREDICTIONS = re.compile("(?i)pred(icted|ictions?)?$|pred.*(cluster|coref|entit)|system.*cluster")
"""What the key may be called under which another system writes its entities."""
ANSWERS = re.compile("(?i)pred|output|generat|response|answer|completion")
"""What the key may be called under which a language model's answer stands."""
NO_ENTITIES = {
    "speakers", "constituents", "ner", "relations", "events", "top_spans", "head_scores",
    "sentence_map", "sentence_start", "pronouns", "sent_id", "speaker", "pos", "deprel", "head",
    "head2span", "word_clusters", "clusters_token_text", "clusters_char_text",
    "antecedent_indices", "predicted_ner", "predicted_relations", "predicted_events",
}  # fmt: skip
"""Lists that e2e-coref, coref-hoi, wl-coref, maverick, AllenNLP and DyGIE++ write beside them."""
FEW_PROOFS = 5
"""If not one mention in so many shows that ends are inclusive, those that do may be faults."""
FIRST_PIECES = ("[CLS]", "<s>")
BLANKS, BETWEEN_IN_LIST = re.compile(r"[ \n]*"), re.compile(r"[ \n]*,?[ \n]*")
EXPECTED = (
    "expected a list of entities, each a list of mentions, all [begin, end] or, with `sentences`, "
    "all [sentence, begin, end], in whole numbers within the text, begin not after end"
)


class JsonDocument(Document):
    """A document whose ends are as they are in the file, until `settle_ends`."""

    limit: float = inf
    """The largest end that there can be."""
    in_sentences = False
    """Whether mentions are counted in their sentences, as PreCo's."""
    mark = ""
    """The key that shows, by the system that writes it, what ends mean."""
    weak_proof = ""
    """What shows that the ends of its file are inclusive, if few mentions show it alone."""
    before_blank: Any = None
    """A mention of characters that would end with a blank if ends were inclusive."""

    def take(self, content: Object, side: str) -> None:
        """Read the object of the document."""
        self.remarks = {k: v for k, v in content.items() if k not in KNOWN and isinstance(v, str)}
        self.field = _key_of_entities(content, side)
        self.more = {key: value for key, value in content.items() if _may_hold(key, value)}
        """What may have other entities than those that are read."""
        self.word_of: Any = content.get("subtoken_map")
        sentences = _sentences(content, self.field)
        self.starts = list(accumulate(map(len, sentences or ()), initial=0))
        if sentences is not None:
            self.limit = self.size = self.starts[-1]
        if self.word_of is not None:
            self._count_words()
        else:
            self.tokens, self.sentences = list(chain(*sentences or ())), self.starts[:-1]
        self._take_entities(content)
        self._find_mark(content)

    @property
    def placed(self) -> list[tuple[str, int, int]]:
        if self.unit != "character":
            return super().placed
        words = re.finditer(r"(\w+|[^\w\s])\s*", "".join(self.tokens))
        return [(word[1], word.start(), word.end() - 1) for word in words]

    @property
    def doubt(self) -> str:
        """Whether mentions look as if they were counted in their sentences, and what to do then."""
        # Names have no place, and word pieces are not the tokens of these sentences any more.
        if self.has_names or self.word_of is not None:
            return ""
        longest = max((after - start for start, after in pairwise(self.starts)), default=0)
        last = max((end for _, end in chain(*self.entities.values())), default=0)
        # In a text that is hardly longer than a sentence, its first mentions prove nothing.
        if 2 * longest > self.starts[-1] or last >= longest:
            return ""
        return (
            f"all mentions end within the first {longest} of {self.size} tokens, the length of the "
            "longest sentence: if they are counted in each sentence, count them from the start of "
            "the document; else "
        )

    def _count_words(self) -> None:
        """Count the words of word pieces; there are none to compare, since systems cut others."""
        of_pieces: Any = self.word_of if isinstance(self.word_of, list) else [""]
        if not {*map(type, of_pieces)} <= {int, type(None)} or self.limit not in (
            inf,
            len(of_pieces),
        ):
            raise CorefError(
                f"`subtoken_map` is {shortened(self.word_of)}; expected a list with the number of "
                f"its word for each of {self.limit} word pieces"
            )
        words = (word for word in of_pieces if word is not None)
        self.limit, self.size = len(of_pieces), 1 + max(words, default=-1)

    def _take_entities(self, content: Object) -> None:
        value = content[self.field]
        if not isinstance(value, (dict, list)):
            raise CorefError(f"`{self.field}` is {shortened(value)}; {EXPECTED}")
        with suppress(TypeError, LookupError):
            self.in_sentences = "sentences" in content and len(value[0][0]) == 3
        self.has_names = isinstance(value, dict)
        self.numbers_entities = not self.has_names
        by_name = dict(value if isinstance(value, dict) else enumerate(value, 1))
        read = self._names if self.has_names else self._spans
        for name, entity in by_name.items():
            if not isinstance(entity, list) or not entity:
                wrong = f"entity {name} of `{self.field}` is {shortened(entity)}"
                raise CorefError(f"{wrong}; {EXPECTED}")
            self.entities[str(name)] = read(entity, name)

    def _names(self, mentions: list[Any], entity: str) -> list[Any]:
        for mention in mentions:
            if not isinstance(mention, str):
                raise CorefError(
                    f"entity {entity} of `{self.field}` has {shortened(mention)}; expected a list "
                    "of texts, the names of its mentions"
                )
        return mentions

    def _spans(self, mentions: list[Any], entity: str) -> list[Any]:
        """The mentions of an entity as (begin, end) in the document."""
        limit = self.limit
        # A mention may be anything: to try all at once is quicker than to ask of each what it is.
        with suppress(TypeError, ValueError):
            spans = [
                (begin, end)
                for begin, end in mentions
                if type(begin) is type(end) is int and 0 <= begin <= end <= limit
            ]
            if len(spans) == len(mentions) and not self.in_sentences:
                return spans
        return [self._span(mention, entity) for mention in mentions]

    def _span(self, mention: Any, entity: str) -> tuple[int, int]:
        """A mention as (begin, end) in the document."""
        with suppress(TypeError, ValueError, LookupError):
            begin, end = self._places(mention)
            if {*map(type, mention)} == {int} and 0 <= begin <= end <= self.limit:
                return begin, end
        raise CorefError(
            f"entity {entity} of `{self.field}` has the mention {shortened(mention)}; {EXPECTED}"
        )

    def _places(self, mention: Any) -> tuple[int, int]:
        if not self.in_sentences:
            begin, end = mention
            return begin, end
        sentence, begin, end = mention
        start, after = self.starts[sentence], self.starts[sentence + 1]
        if min(sentence, begin) < 0 or not begin < end <= after - start:
            raise ValueError("no mention of its sentence")
        return start + begin, start + end

    def _find_mark(self, content: Object) -> None:
        """Find what unit is counted, and what shows the meaning of ends beside the mentions."""
        has_characters = isinstance(content.get("text"), str) and self.tokens == [*content["text"]]
        if self.has_names:
            self.unit = "name"
        elif has_characters or self.field == "clusters_char_offsets":
            self.unit = "character"
        marks = OF_FASTCOREF if self.unit == "character" else OF_TOKENS
        # fastcoref lists the texts of mentions, or their words if it was given words.
        with suppress(TypeError, LookupError):
            if isinstance(content["clusters_strings"][0][0], list):
                marks = OF_FASTCOREF
        own = self.field if MEANINGS.get(self.field) else ""
        if self.in_sentences:
            own = "mention_clusters"
        self.mark = own or next((key for key in marks if key in content), "")
        if self.unit == "character":
            blanks = {n for n, sign in enumerate(self.tokens) if sign.isspace()}
            spans = chain(*self.entities.values())
            self.before_blank = next((span for span in spans if span[1] in blanks), None)

    def meanings(self) -> Iterator[tuple[str, str]]:
        """What shows whether ends are inclusive or exclusive, if anything does, and how."""
        if self.mark:
            meaning = (MEANINGS | BESIDE)[self.mark]
            yield meaning, f"with `{self.mark}`, ends are {meaning}"
        spans = [*chain(*self.entities.values())]
        if empty := [(begin, end) for begin, end in spans if begin == end]:
            yield "inclusive", f"mention {[*empty[0]]} would be empty if ends were exclusive"
        if last := [(begin, end) for begin, end in spans if end == self.limit]:
            outside = f"mention {[*last[0]]} would end outside the text"
            yield "exclusive", f"{outside} if ends were inclusive"

    def fit(self, size: int) -> None:
        """Take the number of tokens that the other side has, where the file does not tell it."""
        self.limit = self.size = size
        for mention in chain(*self.entities.values()):
            if mention[1] > size:
                raise CorefError(
                    f"{self}: mention {[*mention]} ends outside the text, which has {size} tokens "
                    "on the other side"
                )

    def make_inclusive(self, exclusive: bool) -> None:
        """Make ends inclusive, and words of word pieces."""
        if not exclusive and self.word_of is None:
            return
        for name, mentions in self.entities.items():
            self.entities[name] = [(begin, end - exclusive) for begin, end in mentions]
            if self.word_of is not None:
                self.entities[name] = [*map(self._words, self.entities[name])]

    def _words(self, pieces: tuple[int, int]) -> tuple[int, int]:
        first, last = (self.word_of[piece] for piece in pieces)
        if first is None or last is None or not 0 <= first <= last:
            raise CorefError(
                f"{self}: mention {[*pieces]}, in word pieces, is {[first, last]} by "
                "`subtoken_map`; expected a first and a last word"
            )
        return first, last


def settle_ends(sides: Sequence[Sequence[JsonDocument]], chosen: str, is_alone: bool) -> None:
    """Make the ends of all mentions inclusive; those of a side are of one kind.

    A side that does not show which is as the other side, if that has the very same mentions under
    the same key: these are so by either meaning. Else it is refused, as is one that ``is_alone``:
    its mentions will be compared with others.
    """
    sides = [[document for document in side if not document.has_names] for side in sides]
    shown = [_shown_meanings(side, chosen) for side in sides]
    # Mentions are compared only where a side shows nothing.
    differ = not all(shown) and (is_alone or not _have_same_mentions(sides))
    for side, meanings in zip(sides, shown, strict=True):
        doubtful = next((document for document in side if document.mentions()), None)
        if differ and doubtful and not meanings:
            raise CorefError(
                f"{doubtful}: nothing in the file shows whether the end of a mention, such as "
                f"{[*min(doubtful.mentions())]}, is its last token or the one after it; pass "
                f"--offsets inclusive or --offsets exclusive (in Python offsets=); {OF_EACH_SIDE}"
            )
        exclusive = "exclusive" in (meanings or shown[0] | shown[-1])
        proof = "" if chosen != "found" else _weak_proof(side, meanings.get("inclusive", ""))
        for document in side:
            document.weak_proof = proof
            document.make_inclusive(exclusive)


def _have_same_mentions(sides: Sequence[Sequence[JsonDocument]]) -> bool:
    """Whether all sides have the very same mentions under the same keys."""
    first, *others = (
        [(document.field.removeprefix("predicted_"), document.mentions()) for document in side]
        for side in sides
    )
    return all(mentions == first for mentions in others)


def _shown_meanings(side: Sequence[JsonDocument], chosen: str) -> dict[str, str]:
    """The meaning of ends in a file, and where it is shown; nothing where nothing shows it."""
    shown = {} if chosen == "found" else {chosen: f"offsets={chosen!r} was chosen"}
    for document in side:
        for meaning, how in document.meanings():
            shown.setdefault(meaning, f"{document}: {how}")
    if len(shown) == 2:
        raise CorefError(
            f"{shown['inclusive']}; but {shown['exclusive']}; expected ends of one kind: mend "
            "whichever is wrong"
        )
    # Weaker than a proof, since a text may have odd mentions: it counts where nothing else does.
    for document in side if not shown else ():
        if document.before_blank:
            return {"exclusive": f"{document}: mention {[*document.before_blank]}"}
    return shown


def _weak_proof(side: Sequence[JsonDocument], shown: str) -> str:
    """What shows that ends are inclusive, if few mentions show it, and nothing else does."""
    if any(document.mark for document in side):
        return ""
    spans = chain.from_iterable(chain(*document.entities.values()) for document in side)
    proves = [begin == end for begin, end in spans]
    return shown if FEW_PROOFS * sum(proves) < len(proves) else ""


def warn_of_ends(here: Mapping[str, Document], there: Mapping[str, Document]) -> None:
    """Warn if ends that few mentions prove to be inclusive fit the other side less than others."""
    proof = next((d.weak_proof for d in here.values() if isinstance(d, JsonDocument)), "")
    if not proof:
        return
    taken = otherwise = 0
    for name in here.keys() & there.keys():
        others = there[name].mentions()
        for first, last in here[name].mentions():
            taken += (first, last) in others
            otherwise += (first, last - 1) in others
    # A single faulty mention would shift every end by one: both readings are tried.
    if otherwise > taken:
        warn(
            f"{proof}, and few others show it: all ends are taken as inclusive, and {taken:,} "
            f"mentions are those of the other side; with exclusive ends {otherwise:,} would be. Is "
            "this mention a fault?"
        )


def documents(path: StrPath, side: str) -> Iterator[JsonDocument]:
    """The documents of the files of a path; those without names are numbered.

    Raises `CorefError`, which names file, line and document, for what is no JSON or no document,
    and for entities that are not as the module says.
    """

    def documents_in(file: str) -> Iterator[JsonDocument]:
        for line, content in _objects(file):
            with named(f"{file}, line {line}"):
                document = JsonDocument(file, line, _name_of(content))
            with named(str(document)):
                document.take(content, side)
            yield document

    first: JsonDocument | None = None
    for number, document in enumerate(in_each_file(path, documents_in), 1):
        document.has_name = bool(document.name)
        first = first or document
        if document.has_name != first.has_name:
            raise CorefError(
                f"{document}: it has {'a' if document.name else 'no'} name, unlike {first}; "
                "expected names (doc_key) in all documents of a file or in none"
            )
        if document.field != first.field:
            raise CorefError(
                f"{document}: its entities are under `{document.field}`, and those of {first} "
                f"under `{first.field}`; expected one key in all of the file"
            )
        document.name = document.name or str(number)
        yield document


def _objects(file: str) -> Iterator[tuple[int, Object]]:
    """The objects of a file, and their lines."""
    is_empty = True
    for line, text in _texts(file):
        in_list = is_empty and text.startswith("[")
        between = BETWEEN_IN_LIST if in_list else BLANKS
        end = text.removesuffix("]") if in_list else text
        before, place = 0, BLANKS.match(text, int(in_list)).end()  # type: ignore[union-attr]
        while place < len(end):
            is_empty = False
            line, before = line + text.count("\n", before, place), place
            content, place = _decoded(file, line, text, place)
            yield line, content
            gap = between.match(text, place).group()  # type: ignore[union-attr]
            place += len(gap)
            if in_list and text.startswith("{", place) and "," not in gap:
                line += text.count("\n", before, place)
                raise CorefError(f"{file}, line {line}: expected a comma before the next document")
        if in_list and end == text:
            raise CorefError(f"{file}, line {line}: the list has no end (is it cut off?)")
    if is_empty:
        raise CorefError(f"{file}: the file has no document; expected JSON lines")


def _texts(file: str) -> Iterator[tuple[int, str]]:
    """Its lines that are not blank, or all of them as one text, and the number of the first.

    They are one text where the first shows that an object, or a list of them, goes on in the next.
    """
    # Files that were joined may have a byte-order mark anywhere.
    stripped = ((number, line.strip("\ufeff \t\n")) for number, line in lines(file))
    first, text = next((numbered for numbered in stripped if numbered[1]), (1, ""))
    if text == "{" or text.startswith("["):
        yield first, "\n".join([text, *(line for _, line in stripped)]).rstrip()
        return
    yield first, text
    yield from (numbered for numbered in stripped if numbered[1])


def _decoded(file: str, line: int, text: str, place: int) -> tuple[Object, int]:
    """The object that begins at a place, and where it ends."""
    try:
        content, end = DECODER.raw_decode(text, place)
    except (ValueError, RecursionError) as error:
        raise CorefError(
            f"{file}, line {line}: no JSON at {shortened(text[place:])}: "
            f"{getattr(error, 'msg', error)}; expected a whole document {{…}} in each line"
        ) from None
    if not isinstance(content, dict):
        raise CorefError(f"{file}, line {line}: expected an object, got {shortened(content)}")
    return content, end


def _unique(pairs: list[tuple[str, Any]]) -> Object:
    content = dict(pairs)
    # Python's parser keeps the last of two equal keys; a response could be lost in silence.
    if len(content) < len(pairs):
        number = Counter(key for key, _ in pairs)
        twice = next(key for key in number if number[key] > 1)
        raise CorefError(f"the key {twice!r} comes twice in one object")
    return content


DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def _name_of(content: Object) -> str:
    """A document's name, and its part as e2e-coref writes it; nothing if it has none."""
    name = next((content[key] for key in NAMES if key in content), None)
    part = next((content[key] for key in PARTS if key in content), "")
    if name is None or name == "":
        return ""
    if not {type(name), type(part)} <= {str, int}:
        raise CorefError(
            f"the document has the name {shortened(name)} and the part {shortened(part)}; expected "
            "a text or a whole number"
        )
    return f"{name}_{part}" if part != "" else str(name)


def _key_of_entities(content: Object, side: str) -> str:
    """The key of a document's entities."""
    if side != "key" and PREDICTED in content:
        return PREDICTED
    if content.keys() >= OF_WL_COREF and PREDICTED not in content:
        return "clusters" if side == "key" else "span_clusters"
    keys = [key for key in MEANINGS if key in content]
    others = [] if side == "key" else [n for n in content if _may_be_entities(n, content[n])]
    several = keys[1:] and keys != OF_MAVERICK
    if side == "both" or not keys or several or others:
        named = " and ".join(f"`{key}`" for key in keys + others)
        if len(keys) == 1 and not others:
            raise CorefError(
                f"it has entities under {named}, those of a key, and none under {PREDICTED}; give "
                "the file of the response, too, or add its entities under that key"
            )
        tool = "" if named else next((tool for key, tool in EXPORTS.items() if key in content), "")
        what = f"it looks like an export of {tool}, an annotation tool, and" if tool else "it"
        raise CorefError(
            f"{what} has entities under {named or 'no key that is known'}; expected one of "
            f"{', '.join(MEANINGS)}, and those of a response under {PREDICTED}"
        )
    return keys[0]


def _may_be_entities(key: str, value: Any) -> bool:
    """Whether what stands under another key looks like entities, or is empty under such a name.

    >>> _may_be_entities("system", [[[0, 0], [3, 3]]]), _may_be_entities("predictions", [])
    (True, True)
    >>> _may_be_entities("ner", [[[0, 0, "PERSON"]]]), _may_be_entities("top_spans", [[0, 0]])
    (False, False)
    """
    if key in KNOWN:
        return False
    if value == []:
        return bool(PREDICTIONS.search(key))
    try:
        mention = value[0][0]
        return len(mention) in (2, 3) and {*map(type, mention)} == {int}
    except (TypeError, LookupError):
        return False


def _may_hold(key: str, value: Any) -> bool:
    """Whether there may be entities in what stands under another key, an answer as text included.

    >>> _may_hold("answer", "[[[0, 0]]]"), _may_hold("output", None), _may_hold("source", "web")
    (True, True, False)
    """
    if key in KNOWN:
        return False
    if isinstance(value, (list, dict)):
        return key not in NO_ENTITIES
    is_text = value is None or isinstance(value, str)
    return is_text and ("[" in (value or "") or bool(ANSWERS.search(key)))


def _sentences(content: Object, field: str) -> list[Any] | None:
    """The sentences of a document, if it has any; a text is one sentence of characters."""
    keys = ("text",) if field == "clusters_char_offsets" else TEXTS
    key = next((key for key in keys if content.get(key) is not None), "")
    text: Any = content.get(key)
    if not key or (isinstance(text, str) and key in ("document", "text")):
        return [text] if key else None
    kinds = {*map(type, text)} if isinstance(text, list) else {None}
    if not any(kinds <= {kind} for kind in (list, int, str)):
        raise CorefError(f"`{key}` is {shortened(text)}; expected a list of tokens or of sentences")
    sentences = text if kinds == {list} else [text]
    first = next(chain(*sentences), "")
    has_pieces = "sentence_map" in content or isinstance(first, int) or first in FIRST_PIECES
    if has_pieces and "subtoken_map" not in content:
        raise CorefError(
            f"`{key}` has word pieces, and there is no `subtoken_map`; add it, or write words"
        )
    return sentences


def refuse_copy(key: Sequence[Document], response: Sequence[JsonDocument], is_first: bool) -> None:
    """Refuse a response that has the key's own entities, and something that may be its own.

    One that has nothing else is warned of when it is read first, from `MANY` mentions on: to get
    fewer right, or to try a file against itself, is common.
    """
    of_key = {common_name(document.name): document for document in key}
    both = [(of_key[name], d) for d in response if (name := common_name(d.name)) in of_key]
    more = [
        name
        for ours, theirs in both
        for name, value in theirs.more.items()
        if theirs.field != PREDICTED and getattr(ours, "more", {}).get(name, ours) != value
    ]
    if not both or any(_without_names(ours) != _without_names(theirs) for ours, theirs in both):
        return
    theirs = both[0][1]
    finding = f"{theirs}: in every document its `{theirs.field}` are the key's entities"
    # A system that is perfect in every document is rarer than a key sent as a response.
    if more:
        raise CorefError(
            f"{finding}, and it has `{more[0]}`, which the key has not: if these are those of the "
            f"response, call them `{PREDICTED}`; else leave them out"
        )
    if is_first and sum(len(document.mentions()) for _, document in both) >= MANY:
        warn(f"{finding}: is the key scored against itself?")


def _without_names(document: Document) -> set[frozenset[Any]]:
    """The entities of a document as sets of mentions."""
    return {frozenset(mentions) for mentions in document.entities.values()}
