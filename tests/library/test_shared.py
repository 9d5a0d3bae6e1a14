"""Whether a key and a response have mentions in common, told once a call of evaluate or score.

If one of these failed, names of another type or offsets of another text would score 0 without a
word, or sound files would be warned of.
"""

import csv
import json
import lzma
import re
import warnings
from itertools import combinations
from pathlib import Path

import pytest
from documents import document

import corefeval
from corefeval import CorefError, Partition, Scorer, evaluate, from_labels, metric
from corefeval.chance.significance import bootstrap, compare
from corefeval.overlap.no_overlap import MANY, SidesApart

REAL = Path(__file__).parents[2] / "data" / "real"

NOTHING = "the key and the response share no mention"


def told(*arguments, **chosen) -> list[str]:
    """What evaluate warns of; it must be told whoever called it."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        evaluate(*arguments, **chosen)
    assert all(each.filename == __file__ for each in found)
    return [str(each.message) for each in found]


APART = {
    "types": ([["1", "2"]], [[1, 2]], "the key has '1', the response 1"),
    "places": ([[(0, 1), (4, 4)]], [[(0, 2), (5, 5)]], "the key has (0, 1), the response (0, 2)"),
    "notation": ("{a b} {c}", "{d} {e f}", "the key has 'a', the response 'd'"),
    "one mention each": ("{a}", "{b}", "the key has 'a', the response 'b'"),
    "partitions": (Partition([["a"]]), Partition([["A"]]), "the key has 'a', the response 'A'"),
}


@pytest.mark.parametrize(("key", "response", "examples"), APART.values(), ids=APART)
def test_a_corpus_that_shares_nothing(key, response, examples):
    (message,) = told({"d": key}, {"d": response})
    assert message.startswith(NOTHING) and message.endswith(f"in document 'd', {examples}")
    several = {n: key for n in range(9)}
    assert len(told(several, dict.fromkeys(several, response))) == 1


def test_iterators_are_not_used_up():
    key, response = iter([["a", "b"]]), iter([["a"], ["b"]])
    score = evaluate({"d": key}, {"d": response}, "mentions").total["mentions"]
    assert score.exact.f1 == 1


@pytest.mark.parametrize("repeated", ["each", "once_each", "first", "merge", "reference"])
def test_repeated_mentions_are_looked_at_once(repeated):
    key, response = [["a", "b"]], [["c"], ["c", "d"]]
    (message,) = told({"d": key}, {"d": response}, repeated=repeated)
    assert "the key has 'a', the response 'c'" in message
    assert not told({"d": key}, {"d": [["c"], ["c", "b"]]}, repeated=repeated)


def as_they_are(sides):
    return sides


def as_a_table(sides):
    def label_of(side):
        entities = Partition.parse(" ".join(side.values())).entity_of
        return [entities.get(mention, -1) for mention in "abcd"]

    return [from_labels(*map(label_of, sides))]


@pytest.mark.parametrize("form", [as_they_are, as_a_table])
def test_a_side_without_any_mention(form):
    """A system that wrote nothing, or a file whose mentions are marked in another way."""
    none, some = {"d": "", "e": ""}, {"d": "{a b} {c}", "e": "{d}"}
    for sides, (empty, other) in (
        ((none, some), ("key", "response")),
        ((some, none), ("response", "key")),
    ):
        (message,) = told(*form(sides))
        numbers = {empty: 0, other: 4}
        assert message.startswith(
            f"{NOTHING}: the key has {numbers['key']}, the response {numbers['response']}; are "
        )
    assert not told({"d": "", "e": "{d}"}, some), "a document without mentions"


@pytest.mark.parametrize("missing", ["empty", "skip"])
def test_documents_named_a_number_and_its_text(missing):
    with pytest.raises(CorefError, match="the document '1' is here as a text and as a number"):
        evaluate({1: "{a b}", 2: "{c}"}, {"1": "{a b}", 2: "{c}"}, missing=missing)


def test_what_is_not_told_of():
    assert not told({"d": "{a b}"}, {"d": "{b c}"})


def test_a_report_of_nothing():
    for key in ({}, {"d": ""}, {"d": "", "e": ""}, from_labels([None], [None])):
        sides = (key,) if not isinstance(key, dict) else (key, key)
        (message,) = told(*sides)
        assert message.startswith(f"{NOTHING}: the key has 0, the response 0; are")
    with pytest.warns(UserWarning, match=f"^{NOTHING}: the key has 0, the"):
        Scorer("muc").compute()


SPANS = {
    str(n): [[(9 * n, 9 * n + m), (9 * n + m + 1, 9 * n + 8)] for m in (2, 4)] for n in range(4)
}


def moved(step):
    return {name: [[(i, j + step) for i, j in entity] for entity in entities]
            for name, entities in SPANS.items()}  # fmt: skip


@pytest.mark.parametrize("step", [1, -1])
def test_ends_that_differ_by_one(step):
    step_back = re.escape(f"{-step:+d}")
    told_of = rf"share few mentions: 0 .* and 16 if the response's ends are moved by {step_back};"
    (message,) = told(SPANS, moved(step))
    assert re.search(told_of, message) and "--offsets" not in message
    typed = re.search(r"\[\(first, .*\]", message)[0]
    ends = {name: [eval(typed.replace("…", str(entity))) for entity in side]
            for name, side in moved(1).items()}  # fmt: skip
    assert ends == SPANS, "what it tells to type makes the ends mean the same"
    scorer = Scorer("muc")
    for name, side in moved(step).items():
        scorer.update(SPANS[name], side)
    with pytest.warns(UserWarning, match=told_of):
        scorer.compute()


def test_offsets_are_named_where_files_have_them(folder):
    """Files of CoNLL-2012 refuse it."""
    Path("key").write_text(document("(0) (1) (0) (1) -"))
    Path("response").write_text(document("(0 0)|(1 (0|1) (1|0) 1)"))
    (message,) = told("key", "response")
    assert "ends are moved by -1" in message and "offsets" not in message
    words = [f"w{n}" for n in range(40)]
    for name, sides in {"key": SPANS, "response": moved(1)}.items():
        lines = ({"doc_key": each, "tokens": words, "clusters_token_offsets": sides[each]}
                 for each in SPANS)  # fmt: skip
        Path(name).write_text("\n".join(map(json.dumps, lines)))
    (message,) = told("key", "response")
    assert "ends are moved by -1" in message and "--offsets" in message


def test_ends_that_differ_otherwise_or_in_few_documents():
    assert not any("ends are" in each for each in told(SPANS, moved(2)))
    mixed = SPANS | {"0": moved(1)["0"]}
    assert all("ends are" not in each for each in told(SPANS, mixed))


def test_conventions_change_nothing():
    """What is shared is looked at before singletons are dropped or mentions completed."""
    assert not told({"d": "{a} {b c}"}, {"d": "{a} {d e}"}, singletons="drop")
    for twinless in ("complete", "rahman_ng", "stoyanov_all"):
        assert len(told({"d": "{a b}"}, {"d": "{c d}"}, "b3", twinless=twinless)) == 1


def test_documents_of_a_corpus_that_share_nothing():
    key = {"a": "{x y}", "b": "{a b c}", "c": "{d e} {f}", "e": "{g h}", "f": "{i j k}"}
    response = {"a": "{x y}", "b": "{A B C}", "c": "{D E F}", "e": "{G H I}", "f": "{i}"}
    example = "; in document 'b', the key has 'a', the response 'A'"
    assert told(key, response) == [f"{NOTHING} in 2 of 5 documents{example}"]
    response["c"] = "{d}"
    assert told(key, response) == [f"{NOTHING} in 1 of 5 documents{example}"]
    response["b"] = "{A B}"  # so few may be apart by chance
    assert not told(key, response)


def test_documents_on_one_side():
    key, response = {"a": "{x y z}"}, {"b": "{x y z}"}
    (message,) = told(key, response, missing="empty")
    assert message == f"{NOTHING}: the key has 3, the response 3, and none is the same"
    both = ({**key, "c": "{p}"}, {**response, "c": "{q}"})
    (message,) = told(*both, missing="empty")
    assert message.endswith("in document 'c', the key has 'p', the response 'q'")


def test_who_does_not_warn():
    sides = {n: "{a b}" for n in range(30)}, {n: "{c d}" for n in range(30)}
    small = [{n: side[n] for n in range(9)} for side in sides]
    assert not told(*small, like="e2e"), "sides so small may well share nothing"
    assert not told(*sides, [])
    metric("muc")(sides[0][0], sides[1][0])
    with pytest.warns(UserWarning, match=NOTHING):
        report = evaluate(*sides, "muc")
    bootstrap(report, 100)
    compare(report, report, 100)


def test_the_command_warns_once(folder, run):
    Path("key").write_text(document("(0) -"))
    Path("response").write_text(document("- (0)"))
    code, _, errors = run("score", "key", "response")
    (message,) = errors.splitlines()
    assert code == 0 and message.startswith(f"corefeval: warning: {NOTHING}: the key has ")
    assert run("score", "key", "response", "--like", "reference")[::2] == (0, "")
    assert run("explain", "key", "response")[::2] == (0, "")


@pytest.mark.parametrize(
    ("sides", "numbers"), [(("", "{a}"), "key has 0"), (("{a}", ""), "key has 1, the response 0")]
)
def test_scorers_count_the_mentions_of_both_sides(sides, numbers):
    one, other = Scorer("muc"), Scorer("muc")
    one.update(*sides)
    other.update(*reversed(sides))
    with pytest.warns(UserWarning, match=f"^{NOTHING}: the {numbers}"):
        one.compute()
    one.merge(other)
    with pytest.warns(UserWarning, match=f"^{NOTHING}: the key has 1, the response 1, and none"):
        one.compute()


# Few shared mentions

FEW = "the key and the response share few mentions: "


def far_apart(shared=5, each=21):
    """Sides of so many mentions, of which so many are shared."""
    mentions = [f"m{n}" for n in range(2 * each - shared)]
    key, response = mentions[:each], mentions[each - shared :]
    return [key[:4], key[4:]], [response[:9], response[9:]]


def labels_of(key, response):
    columns = [
        [next((n for n, entity in enumerate(side) if f"m{m}" in entity), -1) for m in range(99)]
        for side in (key, response)
    ]
    return from_labels(*columns)


def scored_at(key, response):
    """What calls, at each door, one that warns of these sides."""
    corpus = {"d": key}, {"d": response}
    yield "evaluate", lambda: evaluate(*corpus)
    yield "evaluate like", lambda: evaluate(*corpus, like="coval")
    yield "lists", lambda: evaluate([key], [response])
    yield "explain", lambda: corefeval.explain(*corpus)
    yield "anatomy", lambda: corefeval.anatomy(*corpus)
    for like in (None, "e2e"):
        scorer = Scorer(like=like)
        scorer.update(key, response)
        yield f"Scorer {like}", scorer.compute
    table = labels_of(key, response)
    yield "a table", lambda: evaluate(table)
    yield "explain a table", lambda: corefeval.explain(table)


def warned(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return [str(each.message) for each in found if "share" in str(each.message)]


def test_few_shared_mentions_at_every_door():
    told_of = f"{FEW}5, which is 23.8% of the key's 21 and 23.8% of the response's 21; "
    for door, call in scored_at(*far_apart()):
        (message,) = warned(call)
        assert message.startswith(told_of), (door, message)
    # A quarter is not few, and neither side may be small.
    for sides in (far_apart(6, 24), far_apart(4, MANY - 1), far_apart(4, 16)):
        for door, call in scored_at(*sides):
            assert all("no label" in each for each in warned(call)), door


def test_the_larger_side_may_have_any_size():
    """A response to part of the key, or to more than it, has few of the larger side alone."""
    small, large = [[*range(30)]], [[*range(3_000)]]
    assert not told({"d": small}, {"d": large}) and not told({"d": large}, {"d": small})
    (message,) = told({"d": [[*range(-23, 7)]]}, {"d": large})
    assert "7, which is 23.3% of the key's 30 and 0.2% of the response's 3,000" in message


def test_like_warns_of_many_mentions_unshared():
    sides = [{"d": side} for side in far_apart(0)]
    for like in (None, "coval"):
        assert f"{NOTHING}: the key has 21, the response 21" in told(*sides, like=like)[0]


def test_no_counted_pair_of_real_sides_shares_few():
    """Their scores would be warned of, which are right."""
    pairs = lowest = 0
    for path in REAL.glob("*.csv.xz"):
        with lzma.open(path, "rt") as file:
            for row in csv.DictReader(file):
                if row["measure"] == "mentions":
                    met, key, _, response = map(int, row["numbers"].split())
                    apart = SidesApart(key=key, response=response, met=met)
                    assert not apart._shares_few, row
                    if min(key, response) >= MANY:
                        pairs += 1
                        lowest = min(lowest or 1, met / min(key, response))
    assert pairs > 2_707 and lowest == 15 / 32, "what FEW says of them"


def test_annotators_share_few_where_tokens_differ():
    with lzma.open(REAL / "gerdracor" / "annotations.json.xz", "rt") as file:
        acts = json.load(file)
    numbers = {True: [0, 0], False: [0, 0]}
    for name, act in acts.items():
        for pair in combinations(act["annotators"], 2):
            sides = [{name: act["annotators"][each]["entities"]} for each in pair]
            differ = " ".join(pair) in act["other_tokens"]
            warns = any(each.startswith(FEW) for each in told(*sides, "mentions"))
            numbers[differ][warns] += 1
    # A token that differs near the end shifts few mentions.
    assert numbers == {False: [19, 0], True: [3, 8]}


SENTENCES = [["w"] * 6] * 8


def by_sentence(path, field, places):
    line = {"doc_key": "d", "sentences": SENTENCES, field: places}
    Path(path).write_text(json.dumps(line))


def test_mentions_counted_in_each_sentence(folder, run):
    """To keep the first of equal places is no mending: they are other mentions."""
    entities = [[(s, n, n) for s in range(8)] for n in range(4)]
    by_sentence("key", "clusters", [[[6 * s + n] * 2 for s, n, _ in e] for e in entities])
    by_sentence("response", "predicted_clusters", [[[n, n + s % 3] for s, n, _ in e]
                                                   for e in entities])  # fmt: skip
    code, _, errors = run("score", "key", "response")
    cause = "all mentions end within the first 6 of 48 tokens, the length of the longest sentence"
    assert code == 2 and cause in errors and "count them from the start of the document" in errors
    Path("both").write_text(json.dumps({
        "doc_key": "d", "sentences": SENTENCES, "clusters": [[[0, 0], [40, 40]], [[0, 0]]],
        "predicted_clusters": [],
    }))  # fmt: skip
    _, _, errors = run("score", "both")
    assert "mention (0, 0) is in entities" in errors and "sentence" not in errors


def test_names_given_twice_have_no_sentence(folder, run):
    for sentences in (SENTENCES, [["w"]]):
        line = {"doc_key": "d", "sentences": sentences, "clusters": {"e": ["a", "a"]}}
        Path("names").write_text(json.dumps(line))
        code, _, errors = run("score", "names", "names")
        assert code == 2 and "mention a is twice in entity e; mend the file" in errors


AGAINST_ITSELF = "in every document its `{}` are the key's entities: is the key scored against"


def test_a_key_against_itself(folder, run):
    entities = [[[n, n], [n + 20, n + 20]] for n in range(10)]
    words = {"doc_key": "d", "sentences": [[f"w{n}" for n in range(40)]]}
    for name, fields in {
        "key": {"clusters": entities},
        "both": {"clusters": entities, "predicted_clusters": entities},
        "small": {"clusters": entities[1:], "predicted_clusters": entities[1:]},
        "better": {"clusters": entities, "predicted_clusters": entities[1:]},
    }.items():
        Path(name).write_text(json.dumps(words | fields))
    marks = (f"({n % 20})" if n % 20 < 10 else "-" for n in range(40))
    Path("conll").write_text(document(" ".join(marks)))
    for files, field in {
        ("key", "key"): "clusters",
        ("conll", "key"): "clusters",
        ("both",): "predicted_clusters",
        ("key", "both"): "predicted_clusters",
    }.items():
        for command in ("score", "explain", "anatomy"):
            code, _, errors = run(command, *files, "--metric", "muc")
            (message,) = errors.splitlines()
            assert code == 0 and AGAINST_ITSELF.format(field) in message, (files, command)
    for files in (("small",), ("better",), ("key", "better")):
        assert run("score", *files)[::2] == (0, ""), files
