"""The choices that other scorers make: what ``like="e2e"`` stands for.

They are data, in ``scorers.toml``: for each scorer its repository and version, what it reads, the
choices under which this library gives its values, by measure, and what is not reproduced.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from corefeval.conventions import FIRST_CHOICES, Conventions
from corefeval.errors import CorefError, NoScore, meant, named, warn
from corefeval.overlap.partition import (
    ByName,
    Mention,
    Partition,
    all_mentions,
    by_name,
    entities_of,
    numbered_entities,
)
from corefeval.readers.files import Entities
from corefeval.registry import MEASURES, OF_MENTIONS, find, names_of
from corefeval.scoring import Corpus, Metric

FREE = ("missing", "offsets", "pairs", "zero_match")
"""What a bundle leaves to the user, unless it names it."""


PERL = "the Perl scorer: reference is 8.01, perl_v8 is 8.0, perl_v7 is 7.0; type reference"
OFFICIAL = (
    "the shared tasks of 2011 and 2012 are scored by reference, those on CorefUD by "
    "corefud_official; type one of them"
)
ASKED = {
    "perl": PERL,
    "scorer.pl": PERL,
    "conll": PERL,
    "official": OFFICIAL,
    "corefud": "the scorer of the shared tasks is corefud_official; with singletons corefud_head, "
    "corefud_partial and corefud_exact; type one of them",
}
"""Names that may mean several scorers, and what is answered."""


class Bundle(NamedTuple):
    """What one scorer computes, in terms of this library."""

    name: str
    scorer: str
    version: str
    reads: str
    measures: Mapping[str, Mapping[str, str]] = {}
    """By the name of each measure: the choices that differ from ``conventions``, and the
    ``formula`` if it is not that of the name."""
    conventions: Mapping[str, str] = {}
    documents: str = ""
    """``"pooled"`` if all are made one, where entities of one name are one entity."""
    extra: str = ""
    """``"ignored"`` if documents that only the response has are left out."""
    places: str = ""
    """``"sentence"`` if a mention's place is its sentence and the tokens in it: for `explain`."""
    reading: str = ""
    """Whose rules it reads CoNLL-2012 by (`corefeval.scorers.reading`)."""
    pairing: str = ""
    """``"order"`` if documents are paired by their order, not their names: for `explain`."""
    most_repeated: int = 0
    """How many mentions of the key a response may repeat; 0 if there is no limit."""
    not_reproduced: str = ""
    evidence: Mapping[str, str] = {}
    rank: int = 0
    """Of scorers that print the same, the one of the lowest rank names them."""

    @property
    def whose(self) -> str:
        """What a sentence calls its rule: by the repository, or by its name if several have that.

        >>> [bundles()[name].whose for name in ("e2e", "corefud_official", "scorch_cli", "perl_v7")]
        ["e2e-coref's", "corefud-scorer's default", 'that of scorch (the command)', "perl_v7's"]
        """
        scorers = [bundle.scorer for bundle in bundles().values()]
        if scorers.count(self.scorer) > 1:
            return f"{self.name}'s"
        repository, _, options = self.scorer.partition(", ")
        called = repository.rpartition("/")[2]
        others = {scorer.partition(", ")[0] for scorer in scorers} - {repository}
        if any(name.endswith(f"/{called}") for name in others):
            called = repository
        if options:
            return f"that of {called} ({options})"
        has_options = any(scorer.startswith(f"{repository}, ") for scorer in scorers)
        return f"{called}'s{' default' if has_options else ''}"

    @property
    def stated(self) -> str:
        """The name and the state of the scorer that it stands for: a commit or a release."""
        return f"{self.name}@{self.version.split(',')[0].split()[-1]}"

    @property
    def otherwise(self) -> str:
        """What it does otherwise than we do, as conventions, those of a measure behind its name."""
        differences = [f"{name}={choice}" for name, choice in self.conventions.items()]
        if self.documents:
            differences.append(f"{self.documents} documents")
        if self.extra:
            differences.append(f"{self.extra} documents of the response alone")
        of_measures: defaultdict[str, list[str]] = defaultdict(list)
        for measure, choices in self.measures.items():
            for name, choice in choices.items():
                of_measures[f"{name}={choice}"].append(measure)
        differences += [f"{','.join(names)}: {choice}" for choice, names in of_measures.items()]
        return "; ".join(differences)

    def choice(self, chosen: Mapping[str, str]) -> Conventions:
        """The scorer's conventions, with the user's where the scorer has none.

        Raises `CorefError` for a convention that the scorer fixes.
        """
        # A convention that the user chose would give a number that the scorer never prints.
        fixed = ({*FIRST_CHOICES} - {*FREE}).union(self.conventions, *self.measures.values())
        if both := [name for name in chosen if name in fixed]:
            raise CorefError(f"like={self.name!r} fixes {both[0]}: leave it out, or leave out like")
        return Conventions(**chosen).but(**self.conventions)

    def without_nodes(self) -> Bundle:
        """The bundle for mentions that have no nodes to match or to compare, unlike CorefUD's."""
        measures = {name: how for name, how in self.measures.items() if name not in OF_MENTIONS}
        return self._replace(measures=measures, conventions={**self.conventions, "match": "exact"})

    def computes(self, name: str) -> bool:
        """Whether the scorer has a measure, or all that it is the mean of."""
        parts = (name,) if name in self.measures else find(name).parts or (name,)
        return all(part in self.measures for part in parts)

    def metrics(self, metrics: str | Iterable[str], choice: Conventions) -> list[Metric]:
        """The measures asked for that the scorer computes, with its conventions.

        Raises `CorefError` if there are none.
        """
        names = names_of(metrics, self.measures)
        computed = [self._metric(name, choice) for name in names if self.computes(name)]
        if names and not computed:
            raise CorefError(
                f"like={self.name!r}: the scorer computes no {' or '.join(names)}; expected one "
                f"of {', '.join(self.measures)}"
            )
        return computed

    def _metric(self, name: str, choice: Conventions) -> Metric:
        if name not in self.measures:
            parts = tuple(self._metric(part, choice) for part in MEASURES[name].parts)
            return Metric(MEASURES[name], parts[0].conventions, parts)
        # A copy, since `formula` is taken out of it and the bundle is shared.
        chosen = dict(self.measures[name])
        measure = formula(chosen.pop("formula", name))
        return Metric(measure._replace(name=name), choice.but(**chosen))

    def warn_of_absent(self, metrics: Iterable[str]) -> None:
        """Say which of these measures the scorer does not compute, and so has no score of."""
        names = names_of(metrics, self.measures)
        if absent := [name for name in names if not self.computes(name)]:
            warn(f"like={self.name!r}: the scorer computes no {' or '.join(absent)}: left out")

    def note(self, metrics: Iterable[str], asked: Iterable[Metric]) -> str:
        """What a signature says of the scorer: its name, its choices by measure, what it lacks."""
        names = [metric.measure.name for metric in asked]
        parts = [f"like={self.stated}"]
        if self.documents:
            parts.append("pooled=documents")
        for name in names:
            parts += [f"{name}.{what}={how}" for what, how in self.measures.get(name, {}).items()]
        absent = [name for name in metrics if name not in names]
        if absent:
            parts.append(f"absent={','.join(absent)}")
        return " ".join([*parts, ""])

    def scored_documents(self, key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
        """The documents that the scorer scores.

        Raises `NoScore` for repeated mentions at which the scorer stops.
        """
        # Such a scorer goes through the key's documents, and never sees any other.
        if self.extra == "ignored":
            response = {name: response[name] for name in response if name in key}
        if self.minds_order and any(i != j for i, j in zip(key, response, strict=False)):
            raise CorefError(
                f"like={self.name!r}: it pairs documents by their order, and the sides have others "
                "or another order; expected the same"
            )
        key, response = _listed_again("key", key), _listed_again("response", response)
        self.refuse_repeated(self.repeated(key, response))
        if self.documents != "pooled":
            return key, response
        self._refuse_unnamed("key", key)
        self._refuse_unnamed("response", response)
        return pooled(key), pooled(response)

    @property
    def minds_order(self) -> bool:
        """Whether documents must stand in the same order on both sides.

        A scorer that makes one document of all counts sentences over all of them.
        """
        return bool(self.pairing or self.documents)

    def _refuse_unnamed(self, side: str, documents: Corpus) -> None:
        """Refuse entities without names in several documents, which names would make one."""
        # Documents without entities join nothing.
        having = [name for name, entities in documents.items() if len(entities)]
        unnamed = [name for name in having if documents[name].names is None]
        if unnamed and len(having) > 1:
            raise CorefError(
                f"like={self.name!r}: it makes one entity of those that have the same name in "
                f"several documents, and the entities of document {unnamed[0]!r} ({side}) have no "
                "names, only places in a list: the score is known for files that name entities, as "
                "CoNLL-2012 does; give such files, or leave out like"
            )

    def repeated(self, key: Corpus, response: Corpus) -> int:
        """How many mentions of the key the response repeats; 0 if the scorer does not mind.

        A mention that is listed three times counts as two.
        """
        if not self.most_repeated:
            return 0
        number = 0
        for document, entities in response.items():
            # A partition has each mention once.
            if isinstance(entities, Partition):
                continue
            times_of = Counter(all_mentions(entities))
            in_key = set(all_mentions(key.get(document, ())))
            number += sum(times - 1 for mention, times in times_of.items() if mention in in_key)
        return number

    def refuse_repeated(self, number: int) -> None:
        """Raise `NoScore` for more repeated mentions of the key than the scorer allows."""
        if number > self.most_repeated:
            raise NoScore(
                f"it refuses a response that repeats more than {self.most_repeated} mentions of "
                f"the key: here {number}; mend the response, or leave out like"
            )


def _listed_again(side: str, documents: Corpus) -> dict[Any, Entities]:
    """One side's documents, of which lists that are read once are written down."""
    listed: dict[Any, Entities] = {}
    for document, entities in documents.items():
        with named(f"document {document!r}: {side}"):
            listed[document] = entities
            if not isinstance(entities, (Partition, ByName)):
                listed[document] = numbered_entities(by_name(entities), lambda mention: "")
    return listed


def formula(name: str) -> Any:
    """The measure of that name, or one that is a scorer's own."""
    if name in OF_MENTIONS:
        from corefeval.readers import corefud_measures

        return corefud_measures.MEASURES[name]
    if name != "blanc_always":
        return find(name)
    from corefeval.measures.blanc import blanc_always

    return MEASURES["blanc"]._replace(formula=blanc_always)


def pooled(documents: Corpus) -> dict[Any, Entities]:
    """One document of all, where entities of the same name are one entity.

    >>> d, e = ByName({"1": ["a"], "2": ["b"]}, str), ByName({"1": ["a"]}, str)
    >>> pooled({"d": d, "e": e})["all"].sizes
    [2, 1]
    """
    of_name: defaultdict[Any, list[Mention]] = defaultdict(list)
    for document, entities in documents.items():
        for name, mentions in by_name(entities).items():
            of_name[name] += [(document, mention) for mention in mentions]
    return {"all": entities_of(of_name, str)}


@cache
def bundles() -> dict[str, Bundle]:
    """Every bundle by its name."""
    import tomllib
    from importlib.resources import files

    text = files("corefeval.scorers").joinpath("scorers.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    first: list[str] = content.pop("named_first")
    ranks = {name: rank for rank, name in enumerate(dict.fromkeys([*first, *content]))}
    return {name: Bundle(name, rank=ranks[name], **fields) for name, fields in content.items()}


def find_scorer(name: str) -> Bundle:
    """The bundle of that name, written with ``_`` or ``-``.

    Raises `CorefError` for a scorer that has none, with the reason where it is known.

    >>> find_scorer("corefud-official").conventions["singletons"]
    'drop'
    >>> find_scorer("litbank")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefeval.errors.CorefError: like='litbank': ...
    """
    bundle = find_known(name, "like=")
    if not bundle.measures:
        raise CorefError(f"like={name!r}: {bundle.not_reproduced}")
    return bundle


def find_known(name: str, option: str = "") -> Bundle:
    """The bundle of that name, also one of a scorer that has no measures of its own.

    The name may have its state, as signatures do: ``coval@87071a6``.

    Raises `CorefError` for a name or a state that there is not; the message begins with ``option``.
    """
    alone, at, state = str(name).partition("@")
    plain = alone.replace("-", "_")
    if alone.lower() in ASKED:
        raise CorefError(f"{option}{name!r}: {ASKED[alone.lower()]}")
    bundle = bundles().get(plain)
    if bundle is not None and at and bundle.stated != f"{bundle.name}@{state}":
        raise CorefError(f"{option}{name!r}: only the state {bundle.stated} is known")
    if bundle is None:
        # Readers know a scorer by its repository: e2e-coref.
        near = [known for known in bundles().values() if known.scorer.endswith(f"/{name}".lower())]
        hint = f"did you mean {near[0].name}?" if near else meant(name, bundles())
        raise CorefError(f"{option}{name!r}: no such scorer; {hint}")
    return bundle
