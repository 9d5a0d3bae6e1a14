"""Keys and responses of public archives, read from an archive or from columns of labels.

Each function below gives `Corpus` values: mentions and the entities that each side puts them in.
`real_counts.py` counts them. An archive is a folder, as unpacked; `unpacked` makes one of 7z files.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from corefeval.errors import CorefError

Mention = tuple[int, ...]
"""The number of its document, and what tells it from others there."""
Side = list[tuple[Mention, str]]
"""Mentions, each with its entity; a mention in two entities stands there twice."""

SHA256 = {
    "feature-based.7z": "50f34b1a50053e52e7f570994ad6821d76dee9f6868e4a320c31e0bffe181d8b",
    "ba2019.7z": "d51b1255ecc41ea8f3753108181690aa37d1f062fd24b7d17eb45ab0d3fe1163",
    "conll.7z": "0b219294dfc4eb34dd06645b0c7bfa1cf5b2b5f71356ff50e7e836f4909ced41",
    "sys_cdcr_all_scores_unaggregated.csv": (
        "2ce3397038d3c530cb45af78a570f5d1b2725d90336a8dcbf4b76c8b9632026c"
    ),
    "wiki-grounded.json": "6f047a84deaa8962ce6762b44809f10c1e6fe466a4fc0493b96b644190a4b87b",
}
"""Of the files as they are downloaded; data/real/README.md says from where."""


class Corpus(NamedTuple):
    """A key, responses to it, and the units that it can be scored by: documents, topics."""

    name: str
    key: Side
    responses: Mapping[str, Side]
    units: Mapping[str, Mapping[int, str]]
    """By scope ("documents", "topics") the unit of each document."""


class Printed(NamedTuple):
    """A score as an archive prints it; a part that it does not print is "-"."""

    corpus: str
    scope: str
    response: str
    measure: str
    recall: str
    precision: str
    f1: str


class Source(NamedTuple):
    """What was read: corpora, and the scores that the archive prints of them."""

    corpora: list[Corpus]
    printed: list[Printed]


SCOPES = {"cross_doc": "corpus", "within_doc": "documents"}
MEASURES = {"bcub": "b3"}
"""Names of measures in the archives that are not the library's."""


# What is downloaded


def check_sha256(path: Path) -> None:
    """Refuse a file that is not the one that was counted."""
    expected = SHA256.get(path.name)
    found = sha256(path.read_bytes()).hexdigest()
    if expected is None:
        raise CorefError(f"{path}: expected one of {', '.join(SHA256)}")
    if found != expected:
        raise CorefError(
            f"{path}: its sha256 is {found}, expected {expected}; another version was downloaded, "
            "or only the pointer to a large file"
        )


def unpacked(archive: Path, folder: Path, wanted: str | tuple[str, ...] = "") -> Path:
    """The folder with the archive's files whose names begin with ``wanted``."""
    try:
        from py7zr import SevenZipFile
    except ImportError:
        raise CorefError(
            f"{archive}: py7zr is not installed, which unpacks it; install it (pip install py7zr), "
            "or unpack the archive with another program and give the folder"
        ) from None
    check_sha256(archive)
    with SevenZipFile(archive) as packed:
        names = [name for name in packed.getnames() if name.startswith(wanted)]
        packed.extract(folder, targets=names)
    return folder


# Columns of labels


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file by column."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except OSError as error:
        raise CorefError(f"{path}: {error.strerror}") from None


def columns(path: Path, name: str) -> Corpus:
    """A corpus whose responses have the key's mentions: a row a mention, a column a side.

    What stands before the column ``key`` names the mention, its document first.
    """
    rows = table(path)
    head = list(rows[0]) if rows else []
    if "key" not in head or "document" not in head:
        raise CorefError(f"{path}: expected the columns document, ..., key, and one a response")
    place = head.index("key")
    mentions = [tuple(int(row[column]) for column in head[:place]) for row in rows]

    def side(column: str) -> Side:
        return [(m, row[column]) for m, row in zip(mentions, rows, strict=True)]

    responses = {column: side(column) for column in head[place + 1 :]}
    return Corpus(name, side("key"), responses, {"documents": documents_of(mentions)})


def documents_of(mentions: Iterable[Mention]) -> dict[int, str]:
    """Each document as a unit of its own."""
    return {document: str(document) for document, *_ in mentions}


