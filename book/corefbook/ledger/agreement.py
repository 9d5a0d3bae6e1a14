"""Whether a computed value is what is printed, and how it is written beside it."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from corefbook.ratios import ZeroOfZero
from corefeval.overlap.partition import Partition
from corefeval.published.intervals import Bounds as Bounds
from corefeval.score import Number, Tally

T = TypeVar("T")


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
