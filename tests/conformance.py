"""Write data/conformance/cases.jsonl: what every scorer of coreference can be asked.

Cases come from four places: what is typed in tests/measures/*.cases and in
tests/conventions.cases; the inputs on which other
scorers were run, with what they printed; inputs whose mentions have several tokens, in
tests/spans.toml; and a search, for each slip that a scorer may make and
for each choice of a convention, for the smallest key and response that show it. Numbers of
the last two are the oracle's, which knows nothing of the library; what is typed is held against it
by tests/measures/test_printed.py. ``.venv/bin/python tests/conformance.py`` writes the cases.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import oracle
from cases import EVERY, FILES, PROMISED
from oracle import Entities, Scores
from slips import SLIPS, Formula, without_singletons
from strategies import all_partitions, read

from corefeval import CorefError, evaluate, explain
from corefeval.overlap.partition import entities_of
from corefeval.score import Score as LibraryScore
from corefeval.scorers.bundles import bundles

DATA = Path(__file__).parent.parent / "data"
SUITE = DATA / "conformance" / "cases.jsonl"
SPANS = Path(__file__).with_name("spans.toml")

Documents = dict[str, tuple[Entities, Entities]]
Score = Callable[[str, Documents], Scores]
Lists = dict[str, list[list[str]]]
Named = dict[str, Any]
Line = dict[str, Any]

OF_SCORERS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "blanc_both", "lea", "conll")
"""The measures that scorers print."""
SOURCES = {
    "mentions": "Pradhan et al. 2014, section 3",
    "muc": "Vilain et al. 1995, the general scoring algorithm",
    "b3": "Bagga and Baldwin 1998, section 3",
    "b3_class": "Baldwin et al. 1998, equal weight for every class",
    "ceafm": "Luo 2005, φ₃; Pradhan et al. 2014, section 4.3.1",
    "ceafe": "Luo 2005, φ₄; Pradhan et al. 2014, section 4.3.2",
    "blanc": "Luo et al. 2014; a class is left out as in the reference scorer",
    "blanc_both": "Luo et al. 2014; a class is left out where neither side has a link of it",
    "lea": "Moosavi and Strube 2016, section 4",
    "pairwise": "Barnes 2015, section 3",
    "conll": "Pradhan et al. 2011, section 5",
    "ceaf1": "Luo 2005, φ₁",
    "ceaf2": "Luo 2005, φ₂",
    **dict.fromkeys(("kappa", "c", "xc", "xc_free", "h", "dmt"), "Popescu-Belis and Robba 1998"),
}


# ------------------------------------------------------------------------ small keys, responses

MOST = 6  # mentions that a key and a response have together
LETTERS = "abcdef"


def sizes(mentions: int, most: int) -> Iterator[list[int]]:
    """The sizes that entities of so many mentions may have, the largest first."""
    if mentions == 0:
        yield []
    for size in range(min(mentions, most), 0, -1):
        for others in sizes(mentions - size, size):
            yield [size, *others]


def keys(most: int) -> Iterator[Entities]:
    """One key of each kind: another of the same sizes is the same with other names."""
    for mentions in range(most + 1):
        for each in sizes(mentions, mentions):
            letters = iter(LETTERS)
            yield [frozenset(next(letters) for _ in range(size)) for size in each]


def weight(documents: Documents) -> tuple[int, int]:
    """The mentions of both sides, and the entities."""
    entities = [entity for sides in documents.values() for side in sides for entity in side]
    return sum(map(len, entities)), len(entities)


@cache
def small_documents(most: int) -> list[Documents]:
    """All keys and responses of so many mentions, but for their names; the smallest first."""
    responses = list(all_partitions(LETTERS[:most]))
    return sorted(
        ({"d": (key, response)} for key in keys(most) for response in responses), key=weight
    )


@cache
def small_corpora() -> list[Documents]:
    """Two documents of at most six mentions on both sides and some on each, the smallest first."""
    few = [sides for each in small_documents(3) for sides in each.values() if all(sides)]
    return sorted(({"d1": a, "d2": b} for a in few for b in few), key=weight)


# ------------------------------------------------------------------------------- conventions


def mean(scores: list[Scores], weights: tuple[list[int], ...]) -> Scores:
    """The weighted mean of each part; None of a part that the scores have not."""
    found = []
    for values, by in zip(zip(*scores, strict=True), weights, strict=True):
        if None in values:
            found.append(None)
        else:
            total = sum(w * value for value, w in zip(values, by, strict=True))
            found.append(total / Fraction(sum(by)))
    return Scores(*found)


def by_documents(measure: str, documents: Documents) -> Scores:
    scores = [oracle.score(measure, *sides) for sides in documents.values()]
    return mean(scores, ([1] * len(scores),) * 4)


def by_documents_then_f1(measure: str, documents: Documents) -> Scores:
    if measure == "conll":
        f1s = [by_documents_then_f1(name, documents).f1 for name in oracle.AVERAGED]
        return Scores(None, None, sum(f1s) / len(f1s))
    score = by_documents(measure, documents)
    return score._replace(f1=oracle.f1(score.recall, score.precision))


def by_mentions(measure: str, documents: Documents) -> Scores:
    scores = [oracle.score(measure, *sides) for sides in documents.values()]
    in_key, in_response = (
        [len(oracle.mentions_of(sides[i])) for sides in documents.values()] for i in (0, 1)
    )
    both = [k + r for k, r in zip(in_key, in_response, strict=True)]
    return mean(scores, (in_key, in_response, both, both))


def of_each(change: Callable[[Entities, Entities], tuple[Entities, Entities]]) -> Score:
    """The score of documents whose sides are changed first."""
    return lambda measure, documents: oracle.total(
        measure, {name: change(*sides) for name, sides in documents.items()}
    )


def by_policy(policy: str) -> Score:
    def score(measure: str, documents: Documents) -> Scores:
        (sides,) = documents.values()
        return oracle.apart(measure, *oracle.TWINLESS[policy](*sides))

    return score


def one_document(measure: str, documents: Documents) -> Scores:
    """The documents as one, their mentions told apart: pairs across documents are links."""
    key, response = (
        [
            frozenset((name, mention) for mention in entity)
            for name, sides in documents.items()
            for entity in sides[i]
        ]
        for i in (0, 1)
    )
    return oracle.score(measure, key, response)


CONVENTIONS: dict[str, dict[str, tuple[str, Score]]] = {
    "average": {
        "mean": ("recall, precision and F1 are means over documents", by_documents),
        "mean_pr": ("recall and precision are means over documents", by_documents_then_f1),
        "mentions": ("documents weigh as many as their mentions", by_mentions),
    },
    "singletons": {
        "drop": (
            "entities of one mention are left out of both sides",
            of_each(lambda k, r: (without_singletons(k), without_singletons(r))),
        ),
        "drop_response": (
            "entities of one mention are left out of the response",
            of_each(lambda k, r: (k, without_singletons(r))),
        ),
    },
    "zero": {
        "one": ("0/0 is 1", lambda measure, documents: oracle.total(measure, documents, 1)),
    },
    "twinless": {
        policy: (words, by_policy(policy))
        for policy, words in {
            "complete": "twinless mentions are singletons of the other side (DEF.19)",
            "stoyanov_0": "precision leaves spurious mentions out (B³₀, Stoyanov et al. 2009)",
            "stoyanov_all": "twinless mentions are singletons for their own side's score "
            "(B³ₐₗₗ, Stoyanov et al. 2009)",
            "rahman_ng": "spurious singletons are left out (Rahman and Ng 2009)",
            "cai_strube": "B³ₛᵧₛ and CEAFₛᵧₛ (Cai and Strube 2010)",
            "shared_task": "spurious singletons are left out, others made singletons (2011)",
            "key_completed": "spurious mentions are singletons of the key",
        }.items()
    },
}


# ------------------------------------------------------------------------------- the search


def smallest(measure: str, wanted: Score, rivals: list[Score], among: Iterable[Documents]):
    """The smallest input to which a formula gives another number than each of its rivals.

    Of those where no part of the number is 0, if there are; otherwise more than an edge rule
    would be needed to see it. None if there is no such input.
    """
    found = None
    for documents in among:
        score = wanted(measure, documents)
        if all(same_parts(rival(measure, documents), score) != score for rival in rivals):
            if all(part is None or part > 0 for part in score):
                return renamed(documents)
            found = found or renamed(documents)
    return found


def renamed(documents: Documents) -> Documents:
    """The same with the mentions of each document named a, b, c, as they come."""
    return {name: tuple(map(in_letters(sides), sides)) for name, sides in documents.items()}


def in_letters(sides: tuple[Entities, Entities]) -> Callable[[Entities], Entities]:
    mentions = dict.fromkeys(m for side in sides for entity in side for m in sorted(entity))
    letters = dict(zip(mentions, LETTERS, strict=False))
    return lambda side: [frozenset(letters[mention] for mention in entity) for entity in side]


def same_parts(score: Scores, other: Scores) -> Scores:
    """The parts of a score that the other has, too: of CoNLL's mean, F1 alone."""
    return Scores(*(None if b is None else a for a, b in zip(score, other, strict=True)))