def spans(path: Path) -> Side:
    """A side in a file of its own: a row a mention, with document, first, last and entity."""
    names = ("document", "first", "last")
    try:
        return [(tuple(int(row[name]) for name in names), row["entity"]) for row in table(path)]
    except KeyError as error:
        raise CorefError(
            f"{path}: no column {error}; expected {', '.join(names)}, entity"
        ) from None


def cut(side: Side, keep: Callable[[Mention], bool]) -> Side:
    """The side without other mentions."""
    return [(mention, entity) for mention, entity in side if keep(mention)]


# Marks of CoNLL files

MARK = re.compile(r"\((?P<both>[^()|]+)\)|\((?P<opens>[^()|]+)|(?P<closes>[^()|]+)\)")


def marked(cells: Iterable[tuple[Mention, str]]) -> Side:
    """The mentions of tokens' marks: ``(5`` begins one, ``5)`` ends it, ``(5)`` is one token.

    A bare number, which some of these files have on the inner tokens of a mention, is passed over.
    """
    open_at: dict[str, list[Mention]] = {}
    found: Side = []
    for (document, token), mark in cells:
        for each in MARK.finditer(mark):
            if each["both"]:
                found.append(((document, token, token), each["both"]))
            elif each["opens"]:
                open_at.setdefault(each["opens"], []).append((document, token))
            else:
                (_, first) = open_at[each["closes"]].pop()
                found.append(((document, first, token), each["closes"]))
    return sorted(set(found))  # some files mark a mention twice


# Documents that belong together


def joined(side: Side) -> dict[int, str]:
    """Documents whose entities join them, directly or through others, as one unit by number."""
    unit_of: dict[int, int] = {}
    first_with: dict[str, int] = {}
    for (document, *_), entity in side:
        unit_of.setdefault(document, document)
        other = unit_of[first_with.setdefault(entity, document)]
        mine = unit_of[document]
        for each, unit in unit_of.items():
            if unit == mine:
                unit_of[each] = other
    return numbers({document: str(unit) for document, unit in unit_of.items()})


def units_by_key(key: Side, other: Side, units: Mapping[int, str]) -> dict[int, str]:
    """The units of a key's documents, which another copy of the same key has by other numbers.

    A document is known by the entities in it, an entity by the documents that it is in, and so on,
    until nothing more can be told apart. Documents that look the same must be of one unit.
    """
    looks = _looks([key, other])
    unit_of: dict[int, str] = {}
    for document, unit in units.items():
        if unit_of.setdefault(looks[1, document], unit) != unit:
            raise CorefError(f"two documents look the same and are of units {unit} and another")
    documents = dict.fromkeys(document for (document, *_), _ in key)
    if any(looks[0, document] not in unit_of for document in documents):
        raise CorefError("the keys are not the same: a document looks like none of the other's")
    return {document: unit_of[looks[0, document]] for document in documents}


def _looks(sides: Iterable[Side]) -> dict[tuple[int, int], int]:
    """A number for each document of each side, by its place: the same for those that look alike."""
    of_documents: dict[Any, list[Any]] = {}
    of_entities: dict[Any, list[Any]] = {}
    for place, side in enumerate(sides):
        for (document, *_), entity in side:
            of_documents.setdefault((place, document), []).append((place, entity))
            of_entities.setdefault((place, entity), []).append((place, document))
    looks = dict.fromkeys(of_documents, 0)
    kinds = 0
    while len(set(looks.values())) > kinds:
        kinds = len(set(looks.values()))
        seen = _numbered_by({e: sorted(looks[d] for d in ds) for e, ds in of_entities.items()})
        looks = _numbered_by(
            {d: [looks[d], *sorted(seen[e] for e in es)] for d, es in of_documents.items()}
        )
    return looks


def _numbered_by(what: Mapping[Any, list[int]]) -> dict[Any, int]:
    """A number for each, the same for those of which the same is said."""
    number_of: dict[tuple[int, ...], int] = {}
    return {each: number_of.setdefault(tuple(said), len(number_of)) for each, said in what.items()}


# cdcr-corpora


def cdcr_columns(folder: Path) -> Source:
    """fcc.csv, gvc.csv, ecbp.csv, printed.csv, and barhom2019-*.csv beside them."""
    corpora = [columns(folder / f"{name}.csv", name) for name in ("fcc", "gvc", "ecbp")]
    printed = [
        _printed(row, row["corpus"], SCOPES[row["documents"]], row["response"])
        for row in table(folder / "printed.csv")
    ]
    for name in ("fcct", "gvc", "ecbp"):
        corpora.append(columns(folder / f"barhom2019-{name}.csv", f"barhom2019-{name}"))
    for row in table(folder / "barhom2019-printed.csv"):
        corpus, response = f"barhom2019-{row['corpus']}", f"barhom2019.{row['response']}"
        printed.append(_printed(row, corpus, "corpus", response))
    return Source(corpora, printed)


