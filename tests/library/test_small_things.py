"""What is the same in every run, who prints a number once, and ends that differ by side.

If one of these failed, a page would differ between two runs, or advice would lead nowhere.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import corefeval
from corefeval import CorefError, Partition, evaluate, explain, read

SETS = """
from corefeval import anatomy, Partition
names = "Ann Bob Cleo Dan Eve Fay Gus Hal".split()
key = {"d": [set(names[:6]), set(names[6:])]}
response = {"d": {frozenset(names[1:4]), frozenset(names[4:7]), frozenset([names[0]])}}
found = anatomy(key, response, "b3")
print([list(each) for each in Partition(key["d"])], found.to_html())
print([each.told for each in found.entities])
"""


def test_sets_are_shown_alike_in_every_run():
    """Python orders texts in a set by a seed of its own in each process."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", SETS],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "77")
    }
    assert len(printed) == 1


def test_sets_of_mentions_that_have_no_order():
    entities = [{1, "a", (2, 3)}, {5}]
    assert Partition(entities) == Partition([[1, "a", (2, 3)], [5]])


def test_a_number_one_scorer_cuts_comes_once():
    """2/3 is 66.67 rounded; the reference scorer cuts it to 66.66, and nobody else does."""
    key, response = {"d": "{a b c}"}, {"d": "{a b} {c}"}
    found = explain(key, response, "muc")
    told = {hit.scorer for hit in found.hits("66.66") if hit.part == "f1"}
    assert "reference" in told and "ours" not in told and "e2e" not in told
    assert {"ours", "e2e"} <= {hit.scorer for hit in found.hits("66.67")}
    rule_of_nobody = explain(key, response, "muc", scorer="e2e").hits("66.66")
    assert {hit.scorer for hit in rule_of_nobody} == {"ours", "e2e"}, "cut off by hand, perhaps"


def test_ends_that_differ_have_a_line(folder):
    inclusive = [[[0, 0], [2, 3]], [[5, 6], [8, 9]]]
    exclusive = [[[a, b + 1] for a, b in entity] for entity in inclusive]
    for name, clusters in (("KEY", inclusive), ("RESPONSE", exclusive)):
        Path(name).write_text(json.dumps({"doc_key": "d", "clusters": clusters}))
    with pytest.raises(CorefError) as refused:
        evaluate("KEY", "RESPONSE")
    line = re.search(r"corefeval\.evaluate\(.*\)\)", str(refused.value))[0]
    names = {"corefeval": corefeval, "KEY": "KEY", "RESPONSE": "RESPONSE"}
    assert eval(line, names)["b3"].exact.f1 == 1
    with pytest.warns(UserWarning, match="share few mentions") as warned:
        evaluate("KEY", "RESPONSE", offsets="inclusive")
    assert line in str(warned[0].message)
    assert read("RESPONSE", "response", offsets="exclusive")["d"].sizes == [2, 2]
