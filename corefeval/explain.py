"""Why programs print different numbers for the same files: every program's scores, and reasons.

Where a program's score is not ours, its choices (see `corefeval.bundles`) are made in place of
ours, as few as give its score; the reason says what these few meet in the files, with counts.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations, groupby
from operator import add, ne
from textwrap import TextWrapper
from typing import Any, NamedTuple

from corefeval.bundles import Bundle, bundles, formula
from corefeval.conventions import CHOICES, Conventions
from corefeval.display import aligned, percent
from corefeval.errors import CorefError
from corefeval.faults import REFUSED, Documents, Fault, Files, by_name, examine, hits
from corefeval.measures.blanc import blanc_always
from corefeval.partition import ByName, Partition, as_lists
from corefeval.readers import read_pair
from corefeval.readers.files import Entities, StrPath, entities_of
from corefeval.registry import Metric, Tables, find, names_of, overlap
from corefeval.report import Report
from corefeval.score import Score, mean_f1

Way = Mapping[str, str]
"""How a measure is computed: its choice for each convention, and the fields of `Bundle` below."""
Paths = tuple[StrPath, StrPath | None]
FIELDS = ("places", "pairs", "extra", "documents")
OURS: Way = dict.fromkeys((*FIELDS, "formula"), "") | {
    name: next(iter(choices)) for name, choices in CHOICES.items()
}
ASKED = {"repeated": "first", "missing": "empty"}
"""What is ours for files that the defaults refuse."""
PERL = ("conll/reference-coreference-scorers", "ns-moosavi/LEA-coreference-scorer")
"""These cut a percentage off after two decimals."""
SHOWN = 10
"""Faults of a kind that people are shown."""


class Alike(NamedTuple):
    """Programs whose scores are the same, where they compute the same measures."""

    scores: dict[str, Score]
    programs: dict[str, dict[str, str]]
    """Why a program's score is not ours, by program and measure."""


