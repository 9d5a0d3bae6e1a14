#!/usr/bin/env python3
"""Run a coreference scorer on the cases of this folder, and say which numbers are not exact.

    python run.py -- perl scorer.pl {measure} {key} {response} none

``{key}`` and ``{response}`` become files of a case, ``{measure}`` the scorer's name of a measure; a
command without ``{measure}`` runs once for a key and a response. What the scorer calls its
measures, which files it reads and how its numbers look is a preset: see `PRESETS`, or write one as
JSON for ``--preset FILE``. Python 3.11 or later and this folder are all that is needed.

A number is equal if it is the exact fraction, rounded or cut to as many digits as are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
PARTS = ("recall", "precision", "f1")
NUMBER = r"(-?[\d.]+(?:e-?\d+)?|nan|-)"
SHARE = rf"(?:\(.*?\)\s*)?{NUMBER}%?"
THREE = rf"Recall:\s+{SHARE}\s+Precision:\s+{SHARE}\s+F1:\s+{NUMBER}"

Case = dict[str, Any]
Documents = dict[str, list[list[str]]]


class Preset(NamedTuple):
    """How a scorer is asked and read.

    `measures` gives for each measure of the suite the scorer's name, which stands for
    ``{measure}``, and a regular expression with the groups of recall, precision and F1, or of F1
    alone; its last match counts. Numbers are multiplied by 1 / `scale` and have `decimals`.
    """

    format: str
    scale: int
    decimals: int
    measures: dict[str, tuple[str, str]]


def after(title: str) -> str:
    """Return the expression for the three numbers that stand behind a title."""
    return rf"{title}\s+{THREE}"


PRESETS = {
    "scorer.pl": Preset(
        "conll",
        100,
        2,
        {
            "mentions": ("muc", rf"Identification of Mentions: {THREE}"),
            "muc": ("muc", rf"Coreference: {THREE}"),
            "b3": ("bcub", rf"Coreference: {THREE}"),
            "ceafm": ("ceafm", rf"Coreference: {THREE}"),
            "ceafe": ("ceafe", rf"Coreference: {THREE}"),
            "blanc": ("blanc", rf"BLANC: {THREE}"),
        },
    ),
    "coval": Preset(
        "conll",
        100,
        2,
        {
            "mentions": ("", after("mentions")),
            "muc": ("", after("muc")),
            "b3": ("", after("bcub")),
            "ceafe": ("", after("ceafe")),
            "lea": ("", after("lea")),
            "conll": ("", rf"CoNLL score: {NUMBER}"),
        },
    ),
    "corefud-scorer.py": Preset(
        "corefud",
        100,
        2,
        {
            "muc": ("", after("muc")),
            "b3": ("", after("bcub")),
            "ceafm": ("", after("ceafm")),
            "ceafe": ("", after("ceafe")),
            "blanc_both": ("", after("blanc")),
            "lea": ("", after("lea")),
            "conll": ("", rf"CoNLL score: {NUMBER}"),
        },
    ),
    "scorch": Preset(
        "scorch",
        1,
        9,
        {
            measure: ("", rf"{title}:\s+R={NUMBER}\s+P={NUMBER}\s+F₁={NUMBER}")
            for measure, title in {
                "muc": "MUC",
                "b3": "B³",
                "ceafm": "CEAF_m",
                "ceafe": "CEAF_e",
                "blanc_both": "BLANC",
            }.items()
        }
        | {"conll": ("", rf"average score: {NUMBER}")},
    ),
}
"""Scorers by a part of their commands; a new one is asked for its measures by ``--preset``."""


# ------------------------------------------------------------------------- files of a case


def tokens(case: Case) -> dict[str, list[str]]:
    """Return each document's tokens: the mentions of both sides, a token each, in order."""
    documents = dict.fromkeys([*case["key"], *case["response"]])
    return {
        name: sorted(
            {
                mention
                for side in ("key", "response")
                for entity in case[side].get(name, ())
                for mention in entity
            }
        )
        or ["x"]
        for name in documents
    }