def as_score(formula: Formula) -> Score:
    def score(measure: str, documents: Documents) -> Scores:
        (sides,) = documents.values()
        return formula(*sides)

    return score


def of_slips() -> Iterator[Line]:
    for measure, slips in SLIPS.items():
        for number, slip in enumerate(slips, 1):
            wrong = [as_score(slip.wrong)]
            documents = smallest(measure, oracle.total, wrong, small_documents(4))
            documents = documents or smallest(measure, oracle.total, wrong, small_documents(MOST))
            yield exact(f"{measure}-slip-{number}", measure, slip.tries, documents)
    for measure in OF_SCORERS:
        documents = smallest(measure, oracle.total, [by_documents], small_corpora())
        yield exact(f"{measure}-added", measure, "counts are added over documents", documents)
    for measure in ("blanc", "blanc_both"):
        documents = smallest(measure, oracle.total, [one_document], small_corpora())
        yield exact(f"{measure}-across", measure, "no link joins two documents", documents)


def of_conventions() -> Iterator[Line]:
    for measure in OF_SCORERS[1:]:
        for convention, choices in CONVENTIONS.items():
            among = small_corpora() if convention == "average" else small_documents(4)
            for choice, (tries, score) in choices.items():
                rivals = [other for _, other in choices.values() if other is not score]
                documents = smallest(measure, score, [oracle.total, *rivals], among)
                documents = documents or smallest(measure, score, [oracle.total], among)
                if documents:
                    name = f"{measure}-{convention}-{choice}".replace("_", "-")
                    numbers = score(measure, documents)
                    yield line(name, measure, tries, documents, numbers, {convention: choice})


