"""What public scorers print on small inputs, beside what our choices for each of them give."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any, NamedTuple

from corefbook.ledger import DATA, Search, load
from corefbook.tables import Table
from corefeval import CorefError, evaluate
from corefeval.registry import MEASURES
from corefeval.score import Score
from corefeval.scorers.bundles import bundles

Entities = list[list[str]]
Form = Callable[[Mapping[str, Entities]], str]
TITLES = {"b3_all": "B³ (Ball)", "b3_cai": "B³ (Bcai)", "b3_conll": "B³ (Bconll)"}
"""Measures of a scorer that are none of the library's names."""


LATER = "public_scorers_later"
"""The file of the inputs that were drawn after our choices were made."""


class Input(NamedTuple):
    """A key and a response, in words and document by document."""

    says: str
    key: dict[str, Entities]
    response: dict[str, Entities]


@cache
def inputs() -> dict[str, Input]:
    """The inputs by name.

    >>> inputs()["twice-two-entities"].response
    {'d': [['a', 'b'], ['b', 'c', 'd']]}
    """
    return _inputs("public_scorers")


@cache
def later_inputs() -> dict[str, Input]:
    """The inputs that were drawn after our choices for the scorers were made, by name.

    >>> later_inputs()["drawn-10"].response
    {'d1': [['b', 'h', 'j', 'k'], ['a', 'g'], ['i', 'l']]}
    """
    return _inputs(LATER)


def _inputs(paper: str) -> dict[str, Input]:
    return {
        name: Input(each.get("says", ""), _entities(each["key"]), _entities(each["response"]))
        for name, each in load(paper).content["inputs"].items()
    }


def _entities(side: Mapping[str, str]) -> dict[str, Entities]:
    """The entities as lists, not as a partition: some inputs repeat mentions."""
    return {
        document: [entity.split() for entity in re.findall(r"\{([^{}]+)\}", text)]
        for document, text in side.items()
    }


@cache
def printed(name: str, measure: str) -> dict[str, str]:
    """What each scorer printed for an input: recall, precision and F1, or a word.

    >>> printed("perfect-singletons", "ceafe")["e2e"]
    '0.333333 1.000000 0.500000'
    """
    values = _values()[name].get(measure, {})
    return {scorer: value for value, names in values.items() for scorer in names.split()}


@cache
def _values() -> dict[str, Any]:
    files = [DATA / "public_scorers" / name for name in ("values.toml", "later.toml")]
    first, later = (tomllib.loads(file.read_text(encoding="utf-8")) for file in files)
    return first | later


def numbers(value: str) -> list[float | None] | None:
    """Recall, precision and F1 of a printed value, None for one that a scorer has not.

    >>> numbers("- - 0.5000"), numbers("KeyError")
    ([None, None, 0.5], None)
    """
    words = value.split()
    if len(words) != 3 or not re.fullmatch(r"-|nan|[\d.]+", words[0]):
        return None
    return [None if word == "-" else float(word) for word in words]


def ours(scorer: str, name: str, measure: str) -> Score | str:
    """What our choices for a scorer give for an input, or why nothing.

    >>> ours("e2e", "perfect-singletons", "ceafe")
    recall 1/3, precision 1, f1 1/2
    """
    return _ours(scorer, name)[measure]


@cache
def _ours(scorer: str, name: str) -> dict[str, Score | str]:
    measures = measures_of(scorer)
    try:
        return dict(_scored(scorer, name, measures))
    except CorefError:  # of one measure, perhaps
        return {measure: _alone(scorer, name, measure) for measure in measures}


def _alone(scorer: str, name: str, measure: str) -> Score | str:
    try:
        return _scored(scorer, name, [measure])[measure]
    except CorefError as error:
        return str(error)


def _scored(scorer: str, name: str, measures: list[str]) -> Mapping[str, Score]:
    if name in later_inputs():
        given = later_inputs()[name]
        if load(LATER).content["choices"][scorer]["given"] == "files":
            return _scored_files(scorer, given, measures, _conll, "conll")
        return evaluate(given.key, given.response, measures, like=scorer).total
    given, bundle = inputs()[name], bundles()[scorer]
    if bundle.conventions.get("match", "exact") != "exact":
        return _scored_files(scorer, given, measures, _corefud, "conllu")
    # It joins entities by their names, and those of lists have none.
    if bundle.documents == "pooled":
        return _scored_files(scorer, given, measures, _conll, "conll")
    return evaluate(given.key, given.response, measures, like=scorer).total


