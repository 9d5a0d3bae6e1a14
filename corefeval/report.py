"""The scores of a corpus in total and by document, their signature, and what tells its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from operator import add, mul
from typing import Any, NamedTuple, NoReturn, cast
from zlib import crc32

from corefeval._version import __version__
from corefeval.conventions import Conventions
from corefeval.display import Shown, Table, frame_of_scores, score_rows, score_table
from corefeval.errors import CorefError, shortened
from corefeval.lazily import cached_property
from corefeval.overlap.contingency import Contingency, Tables, exact_sum
from corefeval.overlap.partition import FLAT, Mention, are_flat, as_lists, as_partition
from corefeval.overlap.repeats import REPEATS
from corefeval.registry import as_typed, find
from corefeval.score import Counts, NoNumber, Number, Score, f1, mean_f1
from corefeval.scoring import Metric, sides_alike

WRITTEN = frozenset({bytes, type(None)})
"""Types of which equal values are written the same."""
TOGETHER = 256
"""How many documents are counted as one table."""
EMPTY = Tables.alike(Contingency({}, [], []))


class Report(Shown, NoNumber):
    """What `corefeval.evaluate` returns: the scores of a corpus, in total and by document.

    ``report[measure]`` is a total; the length is the number of documents, and a report prints as a
    table in percent.

    >>> from corefeval import evaluate
    >>> report = evaluate({"d": "{a b} {c}"}, {"d": "{a b c}"}, ["muc", "b3"])
    >>> report["muc"].f1, report.documents["d"]["b3"].recall, len(report)
    (0.6666666666666666, 1.0, 1)
    """

    _example = 'report["muc"].f1'

    def __init__(
        self,
        tables: Mapping[Conventions, Mapping[Hashable, Tables]],
        metrics: Iterable[Metric],
        conventions: Conventions,
        note: str = "",
        keys: Callable[[], Digests] = dict,
    ) -> None:
        self.tables = tables
        """The `corefeval.overlap.contingency.Tables` of documents, by the measures' conventions."""
        self.metrics = {metric.measure.name: metric for metric in metrics}
        """Each measure with its conventions, which differ among measures if scored ``like``."""
        self.conventions = conventions
        self._note = note
        self._load_digests: Callable[[], Digests] | None = keys

    def __getstate__(self) -> dict[str, Any]:
        """All but the keys, of which a pickle has the digests alone."""
        return {**vars(self), "key_digests": self.key_digests, "_load_digests": None}

    @cached_property
    def key_digests(self) -> Digests:
        """What tells each document's key from others; made when reports are compared."""
        load = self._load_digests
        if load is None:  # another thread has just made them
            return self.key_digests
        made = vars(self)["key_digests"] = dict(load())
        # The keys themselves, which the loader holds, are let go.
        self._load_digests = None
        return made

    def settle(self) -> None:
        """Compute all that is asked of tables, and keep it: a database may have changed later."""
        _ = self.total, self.key_digests

    def with_other_keys(self, other: Report) -> list[Hashable]:
        """The documents that the two have with different keys, and those that only one has."""
        differing = []
        for name in dict.fromkeys([*self.key_digests, *other.key_digests]):
            ours, theirs = self.key_digests.get(name, ()), other.key_digests.get(name, ())
            if len(ours) != len(theirs) or any(map(Digest.tells_apart, ours, theirs)):
                differing.append(name)
        return differing

    @property
    def _ids(self) -> Collection[Hashable]:
        return next(iter(self.tables.values()))

    @cached_property
    def total(self) -> Mapping[str, Score]:
        """By measure: its score over all documents, by the convention ``average``."""
        summed = self._summed()
        total = {}
        for name, metric in self.metrics.items():
            if name in summed:
                total[name] = metric.score_of(*summed[name])
            else:
                total[name] = self._average(metric)
        return total

    def _summed(self) -> dict[str, tuple[Counts, bool]]:
        """What measures count in all documents, and whether the sides of all are alike.

        Some hundred documents are counted as one table: one by one, small ones take twice the
        time, and a table of a hundred thousand would need as much memory as all of them.
        """
        summed: dict[str, tuple[Counts, bool]] = {}
        names = list(self._ids)
        for first in range(0, len(names) or 1, TOGETHER):
            tables = {
                choice: united([documents[name] for name in names[first : first + TOGETHER]])
                for choice, documents in self.tables.items()
                if choice.average == "sum"
            }
            for name, counts in self._counts(tables).items():
                choice = self.metrics[name].conventions
                alike = sides_alike(tables[choice], choice)
                if name in summed:
                    before, were_alike = summed[name]
                    counts, alike = before + counts, were_alike and alike
                summed[name] = counts, alike
        return summed

    @cached_property
    def documents(self) -> Mapping[Hashable, Mapping[str, Score]]:
        """By document's name and measure: the score of that document."""
        return {name: self._scores(row, self._tables(name)) for name, row in self.counts.items()}

    @cached_property
    def counts(self) -> Mapping[Hashable, Mapping[str, Counts]]:
        """By document's name and measure: what the measure counts in that document."""
        return {document: self._counts(self._tables(document)) for document in self._ids}

    def _tables(self, document: Hashable) -> Mapping[Conventions, Tables]:
        return {by: documents[document] for by, documents in self.tables.items()}

    def _counts(self, tables: Mapping[Conventions, Tables]) -> Mapping[str, Counts]:
        """What each measure of these conventions counts."""
        metrics = self.metrics.items()
        return {name: m.counts(tables) for name, m in metrics if m.conventions in tables}

    def _scores(
        self, counts: Mapping[str, Counts], tables: Mapping[Conventions, Tables]
    ) -> Mapping[str, Score]:
        metrics = {name: self.metrics[name] for name in counts}
        return {name: m.score(counts[name], tables[m.conventions]) for name, m in metrics.items()}

    def _average(self, metric: Metric) -> Score:
        if metric.parts:
            return mean_f1([self._average(part) for part in metric.parts], None)
        # The score of no document is that of an empty one.
        documents = list(self.tables[metric.conventions].values()) or [EMPTY]
        scores = [metric.of_tables(tables) for tables in documents]
        return _averaged(scores, documents, metric.conventions.average)

    @property
    def mentions_before_policy(self) -> Score:
        """The score of mention detection before missing and spurious mentions are settled."""
        metric = self.metrics["mentions"]
        if metric.conventions.twinless == "keep":
            return self.total["mentions"]
        kept = metric.conventions.but(twinless="keep")
        tables = {
            name: Tables.alike(cast(Contingency, of_document.before))
            for name, of_document in self.tables[metric.conventions].items()
        }
        return Report({kept: tables}, [metric._replace(conventions=kept)], kept).total["mentions"]

    def __len__(self) -> int:
        """How many documents were scored."""
        return len(self._ids)

    def __add__(self, other: object) -> NoReturn:
        raise CorefError(
            "reports are not added: give all documents to evaluate, or to a Scorer, whose merge "
            "takes those of another"
        )

    __radd__ = __add__

    # Python would ask for report[0] otherwise, and hear that there is no measure 0.
    __iter__ = None

    def __contains__(self, measure: object) -> bool:
        """Whether the measure was scored, by the name that signatures print."""
        return measure in self.metrics

    @property
    def signature(self) -> str:  # type: ignore[override]
        """One line of all that can change a number."""
        return (
            f"corefeval={__version__} {self._note}metrics={','.join(self.metrics)} "
            f"documents={len(self)} {self.conventions}"
        )

    @property
    def like(self) -> str:
        """The scorer whose rules were asked for, as name@version; an empty text for ours."""
        first, _, rest = self._note.partition("=")
        return rest.partition(" ")[0] if first == "like" else ""

    def sentence(self) -> str:
        """Write the sentences of a paper; return how it was scored, the numbers and the signature.

        >>> from corefeval import evaluate
        >>> report = evaluate({"d": "{a b}"}, {"d": "{a b}"}, "muc", singletons="drop")
        >>> print(report.sentence().replace(". ", ".\\n"))  # doctest: +ELLIPSIS
        We score with corefeval ... and report recall, precision and F1 of MUC, over 1 document, \
by the reference scorer’s rules but for singletons=drop.
        F1 is 100.00 by MUC.
        Singletons are removed from the key and from the response.
        Signature: corefeval=... metrics=muc documents=1 singletons=drop.
        """
        from corefeval import paper  # most reports are not for one

        texts = [
            paper.scored_how(self.total, len(self), self.conventions, self.like),
            paper.numbers(self.total),
        ]
        # Another scorer may treat singletons by measure, as the signature says.
        if not self.like:
            texts.append(paper.singletons(self.conventions))
        if mentions := self.metrics.get("mentions"):
            texts.append(paper.found_mentions(self.mentions_before_policy, mentions.conventions))
        texts.append(f"Signature: {self.short_signature}.")
        return " ".join(filter(None, texts))

    def to_latex(self, name: str | Iterable[str] = "response", measures: Iterable[str] = ()) -> str:
        """Write a table for LaTeX's booktabs; return it, in percent, with a row of that name.

        It has recall, precision and F1 of ``measures``, by default those that the CoNLL score is
        the mean of, and that score; without it, all that were scored. A list in the first place is
        one of measures, as a comparison has it.

        >>> from corefeval import evaluate
        >>> report = evaluate({"d": "{a b}"}, {"d": "{a b c}"}, "b3")
        >>> print(report.to_latex("ours"))  # doctest: +ELLIPSIS
        \\begin{tabular}{lrrr}
        \\toprule
         & \\multicolumn{3}{c}{B$^3$} \\\\
        \\cmidrule(lr){2-4}
         & R & P & F1 \\\\
        \\midrule
        ours & 100.00 & 44.44 & 61.54 \\\\
        \\bottomrule
        \\end{tabular}
        % corefeval=... metrics=b3 documents=1 defaults
        """
        from corefeval.paper import latex

        if not isinstance(name, str):
            if measures:
                raise CorefError(f"expected the name of a row as a text, got {shortened(name)}")
            name, measures = "response", name
        asked = [scored_name(measure, self.total) for measure in as_typed(measures)]
        return latex({name: self.total}, self.short_signature, asked)

    def table(self, documents: bool = False) -> Table:
        """Return the table for people, in percent: the total, and with ``documents`` each above."""
        return score_table(list(score_rows(self.total, self.documents if documents else {})))

    def __getitem__(self, measure: str) -> Score:
        """The score of a measure over all documents.

        Raises `CorefError` for a measure that was not scored, and says which were.

        >>> from corefeval import evaluate
        >>> report = evaluate({"d": "{a b}"}, {"d": "{a b c}"}, ["muc", "b3"])
        >>> report["lea"]
        Traceback (most recent call last):
        corefeval.errors.CorefError: 'lea' was not scored; expected one of muc, b3
        """
        return self.total[scored_name(measure, self.total)]

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """Return the total's parts as floats by measure and part, for a log or a file of JSON.

        Names begin with ``prefix``, such as ``"dev/"``. A part that a measure lacks is absent.

        >>> from corefeval import evaluate
        >>> evaluate({"d": "{a b}"}, {"d": "{a b c}"}, ["muc", "kappa"]).to_dict()
        {'muc_recall': 1.0, 'muc_precision': 0.5, 'muc_f1': 0.6666666666666666, 'kappa_value': 0.0}
        """
        return {
            f"{prefix}{measure}_{part}": number
            for measure, score in self.total.items()
            for part, number in score.parts.items()
        }

    def to_frame(self, *, documents: bool = False) -> Any:
        """Return a frame of pandas: a row for each measure of the total, floats in [0, 1].

        The columns are recall, precision, f1 and, if a measure has no F1, value; NaN where a
        measure lacks the part. With ``documents=True`` there is a row for each document and
        measure instead, by both, without the total. The frame writes LaTeX, HTML and CSV by itself.

        Raises `CorefError` if pandas is not installed.

        >>> from corefeval import evaluate
        >>> report = evaluate({"d": "{a b} {c}"}, {"d": "{a b c}"}, ["muc", "conll"])
        >>> print(report.to_frame().round(2))  # doctest: +NORMALIZE_WHITESPACE
                 recall  precision    f1
        measure
        muc         1.0        0.5  0.67
        conll       NaN        NaN  0.64
        """
        of_documents = self.documents if documents else {None: self.total}
        scores = {(name, m): row[m] for name, row in of_documents.items() for m in row}
        frame = frame_of_scores(scores)
        return frame if documents else frame.droplevel("document")


