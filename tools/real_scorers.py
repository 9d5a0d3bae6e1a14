"""Score public responses by scorers that are not ours, and compare with the stored printouts.

python tools/real_scorers.py PERL COVAL E2E says whether data/real/scorers.csv has what these
scorers print of the responses in data/real/labels; the exit code is 1 if it has not. ``--write``
stores what they print. Each is a checkout at its commit: of conll/reference-coreference-scorers
f49f3f8, of ns-moosavi/coval 87071a6, of kentonl/e2e-coref 9d1ee19. coval and e2e-coref need NumPy
and SciPy.

Which responses, written down before any was scored: of FCC the strongest baseline, lemma, and the
feature-based system, all seeds, document by document; of ECB+, as one document, uncut, the two
configurations that the reference scorer and the rule of e2e-coref put first, with their seeds.

None of their code is changed. The metrics.py of e2e-coref asks scikit-learn for a function that it
has no more, `linear_assignment`: SciPy's stands in for it, and nothing else of the file's imports.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

STORED = Path(__file__).parents[1] / "data" / "real" / "scorers.csv"
LABELS = STORED.parent / "labels"
HEAD = ("corpus", "response", "scorer", "measure", "recall", "precision", "f1")
RESPONSES = {
    "cdcr-corpora-fcc": ["lemma", *(f"feature.{seed}" for seed in range(5))],
    "hypercoref-ecbp": [
        f"{name}.p.{seed}" for name in ("ecbp.ecbp", "ss_abc_25k.abc") for seed in range(3)
    ],
}
BY_DOCUMENT = {"cdcr-corpora-fcc"}
MEASURES = {"muc": "muc", "b3": "bcub", "ceafe": "ceafe"}
"""Our names, and those of the reference scorer and of coval."""
TOO_LONG = {("hypercoref-ecbp", "ceafe")}
"""What the reference scorer aligns for hours: 805 entities with as many."""

Entities = list[list[int]]
Documents = list[Entities]


class Printed(NamedTuple):
    """What a scorer prints of a measure: recall, precision, F1, as they stand there."""

    scorer: str
    measure: str
    values: tuple[str, str, str]


def conll(labels: pd.DataFrame, side: str) -> str:
    """A file of CoNLL-2012 with a token for each mention, and its entity in the last column."""
    text = []
    for document, rows in labels.groupby("document", sort=False):
        text.append(f"#begin document ({document}); part 000")
        for number, entity in enumerate(rows[side]):
            text.append(f"{document}\t0\t{number}\tm{number}\t({entity})")
        text += ["", "#end document"]
    return "\n".join([*text, ""])


def documents(labels: pd.DataFrame, side: str) -> Documents:
    """The entities of each document as lists of mentions."""
    return [
        [list(places) for places in rows.reset_index(drop=True).groupby(side).groups.values()]
        for _, rows in labels.groupby("document", sort=False)
    ]


def by_perl(checkout: Path, key: Path, response: Path, corpus: str) -> Iterator[Printed]:
    for name, asked in MEASURES.items():
        if (corpus, name) in TOO_LONG:
            continue
        shown = _run(["perl", "scorer.pl", asked, key, response, "none"], checkout)
        total = shown[shown.index("TOTALS") :]
        found = re.findall(r"Coreference:.*\) ([\d.]+)%.*\) ([\d.]+)%.*F1: ([\d.]+)%", total)
        yield Printed("reference", name, found[-1])


def by_coval(checkout: Path, key: Path, response: Path) -> Iterator[Printed]:
    for scorer, flags in {"coval": [], "coval_no_singletons": ["remove_singletons"]}.items():
        shown = _run([sys.executable, "scorer.py", key, response, *flags], checkout)
        for name, asked in MEASURES.items():
            values = re.search(rf"^{asked} .*: ([\d.]+) .*: ([\d.]+) .*: ([\d.]+)$", shown, re.M)
            assert values is not None, shown
            yield Printed(scorer, name, (values[1], values[2], values[3]))


def by_e2e(checkout: Path, key: Documents, response: Documents) -> Iterator[Printed]:
    metrics = _metrics(checkout)
    evaluator = metrics.CorefEvaluator()
    for gold, predicted in zip(key, response, strict=True):
        sides = [[tuple((place, place) for place in entity) for entity in side]
                 for side in (predicted, gold)]  # fmt: skip
        entity_of = [{mention: each for each in side for mention in each} for side in sides]
        evaluator.update(*sides, *entity_of)
    for name, each in zip(MEASURES, evaluator.evaluators, strict=True):
        precision, recall, f1 = (f"{100 * value:.2f}" for value in each.get_prf())
        yield Printed("e2e", name, (recall, precision, f1))


def _metrics(checkout: Path) -> Any:
    """The module metrics.py as it stands, with SciPy's assignment for scikit-learn's."""

    def linear_assignment(costs: Any) -> Any:
        return np.transpose(linear_sum_assignment(costs))

    stand_in = ModuleType("sklearn.utils.linear_assignment_")
    vars(stand_in)["linear_assignment"] = linear_assignment
    for name in ("sklearn", "sklearn.utils"):
        sys.modules.setdefault(name, ModuleType(name))
    sys.modules[stand_in.__name__] = stand_in
    module = ModuleType("metrics")
    exec((checkout / "metrics.py").read_text("utf-8"), vars(module))
    return module


def _run(command: list[Any], folder: Path) -> str:
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{folder}: {done.stderr}")
    return done.stdout


def printed(perl: Path, coval: Path, e2e: Path) -> Iterator[tuple[str, ...]]:
    """A row for each response, scorer and measure."""
    for corpus, responses in RESPONSES.items():
        labels = pd.read_csv(LABELS / f"{corpus}.csv.xz")
        if corpus not in BY_DOCUMENT:
            labels["document"] = 0
        with tempfile.TemporaryDirectory() as folder:
            key, response = Path(folder, "key.conll"), Path(folder, "response.conll")
            key.write_text(conll(labels, "key"), "utf-8")
            for name in responses:
                response.write_text(conll(labels, name), "utf-8")
                lists = documents(labels, "key"), documents(labels, name)
                for each in (
                    *by_perl(perl, key, response, corpus),
                    *by_coval(coval, key, response),
                    *by_e2e(e2e, *lists),
                ):
                    yield corpus, name, each.scorer, each.measure, *each.values


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for scorer in ("perl", "coval", "e2e"):
        parser.add_argument(scorer, type=Path, help="a checkout")
    parser.add_argument("--write", action="store_true", help="store what is printed")
    chosen = parser.parse_args(arguments)
    rows = list(printed(chosen.perl, chosen.coval, chosen.e2e))
    if chosen.write:
        with STORED.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])
        return 0
    with STORED.open(encoding="utf-8", newline="") as file:
        _, *stored = map(tuple, csv.reader(file))
    same = sum(row in set(stored) for row in rows)
    print(f"{same} of {len(rows)} printed scores are as stored")
    return int(rows != stored)


if __name__ == "__main__":
    sys.exit(main())
