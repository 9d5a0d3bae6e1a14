"""Printed figures against computed ones.

Every figure that a paper prints is typed once, in ``data/``, exactly as printed. The ledger
computes each again and gives a verdict; `check` raises where a figure fits none.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from corefeval.errors import CorefError
from corefeval.partition import Link, Partition, parse_links
from corefeval.registry import MEASURES, metric
from corefeval.score import Tally

VERDICTS = {
    "reproduced": "computed from published inputs, it rounds to what is printed",
    "rounded": "it follows exactly from rounded intermediates, which the note shows",
    "reconstructed": "it follows from recovered inputs or a proposed formula",
    "consistent": "only an interval can be checked, and it holds",
    "misprint": "proved different: the note has the right value and the reason",
    "not testable": "its inputs or its formula were never published",
    "failed": "it fits none of the above",
}


DATA = Path(__file__).parents[2] / "data"
"""What papers and programs print, a file for each, and the texts that chapters use."""


class Interval(NamedTuple):
    """What can be said of a figure whose inputs were published rounded: it lies in here."""

    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"


@dataclass(frozen=True)
class Example:
    """A worked example of a paper: a key and a response, and their links where it gives them."""

    name: str
    given: Mapping[str, str]

    @cached_property
    def key_links(self) -> list[Link]:
        """The key's links as the paper lists them."""
        return parse_links(self.given["key_links"])

    @cached_property
    def response_links(self) -> list[Link]:
        """The response's links as the paper lists them."""
        return parse_links(self.given["response_links"])

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

    Of a misprint, ``right`` is what should be printed, and ``fault`` says whether the paper is
    wrong or only this copy of it may be.
    """

    paper: str
    place: str
    example: str
    measure: str
    printed: str
    computed: str
    verdict: str
    note: str
    chapter: str = field(repr=False, default="")
    right: str = field(repr=False, default="")
    fault: str = field(repr=False, default="")


@dataclass(frozen=True)
class Paper:
    """One file of ``data/``: a paper's examples and all the figures it prints.

    Each figure names a ``measure``: a registered one and its part (``"muc.recall"``), or a
    function of the paper's module in the companion, or of the modules that its file names as
    ``functions``. Either is called with the example.

    What a note has to say in computed figures, a function of the module says: a figure's
    ``evidence`` names it. It is called with the example (or None) and with what is printed, and
    the text that it returns completes the note. A paper that describes its examples in another
    way than by entities or links names in ``spell_out`` the function that turns the file's content
    into examples. Where cells are printed without their unit, because a table's head has it,
    ``unit`` adds it: "85" with the unit "%" is compared as "85%", and shown as it is printed.
    """

    name: str
    content: Mapping[str, Any]

    @cached_property
    def examples(self) -> dict[str, Example]:
        """The paper's worked examples by name."""
        given = self.content.get("examples", {})
        if spell_out := self.content.get("paper", {}).get("spell_out"):
            given = self._function(spell_out)(self.content)
        return {name: Example(name, example) for name, example in given.items()}

    def rows(self) -> Iterator[Row]:
        """Every figure with its verdict, in the order of the file."""
        for group in self.content["figures"]:
            common = {name: value for name, value in group.items() if name != "rows"}
            for figure in group["rows"]:
                yield from map(self._row, _spelled_out(common | figure))

    def _row(self, figure: Mapping[str, Any]) -> Row:
        computed = None if "not_testable" in figure else self._compute(figure)
        rounded = self._compute(figure | figure["rounded"]) if "rounded" in figure else None
        verdict, note = judge(figure, computed, rounded)
        if "evidence" in figure:
            example = self.examples.get(figure.get("example", ""))
            evidence = self._function(figure["evidence"])(example, figure["printed"])
            note = f"{note}; {evidence}" if note else evidence
        misprint = figure.get("misprint", {})
        return Row(
            paper=self.name,
            place=figure["place"],
            example=figure.get("example", ""),
            measure=figure["measure"],
            printed=figure["printed"],
            computed=display(computed, _with_unit(figure, figure["printed"])),
            verdict=verdict,
            note=note,
            chapter=figure["chapter"],
            right=misprint.get("right", ""),
            fault=misprint.get("fault", ""),
        )

    def _compute(self, figure: Mapping[str, Any]) -> Any:
        name, _, part = figure["measure"].partition(".")
        example = self.examples.get(figure.get("example", ""))
        if name in MEASURES and example is not None:
            score = metric(name, **self.content.get("conventions", {}))(
                example.key, example.response
            )
            counted = getattr(score.counts, part, None)
            return counted if _is_count(counted) else getattr(score, part)
        quantity = self._function(name)
        arguments = figure.get("with", {})
        return quantity(**arguments) if example is None else quantity(example, **arguments)

    def _function(self, name: str) -> Any:
        modules = self.content["paper"].get("functions", [self.name])
        for module in map(import_module, (f"companion.{module}" for module in modules)):
            if hasattr(module, name):
                return getattr(module, name)
        raise CorefError(f"{self.name}.toml: no function {name!r} in {', '.join(modules)}")


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
    text = (DATA / f"{name}.toml").read_text(encoding="utf-8")
    return Paper(name, tomllib.loads(text))


def papers() -> list[str]:
    """The names of all papers."""
    return sorted(path.stem for path in DATA.glob("*.toml"))


def rows(paper: str | None = None) -> list[Row]:
    """Every figure of a paper, or of all papers, with its verdict."""
    return [row for name in ([paper] if paper else papers()) for row in load(name).rows()]