def in_files(scorer: str, key: Mapping[str, str], response: Mapping[str, str], name: str) -> Score:
    """The score of a measure by a scorer that takes the numbers of entities from CoNLL-2012 files.

    >>> key = {"d": "{a b c}", "e": "{a b}"}
    >>> in_files("hf_coval", key, {"d": "{a b c}", "e": "{a} {b}"}, "muc")
    recall 3/4, precision 1, f1 6/7
    """
    given = Input("", _entities(key), _entities(response))
    return _scored_files(scorer, given, [name], _conll, "conll")[name]


def _scored_files(
    scorer: str, given: Input, measures: list[str], form: Form, ending: str
) -> Mapping[str, Score]:
    """The scores of a key and a response that are written to files in this form."""
    with TemporaryDirectory() as folder:
        key, response = (Path(folder, f"{side}.{ending}") for side in ("key", "response"))
        key.write_text(form(given.key), encoding="utf-8")
        response.write_text(form(given.response), encoding="utf-8")
        return evaluate(key, response, measures, like=scorer).total


def _conll(side: Mapping[str, Entities]) -> str:
    """The documents as a CoNLL-2012 file of twelve words each, as the scorers were given it."""
    lines = []
    for document, entities in side.items():
        lines.append(f"#begin document ({document}); part 000")
        for i, letter in enumerate("abcdefghijkl"):
            marks = [_mark(m, letter, n) for n, entity in enumerate(entities) for m in entity]
            last = "|".join(filter(None, marks)) or "-"
            lines.append("\t".join([document, "0", str(i), letter, last]))
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


def _mark(mention: str, letter: str, entity: int) -> str:
    """The mark of a mention in the line of a word, if it begins or ends there; else nothing.

    >>> _mark("a", "a", 1), _mark("a-d", "a", 1), _mark("a-d", "d", 1), _mark("a-d", "b", 1)
    ('(1)', '(1', '1)', '')
    """
    begin = "(" if letter == mention[0] else ""
    end = ")" if letter == mention[-1] else ""
    return f"{begin}{entity}{end}" if begin or end else ""


def _corefud(side: Mapping[str, Entities]) -> str:
    """The documents as a CorefUD file of twelve words each; the head is a mention's first word."""
    lines = []
    for document, entities in side.items():
        at: dict[int, list[str]] = {i: [] for i in range(12)}
        for number, entity in enumerate(entities):
            for mention in entity:
                begin, end = ord(mention[0]) - ord("a"), ord(mention[-1]) - ord("a")
                one = ")" if begin == end else ""
                at[begin].append(f"({document}e{number}-x-1-{one}")
                if not one:
                    at[end].insert(0, f"{document}e{number})")
        lines += [f"# newdoc id = {document}", "# global.Entity = eid-etype-head-other"]
        lines += [f"# sent_id = {document}-1", "# text = x"]
        for i, chunks in at.items():
            misc = f"Entity={''.join(chunks)}" if chunks else "_"
            lines.append("\t".join([str(i + 1), f"w{i}", *"____", "0", *"__", misc]))
        lines.append("")
    return "\n".join(lines) + "\n"


def agrees(value: str, score: Score | str) -> bool:
    """Whether a score, if there is one, has the numbers that a scorer printed, rounded or cut.

    >>> agrees("0.3333 1.0000 0.5000", ours("e2e", "perfect-singletons", "ceafe"))
    True
    """
    if isinstance(score, str):
        return False
    mine = (score.recall, score.precision, score.value)
    return all(
        _agrees(number, float(of or 0)) for number, of in zip(value.split(), mine, strict=True)
    )


def _agrees(number: str, mine: float) -> bool:
    unit = 0.1 ** len(number.partition(".")[2])
    return number == "-" or -unit / 2 < mine - float(number) + 1e-9 < unit


def exceptions(scorer: str, measure: str) -> dict[str, str]:
    """The inputs for which our choices do not give what a scorer prints, each with the reason.

    >>> exceptions("tibert", "muc"), len(exceptions("tibert", "lea"))
    ({}, 6)
    """
    return {
        name: each["why"]
        for each in load("public_scorers").content["exceptions"]
        if scorer in each["scorers"].split() and measure in each.get("measures", measure).split()
        for name in each["inputs"].split()
    }