def scored_name(measure: str, names: Collection[str]) -> str:
    """The name under which a measure was scored; refuses one that was not."""
    if measure in names:
        return measure
    try:
        known = find(measure).name
    except CorefError as error:
        raise CorefError(f"{error}; scored were {', '.join(names)}") from None
    if known not in names:
        raise CorefError(f"{measure!r} was not scored; expected one of {', '.join(names)}")
    return known


def united(documents: Collection[Tables]) -> Tables:
    """The tables of all documents in one."""
    tables = Tables.alike(Contingency.union(tables.recall for tables in documents))
    if any(tables.both is not tables.recall for tables in documents):
        precision = Contingency.union(tables.precision for tables in documents)
        both = [tables.both for tables in documents if tables.both is not None]
        tables = Tables(tables.recall, precision, Contingency.union(both) if both else None)
    counted = [tables.of_mentions for tables in documents if tables.of_mentions is not None]
    if counted:
        total = {name: reduce(add, (row[name] for row in counted)) for name in counted[0]}
        tables = tables._replace(of_mentions=total)
    return tables


def _averaged(scores: Sequence[Score], documents: Collection[Tables], average: str) -> Score:
    """The mean of documents' scores, weighted and put together by the convention ``average``."""
    of_key, of_response = [1] * len(scores), [1] * len(scores)
    if average == "mentions":
        of_key = [tables.recall.key_mentions for tables in documents]
        of_response = [tables.precision.T.key_mentions for tables in documents]

    def mean(part: str, weights: Sequence[int]) -> Number | None:
        numbers = [getattr(score.exact, part) for score in scores]
        if None in numbers:
            return None
        if not any(weights):  # no document has a mention
            weights = [1] * len(numbers)
        if any(isinstance(number, float) for number in numbers):
            return sum(map(mul, numbers, weights), Fraction(0)) / sum(weights)
        return Fraction(exact_sum(zip(numbers, weights, strict=True)), sum(weights))

    recall, precision = mean("recall", of_key), mean("precision", of_response)
    value = mean("value", list(map(add, of_key, of_response)))
    if recall is None or precision is None:
        return Score(recall, precision, value=value)
    if average == "mean_pr":
        value = f1(recall, precision)
    return Score(recall, precision, value)