@dataclass(frozen=True)
class Table:
    """Some rows of the ledger, to be shown whole: folded below a line that counts them, or open."""

    rows: list[Row]
    columns: tuple[str, ...]
    folded: bool

    def __str__(self) -> str:
        """How many figures there are, and how many of each verdict."""
        counts = Counter(row.verdict for row in self.rows)
        return f"{len(self.rows)} figures: " + ", ".join(f"{n} {v}" for v, n in counts.items())

    def _repr_html_(self) -> str:
        import pandas

        cells = [[getattr(row, column) for column in self.columns] for row in self.rows]
        frame = pandas.DataFrame(cells, columns=list(self.columns))
        for column in frame.columns.intersection(["paper", "place", "example"]):
            # What goes on over several rows is named only once.
            frame[column] = frame[column].mask(frame[column] == frame[column].shift(), "")
        table = frame.to_html(border=0, classes="ledger", index=False)
        return f"<details><summary>{self}</summary>{table}</details>" if self.folded else table


def check(paper: str, chapter: str) -> Table:
    """Printed beside computed for one chapter's figures; raises where one fits no verdict.

    Raises AssertionError, so that a chapter whose last cell calls it cannot pass by its stored
    output alone, and `CorefError` where there is nothing to check.
    """
    found = [row for row in rows(paper) if row.chapter == chapter]
    if not found:
        raise CorefError(f"{paper} has no figures in the chapter {chapter!r}")
    failed = [row for row in found if row.verdict == "failed"]
    assert not failed, "\n".join(map(str, failed))
    return Table(found, ("place", "example", "measure", "printed", "computed", "verdict"), True)


def table(paper: str) -> Table:
    """All figures of a paper with their verdicts and notes."""
    columns = ("place", "example", "measure", "printed", "computed", "verdict", "note")
    return Table(rows(paper), columns, True)


def misprints(*names: str, chapter: str = "") -> Table:
    """What the papers print wrongly (in one chapter, if it is named), what is right, and why."""
    found = [
        row
        for name in names
        for row in rows(name)
        if row.verdict == "misprint" and chapter in ("", row.chapter)
    ]
    return Table(found, ("paper", "place", "printed", "note"), False)


def judge(figure: Mapping[str, Any], computed: Any, rounded: Any = None) -> tuple[str, str]:
    """The verdict on a figure, and its note.

    A figure that declares a misprint must differ from the computed value, which must be the
    right value that it names. One that declares to be rounded must differ from the computed
    value and agree with the one computed from ``rounded`` intermediates. Any other must agree.
    """
    if "not_testable" in figure:
        return "not testable", figure["not_testable"]
    printed = _with_unit(figure, figure["printed"])
    agrees, note = matches(printed, computed), figure.get("note", "")
    if "misprint" in figure:
        right, reason, fault = (figure["misprint"][part] for part in ("right", "reason", "fault"))
        is_right = matches(_with_unit(figure, right), computed)
        verdict = "misprint" if is_right and not agrees else "failed"
        return verdict, f"right: {right}; {reason} (fault: {fault})"
    if "rounded" in figure:
        follows = matches(printed, rounded) and not agrees
        shown = f"{note}: {display(rounded, printed)}"
        return ("rounded" if follows else "failed"), shown
    if not agrees:
        return "failed", note
    if "reconstructed" in figure:
        return "reconstructed", figure["reconstructed"]
    return ("consistent" if isinstance(computed, Interval) else "reproduced"), note


WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = {word: Fraction(number) for number, word in enumerate(WORDS)} | {"half": Fraction(1, 2)}


def matches(printed: str, computed: Any) -> bool:
    """Whether a computed value is what is printed.

    Every number in ``printed`` must agree: a fraction exactly (and unreduced, if ``computed`` is a
    `Tally`), a decimal or a percentage by rounding to its last digit, an integer or a number word
    exactly; an `Interval` if it holds a number that rounds to the printed one. Partitions agree as
    sets of sets, their mentions apart by blanks, commas or strokes; a frozenset of names with a
    list of them in braces, none twice; texts but for blanks. A minus sign belongs to the number
    behind it unless it joins two, as in "7-5".

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
    >>> matches("81%", Interval(Fraction("0.79"), Fraction("0.806")))
    True
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
    if printed in NUMBERS:
        return bool(computed == NUMBERS[printed])
    numbers = re.findall(r"(?:(?<![\w)])-)?(?:\d+/\d+|\d+(?:\.\d+)?%?)", printed)
    return bool(numbers) and all(_agrees(number, computed) for number in numbers)


def _agrees(number: str, computed: Interval | Tally | Fraction | int) -> bool:
    if isinstance(computed, Interval):
        low, high = computed
    elif isinstance(computed, Tally):
        low = high = computed.ratio(Fraction(0))
    else:
        low = high = Fraction(computed)
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


def display(computed: Any, printed: str = "") -> str:
    """A computed value for people, with decimals where the printed one has them.

    >>> display(Tally(2, 5), "2/5 or 40%"), display(Fraction(35, 84), "0.42"), display(None)
    ('2/5 = 40.00%', '5/12 = 0.4167', '—')
    >>> display(0.5519, "55%"), display(Interval(Fraction(1, 8), Fraction(1, 2)), "40%")
    ('55.19%', '[12.50%, 50.00%]')
    """
    if computed is None:
        return "—"
    if "%" in printed and isinstance(computed, Interval):
        return f"[{float(computed.low):.2%}, {float(computed.high):.2%}]"
    if "%" in printed and isinstance(computed, float):
        return f"{computed:.2%}"
    if isinstance(computed, frozenset):
        return "{" + ", ".join(sorted(computed)) + "}"
    if not isinstance(computed, Tally | Fraction):
        return str(computed)
    value = float(computed.ratio(Fraction(0)) if isinstance(computed, Tally) else computed)
    if "%" in printed:
        return f"{computed} = {value:.2%}"
    return f"{computed} = {value:.4f}" if re.search(r"\d\.\d", printed) else str(computed)
