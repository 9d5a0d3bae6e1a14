#!/usr/bin/env python3
"""Run a coreference scorer on the cases of this folder, and say which numbers are not exact.

    python run.py --preset mine.json -- my-scorer {measure} {key} {response}
    python run.py --python my_module:my_function

``{key}`` and ``{response}`` become files of a case, ``{measure}`` the scorer's name of a measure; a
command without ``{measure}`` runs once for a key and a response. What the scorer calls its
measures, which files it reads and how its numbers look is a preset: a name in presets.json, or a
file of four fields, see README.md. A function of Python takes the key and the response as lists of
sets, and needs no preset. Python 3.11 or later and this folder are all that is needed.

Exit code 0: all numbers are equal; 1: some are not; 2: the scorer cannot be asked; 130: it was
stopped, and the report has what was found until then.

A number is equal if it is the exact fraction, rounded or cut to the decimals of the preset.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from numbers import Rational, Real
from pathlib import Path
from typing import Any, NamedTuple

from suite_files import WRITERS, Case, Documents, write

HERE = Path(__file__).resolve().parent
PARTS = ("recall", "precision", "f1")


class Preset(NamedTuple):
    """How a scorer is asked and read.

    `measures` gives for each measure of the suite the scorer's name, which stands for
    ``{measure}``, and a regular expression, see `parts_of`; its last match counts. Numbers are
    multiplied by 1 / `scale` and have `decimals`.
    """

    format: str
    scale: int | Fraction
    decimals: int
    measures: dict[str, tuple[str, str]]


# ------------------------------------------------------------------------- what is printed


def fraction(text: str | None) -> Fraction | None:
    """Return a printed number, or None for one that the scorer has not."""
    return None if text in (None, "-", "nan", "NaN") else Fraction(text)


def how_near(printed: Fraction | None, exact: Fraction, preset: Preset) -> str:
    """Return "equal" if a number is the exact one, rounded or cut to the preset's decimals.

    ``int(0.8 * 10000)`` is 7999 if the float is a little less than 0.8: such a number is `LOW`.
    """
    if printed is None:
        return "none"
    unit = Fraction(1, 10**preset.decimals)
    wanted = exact * preset.scale
    cut = int(wanted / unit) * unit
    if 2 * abs(printed - wanted) <= unit or printed == cut:
        return "equal"
    return LOW if wanted - printed == unit else "other"


def parts_of(pattern: str) -> tuple[str, ...]:
    """Return what the groups are: by their names, or else recall, precision and F1, or F1 alone."""
    groups = re.compile(pattern)
    parts = tuple(groups.groupindex) or PARTS[-groups.groups :]
    if len(parts) != groups.groups or sorted(parts) not in (sorted(PARTS), ["f1"]):
        raise ValueError(f"groups are recall, precision and f1, or f1, unlike those of {pattern}")
    return parts


def read(output: str, pattern: str) -> dict[str, Fraction | None] | None:
    """Return the numbers of the last match by their parts."""
    matches = list(re.finditer(pattern, output))
    if not matches:
        return None
    try:
        found = [fraction(text) for text in matches[-1].groups()]
    except (ValueError, ZeroDivisionError):
        return None
    return dict(zip(parts_of(pattern), found, strict=True))


class Answer(NamedTuple):
    """What the scorer said to one case: its numbers, or in words why there are none."""

    case: Case
    numbers: dict[str, Fraction | None]
    why: str = ""
    printed: str = ""
    """All that it printed."""
    verdict: str = ""
    scorer: str = ""
    """A scorer that is known to have the same numbers, where they are not exact."""


# ------------------------------------------------------------------------- a command is asked


class Printed(NamedTuple):
    """What a command printed, and in words why that is no answer."""

    output: str
    why: str = ""


RUNNING: set[subprocess.Popen[str]] = set()
"""What is killed when the script is stopped."""
IS_STOPPED = threading.Event()


def ask(command: Sequence[str], values: dict[str, str], timeout: float) -> Printed:
    """Run a command with the values in place of their names in braces."""
    words = [
        re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), word) for word in command
    ]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return Printed("", f"it cannot be run: {error.strerror}")
    RUNNING.add(process)
    if IS_STOPPED.is_set():
        kill(process)
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        process.communicate()
        return Printed("", f"no answer in {timeout:g} seconds")
    finally:
        RUNNING.discard(process)
    if process.returncode:
        last = exception(errors) or exception(output) or "no word"
        for name, value in values.items():
            last = last.replace(value, f"{{{name}}}") if value else last
        return Printed(output, f"exit code {process.returncode}: {last}")
    return Printed(output or errors)


TRACEBACK = "Traceback (most recent call last):"


def exception(errors: str) -> str:
    """Return the line that says what went wrong: an exception's first one, or else the last.

    An exception may end in several lines of advice; Java and Rust print theirs first.

    >>> exception("Traceback (most recent call last):\\n  File\\nKeyError: 1\\nsee https://example.org")
    'KeyError: 1'
    """
    lines = errors.strip().splitlines()
    begins = [number for number, line in enumerate(lines) if line.startswith(TRACEBACK)]
    if begins:
        of_exception = [line for line in lines[begins[-1] + 1 :] if line[:1].strip()]
        if of_exception:
            return of_exception[0]
    java = [line for line in lines if line.startswith(("Exception in thread", "Caused by:"))]
    return (java or lines or [""])[-1]


def kill(process: subprocess.Popen[str]) -> None:
    """Kill a process, with those that it started where the system knows of groups."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def answers(
    cases: list[Case], command: Sequence[str], preset: Preset, timeout: float
) -> list[Answer]:
    """Run the command on the files of one key and response, and return an answer for each case."""
    found: list[Answer] = []
    printed: dict[str, Printed] = {}
    with tempfile.TemporaryDirectory() as name:
        files = {
            side: str(write(cases[0], side, preset.format, Path(name)))
            for side in ("key", "response")
        }
        for case in cases:
            measure, pattern = preset.measures[case["measure"]]
            if measure not in printed:
                printed[measure] = ask(command, {**files, "measure": measure}, timeout)
            output, why = printed[measure]
            numbers = None if why else read(output, pattern)
            silence = why or ("" if numbers else NO_NUMBER)
            found.append(Answer(case, numbers or {}, silence, output))
    return found