def _printed(row: Mapping[str, str], corpus: str, scope: str, response: str) -> Printed:
    measure = MEASURES.get(row["measure"], row["measure"])
    parts = row["recall"] or "-", row["precision"] or "-", row["f1"]
    return Printed(corpus, scope, response, measure, *parts)


def cdcr_archive(folder: Path) -> Source:
    """feature-based/ and ba2019/, or one of these."""
    found = Source([], [])
    if (folder / "feature-based").is_dir():
        for name in ("fcc", "gvc", "ecbp"):
            _add(found, _feature_based(folder / "feature-based", name))
    if (folder / "ba2019").is_dir():
        for name in ("fcct", "gvc", "ecbp"):
            _add(found, _barhom(folder / "ba2019", name))
    if not found.corpora:
        raise CorefError(f"{folder}: expected the folder feature-based, ba2019, or both in it")
    return found


def _add(found: Source, more: Source) -> None:
    found.corpora.extend(more.corpora)
    found.printed.extend(more.printed)


def _feature_based(base: Path, name: str) -> Source:
    """One corpus: its key is the same in all runs."""
    runs = _runs(base, name)
    number_of = _numbers(runs["lemma"] / "within_doc" / "gold.conll")

    responses = {
        response: _side(run / "cross_doc" / "system.conll", number_of)
        for response, run in runs.items()
    }
    key = _side(runs["lemma"] / "cross_doc" / "gold.conll", number_of)
    units = {"documents": documents_of(mention for mention, _ in key)}
    printed = [
        row
        for response, run in runs.items()
        for inside, scope in SCOPES.items()
        for row in _evaluated(next((run / inside).glob("eval_*.txt")), name, scope, response)
    ]
    return Source([Corpus(name, key, responses, units)], printed)


def _runs(base: Path, name: str) -> dict[str, Path]:
    """The folder of each response to a corpus."""
    found = {each.name: each for each in sorted((base / f"{name}_lemma_baselines").iterdir())}
    for short, long in (("", ""), ("-kmeans", "_with_kmeans"), ("-gold", "_with_gold")):
        ending = f"{long}_clustering" if long else ""
        runs = base / f"{name}_evaluate_clustering{ending}"
        if runs.is_dir():
            for seed in range(5):
                found[f"feature{short}.{seed}"] = runs / str(seed)
    transfer = base / "corpus_transfer" / "unaggregated"
    for row in _jobs(transfer / "jobid_to_experiment_mapping.csv"):
        if row["setting"] == "clustering" and row["test"] == name:
            job = next(transfer.glob(f"{row['job']}_*"))
            for seed in range(5):
                found[f"transfer-{row['train']}.{seed}"] = job / str(seed)
    return found


def _jobs(path: Path) -> list[dict[str, str]]:
    """What each run of the archive's transfer is: its number, corpora of training and of test."""
    if not path.is_file():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[3:]
    return [dict(zip(("job", "test", "setting", "train"), row, strict=True)) for row in rows]


def _marks(path: Path) -> dict[str, str]:
    """The entity of each mention of a file with a mention a line, by the mention's name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {name.removeprefix("metadoc_"): mark.strip("()") for name, mark in pairs}


def _numbers(path: Path) -> dict[str, int]:
    """The documents of such a file, counted from 0 in its order."""
    names = [name.rpartition("_")[0] for name in _marks(path)]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _side(path: Path, number_of: Mapping[str, int]) -> Side:
    """The mentions of such a file by the numbers of their documents."""
    split = [(mention.rpartition("_"), mark) for mention, mark in _marks(path).items()]
    return [((number_of[document], int(number)), mark) for (document, _, number), mark in split]


def _evaluated(path: Path, corpus: str, scope: str, response: str) -> Iterator[Printed]:
    """The scores of the archive's own evaluation: measure, F1, precision, recall."""
    for line in path.read_text(encoding="utf-8").splitlines()[2:]:
        measure, *parts = line.split()
        f1, precision, recall = ("-" if part == "nan" else part for part in parts)
        measure = MEASURES.get(measure, measure)
        yield Printed(corpus, scope, response, measure, recall, precision, f1)


