"""Functions that ask packages of Python: for run.py, and to copy for a scorer of one's own.

    python run.py --python adapters:bcubed

Each takes a key and a response, and returns recall, precision and F1 by measure, as the package
computes them. None of these packages is needed for anything else here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Entities = Sequence[set[str]]
Numbers = tuple[Any, Any, Any]


def bcubed(key: Entities, response: Entities) -> dict[str, Numbers]:
    """Ask hhromic/python-bcubed (bcubed 1.5), which has one measure."""
    import bcubed

    true, found = memberships(key), memberships(response)
    recall, precision = bcubed.recall(found, true), bcubed.precision(found, true)
    return {"b3": (recall, precision, bcubed.fscore(precision, recall))}


def memberships(entities: Entities) -> dict[str, set[int]]:
    """Return each mention's entities."""
    return {mention: {number} for number, entity in enumerate(entities) for mention in entity}


def er_evaluation(key: Entities, response: Entities) -> dict[str, Numbers]:
    """Ask OlivierBinette/er-evaluation (2.3.0).

    Its cluster measures are CEAF by φ₁. Its B³ is a mean over the key's entities: not of mentions.
    """
    import er_evaluation as er
    import pandas

    sides = []
    for entities in (response, key):
        labels = {mention: i for i, entity in enumerate(entities) for mention in entity}
        sides.append(pandas.Series(labels))
    return {
        "b3": (er.b_cubed_recall(*sides), er.b_cubed_precision(*sides), er.b_cubed_f(*sides)),
        "ceaf1": (er.cluster_recall(*sides), er.cluster_precision(*sides), er.cluster_f(*sides)),
        "pairwise": (
            er.pairwise_recall(*sides),
            er.pairwise_precision(*sides),
            er.pairwise_f(*sides),
        ),
    }


def metric4coref(key: Entities, response: Entities) -> dict[str, Numbers | float]:
    """Ask lowinli/metric4coref (0.0.2); its CEAF is that of mentions."""
    import metric4coref

    sides = [sorted(entity) for entity in response], [sorted(entity) for entity in key]
    asked = {"muc": metric4coref.muc, "b3": metric4coref.b_cubed, "ceafm": metric4coref.ceaf}
    found: dict[str, Numbers | float] = {}
    for measure, function in asked.items():
        precision, recall, f1 = function(*sides)
        found[measure] = (recall, precision, f1)
    return found | {"conll": metric4coref.conll_coref_f1(*sides)}


def pair_confusion(key: Sequence[int], response: Sequence[int]) -> dict[str, Numbers]:
    """Ask scikit-learn's pair_confusion_matrix, by ``--labels``; it counts, and has no F1."""
    from sklearn.metrics import pair_confusion_matrix

    (_, wrong), (missed, right) = pair_confusion_matrix(key, response)
    return {"pairwise": (right / (right + missed), right / (right + wrong), None)}