# ------------------------------------------------------------------------ a function is asked

SETS, LABELS = "sets", "labels"
Function = Callable[[Any, Any], Any]


def sets(case: Case) -> tuple[list[set[str]], list[set[str]]]:
    """Return the key and the response of a case of one document."""
    ((key,), (response,)) = case["key"].values(), case["response"].values()
    return [*map(set, key)], [*map(set, response)]


def labels(case: Case) -> tuple[list[int], list[int]]:
    """Return for each mention, in the order of their names, the number of its entities."""
    key, response = (
        {mention: number for number, entity in enumerate(side) for mention in entity}
        for side in sets(case)
    )
    return [key[mention] for mention in sorted(key)], [response[name] for name in sorted(key)]


GIVEN: dict[str, Callable[[Case], tuple[Any, Any]]] = {SETS: sets, LABELS: labels}


def can_be_given(case: Case, form: str) -> bool:
    """Return whether a case is one document without repeats, for labels with the same mentions.

    Where mentions are several tokens, files are tried.
    """
    if len({*case["key"], *case["response"]}) != 1 or "sentences" in case:
        return False
    key, response = (
        sorted(
            mention for entities in case[side].values() for entity in entities for mention in entity
        )
        for side in ("key", "response")
    )
    if not all(len(side) == len({*side}) for side in (key, response)):
        return False
    return form == SETS or key == response != []


PROBE: Case = {
    "key": {"d": [["a", "b"], ["c"]]},
    "response": {"d": [["a"], ["b", "c"]]},
}
"""What a function is asked first, to see which measures it has."""


def function_at(name: str) -> Function:
    """Return the function that is named as ``module:function``."""
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise Unusable(f"--python {name!r}: expected module:function")
    sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # a module may raise anything
        raise Unusable(f"--python {name}: {in_words(error)}") from error
    if not callable(found):
        raise Unusable(f"--python {name}: it is no function")
    return found