# ------------------------------------------------------------------ mentions of several tokens


def of_spans() -> Iterator[Line]:
    """The cases of tests/spans.toml: the oracle takes a mention for its tokens."""
    for name, given in tomllib.loads(SPANS.read_text("utf-8")).items():
        key, response = (lists(given[side]) for side in ("key", "response"))
        documents = {name: (of_tokens(key[name]), of_tokens(response[name])) for name in key}
        for measure in OF_SCORERS:
            if measure in ALIGNED and any(len(side) > FEW for side in key.values()):
                continue
            yield {
                "id": f"{measure}-span-{name}",
                "measure": measure,
                "where": where_of_spans(key, response),
                "tries": [given["says"]],
                "sentences": given["sentences"],
                "key": key,
                "response": response,
                **as_text(oracle.total(measure, documents)),
                "source": SOURCES[measure],
                "formats": formats_of_spans(key, response),
            }


ALIGNED = ("ceafm", "ceafe", "conll")
FEW = 8
"""The entities for which the oracle can try every alignment."""


def of_tokens(entities: list[list[str]]) -> Entities:
    """The entities with mentions that are sets of tokens: "0-1+3" is 0, 1 and 3."""
    return [frozenset(map(tokens_of, entity)) for entity in entities]


def tokens_of(mention: str) -> frozenset[int]:
    found = set[int]()
    for part in mention.split("+"):
        first, _, last = part.partition("-")
        found |= {*range(int(first), int(last or first) + 1)}
    return frozenset(found)


def where_of_spans(key: Lists, response: Lists) -> str:
    if "+" in f"{key} {response}":
        return "a mention has a gap"
    return "a mention has several tokens"


def formats_of_spans(key: Lists, response: Lists) -> list[str]:
    """Brackets cannot say which of two mentions of an entity ends first, if they cross."""
    if "+" in f"{key} {response}":
        return ["corefud"]
    every = [entity for side in (key, response) for each in side.values() for entity in each]
    return ["jsonl"] if any(map(cross, every)) else ["conll", "jsonl", "corefud"]


def cross(entity: list[str]) -> bool:
    """Whether two mentions share tokens, and neither is within the other one."""
    mentions = [*map(tokens_of, entity)]
    return any(
        one & other and one - other and other - one for one in mentions for other in mentions
    )


# ------------------------------------------------------------------ where scorers come apart