class Hit(NamedTuple):
    """A number that a program prints; ``how`` is "rounded", "cut off" or "nearest"."""

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
    rows: list[Alike]
    same: list[str]
    """The programs whose scores are all ours."""
    unable: dict[str, list[str]]
    """The programs that cannot score the files, by the reason."""
    faults: list[Fault]
    scores: dict[str, dict[str, Score]]
    """The scores of each program by measure."""

    def printed(self, number: str) -> list[Hit]:
        """Whatever is printed as ``number``, in percent or as a fraction of 1; else the nearest.

        As many decimals count as the number has, whether the rest is rounded or cut off.

        Raises `CorefError` for what is no number.
        """
        if not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,20})?%?", number):
            raise CorefError(f"{number!r} is no number like 83.33 or 0.8333")
        digits, _, decimals = number.rstrip("%").partition(".")
        wanted, step = Fraction(number.rstrip("%")), Fraction(1, 10 ** len(decimals))
        scales = (100, 1) if decimals and "%" not in number else (100,)
        found: defaultdict[Fraction, list[Hit]] = defaultdict(list)
        for hit in self._hits():
            for scale in scales:
                off = (hit.value * scale - wanted) * (-1 if digits[0] == "-" else 1)
                how = "rounded" if 2 * abs(off) <= step else "cut off" if 0 < off < step else ""
                found[Fraction(0) if how else abs(off)].append(hit._replace(how=how or "nearest"))
        return found[min(found)] if found else []

    def _hits(self) -> Iterator[Hit]:
        for program, scores in {"ours": self.ours, **self.scores}.items():
            perl = program in bundles() and bundles()[program].program in PERL
            for measure, score in scores.items():
                for part, value in score.parts.items():
                    cut = Fraction(int(value * 10000), 10000) if perl else Fraction(value)
                    yield Hit(program, measure, part, cut, "")


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
    >>> found.rows[0].programs["e2e"]
    {'ceafe': "leaves out the response's 1 singleton"}
    >>> found.printed("66.67")[0]
    Hit(program='e2e', measure='ceafe', part='f1', value=Fraction(2, 3), how='rounded')
    """
    names = names_of(metrics)
    choice = Conventions(repeated="each", missing="empty", **of_files)
    files = examine(key, response, choice)
    scores = _Scores((key, response), choice, files)
    refused = any(fault.kind in REFUSED for fault in files.faults)
    default = {**OURS, **of_files, **(ASKED if refused else {})}
    base = {name: scores.ways(name, default) for name in names}
    ours = {name: scores.of(ways) for name, ways in base.items()}
    found = Explanation(ours, refused, [], [], defaultdict(list), files.faults, {})
    for program, bundle in bundles().items():
        ways = {name: scores.ways(name, OURS, bundle) for name in names}
        try:
            theirs = {name: scores.of(parts) for name, parts in ways.items() if parts}
        except CorefError as error:
            found.unable[str(error).split(";")[0]].append(program)
            continue
        found.scores[program] = theirs
        why = {n: scores.reason(base[n], ways[n]) for n in theirs if theirs[n] != ours[n]}
        if why:
            row = next((row for row in found.rows if _agree(row.scores, theirs)), Alike({}, {}))
            found.rows.extend([row] * (not row.programs))
            row.scores.update(theirs)
            row.programs[program] = why
        elif theirs:
            found.same.append(program)
    return found


def _agree(here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
    """Whether two mappings have nothing different by one name."""
    return all(here[name] == there[name] for name in here.keys() & there.keys())


class _Scores:
    """The scores of two files in any way; nothing is made twice."""

    def __init__(self, paths: Paths, choice: Conventions, files: Files) -> None:
        self.paths, self.choice, self.files = paths, choice, files
        key, response = files.key, files.response
        alike, cut = key.keys() == response.keys(), files.sentences[0] != files.sentences[1]
        one = len({**key, **response}) < 2
        lists = any(isinstance(side, ByName) for side in (*key.values(), *response.values()))
        self.moot = {"extra": alike, "missing": alike, "pairs": list(key) == list(response)}
        self.moot |= {"documents": one, "average": one, "match": files.format != "CorefUD"}
        self.moot |= {"sentence": not cut, "blank": files.blanks[0] == files.blanks[1]}
        self.moot["repeated"] = not lists and not cut
        self._made: dict[Hashable, Any] = {}

    def _once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def ways(self, name: str, base: Way, bundle: Bundle | None = None) -> Mapping[str, Way]:
        """How a program computes each part of a measure; nothing if it does not.

        What makes no difference to the files is ours.
        """
        parts = find(name).of or (name,)
        if bundle and not all(part in bundle.measures for part in parts):
            return {}
        ways = {}
        for part in parts:
            way = dict(base)
            if bundle:
                way |= {field: getattr(bundle, field) for field in FIELDS}
                way |= {**bundle.conventions, **bundle.measures[part]}
            moot = [s for s in way if self.moot.get(s) or self.moot.get(way[s])]
            ways[part] = way | {s: OURS[s] for s in moot}
        return ways

    def of(self, ways: Mapping[str, Way]) -> Score:
        """The score of a measure, or the mean of several, each in its way."""
        scores = [self.part(part, way) for part, way in ways.items()]
        return mean_f1(scores, None) if len(scores) > 1 else scores[0]

    def part(self, name: str, way: Way) -> Score:
        """The score of a measure that is no mean of others."""
        tables, measure = self.tables(way), formula(way["formula"] or name)
        choice = Conventions(average=way["average"], zero=way["zero"])
        report = Report({choice: tables}, [Metric(measure, choice)], choice)
        key = way["formula"] or name, id(tables), choice
        return self._once(key, lambda: report.total[measure.name]._replace(counts=None))

    def tables(self, way: Way) -> Mapping[Hashable, Tables]:
        """The documents' tables."""
        documents = self.documents(way)
        repeated = [
            any(isinstance(side, ByName) for side in sides)
            for sides in zip(*documents.values(), strict=True)
        ]
        if way["repeated"] == "error" and any(repeated):
            raise CorefError("it refuses repeated mentions")
        if way["repeated"] == "reference" and any(repeated[:1]):
            raise CorefError("what it makes of mentions that the key repeats is no score")
        choice = Conventions(**{name: way[name] for name in ("repeated", "singletons", "twinless")})
        sides = chain.from_iterable(documents.values())
        if not any(1 in getattr(side, "sizes", [1]) for side in sides):
            choice = choice.but(singletons="keep")
        return self._once(
            (id(documents), choice),
            lambda: {name: overlap(*pair, choice) for name, pair in documents.items()},
        )

    def documents(self, way: Way) -> Mapping[Hashable, tuple[Entities, Entities]]:
        """Key and response of each document that is scored, as the program pairs and reads it."""
        dropped = way["singletons"] if way["match"] != "exact" else "keep"
        key = dropped, *(way[switch] for switch in (*FIELDS, "match", "missing"))
        return self._once(key, lambda: self._documents(way, dropped))

    def _documents(self, way: Way, dropped: str) -> dict[Hashable, tuple[Entities, Entities]]:
        key, response = self.files.key, self.files.response
        if (way["match"], dropped) != (self.choice.match, "keep"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the first reading has warned
                choice = self.choice.but(match=way["match"], singletons=dropped)
                key, response = read_pair(*self.paths, choice)
        if way["pairs"]:
            response = dict(zip(key, response.values(), strict=False))
            key = {name: key[name] for name in response}
        if way["extra"]:
            response = {name: response[name] for name in response if name in key}
        alone = key.keys() ^ response.keys()
        if alone and way["missing"] == "error":
            raise CorefError("a document is on one side only")
        if way["missing"] == "skip":
            key, response = ({n: s[n] for n in s if n not in alone} for s in (key, response))
        key, response = self._placed(0, key, way), self._placed(1, response, way)
        none = Partition()
        return {name: (key.get(name, none), response.get(name, none)) for name in key | response}

    def _placed(self, side: int, documents: Documents, way: Way) -> dict[str, Entities]:
        """Documents with mentions at the places that the program has, or all documents as one."""
        if not way["places"] and not way["documents"]:
            return dict(documents)
        placed: dict[str, defaultdict[Any, list[Any]]] = {}
        for document, entities in documents.items():
            found = placed.setdefault(way["documents"] or document, defaultdict(list))
            for name, mentions in by_name(entities).items():
                found[name] += [self.files.place(side, document, m, way) for m in mentions]
        return {document: entities_of(found, "each", str) for document, found in placed.items()}

    def reason(self, base: Mapping[str, Way], ways: Mapping[str, Way]) -> str:
        """Why a measure, or which parts of a mean, give another score than the base."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for part, way in ways.items():
            if self.part(part, way) != self.part(part, base[part]):
                found[self._reason(part, base[part], way)].append(part)
        if len(ways) == 1:
            return "; ".join(found)
        return "; ".join(f"{', '.join(parts)}: {reason}" for reason, parts in found.items())

    def _reason(self, name: str, base: Way, way: Way) -> str:
        """What the fewest choices meet that give the program's score."""
        switches = [switch for switch in OURS if way[switch] != base[switch]]
        several = (combinations(switches, n) for n in range(1, len(switches) + 1))
        for chosen in chain.from_iterable(several):
            mixed = {**base, **{switch: way[switch] for switch in chosen}}
            try:
                same = self.part(name, mixed) == self.part(name, way)
            except CorefError:  # choices that do not go together
                continue
            if same:
                facts = (_Choice(self, name, mixed, {**mixed, s: base[s]}) for s in chosen)
                return "; ".join(getattr(f, s)() for f, s in zip(facts, chosen, strict=True))
        raise AssertionError("all choices together are the program's")


class _Choice(NamedTuple):
    """What a choice meets in the files: a method for each, given the ways with and without it."""

    scores: _Scores
    name: str
    way: Way
    without: Way

    def singletons(self) -> str:
        tables = self.scores.tables(self.without).values()
        key = sum(t[0].key_histogram.get(1, 0) for t in tables)
        response = sum(t[1].T.key_histogram.get(1, 0) for t in tables)
        both = self.way["singletons"] == "drop"
        return f"leaves out {_shares([key * both, response], 'singleton')}"

    def repeated(self) -> str:
        found, reference = [0, 0], self.way["repeated"] == "reference"
        for pair in self.scores.documents(self.way).values():
            key, response = (Counter(chain.from_iterable(as_lists(side))) for side in pair)
            for side, times in enumerate((key, response)):
                repeated = [mention for mention, n in times.items() if n > 1]
                found[side] += sum(not (reference and mention in key) for mention in repeated)
        return {
            "first": "counts {} once, where listed first",
            "last": "counts {} once, where listed last",
            "merge": "makes one entity of those that share {}",
            "reference": "counts each listing of {} that the key lacks",
            "each": "counts each listing of {}",
            "once_each": "counts {} once in each entity",
        }[self.way["repeated"]].format(_shares(found, "repeated mention"))

    def average(self) -> str:
        return {
            "mean": "takes the mean over {} instead of summing counts",
            "mean_pr": "takes F1 of the mean recall and the mean precision of {}",
            "mentions": "takes a mean over {}, weighted by mentions, instead of summing counts",
        }[self.way["average"]].format(_count(len(self.scores.tables(self.way)), "document"))

    def zero(self) -> str:
        if self.way["average"] == "sum":
            return "takes 0/0 for 1, as key and response are the same"
        measure = formula(self.way["formula"] or self.name)
        ways = self.without, self.way
        ours, theirs = (Metric(measure, Conventions(zero=way["zero"])) for way in ways)
        tables = self.scores.tables(self.way).values()
        moved = sum(ours.of_tables(t).parts != theirs.of_tables(t).parts for t in tables)
        return f"takes 0/0 for 1 in {_count(moved, 'document')} with the same key and response"

    def twinless(self) -> str:
        tables = [t[0] for t in self.scores.tables(self.without).values()]
        shared = sum(t.shared_mentions for t in tables)
        key, response = (
            sum(s.key_mentions for s in side) for side in (tables, [t.T for t in tables])
        )
        if self.way["twinless"] == "key_completed":
            added = _shares([0, response - shared], "twinless mention")
            return f"adds {added} to the key, as singletons"
        mentions = _shares([key - shared, response - shared], "twinless mention")
        return f"{mentions}: {CHOICES['twinless'][self.way['twinless']]}"

    def formula(self) -> str:
        links = [blanc_always(t[0]) for t in self.scores.tables(self.way).values()]
        if self.way["average"] == "sum":
            links = [reduce(add, links)]
        where = f" in {{}} of {len(links)} documents" if len(links) > 1 else ""
        classes = []
        for kind in ("coreference", "non-coreference"):
            n = sum(not getattr(each, kind.replace("-", "_")).recall.total for each in links)
            classes += [f"no {kind} link{where.format(n)}"] * bool(n)
        both = self.way["formula"] == "blanc_both"
        rule = "only if both sides lack it" if both else "in no case"
        return f"leaves a class of links out {rule}; the key has {' and '.join(classes)}"

    def places(self) -> str:
        files, moved, taken = self.scores.files, [0, 0], [0, 0]
        at: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
        places: list[tuple[int, Hashable]] = []
        for side, documents in enumerate((files.key, files.response)):
            for document, entities in documents.items():
                both = document in files.key and document in files.response
                for mention in chain.from_iterable(as_lists(entities)):
                    place = files.place(side, document, mention, self.way)
                    if both:
                        moved[side] += place != files.place(1 - side, document, mention, self.way)
                    places.append((side, (self.way["documents"] or document, place)))
                    at[places[-1][1]].add((document, mention))
        for side, here in places:
            taken[side] += len(at[here]) > 1
        does = {
            "sentence": "finds a mention by sentence and token in it",
            "blank": "takes lines that hold a blank for tokens",
        }[self.way["places"]]
        if not any(moved):  # but the documents are not the same, or mentions cross sentences
            return f"{does}, and takes {_shares(taken, 'mention')} for others"
        return f"{does}, and {_shares(moved, 'mention')} are elsewhere by the other file"

    def documents(self) -> str:
        pairs = self.scores.documents(self.without).values()
        joined = [0, 0]
        for side in (0, 1):
            names = Counter(name for pair in pairs for name in by_name(pair[side]))
            joined[side] = sum(n for n in names.values() if n > 1)
        entities = (
            f", and one entity of those with the same number: {_shares(joined, 'entities')}"
            if any(joined)
            else ""
        )
        return f"makes one document of {len(pairs)}{entities}"

    def pairs(self) -> str:
        key, response = list(self.scores.files.key), list(self.scores.files.response)
        other, more = sum(map(ne, key, response)), abs(len(key) - len(response))
        facts = [f"{other} with another"] * bool(other) + [f"{more} with none"] * bool(more)
        return f"pairs documents by their order, {' and '.join(facts)}"

    def extra(self) -> str:
        key, response = self.scores.files.key.keys(), self.scores.files.response.keys()
        return f"leaves out {_count(len(response - key), 'document')} that the key lacks"

    def missing(self) -> str:
        alone = self.scores.files.key.keys() ^ self.scores.files.response.keys()
        return f"leaves out {_count(len(alone), 'document')} that one side lacks"

    def match(self) -> str:
        before, after = (
            sum(t[0].shared_mentions for t in self.scores.tables(way).values())
            for way in ({**way, "twinless": "keep"} for way in (self.without, self.way))
        )
        return f"finds {_count(after, 'mention')} instead of {before} by match={self.way['match']}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _shares(numbers: Sequence[int], what: str) -> str:
    """How many of something the key and the response have.

    >>> _shares([2, 1], "singleton"), _shares([0, 1], "singleton")
    ("the key's 2 and the response's 1 singletons", "the response's 1 singleton")
    """
    sides = zip(("key", "response"), numbers, strict=True)
    shares = [f"the {side}'s {number}" for side, number in sides if number]
    return f"{' and '.join(shares)} {what}{'s' * (sum(numbers) != 1 and what[-1] != 's')}"


def as_json(found: Explanation, number: str | None) -> dict[str, Any]:
    """The explanation for machines."""
    why = {program: reasons for row in found.rows for program, reasons in row.programs.items()}
    return {
        "ours": {name: score.parts for name, score in found.ours.items()},
        "refused": found.refused,
        "programs": {
            program: {n: score.parts | {"reason": why.get(program, {}).get(n)} for n, score in each}
            for program, each in ((name, scores.items()) for name, scores in found.scores.items())
        },
        "not_reproduced": {program: bundles()[program].not_reproduced for program in found.scores},
        "unable": {program: why for why, each in found.unable.items() for program in each},
        "faults": [fault._asdict() | {"hits": hits(fault.kind)} for fault in found.faults],
        "printed": [hit._asdict() for hit in found.printed(number)] if number is not None else [],
    }


def as_text(found: Explanation, number: str | None, width: int) -> str:
    """The explanation for people, in lines of at most this width if words allow."""
    scores = [[name, percent(score.value)] for name, score in found.ours.items()]
    lines = aligned([["measure", "F1"], *scores], right=1).splitlines()
    if found.refused:
        lines.append("(refused by default: with --repeated first --missing empty)")
    if any(fault.kind == "repeated" for fault in found.faults):
        lines.append(
            "(not every program's rule for repeated mentions is reproduced in full: --format json "
            "has what is not_reproduced)"
        )
    for row in found.rows:
        other = [n for n, score in found.ours.items() if row.scores.get(n, score) != score]
        lines += ["", ", ".join(_other(n, row.scores[n], found.ours[n]) for n in other)]
        lines += _reasons(row, found.ours)
    lines += ["", "as ours:", f"  {', '.join(found.same) or 'none'}"]
    unable = [f"  {', '.join(programs)}: {why}" for why, programs in found.unable.items()]
    lines += ["", "no score:", *unable] * bool(unable)
    if number is not None:
        lines += ["", f"{number} is:", *_prints(found.printed(number))]
    lines += ["", "in the files:", *_listed(found.faults)]
    wrap = TextWrapper(max(width, 20), break_long_words=False, break_on_hyphens=False)
    for n, line in enumerate(lines):
        wrap.subsequent_indent = " " * (len(line) - len(line.lstrip()) + 2)
        lines[n] = wrap.fill(line).replace("\xa0", " ")
    return "\n".join([*lines, ""])


def _prints(hits: Sequence[Hit]) -> Iterator[str]:
    """A line for programs that print a number as the same part of the same measure."""
    programs: defaultdict[str, list[str]] = defaultdict(list)
    for hit in hits:
        part = hit.part.replace("f1", "F1")
        programs[f"{hit.measure} {part} {percent(hit.value)}, {hit.how}"].append(hit.program)
    yield from (f"  {what}: {', '.join(names)}" for what, names in programs.items())


def _listed(faults: Sequence[Fault]) -> Iterator[str]:
    """The first of each kind, and whom they hit."""
    for kind, each in groupby(faults, key=lambda fault: fault.kind):
        several, programs = list(each), ", ".join(hits(kind))
        yield f"  {kind}" + f" (hits {programs})" * bool(programs) + ":"
        yield from (f"    {fault}" for fault in several[:SHOWN])
        if len(several) > SHOWN:
            yield f"    and {len(several) - SHOWN} more: --format json has all"
    if not faults:
        yield "  nothing to mend"


def _other(name: str, score: Score, ours: Score) -> str:
    """A score that is not ours; recall and precision, if F1 tells no difference."""
    assert score.value is not None and ours.value is not None
    parts = ", ".join(f"{part} {percent(number)}" for part, number in score.parts.items())
    off = percent(score.value - ours.value).replace("-", "−")
    sign = "+" * (score.value > ours.value)
    shown = f"{percent(score.value)}\xa0({sign}{off})" if score.value != ours.value else parts
    return f"{name}\xa0{shown}"


def _reasons(row: Alike, ours: Mapping[str, Score]) -> Iterator[str]:
    """A line for programs of the same reasons."""
    groups: list[tuple[list[str], dict[str, str]]] = []
    for program, why in row.programs.items():
        group = next((group for group in groups if _agree(group[1], why)), ([], {}))
        groups += [group] * (not group[0])
        group[0].append(program)
        group[1].update(why)
    for programs, why in groups:
        measures: defaultdict[str, list[str]] = defaultdict(list)
        for name, reason in why.items():
            if not find(name).of or not all(part in ours for part in find(name).of):
                measures[reason].append(name)
        told = [f"{', '.join(names)}: {reason}" for reason, names in measures.items()]
        yield f"  {', '.join(programs)}: {'; '.join(told if len(told) > 1 else measures)}"
