"""The choices that other programs make: what ``like="e2e"`` stands for.

They are data, in ``scorers.toml``: for each program its repository and version, what it reads, the
choices under which this library gives its values, by measure, and what is not reproduced.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from corefeval.conventions import CHOICES, Conventions
from corefeval.errors import CorefError, named
from corefeval.partition import ByName, Mention, Partition, as_lists
from corefeval.readers.files import Entities, entities_of
from corefeval.registry import MEASURES, names_of
from corefeval.registry import find as find_measure
from corefeval.scoring import Metric

Corpus = Mapping[Any, Any]
FREE = ("exclusive", "missing", "offsets", "pairs")
"""Conventions that a bundle leaves to the user, unless it names them."""


class Bundle(NamedTuple):
    """What one program computes, in terms of this library."""

    name: str
    program: str
    version: str
    reads: str
    measures: Mapping[str, Mapping[str, str]] = {}
    """By the name of each measure: the choices that differ from ``conventions``, and the
    ``formula`` if it is not that of the name."""
    conventions: Mapping[str, str] = {}
    documents: str = ""
    """``"pooled"`` if all are made one, where entities of one number are one entity."""
    extra: str = ""
    """``"ignored"`` if documents that only the response has are left out."""
    places: str = ""
    """``"sentence"`` if a mention's place is its sentence and the tokens in it, ``"blank"`` if a
    line that holds a blank is a token: for `corefeval.programs.explain`."""
    pairs: str = ""
    """``"order"`` if documents are paired by their order, not their names: for the same."""
    not_reproduced: str = ""
    evidence: Mapping[str, str] = {}

    def choice(self, chosen: Mapping[str, str]) -> Conventions:
        """The program's conventions, with the user's where the program has none.

        Raises `CorefError` for a convention that the program fixes.
        """
        fixed = ({*CHOICES} - {*FREE}).union(self.conventions, *self.measures.values())
        if both := [name for name in chosen if name in fixed]:
            raise CorefError(f"like={self.name!r} fixes {both[0]}: leave it out, or leave out like")
        return Conventions(**{**self.conventions, **chosen})

    def computes(self, name: str) -> bool:
        """Whether the program has a measure, or all that it is the mean of."""
        parts = (name,) if name in self.measures else find_measure(name).parts or (name,)
        return all(part in self.measures for part in parts)

    def metrics(self, metrics: str | Iterable[str], choice: Conventions) -> list[Metric]:
        """Those of the measures asked for that the program computes, by its conventions.

        Raises `CorefError` if there are none.
        """
        names = names_of(metrics)
        found = [self._metric(name, choice) for name in names if self.computes(name)]
        if names and not found:
            raise CorefError(
                f"like={self.name!r}: the program computes no {' or '.join(names)}; expected one "
                f"of {', '.join(self.measures)}"
            )
        return found

    def _metric(self, name: str, choice: Conventions) -> Metric:
        if name not in self.measures:
            parts = tuple(self._metric(part, choice) for part in MEASURES[name].parts)
            return Metric(MEASURES[name], parts[0].conventions, parts)
        chosen = dict(self.measures[name])
        measure = formula(chosen.pop("formula", name))
        return Metric(measure._replace(name=name), choice.but(**chosen))

    def note(self, metrics: str | Iterable[str], asked: Iterable[Metric]) -> str:
        """For the signature: the program, what it does otherwise by measure, what it lacks."""
        found = [metric.measure.name for metric in asked]
        parts = [f"like={self.name}", *(["documents=pooled"] if self.documents else [])]
        for name in found:
            parts += [f"{name}.{what}={how}" for what, how in self.measures.get(name, {}).items()]
        absent = [name for name in names_of(metrics) if name not in found]
        return " ".join([*parts, *([f"absent={','.join(absent)}"] if absent else []), ""])

    def arranged(self, key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
        """The documents that the program scores, with mentions that can be read again."""
        if self.extra == "ignored":
            response = {name: response[name] for name in response if name in key}
        return self._arranged("key", key), self._arranged("response", response)

    def _arranged(self, side: str, documents: Corpus) -> Corpus:
        kept = {}
        for document, entities in documents.items():
            with named(f"document {document!r}: {side}"):
                again = isinstance(entities, (Partition, ByName))
                kept[document] = entities if again else as_lists(entities)
        return placed(kept, lambda *place: place, pooled=True) if self.documents else kept


def formula(name: str) -> Any:
    """The measure of that name, or one that is a program's own."""
    if name != "blanc_always":
        return find_measure(name)
    from corefeval.measures.blanc import blanc_always

    return MEASURES["blanc"]._replace(formula=blanc_always)


def placed(
    documents: Corpus, place: Callable[[Any, Mention], Mention], pooled: bool
) -> dict[Any, Entities]:
    """Documents with ``place(document, mention)`` for each mention.

    Pooled, they are one, and so are their entities of one name or number.
    """
    found: dict[Hashable, defaultdict[Any, list[Mention]]] = {}
    for document, entities in documents.items():
        of_name = found.setdefault("all" if pooled else document, defaultdict(list))
        for name, mentions in by_name(entities).items():
            of_name[name] += [place(document, mention) for mention in mentions]
    return {name: entities_of(of_name, "each", str) for name, of_name in found.items()}


def by_name(entities: Any) -> Mapping[Any, list[Mention]]:
    """The mentions of each entity by its name in a file, or its number."""
    if isinstance(entities, ByName):
        return entities
    listed = as_lists(entities)
    return dict(zip(getattr(entities, "names", None) or range(len(listed)), listed, strict=True))


@cache
def bundles() -> dict[str, Bundle]:
    """Every bundle by its name."""
    import tomllib
    from importlib.resources import files

    text = files("corefeval.programs").joinpath("scorers.toml").read_text(encoding="utf-8")
    return {name: Bundle(name, **bundle) for name, bundle in tomllib.loads(text).items()}


def find(name: str) -> Bundle:
    """The bundle of that name, written with ``_`` or ``-``.

    Raises `CorefError` for a program that has none, with the reason where it is known.

    >>> find("corefud-official").conventions["singletons"]
    'drop'
    >>> find("litbank")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefeval.errors.CorefError: like='litbank': ...
    """
    found = bundles().get(str(name).replace("-", "_"))
    if found is None:
        from difflib import get_close_matches  # only for the message

        near = get_close_matches(str(name), bundles(), 1)
        hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(bundles())}"
        raise CorefError(f"like={name!r}: no such program; {hint}")
    if not found.measures:
        raise CorefError(f"like={name!r}: {found.not_reproduced}")
    return found
