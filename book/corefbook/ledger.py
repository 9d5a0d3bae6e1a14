"""Printed figures against computed ones.

Every figure that a paper prints is typed once, in ``data/``, exactly as printed. The ledger
computes each again and gives a verdict.
"""

from __future__ import annotations

import ast
import inspect
import operator
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from importlib import import_module
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from corefbook.ratios import ZeroOfZero
from corefbook.tables import Differs, Equal, Possible, Table
from corefeval.errors import CorefError
from corefeval.partition import Link, Partition, as_links
from corefeval.published.intervals import Bounds as Bounds
from corefeval.registry import MEASURES
from corefeval.score import Number, Score, Tally
from corefeval.scoring import metric

T = TypeVar("T")
Figures = dict[str, tuple[str, Callable[..., Any]]]
"""What figures are in words, and what computes them, by the names that the data have for them."""

GROUPS = {
    "equal": {
        "reproduced": "computed from published inputs, it rounds to what is printed",
        "rounded": "it follows exactly from rounded intermediates, which the note shows",
        "holds": "a general sentence: proved, or without counterexample up to the stated size",
    },
    "possible": {
        "consistent": "not computed: what is printed lies in the interval that published figures "
        "leave",
        "reconstructed": "it comes from recovered inputs, or from a formula or a choice that was "
        "made because it fits",
    },
    "differs": {
        "refuted": "a general sentence with a counterexample",
        "misprint": "proved different from what the paper itself defines",
        "missed": "a reconstruction of ours that does not give what is printed",
    },
    "cannot be checked": {
        "not testable": "its inputs or its formula were never published",
    },
    "listed": {
        "remark": "worth telling a reader, and no fault",
        "copy": "a slip that another witness of the same text, or what stands beside it, shows to "
        "be our copy's: nobody is accused",
        "given": "it restates an input, or could not have been another: proof-read, and no result",
    },
}
"""The verdicts by the word that a reader sees, each with its meaning.

Four words count figures; what is listed is counted under none of them.
"""

FAILED = "failed"
"""What a figure that fits no verdict has in the place of one."""

PARTS = {"recall": "recall", "precision": "precision", "f1": "F1", "value": ""}
SOURCES = {
    "published": "papers, read whole, as far as our copies go",
    "manuscript": "an unpublished manuscript, read whole, as far as our copy goes",
    "table": "papers of which only one table was used, from a stored copy",
    "summary": "an anonymous summary found with our copy of a paper",
    "secondary": "papers that we know only as others quote them",
    "test suite": "the expected values of a scorer's test suite",
    "scorer": "what scorers print",
    "archive": "the scores that public archives of responses print of them",
}
OF_PAPERS = ("published", "manuscript", "table", "summary", "secondary")
"""The sources that are papers."""

DATA = Path(__file__).parents[2] / "data"
"""What papers and scorers print, a file for each, and the texts that chapters use.

:meta hide-value:
"""


class Search(NamedTuple):
    """What trying a general sentence on every case of a kind has found.

    >>> print(Search(459, "keys and responses of up to five mentions"))
    no counterexample among 459 keys and responses of up to five mentions
    >>> print(Search(459, "keys and responses", "key {a b}, response {a} {b}"))
    counterexample: key {a b}, response {a} {b}
    """

    cases: int
    among: str
    counterexample: str = ""

    @classmethod
    def of(
        cls,
        among: str,
        cases: Iterable[T],
        holds: Callable[[T], bool],
        shown: Callable[[T], object] = str,
    ) -> Search:
        """The search for a case of which something does not hold; ``shown`` says which it is.

        >>> print(Search.of("even numbers", range(0, 9, 2), lambda n: n != 4))
        counterexample: 4
        """
        tried = [*cases]
        wrong = (str(shown(case)) for case in tried if not holds(case))
        return cls(len(tried), among, next(wrong, ""))

    def __str__(self) -> str:
        if self.counterexample:
            return f"counterexample: {self.counterexample}"
        return f"no counterexample among {self.cases:,} {self.among}"


@dataclass(frozen=True)
class Example:
    """A worked example of a paper: a key and a response, and their links where it gives them."""

    name: str
    given: Mapping[str, str]

    @classmethod
    def of(cls, key: Partition, response: Partition, name: str = "") -> Example:
        """An example that no paper has."""
        return cls(name, {"key": str(key), "response": str(response)})

    def __str__(self) -> str:
        return f"key {self.key}, response {self.response}"

    @cached_property
    def key_links(self) -> list[Link]:
        """The key's links as the paper lists them."""
        return as_links(self.given["key_links"])

    @cached_property
    def response_links(self) -> list[Link]:
        """The response's links as the paper lists them."""
        return as_links(self.given["response_links"])

    @cached_property
    def key(self) -> Partition:
        """The key's entities, as given or as its links define them."""
        return self._side("key")

    @cached_property
    def response(self) -> Partition:
        """The response's entities, as given or as its links define them."""
        return self._side("response")

    def _side(self, side: str) -> Partition:
        if side in self.given:
            return Partition.parse(self.given[side])
        return Partition.from_links(self.given[f"{side}_links"])