def _barhom(base: Path, name: str) -> Source:
    """One corpus of Barhom et al. 2019, all documents in one."""
    key = _marks(base / f"{name}_CD_test_event_mention_based.key_conll")
    documents = dict.fromkeys(mention.rsplit("_", 3)[0] for mention in key)
    number_of = {document: number for number, document in enumerate(documents)}

    def side(marks: Mapping[str, str]) -> Side:
        split = [(mention.rsplit("_", 3), mark) for mention, mark in marks.items()]
        return [((number_of[d], *map(int, place)), mark) for (d, *place), mark in split]

    corpus, responses, printed = f"barhom2019-{name}", {}, []
    for topics in ("gold", "kmeans"):
        run = base / f"{name}_evaluate_clustering_with_{topics}_clustering"
        response = f"barhom2019.{topics}"
        marks = _marks(run / "CD_test_event_mention_based.response_conll")
        responses[response] = side(marks)
        text = (run / "scores.txt").read_text(encoding="utf-8")
        for measure, *parts in re.findall(
            r"(\w+) +Recall: (\S+) +Precision: (\S+) +F1: (\S+)", text
        ):
            measure = MEASURES.get(measure, measure)
            printed.append(Printed(corpus, "corpus", response, measure, *parts))
        (conll,) = re.findall(r"CoNLL score: (\S+)", text)
        printed.append(Printed(corpus, "corpus", response, "conll", "-", "-", conll))
    of_key = side(key)
    units = {"documents": documents_of(mention for mention, _ in of_key)}
    return Source([Corpus(corpus, of_key, responses, units)], printed)


# hypercoref

OWN_KEY = {"ecbp": "ecbp-baselines", "gvc": "gvc-baselines", "fcct": "fcc-baselines"}
"""The corpora by which the archive scored its baselines: the keys are those of cdcr-corpora."""


def hypercoref_columns(folder: Path) -> Source:
    """ecbp.csv, gvc.csv, fcct.csv, each beside NAME.documents.csv, and the archive's scores."""
    corpora = []
    for name in ("ecbp", "gvc", "fcct"):
        corpus = columns(folder / f"{name}.csv", name)
        documents = table(folder / f"{name}.documents.csv")
        subtopics = {int(row["document"]): row["subtopic"] for row in documents}
        corpora.append(corpus._replace(units=_topics(subtopics)))
    return Source(corpora, _scores(folder / "sys_cdcr_all_scores_unaggregated.csv"))


def _topics(subtopics: Mapping[int, str]) -> dict[str, dict[int, str]]:
    """Units of documents: each by itself, subtopics such as 38_1, and topics such as 38."""
    topics = {document: each.rpartition("_")[0] for document, each in subtopics.items()}
    return {
        "documents": documents_of((document,) for document in subtopics),
        "subtopics": numbers(subtopics),
        "topics": numbers(topics),
    }


def numbers(units: Mapping[int, str]) -> dict[int, str]:
    """Units by number, counted from 0, in the place of their names."""
    number_of = {name: str(number) for number, name in enumerate(dict.fromkeys(units.values()))}
    return {document: number_of[name] for document, name in units.items()}


def _scores(path: Path) -> list[Printed]:
    """The archive's scores: three lines of head, then the parts of each measure."""
    if not path.is_file():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        measures, parts, _, *rows = csv.reader(file)
    found = []
    for row in rows:
        scenario, experiment, dev, test, topics, seed, *_ = row
        response = ".".join((experiment, dev.replace("n/a", "-"), topics[0], seed))
        corpus = OWN_KEY[test] if scenario == "baselines" else test
        by_measure: dict[str, dict[str, str]] = {}
        for measure, part, number in list(zip(measures, parts, row, strict=True))[6:]:
            by_measure.setdefault(MEASURES.get(measure, measure), {})[part] = number
        for measure, each in by_measure.items():
            three = [each.get(part, "-") for part in ("R", "P", "F1")]
            found.append(Printed(corpus, "corpus", response, measure, *three))
    return found


