"""Why programs print different numbers for the same files: every program's scores, and reasons.

Where a program's score is not ours, its choices (see `corefeval.programs.bundles`) are made in
place of ours, as few as give its score; the reason says what these few meet in the files, with
counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, groupby, zip_longest
from textwrap import TextWrapper
from typing import Any, NamedTuple

from corefeval.contingency import Contingency
from corefeval.conventions import CHOICES, Conventions
from corefeval.corpus import evaluate
from corefeval.display import percent
from corefeval.errors import CorefError
from corefeval.partition import ByName, as_lists
from corefeval.programs.bundles import Bundle, bundles, formula, placed
from corefeval.programs.faults import REFUSED, Fault, Files, Sides, repeated
from corefeval.readers.files import StrPath
from corefeval.registry import ALIKE, Metric, Tables, find, names_of
from corefeval.report import Report
from corefeval.score import Score, mean_f1

Way = Mapping[str, str]
"""How a measure is computed: its choice for each convention, and the fields of `Bundle` below."""
FIELDS = ("places", "pairs", "extra", "documents")
OURS: Way = dict.fromkeys((*FIELDS, "formula"), "") | {
    name: next(iter(choices)) for name, choices in CHOICES.items()
}
ASKED = {"repeated": "first", "missing": "empty"}
"""What is ours for files that the defaults refuse."""
SAYS = {
    "sentence": "finds a mention by sentence and token in it, and takes {} for others",
    "blank": "takes lines that hold a blank for tokens, and {} for others",
    "order": "pairs documents by their order, and so {} with another or with none",
    "ignored": "leaves out {} that the key lacks",
    "pooled": "makes one of {}, and one entity of those with the same number",
    "blanc_both": "leaves a class of links out only if both sides lack it; the key lacks one in {}",
    "blanc_always": "leaves a class of links out in no case; the key lacks one in {}",
    "mean": "takes the mean over {} instead of summing counts",
    "mean_pr": "takes F1 of the mean recall and the mean precision of {}",
    "mentions": "takes a mean over {}, weighted by mentions, instead of summing counts",
    **{choice: f"finds {{}} by match={choice}" for choice in CHOICES["match"]},
    "skip": "leaves out {} that one side lacks",
    "first": "counts {} once, where listed first",
    "last": "counts {} once, where listed last",
    "merge": "makes one entity of those that share {}",
    "reference": "counts each listing of {} that the key lacks",
    "each": "counts each listing of {}",
    "once_each": "counts {} once in each entity",
    "drop": "leaves out {}",
    "drop_response": "leaves out {}",
    **{choice: f"{{}}: {meaning}" for choice, meaning in CHOICES["twinless"].items()},
    "key_completed": "adds {} to the key, as singletons",
    "same": "takes 0/0 for 1 if key and response are the same, as in {}",
    "listed": "takes 0/0 for 1 if key and response are the same, in the same order, as in {}",
}
"""What a program does that has made a choice; the place is for what it meets in the files."""
COUNTED: dict[str, tuple[str, Callable[[Contingency], int]]] = {
    "singletons": ("singleton", lambda t: t.key_histogram.get(1, 0)),
    "twinless": ("twinless mention", lambda t: t.key_mentions - t.shared_mentions),
}
"""What a side of a table has, the key's or, exchanged, the response's."""
OF_RESPONSE = ("drop_response", "key_completed")
"""Choices that concern what the response has."""
PERL = ("conll/reference-coreference-scorers", "ns-moosavi/LEA-coreference-scorer")
"""These cut a percentage off after two decimals."""
SHOWN = 10
"""Faults of a kind that people are shown."""


class Hit(NamedTuple):
    """A number that a program prints; ``how`` is "rounded" or "cut off"."""

    program: str
    measure: str
    part: str
    value: Fraction
    how: str


class Explanation(NamedTuple):
    """What `explain` finds."""

    ours: dict[str, Score]
    """Our scores: by the defaults or, for files that these refuse, by `ASKED`."""
    refused: bool
    faults: list[Fault]
    scores: dict[str, dict[str, Score]]
    """The scores of each program by measure."""
    reasons: dict[str, dict[str, str]]
    """Why scores are not ours, by program and measure."""
    unable: dict[str, str]
    """Why a program cannot score the files."""

    def printed(self, number: str) -> list[Hit]:
        """Whatever is printed as ``number``, in percent or as a fraction of 1.

        As many decimals count as the number has, whether the rest is rounded or cut off.

        Raises `CorefError` for what is no number.
        """
        if not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,20})?%?", number):
            raise CorefError(f"{number!r} is no number like 83.33 or 0.8333")
        digits = number.rstrip("%")
        units = 10 ** len(digits.partition(".")[2])
        wanted = Fraction(digits) * units
        found = []
        for hit in self._values():
            for scale in (100, 1) if units > 1 and digits == number else (100,):
                value = hit.value * scale * units
                if abs(value - wanted) <= Fraction(1, 2):
                    found.append(hit)
                elif int(value) == wanted:
                    found.append(hit._replace(how="cut off"))
        return found

    def _values(self) -> Iterator[Hit]:
        for program, scores in {"ours": self.ours, **self.scores}.items():
            perl = program in bundles() and bundles()[program].program in PERL
            for name, score in scores.items():
                for part, value in score.parts.items():
                    exact = Fraction(int(value * 10000), 10000) if perl else Fraction(value)
                    yield Hit(program, name, part, exact, "rounded")


def explain(
    key: StrPath,
    response: StrPath | None,
    metrics: str | Iterable[str] = "standard",
    **of_files: str,
) -> Explanation:
    r"""Score two files as every program would, say why the scores differ, and look for faults.

    ``key`` and ``response`` are paths, ``metrics`` as in `corefeval.evaluate`; keywords choose
    conventions that concern the reading of files, ``match`` and ``offsets``.

    Raises `CorefError` for a file that cannot be read at all, and for an unknown measure. Repeated
    mentions, documents on one side only or begun twice, and other tokens are faults, to be told.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> lines = ["#begin document (d)", "Ann\t(0)", "she\t(0)", "cat\t(1)", "#end document"]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "key.conll")
    ...     _ = path.write_text("\n".join(lines))
    ...     found = explain(path, path, "ceafe")
    >>> found.reasons["e2e"]
    {'ceafe': "leaves out the response's 1 singleton"}
    >>> found.printed("66.67")[0]
    Hit(program='e2e', measure='ceafe', part='f1', value=Fraction(2, 3), how='rounded')
    """
    names = names_of(metrics)
    files = Files(key, response, Conventions(repeated="each", missing="empty", **of_files))
    faults, scores = files.faults(), _Scores(files)
    refused = any(fault.kind in REFUSED for fault in faults)
    base = scores.settled({**OURS, **of_files, **(ASKED if refused else {})})
    parts = {part: scores.score(part, base) for name in names for part in _parts(name)}
    ours = {name: _mean(name, parts) for name in names}
    found = Explanation(ours, refused, faults, {}, {}, {})
    for program, bundle in bundles().items():
        computed = [name for name in names if bundle.computes(name)]
        ways = {part: scores.way(bundle, part) for name in computed for part in _parts(name)}
        try:
            theirs = {part: scores.score(part, way) for part, way in ways.items()}
        except CorefError as error:
            found.unable[program] = re.sub(r"; [^;]*$", "", str(error))  # what a user might do
            continue
        found.scores[program] = {name: _mean(name, theirs) for name in computed}
        why = {
            part: scores.reason(part, way, base)
            for part, way in ways.items()
            if theirs[part] != parts[part]
        }
        found.reasons[program] = {}
        for name in computed:
            if found.scores[program][name] != ours[name]:
                said = [(part, why[part]) for part in find(name).of if part in why]
                found.reasons[program][name] = "; ".join(_told(said)) or why[name]
    return found


def _parts(name: str) -> tuple[str, ...]:
    """The measures that one is the mean of, or the measure itself."""
    return find(name).of or (name,)


def _mean(name: str, scores: Mapping[str, Score]) -> Score:
    of = find(name).of
    return mean_f1([scores[part] for part in of], None) if of else scores[name]


class _Scores:
    """The scores of two files in any way."""

    def __init__(self, files: Files) -> None:
        self.files = files
        key, response = files.sides
        one, alike = len({**key, **response}) < 2, key.keys() == response.keys()
        cut = files.sentences[0] != files.sentences[1]
        sides = [*key.values(), *response.values()]
        self.moot = {"average": one, "documents": one, "extra": alike, "missing": alike}
        self.moot |= {"match": files.format != "CorefUD", "offsets": True}
        self.moot |= {"pairs": list(key) == list(response), "sentence": not cut}
        self.moot |= {"blank": files.blanks[0] == files.blanks[1]}
        self.moot["repeated"] = not cut and not any(isinstance(side, ByName) for side in sides)
        self.moot["singletons"] = not any(1 in getattr(side, "sizes", [1]) for side in sides)
        """Conventions, fields and their values that make no difference to the files."""
        self._tables: dict[Hashable, Mapping[Hashable, Tables]] = {}
        self._scores: dict[Hashable, Score] = {}

    def settled(self, way: Way) -> Way:
        """The way with ours in place of what makes no difference."""
        moot = self.moot.get
        return {name: OURS[name] if moot(name) or moot(how) else how for name, how in way.items()}

    def way(self, bundle: Bundle, measure: str) -> Way:
        """How a program computes a measure."""
        fields = {field: getattr(bundle, field) for field in FIELDS}
        return self.settled({**OURS, **fields, **bundle.conventions, **bundle.measures[measure]})

    def score(self, name: str, way: Way) -> Score:
        """The score of a measure that is no mean of others."""
        tables, formula_of = self.tables(way), way["formula"] or name
        choice = Conventions(average=way["average"], zero=way["zero"])
        key = formula_of, id(tables), choice
        if key not in self._scores:
            report = Report({choice: tables}, [Metric(formula(formula_of), choice)], choice)
            (score,) = report.total.values()
            self._scores[key] = score._replace(counts=None)
        return self._scores[key]

    def tables(self, way: Way) -> Mapping[Hashable, Tables]:
        """The documents' tables, made once."""
        key = tuple(way[name] for name in way if name not in ("average", "formula", "zero"))
        if key not in self._tables:
            chosen = {name: way[name] for name in ("missing", "repeated", "singletons", "twinless")}
            of_key, of_response = self.sides(way)
            (self._tables[key],) = evaluate(of_key, of_response, [], **chosen).tables.values()
        return self._tables[key]

    def sides(self, way: Way) -> Sides:
        """Key and response, with documents and places as a program has them."""
        key, response = self.files.read(way)
        if way["pairs"]:
            response = dict(zip(key, response.values(), strict=False))
            key = {name: key[name] for name in response}
        if way["extra"]:
            response = {name: response[name] for name in response if name in key}
        if not way["places"] and not way["documents"]:
            return key, response
        return [
            placed(documents, partial(self.files.place, way, side), bool(way["documents"]))
            for side, documents in enumerate([key, response])
        ]

    def reason(self, part: str, way: Way, base: Way) -> str:
        """What the fewest choices meet that give the program's score instead of the base's."""
        differ = [name for name in OURS if way[name] != base[name]]
        for chosen in chain.from_iterable(combinations(differ, n + 1) for n in range(len(differ))):
            mixed = {**base, **{name: way[name] for name in chosen}}
            try:
                same = self.score(part, mixed) == self.score(part, way)
            except CorefError:  # choices that do not go together
                continue
            if same:
                facts = [_fact(self, name, mixed, {**mixed, name: base[name]}) for name in chosen]
                said = [SAYS[way[name]] for name in chosen]
                return "; ".join(map(str.format, said, facts))
        raise AssertionError("all choices together are the program's")