@dataclass(frozen=True)
class Row:
    """One printed figure, what we compute for it, and the verdict.

    ``label`` is ``measure`` in readers' words. ``right`` is what should be printed instead of a
    misprint, a refuted claim or a slip of our copy, ``quote`` the whole sentence of one of these
    or of a remark, ``erratum`` their address among the errata. ``copy`` says why our copy of the
    paper may be at fault, ``secondary`` who quotes the figure; ``paraphrase`` marks what is not
    printed word for word, ``formula`` what gives other scores to whoever implements what is
    printed. ``section`` and ``cell`` are where its chapter derives it, ``unit`` is that of what is
    printed. ``again`` is what is computed, as precise as what is printed, and ``agrees`` whether it
    is that; an interval agrees if what is printed lies in it.
    """

    paper: str
    place: str
    example: str
    measure: str
    printed: str
    computed: str
    verdict: str
    note: str
    id: str = field(repr=False, default="")
    label: str = field(repr=False, default="")
    chapter: str = field(repr=False, default="")
    section: str = field(repr=False, default="")
    cell: str = field(repr=False, default="")
    right: str = field(repr=False, default="")
    quote: str = field(repr=False, default="")
    copy: str = field(repr=False, default="")
    secondary: str = field(repr=False, default="")
    paraphrase: bool = field(repr=False, default=False)
    formula: bool = field(repr=False, default=False)
    unit: str = field(repr=False, default="")
    again: str = field(repr=False, default="")
    agrees: bool = field(repr=False, default=True)
    erratum: str = field(repr=False, default="")

    @property
    def explained(self) -> str:
        """The note, and before it what should be printed instead."""
        return f"Right: {self.right}. {self.note}" if self.right else self.note

    @property
    def part(self) -> str:
        """Which part of a score it is: recall, precision or F1; none of these if empty."""
        return PARTS.get(self.measure.partition(".")[2], "")

    @property
    def title(self) -> str:
        """The measure of whose score it is a part, as it is printed."""
        return self.label.removesuffix(self.part).strip() if self.part else ""

    @property
    def group(self) -> str:
        """Which of the `GROUPS` its verdict is in; none if it failed."""
        return next((group for group, each in GROUPS.items() if self.verdict in each), "")