# What tells the keys of two reports apart, so that only responses to the same key are compared


class Digest(NamedTuple):
    """A document's key in a few numbers: as it was given, after repeats and singletons.

    ``twinless`` does not change it: by that convention a response may give singletons to the key.
    """

    sizes: tuple[tuple[int, int], ...]
    """How often each size of an entity occurs, the smallest first."""
    entities: int | None
    """A number that other entities hardly have; None for a table, whose mentions have no names."""

    @classmethod
    def of(cls, key: Any, choice: Conventions) -> Digest:
        """Make the digest of a key or, in its place, of a table that has both sides."""
        least = 2 if choice.singletons == "drop" else 1
        if isinstance(key, Contingency):
            # A table does not know its mentions: keys of the same sizes are taken for one.
            sizes = {size: n for size, n in key.key_histogram.items() if size >= least}
            return cls(tuple(sorted(sizes.items())), None)
        entities = [entity for entity in _entities(key, choice) if len(entity) >= least]
        counted = sorted(Counter(map(len, entities)).items())
        return cls(tuple(counted), _number(entities))

    def tells_apart(self, other: Digest) -> bool:
        """Whether the keys differ, by all that is known of both."""
        if self.sizes != other.sizes:
            return True
        return None not in (self.entities, other.entities) and self.entities != other.entities