def _fact(scores: _Scores, name: str, way: Way, without: Way) -> str:
    """What a choice meets in the files, given the ways with and without it."""
    key, response = scores.files.sides
    tables = scores.tables(way).values()
    match name:
        case "places":
            return _shares(_misplaced(scores.files, way), "mention")
        case "repeated":
            sides, numbers = scores.sides(way), [0, 0]
            keys = sides[0] if way["repeated"] == "reference" else {}
            for side, documents in enumerate(sides):
                for document in scores.tables(way).keys() & documents.keys():
                    once = chain(*as_lists(keys.get(document, ())))
                    numbers[side] += len(repeated(documents[document]).keys() - once)
            return _shares(numbers, "repeated mention")
        case "singletons" | "twinless":
            what, count = COUNTED[name]
            kept = scores.tables(without).values()
            of_key = 0 if way[name] in OF_RESPONSE else sum(count(t[0]) for t in kept)
            return _shares([of_key, sum(count(t[1].T) for t in kept)], what)
        case "match":
            before, after = (
                sum(t[0].shared_mentions for t in scores.tables(each).values())
                for each in ({**without, "twinless": "keep"}, {**way, "twinless": "keep"})
            )
            return f"{_count(after, 'mention')} instead of {before}"
        case "zero":
            alike = ALIKE[way["zero"]]
            number = sum(alike(t[0]) and alike(t[1]) for t in tables)
        case "formula":
            number = sum(t[0].key_entities in (0, 1, t[0].key_mentions) for t in tables)
        case "pairs":
            number = sum(ours != theirs for ours, theirs in zip_longest(key, response))
        case "extra":
            number = len(response.keys() - key.keys())
        case "missing":
            number = len(response.keys() ^ key.keys())
        case "documents":
            number = len({*key, *response})
        case "average":
            number = len(tables)
    return _count(number, "document")