def in_words(error: BaseException) -> str:
    """Return an exception as the last line of its traceback has it."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


def preset_of_function(function: Function, form: str, chosen: str | None) -> Preset:
    """Return the measures that a function gives numbers of, as a preset."""
    try:
        given = function(*GIVEN[form](PROBE))
    except Exception as error:
        raise Unusable(
            f"the function stops at {in_braces(PROBE['key'])}: {in_words(error)}"
        ) from error
    if not isinstance(given, Mapping):
        if not chosen or "," in chosen:
            raise Unusable(
                "the function gives numbers without a name: say --measures and one measure"
            )
        given = {chosen: given}
    for measure, value in given.items():
        try:
            by_parts(value)
        except (TypeError, ValueError) as error:
            raise Unusable(
                f"the function returns {value!r} for {measure} at {in_braces(PROBE['key'])}: "
                "expected recall, precision and F1, or one number"
            ) from error
    return Preset(form, 1, 9, {str(measure): ("", "") for measure in given})


@contextmanager
def without_warnings() -> Iterator[None]:
    """Hide what a function says beside its numbers, hundreds of times."""
    logging.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


def answers_of(cases: list[Case], function: Function, form: str) -> list[Answer]:
    """Call the function for one key and response, and return an answer for each case."""
    try:
        with without_warnings():
            given = function(*GIVEN[form](cases[0]))
    except Exception as error:
        return [Answer(case, {}, in_words(error)) for case in cases]
    found = []
    for case in cases:
        of_measure = given.get(case["measure"]) if isinstance(given, Mapping) else given
        try:
            found.append(Answer(case, by_parts(of_measure), printed=repr(of_measure)))
        except (TypeError, ValueError):
            found.append(Answer(case, {}, NO_SCORE, repr(of_measure)))
    return found


def by_parts(given: Any) -> dict[str, Fraction | None]:
    """Return recall, precision and F1, or F1 alone; floats to twelve decimals.

    >>> by_parts([0.5, Fraction(1, 3), float("nan")])
    {'recall': Fraction(1, 2), 'precision': Fraction(1, 3), 'f1': None}
    >>> by_parts([0.5, 0, None])  # it computes no F1
    {'recall': Fraction(1, 2), 'precision': Fraction(0, 1)}
    """
    if isinstance(given, Real):
        return {"f1": number(given)}
    values = [*given]
    if len(values) != len(PARTS):
        raise ValueError("expected recall, precision and F1")
    parts = zip(PARTS, values, strict=True)
    return {part: number(value) for part, value in parts if value is not None}


def number(value: Any) -> Fraction | None:
    """Return a number that a function returned, or None for one that is not a number."""
    if isinstance(value, Rational):
        return Fraction(value)
    return None if value != value else Fraction(f"{float(value):.12f}")


# ---------------------------------------------------------------------------- the judgement

LOW = "a digit too low: a float just below the exact number was cut"
NO_NUMBER = "no number was found in what it prints"
NO_SCORE = "it returns no recall, precision and F1"
NOT_A_NUMBER = "it says that it is not a number"
NOBODY = "nobody's"


def exact(case: Case) -> dict[str, Fraction]:
    """Return the exact parts of a case, none if no paper has them; a lone value is told as F1."""
    if "value" in case:
        return {"f1": Fraction(case["value"])}
    return {part: Fraction(case[part]) for part in PARTS if part in case}


def against_the_paper(answer: Answer, preset: Preset) -> str:
    """Return "equal", `LOW`, why there is no number, or nothing if the number is another."""
    if answer.why:
        return answer.why
    wanted = exact(answer.case)
    if wanted and not any(value is not None for value in answer.numbers.values()):
        return NOT_A_NUMBER
    shared = [part for part in wanted if part in answer.numbers]
    verdicts = {how_near(answer.numbers[part], wanted[part], preset) for part in shared}
    if verdicts == {"equal"}:
        return "equal"
    return LOW if LOW in verdicts and verdicts <= {"equal", LOW} else ""


def scorers_like(answer: Answer, preset: Preset, of: str) -> list[str]:
    """Return the scorers with these numbers, as ``printed`` or as ``computed_like`` has them."""
    return [
        scorer
        for value, scorers in answer.case.get(of, {}).items()
        if is_the_same(answer.numbers, value.split(), preset)
        for scorer in scorers
    ]


def is_the_same(numbers: dict[str, Fraction | None], words: Sequence[str], preset: Preset) -> bool:
    """Return whether two scorers' numbers are the same, as far as both print digits."""
    try:
        others = [fraction(word) for word in words]
    except ValueError:  # words that say how a scorer stopped
        return False
    parts = PARTS if len(words) == 3 else ("f1",)
    theirs = dict(zip(parts, zip(others, words, strict=True), strict=True))
    shared = numbers.keys() & theirs.keys()
    return bool(shared) and all(
        is_one_number(numbers[part], *theirs[part], preset) for part in shared
    )


def is_one_number(mine: Fraction | None, other: Fraction | None, text: str, preset: Preset) -> bool:
    if mine is None or other is None:
        return mine is other
    unit = Fraction(1, preset.scale * 10**preset.decimals)
    if "." in text:
        unit = max(unit, Fraction(1, 10 ** len(text.partition(".")[2])))
    return abs(other - mine / preset.scale) <= unit