def where(measure: str, key: Lists, response: Lists) -> str:
    """What is the least usual about a key and a response for a measure."""
    sides = [*key.values(), *response.values()]
    mentions = [[mention for entity in side for mention in entity] for side in sides]
    if any(len(each) != len(set(each)) for each in mentions):
        return "a mention is repeated"
    if key.keys() != response.keys():
        return "a document is missing"
    if len(key) > 1:
        return "there are several documents"
    if not all(mentions):
        return "a side is empty"
    return where_in_one(measure, *sides)


def where_in_one(measure: str, key: list[list[str]], response: list[list[str]]) -> str:
    """The same of one document with mentions on both sides, none of them twice."""
    sides = [*map(frozenset, key)], [*map(frozenset, response)]
    if measure.startswith("blanc") and has_an_empty_class(*sides):
        return "BLANC has a class without links"
    if oracle.score(measure, *sides, 1) != oracle.score(measure, *sides, 0):
        return "a number is 0/0"
    if oracle.mentions_of(sides[0]) != oracle.mentions_of(sides[1]):
        return "a mention is on one side alone"
    if any(len(entity) == 1 for entity in key + response):
        return "an entity has one mention"
    return "nothing is unusual"


def has_an_empty_class(key: Entities, response: Entities) -> bool:
    return not all(
        links(side)
        for side in (key, response)
        for links in (oracle.coreference_links, oracle.other_links)
    )


# ---------------------------------------------------------------------------------- the lines


def of_files() -> Iterator[Line]:
    """The cases of tests/measures."""
    numbers = dict.fromkeys(FILES, 0)
    for case in EVERY:
        numbers[case.measure] += 1
        paper, by_hand, why = case.source.partition("by hand: ")
        yield line(
            f"{case.measure}-typed-{numbers[case.measure]}",
            case.measure,
            (why if by_hand else "an example of the paper") or "0/0",
            {"d": (read(case.key), read(case.response))},
            Scores(*(case.expected.get(part) for part in Scores._fields)),
            {} if case.zero == "zero" else {"zero": case.zero},
            source=paper,
        )


TRIES = {choice: words for each in CONVENTIONS.values() for choice, (words, _) in each.items()} | {
    "same": "0/0 is 1 if key and response are the same, else 0",
    "empty": "a document that one side lacks is empty there",
    "skip": "a document that one side lacks is left out",
    "first": "a repeated mention counts once, in the entity that begins first",
    "merge": "entities that share a mention are one",
    "reference": "a repeated mention of the response counts once if the key has it, else each time",
    "each": "a repeated mention counts in each entity, each time",
    "once_each": "a repeated mention counts in each entity, once",
}


def of_promises() -> Iterator[Line]:
    """What corefeval keeps of each choice of a convention: typed in tests/conventions.cases."""
    for case in PROMISED:
        forms = FORMATS_OF_REPEATS if case.convention == "repeated" else FORMATS
        yield {
            "id": f"{case.measure}-kept-{case.convention}-{case.choice}".replace("_", "-"),
            "measure": case.measure,
            "conventions": {case.convention: case.choice},
            "where": where(case.measure, case.key, case.response),
            "tries": [TRIES[case.choice]],
            "key": case.key,
            "response": case.response,
            **{part: str(number) for part, number in case.expected.items()},
            "source": SOURCES[case.measure],
            "formats": forms,
        }


def of_scorers(measures: Iterable[str] = OF_SCORERS) -> Iterator[Line]:
    """The inputs on which other scorers were run, with all that they printed."""
    for inputs, values in (
        ("public_scorers.toml", "public_scorers/values.toml"),
        ("public_scorers_later.toml", "public_scorers/later.toml"),
    ):
        given, printed = (
            tomllib.loads((DATA / file).read_text("utf-8")) for file in (inputs, values)
        )
        for name, each in given["inputs"].items():
            if is_of_tokens(each):
                for measure in measures:
                    case = run(name, each, measure, printed[name])
                    if "source" in case or "printed" in case:
                        yield case


def is_of_tokens(given: dict[str, Any]) -> bool:
    """Whether mentions and documents are all that it tries, and not how files are written."""
    return given.keys() <= {"says", "key", "response"} and "-" not in str(given["key"])


def run(name: str, given: dict[str, Any], measure: str, printed: dict[str, Any]) -> Line:
    """A case without exact numbers if no paper says what its score is: see `is_decided`."""
    key, response = (lists(given[side]) for side in ("key", "response"))
    values = printed.get(measure.removesuffix("_both"), {})
    by = {value: scorers.split() for value, scorers in values.items()}
    return {
        "id": f"{measure}-{name}",
        "measure": measure,
        "where": where(measure, key, response),
        "tries": [given.get("says", "drawn by chance")],
        "key": key,
        "response": response,
        **(numbers_of(measure, key, response) if is_decided(key, response) else {}),
        "formats": FORMATS,
        **({"printed": by} if by else {}),
    }


