"""The figures that papers print, each a row with what is computed for it and its verdict."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

from corefbook.ledger.agreement import as_precise, display, matches
from corefbook.ledger.verdicts import GROUPS, judge, right, with_unit
from corefeval.errors import CorefError
from corefeval.overlap.partition import Link, Partition, as_links
from corefeval.registry import MEASURES
from corefeval.score import Score, Tally
from corefeval.scoring import metric

Figures = dict[str, tuple[str, Callable[..., Any]]]
"""What figures are in words, and what computes them, by the names that the data have for them."""


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


DATA = Path(__file__).parents[3] / "data"
"""What papers and scorers print, a file for each, and the texts that chapters use.

:meta hide-value:
"""


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
        computed. A figure whose function no module of the paper has is refused.
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
                    # A link to a figure still works where its place or label was mended since.
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
            computed=display(computed, with_unit(figure, figure["printed"])),
            verdict=verdict,
            note=note,
            label=figure["label"] if "label" in figure else self._label(figure),
            chapter=figure["chapter"],
            right=right(figure),
            again=as_precise(figure["printed"], computed, figure.get("unit", "")),
            agrees=computed is None or matches(with_unit(figure, figure["printed"]), computed),
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
            measure = metric(name, **self.content.get("conventions", {}))
            return _part(measure(example.key, example.response), part)
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