def judge(found: Sequence[Answer], preset: Preset) -> list[Answer]:
    """Return the answers with "equal", or whose number each is, or why there is none.

    Of the scorers with such a number the one is named that has most of the others, too.
    """
    verdicts = [against_the_paper(answer, preset) for answer in found]
    known: dict[int, str] = {}
    for of, words in ((PRINTED, "as {} prints it"), (SLIPS, SLIPPED), ("computed_like", COMPUTED)):
        rivals = {
            i: scorers_like(answer, preset, of) for i, answer in enumerate(found) if not verdicts[i]
        }
        for i, scorer in likeliest(rivals).items():
            verdicts[i] = words.format(scorer)
            known[i] = "" if of == SLIPS else scorer
    return [
        answer._replace(verdict=verdicts[i] or NOBODY, scorer=known.get(i, ""))
        for i, answer in enumerate(found)
    ]


def reason(answer: Answer) -> str:
    """Return what the scorer does that has the same number, where it is known."""
    found = answer.case.get("reasons", {}).items()
    return "".join(why for why, scorers in found if answer.scorer in scorers)


PRINTED, SLIPS = "printed", "slips"
SLIPPED = "as if this did not hold: {}"
COMPUTED = "as corefeval computes for {}, and nobody printed"


def likeliest(rivals: dict[int, list[str]]) -> dict[int, str]:
    """Return one scorer for each number: the fewest scorers that have all of them, nearly."""
    found: dict[int, str] = {}
    while left := {i: scorers for i, scorers in rivals.items() if scorers and i not in found}:
        counts = Counter(scorer for scorers in left.values() for scorer in scorers)
        ((first, _),) = counts.most_common(1)
        found |= {i: first for i, scorers in left.items() if first in scorers}
    return found


# ------------------------------------------------------------------------------ the command


