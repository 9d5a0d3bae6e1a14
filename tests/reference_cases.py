"""What other scorers and papers print for a key and a response: read from ``data/``."""

import re

from companion import ledger

REFERENCE_TOLERANCE = 1e-4  # of the reference scorer's own suite
UNDEFINED = "undefined"


def printed(paper: str) -> dict[str, dict]:
    """The numbers of each example by measure: one F1, or recall, precision and F1."""
    found: dict[str, dict] = {}
    for group in ledger.load(paper).content["figures"]:
        numbers = found.setdefault(group["example"], {})
        for row in group["rows"]:
            if isinstance(row["printed"], list):
                numbers[row["measure"]] = tuple(map(float, row["printed"]))
            elif row["printed"] != UNDEFINED:
                numbers[row["measure"].removesuffix(".f1")] = float(row["printed"].rstrip("%"))
    return found


def given(paper: str) -> dict[str, dict]:
    return ledger.load(paper).content["examples"]


REFERENCE_SCORER = {
    case: {**given("reference_scorer")[case], **numbers}
    for case, numbers in printed("reference_scorer").items()
}

# F1 to three decimals.
LUO_KEY = given("luo2005")["a"]["key"]
LUO = {
    row: {"response": given("luo2005")[row]["response"], **numbers}
    for row, numbers in printed("luo2005").items()
}


def entities(text: str) -> list[list[int]]:
    """``"{1 2} {3}"``"""
    return [[int(m) for m in entity.split()] for entity in re.findall(r"\{([^}]*)\}", text)]


# F1 in percent to two decimals. A response is the key but for the entities named; all other
# mentions are as in the key.
_key = ledger.load("recasens2010").content["key"]
_first, _last = _key["singletons"]
RECASENS_KEY = [*entities(_key["entities"]), *([m] for m in range(_first, _last + 1))]
_mentions = sorted(m for entity in RECASENS_KEY for m in entity)
_in_words = {"all singletons": [[m] for m in _mentions], "one entity": [_mentions]}
RECASENS = {
    row: {"change": _in_words.get(change) or entities(change), **printed("recasens2010")[row]}
    for row, change in ((row, each["change"]) for row, each in given("recasens2010").items())
}


def changed(entities: list[list], change: list[list]) -> list[frozenset]:
    """The entities with those of ``change``; their other mentions stay together."""
    moved = {mention for entity in change for mention in entity}
    rest = [frozenset(entity) - moved for entity in entities]
    return [*map(frozenset, change), *filter(None, rest)]