@dataclass(frozen=True, eq=False)
class Paper:
    """One file of ``data/``: a paper's examples and all the figures it prints.

    Each figure names a ``measure``: a registered one and its part (``"muc.recall"``, or one of its
    counts, ``"muc.recall.hits"``), or a function of the paper's module in corefbook, or of the
    modules that its file names as ``functions``, or an entry of their table ``FIGURES``, which has
    what is one expression. Each is called with the example.

    What a note has to say in computed figures, a function of the module says: a figure's
    ``evidence`` names it. It is called with the example (or None) and with what is printed, and
    the text that it returns completes the note. A paper that describes its examples in another
    way than by entities or links names in ``spell_out`` the function that turns the file's content
    into examples; one that has those of another file names it in ``examples_of``; one whose figures
    are too many to list names in ``figures`` the function that makes them of it, and the one
    ``chapter`` that they are of. Where cells are printed without their unit, because a table's head
    has it, ``unit`` adds it: "85" with the unit "%" is compared as "85%", and shown as it is
    printed.
    """

    name: str
    content: Mapping[str, Any]

    @cached_property
    def examples(self) -> dict[str, Example]:
        """The paper's worked examples by name."""
        given = self.content.get("examples", {})
        if spell_out := self.content.get("paper", {}).get("spell_out"):
            given = self._function(spell_out)(self.content)
        elif not given and self.examples_of != self.name:
            given = load(self.examples_of).content["examples"]
        return {name: Example(name, example) for name, example in given.items()}

    @property
    def examples_of(self) -> str:
        """The paper whose examples these are: it is this one, unless the file names another."""
        return str(self.content.get("paper", {}).get("examples_of", self.name))

    @property
    def source(self) -> str:
        """Which of `SOURCES` the paper is."""
        return str(self.content["paper"]["source"])

    @property
    def left_out(self) -> list[dict[str, str]]:
        """What is printed and has no row: ``place``, ``what``, and ``why``."""
        return list(self.content.get("left_out", []))

    @property
    def _known_as(self) -> str:
        """How its figures' addresses begin, which stay when figures move to another file."""
        return str(self.content["paper"].get("known_as", self.name))

    def rows(self, chapter: str = "", places: tuple[str, ...] = ("",)) -> Iterator[Row]:
        """Every figure (of a chapter) with its verdict, in the order of the file.

        Each has an id of its own. ``places`` are beginnings of places; figures of others are not
        computed.
        """
        seen: Counter[str] = Counter()
        # To make the figures of scorers and archives takes seconds, which no other chapter pays.
        if chapter and self.content["paper"].get("chapter", chapter) != chapter:
            return
        for group in self._groups:
            if chapter not in ("", group["chapter"]):
                continue
            common = {name: value for name, value in group.items() if name != "rows"}
            for figure in group["rows"]:
                if not (common | figure)["place"].startswith(places):
                    continue
                for row in map(self._row, _spelled_out(common | figure)):
                    # An address stays as it was first given, whatever place and label are now.
                    place = common.get("address", row.place)
                    label = (common | figure).get("known_as", row.label)
                    name = slug(self._known_as, place, row.example, label)
                    seen[name] += 1
                    yield replace(row, id=f"{name}-{seen[name]}" if seen[name] > 1 else name)

    @cached_property
    def _groups(self) -> list[Mapping[str, Any]]:
        """The figures as the file has them, or as the function that it names makes them."""
        if function := self.content["paper"].get("figures"):
            chapter = self.content["paper"]["chapter"]
            return [{"chapter": chapter, **each} for each in self._function(function)(self.content)]
        return list(self.content["figures"])

    def _row(self, figure: Mapping[str, Any]) -> Row:
        testable = "measure" in figure and "not_testable" not in figure
        computed = self._compute(figure) if testable else None
        rounded = self._compute(figure | figure["rounded"]) if "rounded" in figure else None
        verdict, note = judge(figure, computed, rounded)
        if "evidence" in figure:
            example = self.examples.get(figure.get("example", ""))
            evidence = self._function(figure["evidence"])(example, figure["printed"])
            note = f"{note}. {evidence[0].upper()}{evidence[1:]}" if note else evidence
        optional = ("quote", "copy", "section", "cell", "paraphrase", "formula", "unit", "erratum")
        return Row(
            paper=self.name,
            place=figure["place"],
            example=figure.get("example", ""),
            measure=figure.get("measure", ""),
            printed=figure["printed"],
            computed=display(computed, _with_unit(figure, figure["printed"])),
            verdict=verdict,
            note=note,
            label=figure["label"] if "label" in figure else self._label(figure),
            chapter=figure["chapter"],
            right=_right(figure),
            again=as_precise(figure["printed"], computed, figure.get("unit", "")),
            agrees=computed is None or matches(_with_unit(figure, figure["printed"]), computed),
            secondary=figure.get("secondary", self.content["paper"].get("secondary", "")),
            **{name: figure[name] for name in optional if name in figure},
        )

    def _label(self, figure: Mapping[str, Any]) -> str:
        """The quantity in readers' words: a measure's title and part, or what a function says."""
        name, _, part = figure.get("measure", "").partition(".")
        if name in MEASURES:
            return f"{MEASURES[name].title} {PARTS.get(part, part)}".strip()
        if not name or "not_testable" in figure:
            return name.replace("_", " ")
        said, _ = self._named(name)
        return said.splitlines()[0].rstrip(".:")

    def _compute(self, figure: Mapping[str, Any]) -> Any:
        name, _, part = figure["measure"].partition(".")
        example = self.examples.get(figure.get("example", ""))
        if name in MEASURES and example is not None:
            score = metric(name, **self.content.get("conventions", {}))(
                example.key, example.response
            )
            return _part(score, part)
        quantity = self._function(name)
        arguments = figure.get("with", {})
        return quantity(**arguments) if example is None else quantity(example, **arguments)

    def _function(self, name: str) -> Any:
        return self._named(name)[1]

    def _named(self, name: str) -> tuple[str, Any]:
        """What a name of the file stands for, in words, and the function."""
        modules = self.content["paper"].get("functions", [f"papers.{self.name}"])
        for module in map(import_module, (f"corefbook.{module}" for module in modules)):
            if name in (figures := getattr(module, "FIGURES", {})):
                says, function = figures[name]
                return says, function
            if function := getattr(module, name, None):
                return inspect.getdoc(function) or name.replace("_", " "), function
        raise CorefError(f"{self.name}.toml: no function {name!r} in {', '.join(modules)}")


def _part(score: Score, part: str) -> Any:
    """A part of a score, as hits and total where papers print it so; or of its counts by path."""
    if "." in part:
        return attrgetter(part)(score.counts)
    counted = getattr(score.counts, part, None)
    return counted if _is_count(counted) else getattr(score.exact, part)


def _is_count(counted: Any) -> bool:
    """Whether papers would print these hits and total: not Σ of fractions, and not 0/0."""
    return isinstance(counted, Tally) and isinstance(counted.hits, int) and counted.total != 0


def _with_unit(figure: Mapping[str, Any], printed: str) -> str:
    return printed + figure.get("unit", "")


def _spelled_out(figure: dict[str, Any]) -> list[dict[str, Any]]:
    """A measure printed with three numbers is three figures: recall, precision, F1."""
    if isinstance(figure["printed"], str):
        return [figure]
    return [
        figure | {"measure": f"{figure['measure']}.{part}", "printed": printed}
        for part, printed in zip(("recall", "precision", "f1"), figure["printed"], strict=True)
    ]


