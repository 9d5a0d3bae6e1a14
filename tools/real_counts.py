"""Count what real systems' responses have right, and compare with the counts of data/real.

python tools/real_counts.py ARCHIVE SOURCE ... counts an archive and says where its counts differ
from the stored ones; the exit code is then 1. ``--write`` stores them instead. data/real/README.md
says where archives are and what is in the stored counts.

A source is a 7z file as it was downloaded, the table of scores beside it, or a folder: an unpacked
archive, or columns of labels. Columns are CSV files with a head, in one of two layouts:

- *A row a mention, a column a side* (cdcr-corpora, hypercoref). The first columns are numbers that
  name the mention: ``document``, then one or more within it, such as ``first`` and ``last``. Then
  come the key's entity (``key``) and that of each response, under its name. The files are fcc.csv,
  gvc.csv and ecbp.csv, with barhom2019-fcct.csv and so on; or ecbp.csv, gvc.csv and fcct.csv, each
  beside a file such as ecbp.documents.csv with the columns ``document`` and ``subtopic``. Printed
  scores stand in printed.csv (``corpus``, ``response``, ``documents``, ``measure``, ``f1``,
  ``precision``, ``recall``), or in the archive's own table of scores.
- *A file a side* (wiki-grounded, gum): ``document``, ``first``, ``last``, ``entity``. The files are
  key.csv, aralikatte.csv, clark.csv, lee.csv and second-annotator.csv; or gum.csv, ontogum.csv,
  xrenner-gum.csv and xrenner-ontonotes.csv.

Entities are numbers or names, of a meaning within their side alone.

``--subtopics SOURCE ...`` beside cdcr-corpora names sources of hypercoref, which has the same key
of ECB+ and says which subtopic each document is of.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "book"))  # the companion is no part of an installation

from companion.studies import real  # noqa: E402
from real_sources import (  # noqa: E402
    READERS,
    SHA256,
    Corpus,
    Side,
    Source,
    check_sha256,
    joined,
    units_by_key,
    unpacked,
)

from corefeval import anatomy, evaluate  # noqa: E402
from corefeval.chance.significance import leaves  # noqa: E402
from corefeval.errors import CorefError  # noqa: E402

Units = dict[str, dict[str, list[Any]]]
"""The entities of each unit by name, each with its mentions."""

LINKS_NOTHING = "links-nothing"
"""A response of ours: each of the key's mentions alone."""
SIZES = ((1, 1), (2, 2), (3, 5), (6, 10**9))
"""Classes of entities by size, whose costs are kept."""


class Plan(NamedTuple):
    """What is counted of the corpora of an archive."""

    scope: str
    conventions: tuple[str, ...]
    kept: tuple[str, ...] = ()
    """Beginnings of responses whose units are kept; of others there is the sum alone."""
    only: str = ""
    """A part of the names of responses; others are left out."""
    corpora: tuple[str, ...] = ()
    """The corpora that it concerns; all, if none is named."""
    dissected: tuple[str, ...] = ()
    """Beginnings of responses whose entities are looked at."""


BOTH = ("", "singletons=drop")
FEATURE = ("lemma", "feature.", LINKS_NOTHING)
PLANS = {
    "cdcr-corpora": [
        Plan("documents", BOTH, FEATURE, corpora=("fcc",), dissected=FEATURE),
        Plan("documents", ("",), FEATURE, corpora=("gvc", "ecbp"), dissected=FEATURE),
        Plan("documents", BOTH[1:], corpora=("gvc", "ecbp"), dissected=FEATURE),
        Plan("corpus", BOTH, dissected=FEATURE),
    ],
    "hypercoref": [
        Plan("corpus", BOTH),
        Plan("subtopics", ("",), ("",), only=".p.", corpora=("ecbp",)),
        Plan("topics", ("",), ("",), only=".p.", corpora=("ecbp",)),
    ],
    "wiki-grounded": [
        Plan("documents", BOTH, ("",), corpora=("wiki", "wiki-twice"), dissected=("",)),
        Plan("documents", BOTH, corpora=("wiki-uncut",)),
    ],
    "gum": [
        Plan(
            "documents",
            ("repeated=first", "repeated=first singletons=drop"),
            ("",),
            dissected=("",),
        ),
    ],
}