def marks(entities: list[list[str]], words: list[str]) -> list[list[int]]:
    """Return for each token the entities that it is a mention of, as often as it is one."""
    return [
        [number for number, entity in enumerate(entities) for mention in entity if mention == word]
        for word in words
    ]


def conll(side: Documents, words: dict[str, list[str]]) -> str:
    """Return the file of CoNLL-2012: a column of brackets, columns apart by tabs."""
    lines = []
    for name, entities in side.items():
        lines.append(f"#begin document ({name}); part 000")
        for i, numbers in enumerate(marks(entities, words[name])):
            brackets = "|".join(f"({number})" for number in numbers) or "-"
            lines.append(f"{name}\t0\t{i}\t{words[name][i]}\t{brackets}")
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


def jsonl(side: Documents, words: dict[str, list[str]]) -> str:
    """Return the file of JSON lines: `clusters` of tokens, the last one counted in."""
    lines = []
    for name, entities in side.items():
        at = {word: i for i, word in enumerate(words[name])}
        clusters = [[[at[mention], at[mention]] for mention in entity] for entity in entities]
        document = {"doc_key": name, "sentences": [words[name]], "clusters": clusters}
        lines.append(json.dumps(document, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def corefud(side: Documents, words: dict[str, list[str]]) -> str:
    """Return the file of CorefUD 1.0: brackets in the last column."""
    lines = []
    for place, (name, entities) in enumerate(side.items()):
        lines += [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"]
        lines += [f"# sent_id = {name}-1", f"# text = {' '.join(words[name])}"]
        for i, numbers in enumerate(marks(entities, words[name])):
            brackets = "".join(f"(e{place}x{number}-x-1-)" for number in numbers)
            misc = f"Entity={brackets}" if brackets else "_"
            word = words[name][i]
            lines.append("\t".join([str(i + 1), word, *"____", "0", *"__", misc]))
        lines.append("")
    return "\n".join(lines) + "\n"


def scorch(entities: list[list[str]]) -> str:
    """Return scorch's JSON: entities by name, of one document."""
    clusters = {str(number): entity for number, entity in enumerate(entities)}
    return json.dumps({"type": "clusters", "clusters": clusters}, ensure_ascii=False)


ENDINGS = {"conll": "conll", "jsonl": "jsonl", "corefud": "conllu"}
WRITERS: dict[str, Callable[[Documents, dict[str, list[str]]], str]] = {
    "conll": conll,
    "jsonl": jsonl,
    "corefud": corefud,
}


def write(case: Case, side: str, form: str, folder: Path) -> Path:
    """Write one side of a case; return the file, or scorch's folder of several documents."""
    documents = case[side]
    if form != "scorch":
        path = folder / f"{side}.{ENDINGS[form]}"
        path.write_text(WRITERS[form](documents, tokens(case)), encoding="utf-8")
        return path
    if len(documents) == 1:
        (entities,) = documents.values()
        path = folder / f"{side}.json"
        path.write_text(scorch(entities), encoding="utf-8")
        return path
    path = folder / side
    path.mkdir()
    for name, entities in documents.items():
        (path / f"{name}.json").write_text(scorch(entities), encoding="utf-8")
    return path


# ------------------------------------------------------------------------- what is printed


def fraction(text: str) -> Fraction | None:
    """Return a printed number, or None for one that the scorer has not."""
    return None if text in ("-", "nan") else Fraction(text)


def how_near(printed: Fraction | None, exact: Fraction, preset: Preset) -> str:
    """Return "equal" if a number is the exact one, rounded or cut to the digits printed.

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


def read(output: str, pattern: str) -> dict[str, Fraction | None] | None:
    """Return the numbers of the last match by their parts; of one number, F1 alone."""
    matches = list(re.finditer(pattern, output))
    if not matches:
        return None
    found = [fraction(text) for text in matches[-1].groups()]
    return dict(zip(PARTS if len(found) == 3 else ("f1",), found, strict=True))


class Answer(NamedTuple):
    """What the scorer said to one case: its numbers, or in words why there are none."""

    case: Case
    numbers: dict[str, Fraction | None]
    why: str = ""


def ask(command: Sequence[str], values: dict[str, str], timeout: float) -> tuple[str, str]:
    """Return what a command prints, and in words why it prints nothing that counts."""
    words = [
        re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), word) for word in command
    ]
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return "", f"no answer in {timeout:g} seconds"
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()[-1]
        return "", f"exit code {done.returncode}: {last}"
    return done.stdout, ""


def answers(
    cases: list[Case], command: Sequence[str], preset: Preset, timeout: float
) -> list[Answer]:
    """Run the command on the files of one key and response, and return an answer for each case."""
    found: list[Answer] = []
    printed: dict[str, tuple[str, str]] = {}
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
            numbers = read(output, pattern)
            if numbers is None:
                found.append(Answer(case, {}, why or "no number was found in what it prints"))
            else:
                found.append(Answer(case, numbers))
    return found


# ---------------------------------------------------------------------------- the judgement


def exact(case: Case) -> dict[str, Fraction]:
    """Return the exact parts of a case; none where no paper says what the score is."""
    return {part: Fraction(case[part]) for part in (*PARTS, "value") if case.get(part)}


LOW = "a digit too low: a float just below the exact number was cut"


def judge(answer: Answer, preset: Preset) -> str:
    """Return "equal", or which scorer prints the same, or "nobody's", or why there is no number."""
    if answer.why:
        return answer.why
    wanted = exact(answer.case)
    shared = [part for part in wanted if part in answer.numbers]
    verdicts = {how_near(answer.numbers[part], wanted[part], preset) for part in shared}
    if verdicts == {"equal"}:
        return "equal"
    if verdicts == {"equal", LOW} or verdicts == {LOW}:
        return LOW
    same = printed_by(answer, preset)
    return f"as {same[0]} prints it" if same else "nobody's"


def printed_by(answer: Answer, preset: Preset) -> list[str]:
    """Return the scorers that printed these numbers, as far as both print digits."""
    return [
        scorer
        for value, scorers in answer.case.get("printed", {}).items()
        if is_the_same(answer.numbers, value.split(), preset)
        for scorer in scorers
    ]


def is_the_same(numbers: dict[str, Fraction | None], words: list[str], preset: Preset) -> bool:
    """Return whether two scorers' numbers are the same, as far as both print digits."""
    if len(words) != len(PARTS) or not re.fullmatch(NUMBER, words[0]):
        return False
    theirs = dict(zip(PARTS, words, strict=True))
    for part, mine in numbers.items():
        text = theirs[part]
        other = fraction(text)
        if other is None or mine is None:
            if other is not mine:
                return False
            continue
        digits = len(text.partition(".")[2])
        unit = max(Fraction(1, 10**digits), Fraction(1, preset.scale * 10**preset.decimals))
        if abs(other - mine / preset.scale) > unit:
            return False
    return True


# ------------------------------------------------------------------------------ the command


def load() -> list[Case]:
    """Return the cases of this folder."""
    with (HERE / "cases.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def why_not(
    case: Case, preset: Preset, conventions: dict[str, str], measures: Iterable[str]
) -> str:
    """Return why a case is not asked, or nothing."""
    if case["measure"] not in preset.measures or case["measure"] not in measures:
        return "measure"
    if case.get("conventions", {}) != conventions:
        return "convention"
    if preset.format not in case["formats"]:
        return "format"
    return ""


def by_input(cases: Iterable[Case]) -> Iterator[list[Case]]:
    """Yield the cases of one key and response together."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(json.dumps([case["key"], case["response"]]), []).append(case)
    yield from found.values()


def size(case: Case) -> int:
    return sum(
        len(entity)
        for side in ("key", "response")
        for entities in case[side].values()
        for entity in entities
    )


class Unusable(Exception):
    """The command or the preset cannot be used."""


def preset_of(command: Sequence[str], named: str | None) -> Preset:
    """Return the preset of that name, in that file, or of a scorer that the command names."""
    if named in PRESETS:
        return PRESETS[named]
    if named:
        try:
            return Preset(**json.loads(Path(named).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            names = ", ".join(PRESETS)
            raise Unusable(f"{named} is no preset ({error}); the names are {names}") from error
    found = [preset for name, preset in PRESETS.items() if any(name in word for word in command)]
    if len(found) != 1:
        names = ", ".join(PRESETS)
        raise Unusable(f"say how the scorer is read: --preset with a file, or one of {names}")
    return found[0]


def asked_conventions(choices: Iterable[str]) -> dict[str, str]:
    """Return the conventions by name."""
    if wrong := [choice for choice in choices if "=" not in choice]:
        raise Unusable(f"--convention {wrong[0]}: write a name and a choice, as singletons=drop")
    return dict(choice.split("=", 1) for choice in choices)


def asked_measures(named: str | None, preset: Preset) -> list[str]:
    """Return the measures to ask for, which the preset has to know."""
    measures = named.split(",") if named else list(preset.measures)
    if unknown := [measure for measure in measures if measure not in preset.measures]:
        known = ", ".join(preset.measures)
        raise Unusable(f"the preset has no measure {unknown[0]!r}: it has {known}")
    return measures


def asked_command(words: Sequence[str]) -> Sequence[str]:
    """Return the command in words; one in quotes is split as a shell would."""
    command = shlex.split(words[0]) if len(words) == 1 else words
    for side in ("{key}", "{response}"):
        if not any(side in word for word in command):
            raise Unusable(f"the command does not say where {side} stands")
    return command


def report(found: list[Answer], verdicts: list[str], left_out: Counter[str]) -> str:
    """Return the report in words; what is not equal with its cases, from the smallest on."""
    decided: dict[str, list[Case]] = {}
    others: Counter[str] = Counter()
    for answer, verdict in zip(found, verdicts, strict=True):
        if exact(answer.case):
            decided.setdefault(verdict, []).append(answer.case)
        else:
            others[verdict] += 1
    lines = [f"equal {len(decided.pop('equal', []))} of {len(found) - others.total()}"]
    for verdict, cases in sorted(decided.items(), key=lambda each: -len(each[1])):
        lines.append(f"{verdict}: {len(cases)}")
        lines += [f"  {case['id']}  {'; '.join(case['tries'])}" for case in sorted(cases, key=size)]
    if others:
        lines.append(f"where no paper says what is right: {others.total()}")
        lines += [f"  {verdict}: {count}" for verdict, count in others.most_common()]
    if left_out:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(left_out.items()))
        lines.append(f"not asked: {left_out.total()} ({reasons})")
    return "\n".join(lines)


def as_json(answer: Answer, verdict: str, preset: Preset) -> dict[str, Any]:
    numbers = {
        part: None if number is None else float(number / preset.scale)
        for part, number in answer.numbers.items()
    }
    return {"id": answer.case["id"], "verdict": verdict, "numbers": numbers}


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
        help="what the command scores by, such as singletons=drop; cases of it alone are asked",
    )
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at a time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON, too")
    parser.add_argument(
        "command", nargs="+", help="behind --: the scorer, with {key} and {response}"
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run it; exit code 0 if all numbers are equal, 1 if not, 2 if it cannot be asked."""
    given = arguments(argv)
    try:
        command = asked_command(given.command)
        preset = preset_of(command, given.preset)
        conventions = asked_conventions(given.convention)
        measures = asked_measures(given.measures, preset)
    except Unusable as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2

    cases = load()
    reasons = [why_not(case, preset, conventions, measures) for case in cases]
    left_out = Counter(reason for reason in reasons if reason)
    asked = [case for case, reason in zip(cases, reasons, strict=True) if not reason]
    with ThreadPoolExecutor(given.jobs) as runs:
        groups = runs.map(
            lambda group: answers(group, command, preset, given.timeout), by_input(asked)
        )
        found = [answer for group in groups for answer in group]

    verdicts = [judge(answer, preset) for answer in found]
    print(report(found, verdicts, left_out))
    if given.json:
        rows = [as_json(*row, preset) for row in zip(found, verdicts, strict=True)]
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    every = [verdict for answer, verdict in zip(found, verdicts, strict=True) if exact(answer.case)]
    return 0 if set(every) == {"equal"} else 1


if __name__ == "__main__":
    sys.exit(main())