def load(name: str) -> Paper:
    """The paper of that name.

    >>> load("vilain1995").examples["problem-1"].key
    Partition('{A B C D}')
    >>> load("vilain")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefeval.errors.CorefError: no paper 'vilain': expected ...
    """
    if name not in papers():
        *names, last = papers()
        raise CorefError(f"no paper {name!r}: expected {', '.join(names)} or {last}")
    return _paper(name, (DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _paper(name: str, text: str) -> Paper:
    """The paper of a file's text; made once, as long as the text stays as it is."""
    return Paper(name, tomllib.loads(text))


def papers() -> list[str]:
    """The names of all papers."""
    return sorted(path.stem for path in DATA.glob("*.toml"))


def rows(paper: str | None = None, chapter: str = "") -> list[Row]:
    """Every figure with its verdict: of a paper or of all, of a chapter or of all."""
    names = [paper] if paper else papers()
    return [row for name in names for row in _rows(load(name), chapter)]


@cache
def _rows(paper: Paper, chapter: str) -> tuple[Row, ...]:
    """The rows of a paper: computed once, however often a process asks for them."""
    return tuple(paper.rows(chapter))


def slug(*texts: str) -> str:
    """Texts as one address.

    >>> slug("vilain1995", "Table 1, row 2", "B³ recall")
    'vilain1995-table-1-row-2-b-recall'
    """
    return "-".join(filter(None, (re.sub(r"[^a-z0-9]+", "-", x.lower()).strip("-") for x in texts)))


def _found(
    paper: str, places: tuple[str, ...], chosen: Mapping[str, str | Collection[str]]
) -> list[Row]:
    place, chapter = chosen.get("place", ""), chosen.get("chapter", "")
    among = places or ((place,) if isinstance(place, str) else tuple(place))
    found = [
        row
        for row in load(paper).rows(chapter if isinstance(chapter, str) else "", among)
        if all(getattr(row, name) in _several(value) for name, value in chosen.items())
    ]
    if not found:
        raise CorefError(f"{paper} has no figures of {places or 'any place'} with {dict(chosen)}")
    return found


def _several(chosen: str | Collection[str]) -> Collection[str]:
    return [chosen] if isinstance(chosen, str) else chosen


def _place(found: Sequence[Row]) -> str:
    """What the places of figures have in common, as the beginning of a sentence."""
    common = found[0].place.split(", ")
    for row in found:
        pieces = zip(common, row.place.split(", "), strict=False)
        common = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pieces)]
    place = ", ".join(common) or "figures of the paper"
    return place[0].upper() + place[1:]


def _numbered(words: tuple[str, str], number: int) -> str:
    return words[0] if number == 1 else words[1]


def as_printed(
    paper: str | Sequence[str],
    *places: str,
    by: Mapping[str, Sequence[Any]],
    caption: str = "",
    **oriented: Any,
) -> Table:
    """A table of a paper in its own orientation, under each printed row what a chapter computed.

    ``by`` has for each row the values that the chapter computed, in the order of the columns, and
    None where it has none. A value that is what is printed (`matches`) has a tick, another is
    marked; a figure without a value has a dash, and a row without values has no row under it. A
    value is shown as precise as what is printed.

    ``rows`` and ``columns`` are what names the paper's rows and columns: "example", "label",
    "place", or "title" and "part" of scores; figures that have no such name are left out.
    ``names`` has other names for some of them. Columns stand in the order of ``names``, or else in
    that in which they are chosen. Several papers are given where the ledger has the rows of one
    table in several files. The figures are those whose place begins with one of ``places``, or all
    without any; keywords choose further: ``example="row-1"``, ``cell="credits"`` …, or one of
    several: ``example=["row-1", "row-2"]``.

    Raises `CorefError` where there is no such figure, for values of a row that is not printed, and
    for too few or too many.

    >>> found = {"row-1": [Tally(2, 3), Tally(1, 2)]}
    >>> as_printed("vilain1995", "Table 1", example="row-1", caption="Row 1", by=found)
    Row 1, printed and computed. Of 2 figures 1 is equal ✓, 1 different ≠.
                     MUC recall  MUC precision
    row-1  printed   2/3         2/2
           computed  2/3 ✓       ≠ 1/2
    """
    lines, heads = _oriented(paper, places, **oriented)
    _refuse_other_values(by, [*lines], heads)
    body: list[list[str]] = []
    for line, there in lines.items():
        printed = [there[head].printed if head in there else "" for head in heads]
        body.append([line, "printed", *printed])
        if line in by:
            values = dict(zip(heads, by[line], strict=True))
            below = [_held(there[head], values[head]) if head in there else "" for head in heads]
            body.append(["", "computed", *below])
    figures = [row for there in lines.values() for row in there.values()]
    about = f"{caption or _place(figures)}, printed and computed. {_of_marks(body, len(figures))}"
    return Table(["", "", *heads], body, about)