def hypercoref_archive(folder: Path) -> Source:
    """key/ and sys_cdcr/ of conll.7z, the scores, and, for the baselines, feature-based/."""
    found = Source([], _scores(folder / "sys_cdcr_all_scores_unaggregated.csv"))
    for name in ("ecbp", "gvc", "fcct"):
        (path,) = (folder / "key" / name).glob("*.conll")
        subtopics, tokens = _tokens(path)
        responses = {
            response: _marked(file, subtopics)
            for response, file in _answers(folder / "sys_cdcr", name)
            if not response.startswith("lemma")
        }
        key = marked(tokens)
        numbers_of = {number: subtopic for number, subtopic in enumerate(subtopics.values())}
        found.corpora.append(Corpus(name, key, responses, _topics(numbers_of)))
        if (folder / "feature-based").is_dir():
            found.corpora.append(_baselines(folder, name))
    return found


def _tokens(path: Path) -> tuple[dict[str, str], list[tuple[Mention, str]]]:
    """The subtopic of each document by name, and the mark of each token that has one."""
    subtopics: dict[str, str] = {}
    tokens = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            _, subtopic, document, _, token, *_, mark = line.rstrip("\n").split("\t")
            subtopics.setdefault(document, subtopic)
            if mark != "-":
                tokens.append((document, int(token), mark))
    number_of = {document: number for number, document in enumerate(subtopics)}
    return subtopics, [((number_of[d], token), mark) for d, token, mark in tokens]


def _marked(path: Path, documents: Mapping[str, str]) -> Side:
    """The mentions of a response, whose documents stand in the key's order."""
    names, tokens = _tokens(path)
    if list(names) != list(documents):
        raise CorefError(f"{path}: expected the key's documents, in the key's order")
    return marked(tokens)


def _answers(base: Path, name: str) -> Iterator[tuple[str, Path]]:
    """The responses to a corpus: SCENARIO/EXPERIMENT/events/DEV_on_TEST/TOPICS/SEED/*.conll."""
    for path in sorted(base.rglob("*.conll")):
        _, experiment, _, tested, topics, seed, _ = path.relative_to(base).parts
        dev, _, test = tested.rpartition("_on_")
        if not dev:  # trained on news of one publisher, which its name has
            dev = experiment.split("_")[1] if "_" in experiment else "-"
        if test == name:
            yield f"{experiment}.{dev}.{topics[0]}.{seed}", path


def _baselines(folder: Path, name: str) -> Corpus:
    """The lemma baselines, whose mentions are those of the other archive's key."""
    other = name.replace("fcct", "fcc")
    gold = folder / "feature-based" / f"{other}_lemma_baselines" / "lemma"
    number_of = _numbers(gold / "within_doc" / "gold.conll")
    key = _side(gold / "cross_doc" / "gold.conll", number_of)
    answers = _answers(folder / "sys_cdcr", name)
    responses = {each: _side(path, number_of) for each, path in answers if each.startswith("lemma")}
    return Corpus(OWN_KEY[name], key, responses, {})


# wiki-grounded


def wiki_columns(folder: Path) -> Source:
    """key.csv, aralikatte.csv, clark.csv, lee.csv and second-annotator.csv."""
    names = ("aralikatte", "clark", "lee")
    responses = {name: spans(folder / f"{name}.csv") for name in names}
    return _wiki(spans(folder / "key.csv"), responses, spans(folder / "second-annotator.csv"))


def _wiki(key: Side, responses: Mapping[str, Side], second: Side) -> Source:
    """The paragraphs, with responses cut and uncut, and those that a second annotator has read."""
    of_key = {mention for mention, _ in key}
    twice = {document for (document, *_), _ in second}
    uncut = Corpus("wiki-uncut", key, responses, {"documents": documents_of(_all(key, responses))})
    responses = {name: cut(side, of_key.__contains__) for name, side in responses.items()}
    of_both = cut(key, lambda mention: mention[0] in twice)
    units = {"documents": documents_of(of_key)}
    again = {"second-annotator": second}
    cut_to_key = Corpus("wiki", key, responses, units)
    return Source([cut_to_key, uncut, Corpus("wiki-twice", of_both, again, units)], [])


def _all(key: Side, responses: Mapping[str, Side]) -> set[Mention]:
    """The mentions of a key and of its responses."""
    return {mention for side in (key, *responses.values()) for mention, _ in side}


def wiki_archive(folder: Path) -> Source:
    """wiki-grounded.json and aralikatte/, clark/ and lee/ with wiki-grounded-output.conll each."""
    with open(folder / "wiki-grounded.json", encoding="utf-8") as file:
        paragraphs = list(json.load(file).values())
    read = {
        name: _documents(folder / name / "wiki-grounded-output.conll")
        for name in ("aralikatte", "clark", "lee")
    }
    words = [[word for word, _ in document] for document in read["clark"]]
    responses = {
        name: marked(
            ((number, token), mark)
            for number, document in enumerate(documents)
            for token, (_, mark) in enumerate(document)
        )
        for name, documents in read.items()
    }
    key, second = ([*_annotated(paragraphs, words, each)] for each in ("a1", "a2"))
    return _wiki(key, responses, second)