# Counting


def counted(source: Source, plans: Iterable[Plan]) -> Iterator[real.Line]:
    """Every count of an archive."""
    for corpus in source.corpora:
        for plan in plans:
            if not plan.corpora or corpus.name in plan.corpora:
                yield from _of_plan(corpus, plan)
    for row in source.printed:
        numbers = f"{row.recall} {row.precision} {row.f1}"
        yield real.Line(
            row.corpus, row.scope, "", row.response, "", f"printed.{row.measure}", numbers
        )


def _of_plan(corpus: Corpus, plan: Plan) -> Iterator[real.Line]:
    key = by_unit(corpus.key, corpus.units.get(plan.scope))
    responses = dict(corpus.responses) | {LINKS_NOTHING: alone(corpus.key)}
    for name, side in responses.items():
        if plan.only in name or name == LINKS_NOTHING:
            response = by_unit(side, corpus.units.get(plan.scope))
            for conventions in plan.conventions:
                for measure, unit, numbers in _of_response(key, response, name, conventions, plan):
                    place = corpus.name, plan.scope, conventions
                    yield real.Line(*place, name, unit, measure, numbers)


def by_unit(side: Side, units: Mapping[int, str] | None) -> Units:
    """The entities of each unit, each with its mentions; without units all is one."""
    found: Units = {}
    for mention, entity in side:
        unit = found.setdefault("" if units is None else units[mention[0]], {})
        unit.setdefault(entity, []).append(mention)
    return found


def alone(side: Side) -> Side:
    """Each mention in an entity of its own."""
    return [(mention, str(number)) for number, (mention, _) in enumerate(side)]


def _of_response(
    key: Units, response: Units, name: str, conventions: str, plan: Plan
) -> Iterator[tuple[str, str, str]]:
    """(measure, unit, numbers) of each measure in each unit, or in all together."""
    chosen = dict(word.split("=") for word in conventions.split())
    sides = [
        {unit: list(side.get(unit, {}).values()) for unit in key | response}
        for side in (key, response)
    ]
    report = evaluate(*sides, real.COUNTED, **chosen)
    each = {"": {measure: score.counts for measure, score in report.total.items()}}
    if _begins(name, plan.kept):
        each = report.counts
    for unit, counts in each.items():
        for measure in real.COUNTED:
            yield measure, unit, numbers_of(counts[measure])
    for which, side in zip(("key", "response"), sides, strict=True):
        yield f"entities.{which}", "", _sizes(side)
    if _begins(name, plan.dissected):
        yield from _dissected(sides, chosen)


def _begins(name: str, beginnings: tuple[str, ...]) -> bool:
    return any(name.startswith(each) for each in beginnings)


def numbers_of(counts: Any) -> str:
    """The numbers that counts consist of, in their order, exactly."""
    return " ".join(map(str, leaves(counts)))


def _sizes(side: Mapping[str, list[list[Any]]]) -> str:
    """How many entities there are, how many are singletons, and the largest's mentions."""
    sizes = [len(entity) for entities in side.values() for entity in entities]
    return f"{len(sizes)} {sizes.count(1)} {max(sizes, default=0)}"


KINDS = ("whole", "split", "missed", "pure", "merged", "invented")
"""What is stored of the anatomy's kinds; the remaining entities are partial and padded."""