NOT_COMPUTED = "not computed"


def _held(row: Row, value: Any) -> str:
    """A value under a printed figure: with a tick if it is that, marked if it is not.

    The tick is in brackets where the ledger calls the figure no more than possible, because the
    formula was chosen to fit.
    """
    if value is None:
        return "—"
    text = as_precise(row.printed, value, row.unit)
    if not matches(row.printed + row.unit, value):
        return Differs(text)
    return Possible(text) if row.group == "possible" else Equal(text)


def _refuse_other_values(
    by: Mapping[str, Sequence[Any]], lines: Collection[str], heads: Sequence[str]
) -> None:
    for line, values in by.items():
        if line not in lines:
            raise CorefError(f"no row {line!r} is printed: expected one of {', '.join(lines)}")
        if len(values) != len(heads):
            columns = ", ".join(heads)
            raise CorefError(f"{line}: {len(values)} values for {len(heads)} columns: {columns}")


def ticked(paper: str | Sequence[str], *places: str, caption: str = "", **oriented: Any) -> Table:
    """A table of a paper in its own orientation, with a mark at each figure that we computed.

    A tick says that the computed figure is equal, a tick in brackets that the printed one is
    possible, as far as can be checked. Only a row in which a figure differs has a computed row
    under it. A figure without a mark was not computed. What is computed is the ledger's; the other
    arguments are those of `as_printed`.

    >>> ticked("vilain1995", "Table 1", example="row-1", caption="Row 1 of the table")
    Row 1 of the table. All 2 figures are equal ✓.
           MUC recall  MUC precision
    row-1  2/3 ✓       2/2 ✓
    """
    lines, heads = _oriented(paper, places, **oriented)
    body: list[list[str]] = []
    for line, there in lines.items():
        body.append([line, *(_marked(there[head]) if head in there else "" for head in heads)])
        differing = {head: row for head, row in there.items() if _differs(row)}
        if differing:
            again = [Differs(differing[h].again) if h in differing else "" for h in heads]
            body.append(["computed", *again])
    figures = [row for there in lines.values() for row in there.values()]
    about = f"{caption or _place(figures)}. {_of_marks(body, len(figures))}"
    return Table(["", *heads], body, about)


def _oriented(
    paper: str | Sequence[str],
    places: tuple[str, ...],
    rows: str = "example",
    columns: str = "label",
    names: Mapping[str, str] = {},
    **chosen: str | Collection[str],
) -> tuple[dict[str, dict[str, Row]], list[str]]:
    """The figures of a table by the paper's rows and columns, and the columns in order."""
    papers = [paper] if isinstance(paper, str) else paper
    figures = [row for each in papers for row in _found(each, places, chosen)]
    lines: dict[str, dict[str, Row]] = {}
    for row in figures:
        line, head = getattr(row, rows), getattr(row, columns)
        if line:
            there = lines.setdefault(names.get(line, line), {})
            there.setdefault(names.get(head, head), row)
    heads = (head for there in lines.values() for head in there)
    in_order = (names.get(head, head) for head in _several(chosen.get(columns, ())))
    return lines, _ordered(heads, [*names.values(), *in_order])


def _marked(row: Row) -> str:
    """What is printed, with a mark of what came of computing it."""
    if row.group == "equal":
        return Equal(row.printed)
    return Possible(row.printed) if row.group == "possible" else row.printed


def _differs(row: Row) -> bool:
    return not row.agrees and row.group not in ("equal", "possible")


def _of_marks(body: Sequence[Sequence[str]], figures: int) -> str:
    """How many of a table's figures have which mark.

    >>> _of_marks([["MUC", Equal("1/2"), Differs("0.3")]], 2)
    'Of 2 figures 1 is equal ✓, 1 different ≠.'
    """
    marks = Counter(type(cell) for row in body for cell in row)
    counted = {
        "equal ✓": marks[Equal],
        "possible (✓)": marks[Possible],
        "different ≠": marks[Differs],
    }
    counted[NOT_COMPUTED] = figures - sum(counted.values())
    (number, what), *others = [(number, what) for what, number in counted.items() if number]
    if not others:
        return f"All {number} figures are {what}."
    be = "is" if number == 1 else "are"
    behind = "".join(f", {more} {what}" for more, what in others)
    return f"Of {figures} figures {number} {be} {what}{behind}."


def _ordered(heads: Iterable[str], order: Sequence[str]) -> list[str]:
    """Each head once, those of ``order`` first and in it.

    >>> _ordered(["F1", "R", "P", "R"], ["R", "P", "F2"])
    ['R', 'P', 'F1']
    """
    found = dict.fromkeys(heads)
    return [head for head in dict.fromkeys([*order, *found]) if head in found]


def not_computed(found: Collection[Row]) -> bool:
    """Whether intervals hold what is printed, and none of the figures was computed."""
    verdicts = {row.verdict for row in found}
    return "consistent" in verdicts <= {"consistent", "not testable", "given"}