def given_by_choices(scorer: str, measure: str) -> Search:
    """Whether our choices give what the scorer prints, but for the exceptions.

    An exception that has become equal is a counterexample, too.
    """
    excepted, cases, wrong = exceptions(scorer, measure), 0, ""
    for name in inputs():
        value = printed(name, measure).get(scorer, "")
        if numbers(value):
            mine = ours(scorer, name, measure)
            cases += name not in excepted
            if agrees(value, mine) == (name in excepted):
                wrong = wrong or f"{name}: printed {value}, by our choices {mine}"
    return Search(cases, "inputs", wrong)


@cache
def measures_of(scorer: str) -> list[str]:
    """The measures of a scorer that it was run for; the rest are proved by its own tests."""
    names = inputs()
    return [
        measure
        for measure in bundles()[scorer].measures
        if any(scorer in printed(name, measure) for name in names)
    ]


def agreements(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row of the ledger for each scorer and measure."""
    for scorer in content["scorers"]:
        rows = []
        for measure in measures_of(scorer):
            count = given_by_choices(scorer, measure).cases
            row = {
                "label": _title(measure),
                "measure": "given_by_choices",
                "with": {"scorer": scorer, "measure": measure},
                "printed": f"recall, precision and F1 of {count} inputs",
            }
            by_reason: dict[str, list[str]] = {}
            for name, why in exceptions(scorer, measure).items():
                by_reason.setdefault(why, []).append(name)
            left = [f"{', '.join(names)} ({why})" for why, names in by_reason.items()]
            said = "our choices for the scorer were made with these values in view"
            rows.append(row | {"reconstructed": "; not ".join([said, *left])})
        if rows:
            yield {"cell": "all", "place": scorer, "rows": rows}


def given_later(scorer: str, measure: str, inputs: list[str]) -> str:
    """Of how many inputs our choices give the recall, precision and F1 that the scorer prints.

    >>> given_later("e2e", "muc", ["drawn-1", "drawn-2"])
    'recall, precision and F1 of 2 inputs'
    """
    given = sum(
        agrees(printed(name, measure)[scorer], ours(scorer, name, measure)) for name in inputs
    )
    return f"recall, precision and F1 of {given} inputs"


def agreements_later(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row of the ledger for each scorer, measure and kind of inputs drawn later."""
    for kind, names in kinds_of_later_inputs().items():
        for scorer in content["choices"]:
            rows = [
                _row_later(content, scorer, measure, kind, names)
                for measure in content["choices"][scorer]["measures"]
            ]
            yield {"cell": "later", "place": f"{scorer}, {kind}", "rows": rows}


def kinds_of_later_inputs() -> dict[str, list[str]]:
    """The inputs drawn later, those in which the response repeats a mention apart."""
    repeats = {
        name: any(len(m) > len({*m}) for m in map(_mentions, each.response.values()))
        for name, each in later_inputs().items()
    }
    return {
        "each mention once": [name for name, twice in repeats.items() if not twice],
        "a mention twice": [name for name, twice in repeats.items() if twice],
    }


def _mentions(entities: Entities) -> list[str]:
    return [mention for entity in entities for mention in entity]


def _row_later(
    content: Mapping[str, Any], scorer: str, measure: str, kind: str, names: list[str]
) -> dict[str, Any]:
    run = [name for name in names if numbers(printed(name, measure)[scorer])]
    row = {
        "label": _title(measure),
        "measure": "given_later",
        "with": {"scorer": scorer, "measure": measure, "inputs": run},
        "printed": f"recall, precision and F1 of {len(run)} inputs",
    }
    for missed in content["missed"]:
        here = scorer in missed["scorers"].split() and measure in missed["measures"].split()
        if here and missed["inputs"] == kind:
            row["missed"] = missed["why"]
    return row


# Tables and texts for the chapter


def versions() -> Table:
    """The scorers and the modes that were run, with their versions."""
    names = load("public_scorers").content["scorers"]
    rows = [(name, bundles()[name].scorer, bundles()[name].version) for name in names]
    head = ["name here", "scorer, mode", "version"]
    return Table(head, rows, f"The {len(rows)} scorers and modes that were run.")


def given() -> Table:
    """The inputs in words: what each is, its key and its response."""
    rows = []
    for name, (says, key, response) in inputs().items():
        rows.append((name, says, _in_words(key), _in_words(response)))
    caption = f"The {len(rows)} inputs; a letter is a mention."
    return Table(["name", "what it is", "key", "response"], rows, caption)


def _in_words(side: Mapping[str, Entities]) -> str:
    texts = {
        document: " ".join(f"{{{' '.join(entity)}}}" for entity in entities) or "nothing"
        for document, entities in side.items()
    }
    if list(texts) == ["d"]:
        return texts["d"]
    return "; ".join(f"{document}: {text}" for document, text in texts.items())


RULES = {
    "singletons": ("perfect-singletons", "ceafe", "recall"),
    "mention twice": ("twice-two-entities", "b3", "F1"),
    "spurious twice": ("twice-invented", "b3", "F1"),
    "spurious": ("pradhan", "b3", "F1"),
    "documents": ("micro-macro", "muc", "F1"),
    "lost document": ("missing-document", "muc", "recall"),
    "places": ("sentence-break", "muc", "F1"),
    "heads": ("nested-span", "muc", "F1"),
    "MUC 0/0": ("only-singletons", "muc", "F1"),
    "BLANC 0/0": ("key-singletons-linked", "blanc", "F1"),
}
"""An input for each rule, and a number that the rule changes."""


def rules() -> Table:
    """What the scorers print where a rule matters, and who prints it.

    >>> rules().rows[0][:3]
    ['singletons', 'CEAFₑ recall', '1']
    """
    rows = []
    for rule, (name, measure, part) in RULES.items():
        scorers_of = by_value(name, measure, part)
        usual = next(value for value, names in scorers_of.items() if COMPARED[measure] in names)
        others = [
            f"{value}: {_some(names)}"
            for value, names in sorted(scorers_of.items(), key=lambda item: -len(item[1]))
            if value != usual
        ]
        rows.append([rule, f"{_title(measure)} {part}", usual, "; ".join(others)])
    head = ["rule", "number", "reference", "other scorers"]
    return Table(head, rows, "A number that each rule changes, and who prints what.")


def by_value(name: str, measure: str, part: str = "F1") -> dict[str, list[str]]:
    """The scorers by what they print of an input, to four decimals.

    LitBank's recall and precision are put right.

    >>> by_value("perfect-singletons", "ceafe", "recall")["0.3333"][:2]
    ['e2e', 'deep_coref']
    """
    scorers_of: dict[str, list[str]] = {}
    for scorer, value in printed(name, measure).items():
        place = ["recall", "precision", "F1"].index(part)
        if scorer == "litbank" and place < 2:
            place = 1 - place
        number = (numbers(value) or [None, None, None])[place]
        if number is not None:
            same = next((text for text in scorers_of if abs(float(text) - number) < 2e-4), "")
            text = same or f"{number:.4f}".rstrip("0").rstrip(".")
            scorers_of.setdefault(text, []).append(scorer)
    return scorers_of


def _some(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) < 9 else f"{names[0]} and {len(names) - 1} others"


def _title(measure: str) -> str:
    return TITLES.get(measure) or MEASURES[measure].title


REPOSITORY = r"[\w.-]+/[\w.-]+"
LINE_OF_CODE = re.compile(rf"^(?:(?P<of>{REPOSITORY}|\w+), )?(?P<file>[\w./-]+\.\w+):(?P<line>\d+)")
"""A file and a line, and before them the repository or the scorer where it is not plain."""


def addresses(where: str, scorers: str) -> dict[str, str]:
    """The address of each line of code that stands in ``where``, by file and line as they stand.

    Without a repository of its own the line is of the one that all ``scorers`` share; a line
    without a repository or a commit that we know has no address.

    >>> addresses("lib/CorScorer.pm:36; README", "reference")
    {'lib/CorScorer.pm:36': 'https://github.com/conll/reference-coreference-scorers/blob/f49f3f8/lib/CorScorer.pm#L36'}
    """
    address_of = {}
    for part in where.split("; "):
        line = LINE_OF_CODE.match(part)
        state = line and _state(line["of"], scorers.split())
        if line and state:
            address = f"https://github.com/{state}/{line['file']}#L{line['line']}"
            address_of[f"{line['file']}:{line['line']}"] = address
    return address_of


def _state(of: str | None, scorers: Sequence[str]) -> str:
    """The repository and the commit of what was run, nothing where they are several or unknown."""
    known = {name: _repository(bundle.scorer, bundle.version) for name, bundle in bundles().items()}
    if of is None:
        states = {known[name] for name in scorers}
    elif of in known:
        states = {known[of]}
    else:
        states = {state for state in known.values() if state.startswith(f"{of}/blob/")}
    return states.pop() if len(states) == 1 else ""


def _repository(scorer: str, version: str) -> str:
    """The repository at the commit that was run, as an address has it; "" where one is unknown.

    >>> _repository("ns-moosavi/coval, remove_singletons", "87071a6, 2020-07-30")
    'ns-moosavi/coval/blob/87071a6'
    """
    name = re.match(REPOSITORY, scorer)
    commit = re.search(r"\b[0-9a-f]{7}\b", version)
    return f"{name[0]}/blob/{commit[0]}" if name and commit else ""


class Found(NamedTuple):
    """A finding, where it was made, and the addresses of the lines of code named there."""

    said: str
    where: str = ""
    addresses: Mapping[str, str] = {}

    @property
    def place(self) -> str:
        """The place in HTML, with its links."""
        text = escape(self.where)
        for line, address in self.addresses.items():
            text = text.replace(line, f'<a href="{address}">{line}</a>')
        return text


class Findings:
    """What was found in scorers, a line for each, below a line that counts them."""

    def __init__(self, summary: str, found: Sequence[Found]) -> None:
        self.summary = summary
        self.found = found

    def __repr__(self) -> str:
        parts = [self.summary]
        for said, where, _ in self.found:
            parts.append(fill(said, 82, subsequent_indent="  "))
            parts += [fill(f"  [{where}]", 82, subsequent_indent="   ")] if where else []
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        items = [
            f"<li>{escape(each.said)}{f' <small>[{each.place}]</small>' if each.where else ''}</li>"
            for each in self.found
        ]
        return f"<p>{escape(self.summary)}</p>\n<ul>\n{''.join(items)}\n</ul>"


def facts() -> Findings:
    """What the code of scorers shows that makes numbers differ, with version and line."""
    findings = [
        Found(
            f"{', '.join(fact['scorers'].split())}: {fact['says']}",
            f"{fact['where']}; {fact['known']}",
            addresses(fact["where"], fact["scorers"]),
        )
        for fact in load("public_scorers").content["facts"]
    ]
    return Findings(f"What the scorers' code shows: {len(findings)} findings", findings)


COMPARED = {
    "muc": "reference", "b3": "reference", "ceafm": "reference", "ceafe": "reference",
    "blanc": "reference", "lea": "perl_9_alpha",
}  # fmt: skip
"""The scorer that each measure is compared with: of the reference scorers, one that has it."""


def apart(one: list[float | None], other: list[float | None]) -> bool:
    """Whether two triples differ by more than the rounding of scorers with four decimals.

    >>> apart([0.4166, None], [0.4167, 0.4545]), apart([0.41, 0.5], [0.4, 0.5])
    (False, True)
    """
    pairs = zip(one, other, strict=True)
    return any(a is not None and b is not None and abs(a - b) > 6e-4 for a, b in pairs)


def not_given_later() -> Findings:
    """What our choices do not give of the inputs drawn later, each with the reason."""
    findings = []
    for missed in load(LATER).content["missed"]:
        measures = ", ".join(_title(measure) for measure in missed["measures"].split())
        findings.append(Found(f"{missed['scorers']}, {measures}: {missed['why']}"))
    return Findings(f"What is not given of them, and why: {len(findings)} kinds", findings)


def not_given() -> Findings:
    """The values that our choices do not give, each with the reason."""
    findings = []
    for row in load("public_scorers").content["exceptions"]:
        measures = [_title(measure) for measure in row.get("measures", "").split()]
        said = f"{', '.join(row['scorers'].split())}, {', '.join(measures) or 'all measures'}: "
        findings.append(Found(f"{said}{', '.join(row['inputs'].split())} ({row['why']})"))
    return Findings(f"What is not given, and why: {len(findings)} kinds", findings)