def load() -> list[Case]:
    """Return the cases of this folder."""
    with (HERE / "cases.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def why_not(case: Case, preset: Preset, conventions: dict[str, str], measures: list[str]) -> str:
    """Return why a case is not asked, or nothing."""
    if case["measure"] not in measures:
        return "measure"
    if case.get("conventions", {}) != conventions:
        return "convention"
    if preset.format in GIVEN:
        return "" if can_be_given(case, preset.format) else "format"
    return "" if preset.format in case["formats"] else "format"


def by_input(cases: Iterable[Case]) -> list[list[Case]]:
    """Return the cases of one key and response together."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(
            json.dumps([case["key"], case["response"], case.get("sentences")]), []
        ).append(case)
    return [*found.values()]


def size(case: Case) -> int:
    return sum(
        len(entity)
        for side in ("key", "response")
        for entities in case[side].values()
        for entity in entities
    )


FIRST = 12
"""A command that answers none of so many cases, of all kinds of input, is not asked further."""


def unlike(groups: list[list[Case]]) -> Iterator[list[Case]]:
    """Yield a case of some groups: the smallest of each kind of input first, measures in turn."""
    smallest = {group[0]["where"]: group for group in reversed(groups)}
    ordered = sorted(groups, key=lambda group: group is not smallest[group[0]["where"]])
    yield from ([group[i % len(group)]] for i, group in enumerate(ordered[:FIRST]))


class Unusable(Exception):
    """The command or the preset cannot be used."""


def checked(given: Any) -> Preset:
    """Return a preset of JSON, if it would not stop the script later on."""
    if not isinstance(given, dict):
        raise ValueError("it is no object of JSON")
    for field in sorted({*given} ^ {*Preset._fields}):
        fault = "is no field" if field in given else "is missing"
        raise ValueError(f"{field!r} {fault}; it needs {', '.join(Preset._fields)}")
    preset = Preset(**given)
    if preset.format not in (*WRITERS, "scorch"):
        raise ValueError(f"format {preset.format!r} is none of {', '.join([*WRITERS, 'scorch'])}")
    if not all(type(number) is int for number in (preset.scale, preset.decimals)):
        raise ValueError("scale and decimals are whole numbers")
    if preset.scale < 1 or preset.decimals < 0:
        raise ValueError("scale is 1 or more, decimals 0 or more")
    if not (isinstance(preset.measures, dict) and preset.measures):
        raise ValueError("measures is an object, with a pair for each measure")
    for measure, pair in preset.measures.items():
        if not (isinstance(pair, list) and [*map(type, pair)] == [str, str]):
            raise ValueError(f"{measure}: it needs a list of your name and an expression")
        try:
            parts_of(pair[1])
        except (ValueError, re.error) as error:
            raise ValueError(f"{measure}: {error}") from error
    return preset


PRESETS = {
    name: checked(given)
    for name, given in json.loads((HERE / "presets.json").read_text(encoding="utf-8")).items()
}
"""Scorers by a part of their commands; a new one is asked for its measures by ``--preset``."""


def preset_of(command: Sequence[str], named: str | None) -> Preset:
    """Return the preset of that name, in that file, or of a scorer that the command names."""
    names = ", ".join(PRESETS)
    if named in PRESETS:
        return PRESETS[named]
    if named:
        try:
            return checked(json.loads(Path(named).read_text(encoding="utf-8")))
        except (OSError, ValueError, re.error) as error:
            raise Unusable(f"{named} is no preset ({error}); the names are {names}") from error
    found = [preset for name, preset in PRESETS.items() if any(name in word for word in command)]
    if len(found) != 1:
        raise Unusable(f"say how the scorer is read: --preset with a file, or one of {names}")
    return found[0]


ALIASES = {"bcub": "b3", "bcubed": "b3", "b_cubed": "b3"}


def known(what: str, name: str, names: Iterable[str]) -> str:
    """Return a name that is among the known ones; otherwise say these, and what may be meant."""
    names = sorted(names)
    if name in names:
        return name
    near = [ALIASES[name]] if name in ALIASES else difflib.get_close_matches(name, names, 1)
    meant = f"; did you mean {near[0]}?" if near else "."
    raise Unusable(f"no {what} is called {name!r}{meant} There are {', '.join(names)}")


def asked_conventions(choices: Iterable[str], cases: list[Case]) -> dict[str, str]:
    """Return the conventions by name, which the cases have to know."""
    every = {"=".join(each) for case in cases for each in case.get("conventions", {}).items()}
    return dict(known("convention", choice, every).split("=") for choice in choices)


def asked_measures(chosen: str | None, preset: Preset, cases: list[Case]) -> list[str]:
    """Return the measures to ask for, which the preset has to know, and the cases its own."""
    for measure in preset.measures:
        known("measure", measure, {case["measure"] for case in cases})
    named = chosen.split(",") if chosen else preset.measures
    return [known("measure of the preset", measure, preset.measures) for measure in named]


def asked_command(words: Sequence[str]) -> Sequence[str]:
    """Return the command in words; one in quotes is split as a shell would."""
    if not words:
        raise Unusable("name the scorer: its command behind --, or --python and a function")
    command = shlex.split(words[0]) if len(words) == 1 else words
    for side in ("{key}", "{response}"):
        if not any(side in word for word in command):
            raise Unusable(f"the command does not say where {side} stands")
    return command


SHOWN = 3
"""So many cases of each kind are listed; --json has all."""


def report(found: list[Answer], left_out: Counter[str], preset: Preset) -> str:
    """Return the report in words; what is not equal with its cases, faults with a name first."""
    decided = [answer for answer in found if exact(answer.case)]
    wrong = [answer for answer in decided if answer.verdict != "equal"]
    undecided = [answer for answer in found if not exact(answer.case)]
    lines = [f"equal {len(decided) - len(wrong)} of {len(decided)}"]
    lines += [*misread(decided, preset), *kinds(wrong, preset)]
    if undecided:
        lines.append(f"where no paper says what is right: {len(undecided)}")
        lines += kinds(undecided, preset)
    if left_out:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(left_out.items()))
        lines.append(f"not asked: {left_out.total()} ({reasons})")
    return "\n".join(lines)


def misread(decided: list[Answer], preset: Preset) -> Iterator[str]:
    """Yield a line if most of what is not equal is so as soon as the numbers are read otherwise."""
    wrong = sum(answer.verdict != "equal" for answer in decided)
    other = {"recall": "precision", "precision": "recall"}
    exchanged = [
        answer._replace(numbers={other.get(p, p): n for p, n in answer.numbers.items()})
        for answer in decided
    ]
    ways = [("recall and precision exchanged", exchanged, preset)]
    digits = decimals_of(decided)
    if digits < preset.decimals:
        ways.append((f"decimals {digits}", decided, preset._replace(decimals=digits)))
    for scale in (preset.scale * 100, Fraction(preset.scale, 100)):
        by = preset._replace(scale=scale, decimals=digits)
        ways.append((f"scale {scale} and decimals {digits}", decided, by))
    ways += (
        (f"--convention {choice}", [by_convention(answer, choice) for answer in decided], preset)
        for choice in choices_in(decided)
    )
    equals = [
        sum(against_the_paper(answer, by) == "equal" for answer in answers)
        for _, answers, by in ways
    ]
    for (words, *_), equal in zip(ways, equals, strict=True):
        # Of conventions that nearly agree on these cases, one alone is meant.
        is_best = not words.startswith("--") or equal == max(equals)
        if is_best and 2 * (len(decided) - equal) < wrong:
            yield f"with {words} {equal} of {len(decided)} are equal"


def choices_in(answers: Iterable[Answer]) -> list[str]:
    """Return the choices of conventions by which some cases have other numbers."""
    values = [answer.case.get("by_convention", {}).values() for answer in answers]
    return sorted({choice for of_case in values for choices in of_case for choice in choices})


def by_convention(answer: Answer, choice: str) -> Answer:
    """Return an answer to a case whose exact numbers are those of another choice."""
    for numbers, choices in answer.case.get("by_convention", {}).items():
        if choice in choices:
            values = numbers.split()
            exact = dict(zip(PARTS[-len(values) :], values, strict=True))
            return answer._replace(case=answer.case | exact)
    return answer


MANY = 12
"""More decimals than anybody prints."""


def decimals_of(answers: Iterable[Answer]) -> int:
    """Return the fewest decimals that hold all printed numbers."""
    printed = {number for answer in answers for number in answer.numbers.values()} - {None}
    whole = (all((number * 10**n).denominator == 1 for number in printed) for n in range(MANY))
    return next((n for n, each in enumerate(whole) if each), MANY)


def kinds(answers: Iterable[Answer], preset: Preset) -> Iterator[str]:
    """Yield a line for each kind of answers, and below it cases: faults, then the smallest."""
    found: dict[str, list[Answer]] = {}
    smallest = sorted(answers, key=lambda answer: size(answer.case))
    for answer in sorted(smallest, key=lambda answer: not has_fault(answer.case)):
        found.setdefault(kind_of(answer), []).append(answer)
    main = main_cause(smallest)
    for kind, cases in sorted(found.items(), key=partial(rank, main=main)):
        yield f"{kind} ({len(cases)})"
        for answer in cases[:SHOWN]:
            yield f"    {in_a_line(answer, preset)}"
            yield f"        key {in_braces(answer.case['key'])}"
            yield f"        response {in_braces(answer.case['response'])}"
        if len(cases) > SHOWN:
            yield f"    and {len(cases) - SHOWN} more"


def rank(kind: tuple[str, list[Answer]], main: str) -> tuple[bool, bool, bool, int]:
    """Return what kinds are sorted by: the main cause, a fault, a known scorer, many cases."""
    words, cases = kind
    is_fault = has_fault(cases[0].case)
    return cause(cases[0]) != main, not is_fault, NOBODY in words, -len(cases)


def main_cause(answers: Sequence[Answer]) -> str:
    """Return what explains more than half of the answers, or nothing."""
    causes = Counter(cause(answer) for answer in answers if answer.verdict != NOBODY)
    for first, many in causes.most_common(1):
        if 2 * many > len(answers):
            return first
    return ""


def cause(answer: Answer) -> str:
    """Return what the scorer does that has the same number, or else the verdict."""
    return reason(answer) or answer.verdict


def has_fault(case: Case) -> bool:
    """Return whether a case is the smallest that shows a fault, which its `tries` then names."""
    made = re.search("-(slip|added|across)", case["id"])
    return bool(made) or (len(case["tries"]) > 1 and not case["id"].endswith("-pradhan"))


def in_braces(documents: Documents) -> str:
    """Return one side of a case, documents with their names if there are several."""
    sides = {
        name: " ".join(f"{{{' '.join(entity)}}}" for entity in entities) or "without entities"
        for name, entities in documents.items()
    }
    return "; ".join(sides.values() if len(sides) == 1 else map(": ".join, sides.items()))


def kind_of(answer: Answer) -> str:
    """Return what is told together: a slip is one of a measure, a rule one of a kind of input."""
    case, verdict = answer.case, answer.verdict
    if verdict == LOW:
        return verdict
    if verdict == NOBODY or verdict.startswith(SLIPPED.format("")):
        return f"{verdict}, of {case['measure']}"
    if why := reason(answer):
        return f"{verdict}, which {why}"
    # Exceptions of one kind name a mention or a document each.
    verdict = NAMED.sub("'…'", verdict)
    return f"{verdict}, where {case['where']}"


NAMED = re.compile(r"'[^']*'")


def in_a_line(answer: Answer, preset: Preset) -> str:
    """Return a case, its numbers and the exact ones, and what it tries."""
    numbers = [
        "none" if number is None else f"{float(number / preset.scale):.4f}"
        for number in answer.numbers.values()
    ]
    wanted = exact(answer.case)
    parts = [str(wanted[part]) for part in answer.numbers if part in wanted]
    tries = "; ".join(answer.case["tries"])
    said = " ".join(numbers) or ended(answer).removeprefix(", ")
    says = [said, f"for {' '.join(parts)}" if parts else "", tries]
    return f"{answer.case['id']}: {', '.join(each for each in says if each)}"


def ended(answer: Answer) -> str:
    """Return what a function returned, or a scorer's last line, if there is no number in it."""
    if answer.why == NO_SCORE:
        return f", it returned {answer.printed[:80]}"
    if answer.why != NO_NUMBER:
        return ""
    return f", which ends in {exception(answer.printed)[:80]!r}"


def as_json(found: list[Answer], left_out: Counter[str], preset: Preset) -> dict[str, Any]:
    """Return all that the report says of each case, for programs."""
    decided = [answer.verdict for answer in found if exact(answer.case)]
    return {
        "equal": decided.count("equal"),
        "of": len(decided),
        "not_asked": left_out,
        "cases": [
            {
                "id": answer.case["id"],
                "verdict": answer.verdict,
                "where": answer.case["where"],
                "reason": reason(answer),
                "numbers": {
                    part: None if number is None else float(number / preset.scale)
                    for part, number in answer.numbers.items()
                },
                "exact": {part: str(number) for part, number in exact(answer.case).items()},
                "source": answer.case.get("source", ""),
            }
            for answer in found
        ],
    }


# ------------------------------------------------------------------------- files that are kept


def keep(found: Iterable[Answer], preset: Preset, folder: Path) -> None:
    """Write the files of each case that is not equal, and what was printed, into a folder of it."""
    for answer in found:
        if answer.verdict == "equal":
            continue
        of_case = folder / answer.case["id"]
        of_case.mkdir(parents=True)
        for side in ("key", "response"):
            write(answer.case, side, preset.format, of_case)
        (of_case / "printed.txt").write_text(answer.printed, encoding="utf-8")


def checked_folder(folder: Path) -> None:
    """Refuse a folder that holds something: what is kept would stand between older files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Unusable(f"--keep {folder}: expected a new or an empty folder")


# ----------------------------------------------------------------------------- all are asked


class Progress:
    """A line on a terminal that says how far it is."""

    def __init__(self, total: int, preset: Preset) -> None:
        self.total, self.preset = total, preset
        self.asked = self.unequal = 0
        self.is_shown = sys.stderr.isatty()

    def add(self, found: Iterable[Answer]) -> None:
        for answer in found:
            self.asked += 1
            is_equal = against_the_paper(answer, self.preset) == "equal"
            self.unequal += bool(exact(answer.case)) and not is_equal
        self.show(f"{self.asked} of {self.total} cases asked, {self.unequal} not equal")

    def show(self, line: str) -> None:
        if self.is_shown:
            print(f"\r{line:60}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line empty for what is printed next."""
        self.show("")
        self.show("\r")


Asked = Callable[[list[Case]], list[Answer]]


class Stopped(Exception):
    """The script was stopped; with what had been answered."""

    def __init__(self, found: list[Answer]) -> None:
        super().__init__()
        self.found = found


def ask_all(groups: list[list[Case]], asked: Asked, jobs: int, progress: Progress) -> list[Answer]:
    """Return the answers to all groups in their order; several are asked at a time."""
    runs = ThreadPoolExecutor(max(jobs, 1))
    futures = [runs.submit(asked, group) for group in groups]
    try:
        for future in as_completed(futures):
            progress.add(future.result())
    except KeyboardInterrupt:
        done = [future.result() for future in futures if future.done()]
        for future in futures:
            future.cancel()
        IS_STOPPED.set()
        for process in [*RUNNING]:
            kill(process)
        raise Stopped([answer for found in done for answer in found]) from None
    finally:
        runs.shutdown(wait=False, cancel_futures=True)
    return [answer for future in futures for answer in future.result()]


def ask_in_turn(
    groups: list[list[Case]], asked: Asked, jobs: int, progress: Progress
) -> list[Answer]:
    """Return the answers of a function, which is called in this thread alone."""
    found: list[Answer] = []
    try:
        for group in groups:
            of_group = asked(group)
            progress.add(of_group)
            found += of_group
    except KeyboardInterrupt:
        raise Stopped(found) from None
    return found


def stop_at_a_signal() -> None:
    """Let SIGTERM do what Ctrl-C does."""

    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--preset", help="how the scorer is read: a name, or a file of JSON")
    parser.add_argument("--measures", help="these alone, apart by commas")
    parser.add_argument(
        "--convention",
        action="append",
        default=[],
        metavar="NAME=CHOICE",
        help="what the scorer scores by, such as singletons=drop; cases of it alone are asked",
    )
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at a time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON, too")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="write the files of cases that are not equal there"
    )
    parser.add_argument(
        "--python", metavar="MODULE:FUNCTION", help="a function that takes lists of sets"
    )
    parser.add_argument(
        "--labels", action="store_true", help="it takes two sequences of labels instead"
    )
    parser.add_argument(
        "command", nargs="*", help="behind --: the scorer, with {key} and {response}"
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run it; exit code 0 if all are equal, 1 if not, 2 if it cannot be asked, 130 if stopped."""
    stop_at_a_signal()
    try:
        return run(arguments(argv))
    except (Unusable, OSError) as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2


class Scorer(NamedTuple):
    """How a scorer is asked, and its numbers read."""

    preset: Preset
    asked: Asked
    ask_all: Callable[[list[list[Case]], Asked, int, Progress], list[Answer]]


def scorer_of(given: argparse.Namespace) -> Scorer:
    """Return the function or the command that is to be asked."""
    if given.python:
        return scorer_of_function(given)
    if given.labels:
        raise Unusable("--labels is for --python")
    command = asked_command(given.command)
    preset = preset_of(command, given.preset)
    asked = partial(answers, command=command, preset=preset, timeout=given.timeout)
    return Scorer(preset, asked, ask_all)


def scorer_of_function(given: argparse.Namespace) -> Scorer:
    for option in ("command", "preset", "keep"):
        if getattr(given, option):
            raise Unusable(f"a function is asked without a {option}")
    form = LABELS if given.labels else SETS
    function = function_at(given.python)
    preset = preset_of_function(function, form, given.measures)
    return Scorer(preset, partial(answers_of, function=function, form=form), ask_in_turn)


class Found(NamedTuple):
    """The answers that there are, and how many cases there were to ask."""

    answers: list[Answer]
    total: int

    @property
    def is_stopped(self) -> bool:
        return len(self.answers) < self.total


def ask_as_long_as_it_may(groups: list[list[Case]], scorer: Scorer, jobs: int) -> Found:
    """Ask all cases, until the script is stopped; none more, if none of the first has an answer."""
    total = sum(map(len, groups))
    progress = Progress(total, scorer.preset)
    try:
        first = scorer.ask_all(
            [*unlike(groups)], scorer.asked, jobs, Progress(FIRST, scorer.preset)
        )
        if all(answer.why for answer in first):
            said = "".join(f"\n    {each.case['id']}: {each.why}{ended(each)}" for each in first)
            raise Unusable(f"none of {len(first)} cases has an answer, so no more are asked{said}")
        answers = scorer.ask_all(groups, scorer.asked, jobs, progress)
    except Stopped as stopped:
        answers = stopped.found
    finally:
        progress.end()
    return Found(judge(answers, scorer.preset), total)


def run(given: argparse.Namespace) -> int:
    """Ask the scorer, print the report, and return the exit code."""
    cases = sorted(load(), key=size)
    scorer = scorer_of(given)
    preset = scorer.preset
    conventions = asked_conventions(given.convention, cases)
    measures = asked_measures(given.measures, preset, cases)
    if given.keep:
        checked_folder(given.keep)
    why = {case["id"]: why_not(case, preset, conventions, measures) for case in cases}
    left_out = Counter(filter(None, why.values()))
    groups = by_input(case for case in cases if not why[case["id"]])
    if not groups:
        raise Unusable(f"no case has {' and '.join(given.convention)} for {', '.join(measures)}")

    found = ask_as_long_as_it_may(groups, scorer, given.jobs)
    decided = [answer for answer in found.answers if exact(answer.case)]
    show(found, report(found.answers, left_out, preset))
    if given.json:
        told = {"stopped": found.is_stopped} | as_json(found.answers, left_out, preset)
        given.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    if given.keep:
        keep(decided, preset, given.keep)
    if found.is_stopped:
        return 130
    return 0 if all(answer.verdict == "equal" for answer in decided) else 1


def show(found: Found, lines: str) -> None:
    """Print the report."""
    if found.is_stopped:
        lines = f"stopped: {len(found.answers)} of {found.total} cases were asked\n{lines}"
    try:
        print(lines, flush=True)
    except BrokenPipeError:  # whoever reads wants no more; Python must not write it at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