def _misplaced(files: Files, way: Way) -> list[int]:
    """How many mentions of each side are not where they, and they alone, are by name."""
    by_place, by_name = defaultdict(set), defaultdict(set)
    for side, documents in enumerate(files.sides):
        for document, entities in documents.items():
            for mention in chain(*as_lists(entities)):
                place = files.place(way, side, document, mention)
                by_place[way["documents"] or document, place].add((side, document, mention))
                by_name[document, mention].add((side, document, mention))
    names = set(map(frozenset, by_name.values()))
    misplaced = chain.from_iterable(each for each in by_place.values() if each not in names)
    sides = [side for side, *_ in misplaced]
    return [sides.count(0), sides.count(1)]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _shares(numbers: Sequence[int], what: str) -> str:
    """How many of something the key and the response have.

    >>> _shares([2, 1], "singleton"), _shares([0, 1], "singleton")
    ("the key's 2 and the response's 1 singletons", "the response's 1 singleton")
    """
    sides = zip(("key", "response"), numbers, strict=True)
    shares = [f"the {side}'s {number}" for side, number in sides if number]
    return f"{' and '.join(shares)} {what}{'s' * (sum(numbers) != 1)}"


def hit_by(kind: str) -> list[str]:
    """The programs whose scores a kind of fault changes, although ours stays."""
    return [
        program
        for program, bundle in bundles().items()
        if kind in (bundle.places, bundle.pairs) or (kind == "order" and bundle.documents)
    ]