def _documents(path: Path) -> list[list[tuple[str, str]]]:
    """The words and marks of each document of a CoNLL file."""
    documents: list[list[tuple[str, str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#begin"):
            documents.append([])
        elif line.strip() and not line.startswith("#"):
            cells = line.split()
            documents[-1].append((cells[3], cells[-1]))
    return documents


def _annotated(
    paragraphs: list[Any], words: list[list[str]], annotator: str
) -> Iterator[tuple[Mention, str]]:
    """The pronouns that an annotator gave an antecedent, each a token of the responses.

    A pronoun with several, as "they" has, is in the entity that is listed first.
    """
    for number, (paragraph, tokens) in enumerate(zip(paragraphs, words, strict=True)):
        token_at = _places(paragraph["paragraph"], tokens)
        named: dict[str, list[int]] = {}
        for offset, _, antecedent in (paragraph.get(annotator) or {}).get("para_ann", []):
            token = token_at.get(int(offset))
            if token is not None and antecedent != "$no_ref$":
                named.setdefault(antecedent, []).append(token)
        taken: set[int] = set()
        for antecedent, pronouns in named.items():
            for token in set(pronouns) - taken:
                yield (number, token, token), antecedent
            taken.update(pronouns)


GAP = 12
"""The most characters between a token and the next; beyond it, another one is meant."""


def _places(text: str, tokens: list[str]) -> dict[int, int]:
    """The token that begins at each offset of a text."""
    found, at = {}, 0
    for number, token in enumerate(tokens):
        place = text.find(token, at, at + len(token) + GAP)
        if place >= 0:
            found[place] = number
            at = place + len(token)
    return found


# gum


def gum_columns(folder: Path) -> Source:
    """gum.csv, ontogum.csv, xrenner-gum.csv and xrenner-ontonotes.csv."""
    names = ("gum", "ontogum", "xrenner-gum", "xrenner-ontonotes")
    return _gum({name: spans(folder / f"{name}.csv") for name in names})


def _gum(sides: Mapping[str, Side]) -> Source:
    """Each of the two schemes as a key, and all the others as responses to it."""
    corpora = []
    for name in ("gum", "ontogum"):
        responses = {other: side for other, side in sides.items() if other != name}
        every = [mention for side in sides.values() for mention, _ in side]
        corpora.append(Corpus(name, sides[name], responses, {"documents": documents_of(every)}))
    return Source(corpora, [])


def gum_archive(folder: Path) -> Source:
    """coref/gum/conll, coref/ontogum/conll and splits.md: both keys, and no xrenner.

    Posts of Reddit, whose words the archive leaves out, are left out, as in UD English GUM.
    """
    gum, ontogum = (folder / "coref" / scheme / "conll" for scheme in ("gum", "ontogum"))
    names = sorted(path.name for path in gum.glob("*.conll"))
    chosen = [name for name in _held_out(folder / "splits.md") if "_reddit_" not in name]
    sides: dict[str, Side] = {"gum": [], "ontogum": []}
    for number, name in enumerate(names):
        if name.removesuffix(".conll") in chosen:
            sides["gum"] += marked(_token_lines(gum / name, number))
            sides["ontogum"] += marked(_token_lines(ontogum / name, number))
    return _gum(sides)


def _held_out(path: Path) -> set[str]:
    """The documents for development and test, which splits.md lists under these heads."""
    found, wanted = set(), False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            wanted = line.strip("# ").split()[0] in ("dev", "test")
        elif wanted and line.strip().startswith("*"):
            found.add(line.strip("* `").strip())
    return found


def _token_lines(path: Path, document: int) -> Iterator[tuple[Mention, str]]:
    """The mark of each token of a document: its number, its word, its mark."""
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) > 2 and cells[0].isdigit():
            yield (document, int(cells[0])), cells[-1]


READERS = {
    "cdcr-corpora": (cdcr_columns, cdcr_archive),
    "hypercoref": (hypercoref_columns, hypercoref_archive),
    "wiki-grounded": (wiki_columns, wiki_archive),
    "gum": (gum_columns, gum_archive),
}
"""How each archive is read: from columns of labels, and as it is downloaded."""