SIDES = ("key", "response")
PARTS = ("recall", "precision", "f1")
FORMATS = ["conll", "jsonl", "corefud", "scorch"]
FORMATS_OF_REPEATS = ["conll", "jsonl"]
"""Those in which an entity may have a mention twice."""


def lists(side: dict[str, str]) -> Lists:
    """Entities as lists: a mention may be given twice."""
    return {d: [e.split() for e in re.findall(r"\{([^{}]+)\}", text)] for d, text in side.items()}


def is_decided(key: Lists, response: Lists) -> bool:
    """Whether both sides have all documents, and each mention once."""
    sides = [*key.values(), *response.values()]
    mentions = [[mention for entity in side for mention in entity] for side in sides]
    return key.keys() == response.keys() and all(len(m) == len(set(m)) for m in mentions)


def numbers_of(measure: str, key: Lists, response: Lists) -> Line:
    documents = {
        name: tuple([frozenset(entity) for entity in side[name]] for side in (key, response))
        for name in key
    }
    return as_text(oracle.total(measure, documents)) | {"source": SOURCES[measure]}


def as_text(score: Scores) -> dict[str, str]:
    return {part: str(number) for part, number in score._asdict().items() if number is not None}


def exact(name: str, measure: str, tries: str, documents: Documents) -> Line:
    return line(name, measure, tries, documents, oracle.total(measure, documents), {})


def line(
    name: str,
    measure: str,
    tries: str,
    documents: Documents,
    score: Scores,
    conventions: dict[str, str],
    source: str = "",
) -> Line:
    key, response = (
        {name: [sorted(entity) for entity in sides[i]] for name, sides in documents.items()}
        for i in (0, 1)
    )
    return {
        "id": name,
        "measure": measure,
        **({"conventions": conventions} if conventions else {}),
        "where": where(measure, key, response),
        "tries": [tries],
        "key": key,
        "response": response,
        **as_text(score),
        "source": source or SOURCES[measure],
        "formats": FORMATS,
    }


def reasons(each: Line) -> Line:
    """Why scorers have numbers that are not ours, in the words of `corefeval.explain`.

    A scorer whose printed numbers its rules do not give has no reason.
    """
    values = [*each.get("printed", {}).items(), *each.get("computed_like", {}).items()]
    printed = {scorer: value for value, scorers in values for scorer in scorers}
    asked = sorted(name for name in printed if name in bundles() and bundles()[name].measures)
    if not asked:
        return {}
    measure = each["measure"]
    explained = explain(*named_sides(each), measure, scorer=asked)
    found: dict[str, list[str]] = {}
    for scorer, why in explained.reasons.items():
        if measure in why and is_printed(explained.scores[scorer][measure], printed[scorer]):
            found.setdefault(without_numbers(why[measure]), []).append(scorer)
    return {"reasons": found} if found else {}


def named_sides(each: Line) -> tuple[Named, Named]:
    """Key and response with the numbers that files give their entities, anew in each document."""
    key, response = (
        {
            name: entities_of({str(number): of for number, of in enumerate(entities)}, str)
            for name, entities in each[side].items()
        }
        for side in ("key", "response")
    )
    return key, response


def is_printed(score: LibraryScore, printed: str) -> bool:
    """Whether a score has the digits that were printed, or is the fraction that was computed."""
    words = printed.split()
    values = [*score.exact.parts.values()][-len(words) :]
    return all(is_near(*each) for each in zip(values, words, strict=True))


def is_near(value: Fraction, word: str) -> bool:
    try:
        printed = Fraction(word)
    except ValueError:
        return word == "-"
    decimals = len(word.partition(".")[2])
    return value == printed or abs(value - printed) <= Fraction(1, 10 ** (decimals or 9))


def slipped(each: Line) -> Line:
    """What a formula gives that slips, by what it slips over, where it is not the exact number."""
    if "recall" not in each or len(each["key"]) > 1:
        return {}
    ((key,), (response,)) = each["key"].values(), each["response"].values()
    sides = [*map(frozenset, key)], [*map(frozenset, response)]
    found: dict[str, list[str]] = {}
    for slip in SLIPS.get(each["measure"], ()):
        numbers = " ".join(as_text(slip.wrong(*sides)).values())
        if numbers != " ".join(each[part] for part in PARTS):
            found.setdefault(numbers, []).append(slip.tries)
    return {"slips": found} if found else {}


