"""Scores two files of JSON lines by a scorer that has no command of its own, in its environment.

python benchmarks/adapter.py SCORER KEY RESPONSE prints a line for each measure: its name, recall,
precision and F1. Only a scorer's module of measures is imported. Where that imports a package that
only models need, an empty module stands in for it.
"""

import json
import sys
from collections import namedtuple
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

Mention = namedtuple("Mention", "start_idx end_idx")
Document = namedtuple("Document", "tokens coref_chains")


def stand_in(name, **attributes):
    module = sys.modules[name] = ModuleType(name)
    module.__dict__.update(attributes)


def measures(name):
    """The module of that name, without what its packages import when they are imported."""
    packages = name.split(".")[:-1]
    for depth in range(1, len(packages) + 1):
        package = ".".join(packages[:depth])
        stand_in(package, __path__=find_spec(package).submodule_search_locations)
    return import_module(name)


def read(path):
    """The entities of each document, as lists of spans."""
    with open(path, encoding="utf-8") as file:
        return [[[*map(tuple, entity)] for entity in json.loads(line)["clusters"]] for line in file]


def entity_of(entities):
    return {mention: tuple(entity) for entity in entities for mention in entity}


def updated(evaluators, pairs):
    """The evaluators of the lineage of e2e-coref after all documents."""
    for key, response in pairs:
        for each in evaluators:
            each.update(response, key, entity_of(response), entity_of(key))
    for each in evaluators:
        yield each.metric.__name__, (each.get_recall(), each.get_precision(), each.get_f1())


def coreference(pairs):
    module = measures("coreference.evaluation")
    names = ("muc", "b_cubed", "ceafe", "lea")
    return updated([module.OfficialEvaluator(getattr(module, name)) for name in names], pairs)


def fastcoref(pairs):
    module = measures("fastcoref.utilities.metrics")
    return updated(module.CorefEvaluator().evaluators, pairs)


def maverick(pairs):
    module = measures("maverick.common.metrics")
    return updated(module.OfficialCoNLL2012CorefEvaluator().evaluators, pairs)


def stanza(pairs):
    stand_in("torch", Tensor=object)
    checker = measures("stanza.models.coref.cluster_checker").ClusterChecker()
    for pair in pairs:
        checker.add_predictions(*pair)
    nan = float("nan")  # it gives the recall and precision of LEA alone
    for name, f1 in zip(("muc", "b_cubed", "ceafe"), checker.mbc, strict=True):
        yield name, (nan, nan, f1)
    f1, precision, recall = checker.total_lea
    yield "lea", (recall, precision, f1)


def tibert(pairs):
    stand_in("torch", Tensor=object)
    stand_in("rich")
    stand_in("rich.console", Console=object)
    sides = [[_document(entities) for entities in side] for side in zip(*pairs, strict=True)]
    for name, each in measures("tibert.score").score_coref_predictions(*sides[::-1]).items():
        yield name, (each["recall"], each["precision"], each["f1"])


def _document(entities):
    chains = [[Mention(begin, end + 1) for begin, end in entity] for entity in entities]
    return Document(range(max(m.end_idx for chain in chains for m in chain)), chains)


def neleval(pairs):
    module = measures("neleval.coref_metrics")
    sides = [
        {(number, i): {(number, m) for m in entity} for number, doc in enumerate(side)
         for i, entity in enumerate(doc)}
        for side in zip(*pairs, strict=True)
    ]  # fmt: skip
    for name in ("muc", "b_cubed", "mention_ceaf", "entity_ceaf"):
        right, of_response, as_right, of_key = getattr(module, name)(*sides)
        precision, recall = right / of_response, as_right / of_key
        yield name, (recall, precision, 2 * precision * recall / (precision + recall))


def metric4coref(pairs):
    """The mean of its scores of the documents: it scores one alone."""
    module = measures("metric4coref.metrics")
    for name in ("muc", "b_cubed", "ceaf"):
        found = [getattr(module, name)(response, key) for key, response in pairs]
        precision, recall, f1 = (sum(part) / len(found) for part in zip(*found, strict=True))
        yield name, (recall, precision, f1)


SCORERS = {
    each.__name__: each
    for each in (coreference, fastcoref, maverick, stanza, tibert, neleval, metric4coref)
}

if __name__ == "__main__":
    name, *paths = sys.argv[1:]
    for measure, scores in SCORERS[name]([*zip(*map(read, paths), strict=True)]):
        print(measure, *scores)