def judge(figure: Mapping[str, Any], computed: Any, rounded: Any = None) -> tuple[str, str]:
    """The verdict on a figure, and its note.

    A figure that declares a misprint, or a slip of our copy, must differ from the computed value,
    which must be the right value that it names. One that declares to be rounded must differ from
    the computed value and agree with the one computed from ``rounded`` intermediates. A statement
    that is refuted must be declared so, and so must what a reconstruction misses. What is printed
    of a misprint, a slip, a remark and a refuted statement must occur in the sentence that is
    quoted. Any other figure must agree.
    """
    if "not_testable" in figure:
        return "not testable", figure["not_testable"]
    if "remark" in figure:
        return _if(_is_quoted(figure), "remark"), figure["remark"]
    agrees = matches(_with_unit(figure, figure["printed"]), computed)
    if slip := figure.get("misprint") or figure.get("copy_slip"):
        is_right = matches(_with_unit(figure, slip["right"]), computed)
        verdict = "misprint" if "misprint" in figure else "copy"
        return _if(is_right and not agrees and _is_quoted(figure), verdict), slip["reason"]
    if "refuted" in figure:
        return _if(not agrees and _is_quoted(figure), "refuted"), figure["refuted"]
    if "missed" in figure:
        return _if(not agrees, "missed"), figure["missed"]
    if "rounded" in figure:
        follows = matches(_with_unit(figure, figure["printed"]), rounded)
        shown = (
            f"{figure.get('note', '')}: {display(rounded, _with_unit(figure, figure['printed']))}"
        )
        return _if(follows and not agrees, "rounded"), shown
    return _confirmed(figure, computed, agrees)


def _confirmed(figure: Mapping[str, Any], computed: Any, agrees: bool) -> tuple[str, str]:
    """The verdict on a figure that has to agree, and its note."""
    note = figure.get("note", "")
    for verdict in ("given", "reconstructed"):
        if verdict in figure:
            return _if(agrees, verdict), figure[verdict]
    if isinstance(computed, Search | bool):
        return _if(agrees, "holds"), figure.get("holds", note)
    return _if(agrees, "consistent" if isinstance(computed, Bounds) else "reproduced"), note


def _if(holds: bool, verdict: str) -> str:
    return verdict if holds else FAILED


def _is_quoted(figure: Mapping[str, Any]) -> bool:
    """Whether what is printed occurs in the sentence that is quoted."""
    return " ".join(figure["printed"].split()) in " ".join(figure.get("quote", "").split())


def _right(figure: Mapping[str, Any]) -> str:
    """What should be printed instead of a misprint, a refuted claim or a slip of our copy."""
    return str(figure.get("misprint", figure.get("copy_slip", figure)).get("right", ""))


def in_groups(found: Sequence[Row]) -> str:
    """How many figures have which of the four words.

    >>> in_groups(rows("vilain1995_summary"))
    '16 equal, 1 differs'
    >>> print(in_groups(rows("pradhan2014")))  # doctest: +NORMALIZE_WHITESPACE
    50 equal (3 by rounded steps), 2 possible (by a choice that fits), 2 differ (1 may be our
    copy's), 5 cannot be checked
    """
    counted = Counter(row.group for row in found)
    return ", ".join(
        f"{counted[group]} {_numbered(words, counted[group])}{_qualified(found, group)}"
        for group, words in GROUPED.items()
        if counted[group]
    )


GROUPED = {
    "equal": ("equal", "equal"),
    "possible": ("possible", "possible"),
    "differs": ("differs", "differ"),
    "cannot be checked": ("cannot be checked", "cannot be checked"),
}
"""The four words that count figures, behind one of them and behind several."""


def _qualified(found: Sequence[Row], group: str) -> str:
    """What a word must not hide: steps that were rounded, what is possible why, our copy's part."""
    verdicts = Counter(row.verdict for row in found)
    alone = len({*GROUPS[group]} & {*verdicts}) == 1
    said = ""
    if group == "equal" and verdicts["rounded"]:
        said = in_verdicts([row for row in found if row.verdict == "rounded"], group)
    if group == "possible":
        said = in_verdicts(found, group)
    if alone:
        said = said.partition(" ")[2]  # all of them: the number stands before the word
    if group == "differs":
        said = _differing(found, verdicts["missed"])
    return f" ({said})" if said else ""


def _differing(found: Sequence[Row], missed: int) -> str:
    """What is no fault of a paper among the figures that differ, or may be none."""
    parts = []
    if doubtful := _perhaps_our_copys(found):
        parts.append(f"{doubtful} may be our copy's")
    if missed:
        misses = "is a miss" if missed == 1 else "are misses"
        parts.append(f"{missed} {misses} of a formula of ours")
    return ", ".join(parts)


def _perhaps_our_copys(found: Iterable[Row]) -> int:
    return sum(bool(row.copy) for row in found if row.verdict == "misprint")