Digests = Mapping[Hashable, Sequence[Digest]]
"""By document: the digest of its key by each of the conventions that the measures have."""


def digests(keys: Mapping[Hashable, Any], choices: Iterable[Conventions]) -> Digests:
    """The digests of these documents' keys."""
    # Of all conventions these two alone change a key.
    different = {(choice.repeated, choice.singletons): choice for choice in choices}
    return {name: [Digest.of(key, by) for by in different.values()] for name, key in keys.items()}


def _entities(key: Any, choice: Conventions) -> list[list[Mention]]:
    """The entities of a key by the convention on repeated mentions, with all singletons."""
    if choice.repeated not in REPEATS:
        return as_partition(key, repeated=choice.repeated).entities
    if choice.repeated == "once_each":
        return [list(dict.fromkeys(entity)) for entity in as_lists(key)]
    return as_lists(key)


def _number(entities: Sequence[Sequence[Mention]]) -> int:
    """A number that does not depend on the order of entities, nor of mentions in them."""
    # Most mentions are flat: of these repr is the same in every process, and quick.
    written: Callable[[Mention], str] = repr if are_flat([*chain(*entities)]) else _steady_text
    return _crc(str(_crc(map(written, entity))) for entity in entities)


def _steady_text(mention: Any) -> str:
    """A text that stands for a mention: the same in every process, if it has usual values alone.

    Python hashes texts, bytes, dates and, before 3.12, None otherwise in each process. Numbers that
    are equal, as 1 and 1.0, have one hash.
    """
    if type(mention) in FLAT or type(mention) in WRITTEN:
        return repr(mention)
    # Its module is not imported for the few whose mentions have dates.
    if type(mention).__module__ == "datetime":
        return _text_of_time(mention)
    if type(mention) is frozenset:
        return f"{{{', '.join(sorted(map(_steady_text, mention)))}}}"
    if type(mention) is tuple:
        return f"({', '.join(map(_steady_text, mention))})"
    # A mention of CorefUD has its file with it, and several files may have the same key.
    if hasattr(mention, "place_in_text"):
        return repr(mention.place_in_text)
    return str(hash(mention))


def _text_of_time(value: Any) -> str:
    """A text for a date, or for a time as that of Greenwich: a moment is equal in two zones."""
    if type(value).__name__ != "datetime" or value.utcoffset() is None:
        return repr(value)
    return f"{(value - value.utcoffset()).replace(tzinfo=None)!r} UTC"


def _crc(parts: Iterable[Any]) -> int:
    return crc32("\n".join(sorted(parts)).encode("utf-8", "surrogatepass"))