def by_conventions(each: Line) -> Line:
    """What the choices of conventions give, where it is not the exact number."""
    documents = {
        name: tuple([frozenset(entity) for entity in each[side][name]] for side in SIDES)
        for name in each["key"]
    }
    numbers = [each.get(part) for part in PARTS]
    found: dict[str, list[str]] = {}
    for convention, choices in CONVENTIONS.items():
        if is_possible(convention, each):
            for choice, (_, score) in choices.items():
                values = as_text(score(each["measure"], documents))
                if values != {part: n for part, n in zip(PARTS, numbers, strict=True) if n}:
                    found.setdefault(" ".join(values.values()), []).append(f"{convention}={choice}")
    return {"by_convention": found} if found else {}


def is_possible(convention: str, each: Line) -> bool:
    """Whether the oracle has numbers by a convention: twinless mentions are told of one document.

    A mean that weighs by mentions needs some on both sides.
    """
    if convention == "twinless":
        return len(each["key"]) == 1 and each["measure"] in OF_SCORERS[1:] and size(each) < FEW
    if convention == "average":
        return len(each["key"]) > 1 and all(any(each[side].values()) for side in SIDES)
    return True


def size(each: Line) -> int:
    """How many mentions the two sides have: so many entities twinless ones may make of a side."""
    sides = [[m for of in each[side].values() for e in of for m in e] for side in SIDES]
    return len({*chain(*sides)})


def without_numbers(reason: str) -> str:
    """A reason that is the same for all cases.

    >>> without_numbers("leaves out the key's 1 and the response's 2 singletons")
    'leaves out singletons'
    >>> without_numbers("makes one of 2 documents; adds 1 spurious mention to the key")
    'makes one of several documents; adds spurious mentions to the key'
    """
    reason = re.sub(r"(?:the (?:key|response)'s \d+ (?:and )?)+", "1 ", reason)
    reason = re.sub(r"; the key lacks one in \d+ documents?|, as in \d+ documents?", "", reason)
    reason = re.sub(r"makes one of \d+", "makes one of several", reason)
    things = r"(?:repeated mention|spurious mention|missing mention|singleton|document)"
    return re.sub(rf"(?:\d+ )?({things})s?\b(?<!several document)", r"\1s", reason)


def computed_like(each: Line) -> Line:
    """What the library computes by the rules of scorers not run, where it is not the exact number.

    The one thing here that is the library's; nobody printed it.
    """
    run = {scorer for scorers in each.get("printed", {}).values() for scorer in scorers}
    values: dict[str, list[str]] = {}
    needed = oracle.AVERAGED if each["measure"] == "conll" else (each["measure"],)
    for scorer, bundle in bundles().items():
        if scorer not in run and bundle.measures.keys() >= {*needed}:
            score = like(scorer, each)
            if score != [each[part] for part in PARTS if part in each]:
                values.setdefault(" ".join(score), []).append(scorer)
    return {"computed_like": values} if values else {}


def like(scorer: str, each: Line) -> list[str]:
    try:
        report = evaluate(*named_sides(each), metrics=each["measure"], like=scorer)
    except CorefError:
        return ["refused"]
    score = report[each["measure"]].exact
    return [str(getattr(score, part)) for part in PARTS if part in each]


ASKED = ("measure", "conventions", "sentences", "key", "response")


def every_line() -> list[Line]:
    """All cases. What tries several things is one case."""
    found: dict[str, Line] = {}
    # A case keeps the name that it had first, so what is new comes last.
    first = of_scorers(), of_files(), of_slips(), of_conventions(), of_promises()
    for each in chain(*first, of_spans(), of_scorers(["pairwise"])):
        question = [each.get(field) for field in ASKED]
        kept = found.setdefault(json.dumps(question), each)
        if kept is not each:
            kept["tries"] = [*dict.fromkeys(kept["tries"] + each["tries"])]
    lines = []
    for each in found.values():
        if may_be_computed(each):
            each |= computed_like(each) | slipped(each) | by_conventions(each)
        lines.append(each | reasons(each))
    return lines


def may_be_computed(each: Line) -> bool:
    """Whether scorers may have another number than the exact one, by rules of their own."""
    return "conventions" not in each and "f1" in each


def text() -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in every_line())


if __name__ == "__main__":
    SUITE.write_text(text(), encoding="utf-8")