def as_json(found: Explanation, number: str | None) -> dict[str, Any]:
    """The explanation for machines."""
    programs = {}
    for program, scores in found.scores.items():
        why = found.reasons[program]
        programs[program] = {n: score.parts | {"reason": why.get(n)} for n, score in scores.items()}
    return {
        "ours": {name: score.parts for name, score in found.ours.items()},
        "refused": found.refused,
        "programs": programs,
        "not_reproduced": {program: bundles()[program].not_reproduced for program in found.scores},
        "unable": found.unable,
        "faults": [fault._asdict() | {"hits": hit_by(fault.kind)} for fault in found.faults],
        "printed": [hit._asdict() for hit in found.printed(number)] if number is not None else [],
    }


def as_text(found: Explanation, number: str | None, width: int) -> str:
    """The explanation for people."""
    sections: dict[str, list[str]] = {}
    if found.refused:
        sections["refused by default, scored with --repeated first --missing empty:"] = [
            "--format json has what is not_reproduced of the programs' rules for such files"
        ]
    for name, ours in found.ours.items():
        reasons = {p: found.reasons[p].get(name) for p in found.scores if name in found.scores[p]}
        alike = sum(not why for why in reasons.values())
        told = _told(
            (program, f"{why}: {_difference(found.scores[program][name], ours)}")
            for program, why in reasons.items()
            if why
        )
        told = [f"as ours: {_count(alike, 'program')}", *told] if alike else told
        sections[f"{name} {percent(ours.value)}"] = told or ["no program gives it"]
    sections["no score:"] = _told(found.unable.items())
    if number is not None:
        said = [
            (program, f"{name} {part} {percent(value)}, {how}")
            for program, name, part, value, how in found.printed(number)
        ]
        sections[f"{number} is:"] = _told(said) or ["no program's score"]
    for kind, group in groupby(found.faults, key=lambda fault: fault.kind):
        faults, programs = list(map(str, group)), ", ".join(hit_by(kind))
        more = [f"and {len(faults) - SHOWN} more: --format json has all"]
        heading = f"{kind} (hits {programs}):" if programs else f"{kind}:"
        sections[heading] = faults[:SHOWN] + more * (len(faults) > SHOWN)
    if not found.faults:
        sections["in the files:"] = ["nothing to mend"]
    lines = []
    for heading, each in sections.items():
        lines += [heading, *(f"  {line}" for line in each), ""] if each else []
    wrap = TextWrapper(
        width, subsequent_indent=" " * 4, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(map(wrap.fill, lines))


def _difference(score: Score, ours: Score) -> str:
    """Another score than ours; recall and precision, if F1 tells no difference."""
    assert score.value is not None and ours.value is not None
    if score.value == ours.value:
        return ", ".join(f"{part} {percent(value)}" for part, value in score.parts.items())
    sign = "+" if score.value > ours.value else ""
    return f"{percent(score.value)} ({sign}{percent(score.value - ours.value)})".replace("-", "−")


def _told(said: Iterable[tuple[str, str]]) -> list[str]:
    """What is said of each, with the names of all of which the same is said.

    >>> _told([("muc", "a mean"), ("b3", "no singletons"), ("lea", "a mean")])
    ['muc, lea: a mean', 'b3: no singletons']
    """
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, what in said:
        names[what].append(name)
    return [f"{', '.join(each)}: {what}" for what, each in names.items()]