def _dissected(sides: list[Any], chosen: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """What became of entities and mentions, and what entities of each size cost by each measure."""
    entities = anatomy(*sides, real.COUNTED, **chosen).entities
    equal = sum(each.equal for each in entities if each.side == "key")
    kinds = Counter(each.kind for each in entities)
    alone = Counter[str]()
    for each in entities:
        alone[each.side] += each.alone
    counts = [equal, *(kinds[kind] for kind in KINDS), alone["key"], alone["response"]]
    yield "anatomy", "", " ".join(map(str, counts))
    for measure in real.ATTRIBUTED:
        cost: Counter[tuple[str, int]] = Counter()
        for entity in entities:
            cost[entity.side, entity.size] += entity.cost.get(measure, Fraction(0))
        for side in ("key", "response"):
            by_size = [
                sum(
                    (c for (of, n), c in cost.items() if of == side and low <= n <= high),
                    Fraction(),
                )
                for low, high in SIZES
            ]
            yield f"lost.{measure}.{side}", "", " ".join(f"{float(c):.12g}" for c in by_size)


# Documents that are not independent


def of_units(source: Source, other: Source | None) -> Iterator[real.Line]:
    """The unit of each document of cdcr-corpora: of those that the key joins, and of ECB+'s own.

    ECB+'s subtopics and topics are those of ``other``, hypercoref.
    """
    for corpus in source.corpora:
        if corpus.name in ("fcc", "gvc", "ecbp"):
            yield from _units(corpus.name, "joined", joined(corpus.key))
        if corpus.name == "ecbp" and other is not None:
            (same,) = (each for each in other.corpora if each.name == "ecbp")
            for scope in ("subtopics", "topics"):
                units = units_by_key(corpus.key, same.key, same.units[scope])
                yield from _units("ecbp", scope, units)


def _units(corpus: str, scope: str, units: Mapping[int, str]) -> Iterator[real.Line]:
    for document, unit in units.items():
        yield real.Line(corpus, "documents", "", "", str(document), f"unit.{scope}", unit)


# Comparing and storing


def compare(name: str, found: Iterable[real.Line]) -> tuple[str, bool]:
    """What counts and stored counts share, in words, and whether none of them differs."""
    stored = {line[:-1]: line.numbers for line in real.lines(name)}
    here = {line[:-1]: line.numbers for line in found}
    differ = [place for place, numbers in here.items() if stored.get(place) != numbers]
    said = [f"{name}: {len(here) - len(differ):,} of {len(here):,} rows are as stored"]
    said += [
        f"  {' '.join(place)}: counted {here[place]}, stored {stored.get(place, 'nothing')}"
        for place in differ[:10]
    ]
    if missing := Counter(place[3] for place in stored if place not in here):
        said.append(
            f"  {missing.total():,} stored rows are of what this source has not: "
            + ", ".join(sorted(missing))
        )
    return "\n".join(said), not differ


def read(name: str, paths: list[Path]) -> Source:
    """An archive from its sources; files that are downloaded are checked and unpacked."""
    of_columns, of_archive = READERS[name]
    if len(paths) == 1 and any(each.name not in SHA256 for each in paths[0].glob("*.csv")):
        return of_columns(paths[0])
    with TemporaryDirectory() as made:
        folder = Path(made)
        for path in paths:
            if path.is_dir():
                for each in path.iterdir():
                    (folder / each.name).symlink_to(each.resolve())
            elif path.suffix == ".7z":
                unpacked(path, folder, "" if path.name != "conll.7z" else ("key/", "sys_cdcr/"))
            else:
                check_sha256(path)
                (folder / path.name).symlink_to(path.resolve())
        return of_archive(folder)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", choices=READERS)
    parser.add_argument("source", nargs="+", type=Path)
    parser.add_argument("--subtopics", nargs="+", type=Path, metavar="SOURCE",
                        help="sources of hypercoref, for ECB+'s subtopics")  # fmt: skip
    parser.add_argument("--write", action="store_true", help="store the counts in data/real")
    chosen = parser.parse_args(arguments)
    try:
        source = read(chosen.archive, chosen.source)
        found = sorted(counted(source, PLANS[chosen.archive]))
        if chosen.archive == "cdcr-corpora":
            other = read("hypercoref", chosen.subtopics) if chosen.subtopics else None
            found += of_units(source, other)
        if chosen.write:
            real.write(chosen.archive, found)
            return 0
        said, alike = compare(chosen.archive, found)
    except CorefError as error:
        print(f"real_counts: {error}", file=sys.stderr)
        return 2
    print(said)
    return 0 if alike else 1


if __name__ == "__main__":
    sys.exit(main())