def in_verdicts(found: Sequence[Row], group: str) -> str:
    """How many figures of a group have each verdict, and how many misprints may be our copy's.

    >>> print(in_verdicts(rows("pradhan2014"), "differs"))
    1 sentence refuted, 1 misprint (1 may be our copy's)
    """
    counted = Counter(row.verdict for row in found)
    parts = []
    for verdict in GROUPS[group]:
        if number := counted[verdict]:
            parts.append(f"{number} {_numbered(COUNTED.get(verdict, (verdict, verdict)), number)}")
            if verdict == "misprint":
                parts[-1] += f" ({_perhaps_our_copys(found) or 'none'} may be our copy's)"
    return ", ".join(parts)


COUNTED = {
    "rounded": ("by rounded steps", "by rounded steps"),
    "holds": ("sentence holds", "sentences hold"),
    "consistent": ("within an interval", "within an interval"),
    "reconstructed": ("by a choice that fits", "by a choice that fits"),
    "refuted": ("sentence refuted", "sentences refuted"),
    "misprint": ("misprint", "misprints"),
    "copy": ("slip of our copy", "slips of our copy"),
    "remark": ("remark", "remarks"),
    "given": ("restated input", "restated inputs"),
}
"""How verdicts are named behind a number, where not by their own word."""


WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNTS = {word: Fraction(number) for number, word in enumerate(WORDS)} | {
    "half": Fraction(1, 2),
    "none": Fraction(0),
    "single": Fraction(1),
}
PARTS_OF_ONE = {
    "third": 3,
    "quarter": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
SHARES = {
    "twice": Fraction(2),
    "dozen": Fraction(12),
    **{f"a {part}": Fraction(1, n) for part, n in PARTS_OF_ONE.items()},
    **{f"one {part}": Fraction(1, n) for part, n in PARTS_OF_ONE.items()},
    **{
        f"{word} {part}s": Fraction(number, n)
        for part, n in PARTS_OF_ONE.items()
        for number, word in enumerate(WORDS)
    },
}
NUMBERS = COUNTS | SHARES


PRINTED = re.compile(r"(?:(?<![\w)])-)?(?:\d+/\d+|\d+(?:\.\d+)?%?)")
"""A number in what is printed."""
CALCULATION = re.compile(r"(?=.*/)[\d./ ()+*-]*(?:[(+*]|\.\d+/)[\d./ ()+*-]*")
"""What is printed as a calculation: "(7/3)/6", "2.5/8"."""
OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def reckoned(printed: str) -> Fraction:
    """The exact value of a number, or of a calculation.

    >>> reckoned("0.38889"), reckoned("(7/3)/6")
    (Fraction(38889, 100000), Fraction(7, 18))
    """

    def value(node: ast.expr) -> Fraction:
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        return Fraction(ast.unparse(node))

    return value(ast.parse(printed, mode="eval").body)


def matches(printed: str, computed: Any) -> bool:
    """Whether a computed value is what is printed.

    Every number in ``printed`` must agree: a fraction exactly (and unreduced, if ``computed`` is a
    `Tally`), a decimal or a percentage by rounding to its last digit, an integer, a number word or
    a calculation exactly; `Bounds` if it holds a number that rounds to the printed one. Partitions
    agree as sets of sets, their mentions apart by blanks, commas or strokes; a frozenset of names
    with a list of them in braces, none twice; texts but for blanks. A minus sign belongs to the
    number behind it unless it joins two, as in "7-5".

    >>> matches("3/6, or 50%", Tally(3, 6)), matches("3/6", Tally(1, 2))
    (True, False)
    >>> matches("0.42", Fraction(35, 84)), matches("0.41", Fraction(35, 84))
    (True, False)
    >>> matches("{A B} {C} and {D}", Partition.parse("{C} {D} {A B}"))
    True
    >>> matches("{A | B} {C}", Partition.parse("{A B} {C}"))
    True
    >>> matches("{ab, ac}", frozenset({"ac", "ab"})), matches("{ab, ab}", frozenset({"ab"}))
    (True, False)
    >>> matches("four", 4), matches("a text", "a  text")
    (True, True)
    >>> matches("81%", Bounds(Fraction("0.79"), Fraction("0.806")))
    True
    >>> matches("(7/3)/6", Fraction(7, 18)), matches("2*(1/3)", Fraction(1, 3))
    (True, False)
    >>> matches("-18%", Fraction(-3, 17)), matches("18%", Fraction(-3, 17)), matches("34-p", 34)
    (True, False, True)
    """
    if isinstance(computed, Partition):
        sets = re.findall(r"\{[^{}]*\}", printed.replace("|", " "))
        return bool(sets) and Partition.parse(" ".join(sets)) == computed
    if isinstance(computed, frozenset):
        names = re.findall(r"[^\s,{}]+", printed)
        return printed.startswith("{") and sorted(names) == sorted(computed)
    if isinstance(computed, str):
        return printed.split() == computed.split()
    if isinstance(computed, bool):  # a statement, which is true or not
        return computed
    if isinstance(computed, Search):
        return not computed.counterexample
    if printed in NUMBERS:
        low, high = computed if isinstance(computed, Bounds) else (computed, computed)
        return bool(low <= NUMBERS[printed] <= high)
    if CALCULATION.fullmatch(printed):
        return bool(reckoned(printed) == _value(computed))
    numbers = PRINTED.findall(printed)
    return bool(numbers) and all(_agrees(number, computed) for number in numbers)


def _agrees(number: str, computed: Bounds | Tally | Fraction | int) -> bool:
    low: Number
    high: Number
    if isinstance(computed, Bounds):
        low, high = computed
    else:
        low = high = _value(computed)
    if "/" in number:
        same = number == str(computed) if isinstance(computed, Tally) else True
        return same and low <= Fraction(number) <= high
    digits = number.rstrip("%")
    if number == digits and "." not in digits:
        return low <= int(digits) <= high
    # Half a unit of the last printed digit, either way: papers do not say how they round ties.
    unit = Fraction(1, 10 ** len(digits.partition(".")[2])) / (100 if number != digits else 1)
    value = Fraction(digits) / (100 if number != digits else 1)
    return value - unit / 2 <= high and low <= value + unit / 2


def _value(computed: Any) -> Fraction:
    """A computed number as a fraction, a count of hits among a total included."""
    return Fraction(computed.ratio(Fraction(0)) if isinstance(computed, Tally) else computed)


def as_precise(printed: str, computed: Any, unit: str = "") -> str:
    """What is printed, with its numbers replaced by the computed one, as precise as they are.

    >>> as_precise("0.46", Fraction(5, 11)), as_precise("2/3, or 67%", Tally(1, 3))
    ('0.45', '1/3, or 33%')
    >>> as_precise("0.46", ZeroOfZero())
    '0/0'
    >>> as_precise("85", Fraction(85, 100), "%"), as_precise("two", 3), as_precise("5", None)
    ('85', '3', '—')
    >>> as_precise("0.5", Bounds(Fraction(1, 4), Fraction(3, 4)))
    '0.3–0.8'
    """
    if computed is None:
        return "—"
    if matches(printed + unit, computed) and not isinstance(computed, Bounds):
        return printed
    if isinstance(computed, ZeroOfZero):
        return str(computed)
    numeric = isinstance(computed, int | float | Fraction | Tally | Bounds)
    has_number = PRINTED.search(printed) and not CALCULATION.fullmatch(printed)
    if isinstance(computed, bool) or not numeric or not has_number:
        return display(computed, printed + unit)
    text = PRINTED.sub(lambda number: _rounded(number[0], computed), printed + unit)
    return text.replace(unit, "") if unit else text


def _rounded(number: str, computed: Bounds | Tally | Fraction | float) -> str:
    """The computed value with as many digits as ``number`` has."""
    if isinstance(computed, Bounds):
        low, high = (_rounded(number, end) for end in computed)
        return low if low == high else f"{low}–{high}"
    if "/" in number:
        return str(computed)
    value = _value(computed)
    digits = len(number.rstrip("%").partition(".")[2])
    scale = 10**digits * (100 if number.endswith("%") else 1)
    units = abs(value * scale) + Fraction(1, 2)  # halves away from 0
    sign = "-" if value < 0 else ""
    whole, rest = divmod(units.numerator // units.denominator, 10**digits)
    decimals = f".{rest:0{digits}}" if digits else ""
    return f"{sign}{whole}{decimals}{'%' * number.endswith('%')}"


def display(computed: Any, printed: str = "") -> str:
    """A computed value for people, with decimals where the printed one has them.

    >>> display(Tally(2, 5), "2/5 or 40%"), display(Fraction(35, 84), "0.42"), display(None)
    ('2/5 = 40.00%', '5/12 = 0.4167', '—')
    >>> display(0.5519, "55%"), display(Bounds(Fraction(1, 8), Fraction(1, 2)), "40%")
    ('55.19%', '[12.50%, 50.00%]')
    """
    if computed is None:
        return "—"
    if isinstance(computed, bool):
        return "true" if computed else "false"
    if "%" in printed and isinstance(computed, Bounds):
        return f"[{float(computed.low):.2%}, {float(computed.high):.2%}]"
    if "%" in printed and isinstance(computed, float):
        return f"{computed:.2%}"
    if isinstance(computed, frozenset):
        return "{" + ", ".join(sorted(computed)) + "}"
    if not isinstance(computed, Tally | Fraction):
        return str(computed)
    if isinstance(computed, Fraction):
        computed = Fraction(computed)  # in full, as a part of a score would not be
    value = float(_value(computed))
    if "%" in printed:
        return f"{computed} = {value:.2%}"
    return f"{computed} = {value:.4f}" if re.search(r"\d\.\d", printed) else str(computed)
