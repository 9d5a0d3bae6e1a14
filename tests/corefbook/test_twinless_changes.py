"""Six rules for twinless mentions: the figures printed for them, and the search for junk that pays.

The search is done again on named mentions with the measures of the oracle, which know no tables.
"""

from fractions import Fraction
from itertools import count, groupby

import oracle
import pytest
from corefbook import enumeration, ledger
from corefbook.studies import twinless_changes
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import every_row
from strategies import all_keys, all_partitions, pairs, sets

from corefeval import metric
from corefeval.overlap.twinless import POLICIES

pytestmark = pytest.mark.proof

# ------------------------------------------------------------------------ Printed figures

PRINTED = [
    *(row for row in ledger.rows("cai_strube2010")),
    *(row for row in ledger.rows("pradhan2014") if row.measure == "b3_precision"),
]
POLICY_OF = {"Precision of B³₀": "stoyanov_0", "Precision of B³ₐₗₗ": "stoyanov_all"}


def by_oracle(measure, policy, key, response):
    return oracle.apart(measure, *oracle.TWINLESS[policy](key, response))


def test_rules_that_were_chosen_to_fit_reproduce_nothing():
    assert {row.verdict for row in ledger.rows("cai_strube2010")} == {"reconstructed", "rounded"}
    fitted = {row.label for row in PRINTED if row.verdict == "reconstructed"}
    assert {*POLICY_OF} & fitted == {"Precision of B³ₐₗₗ"}


@every_row("printed", PRINTED)
def test_sets_give_every_figure_too(printed):
    example = ledger.load(printed.paper).examples[printed.example]
    measure, _, part = printed.measure.partition(".")
    policy = POLICY_OF.get(printed.label, "cai_strube")
    score = by_oracle(
        "ceafm" if measure == "ceafm" else "b3", policy, sets(example.key), sets(example.response)
    )
    value = getattr(score, part or "precision")
    expected = Fraction("0.714") if printed.verdict == "rounded" else Fraction(printed.printed)
    assert abs(value - expected) <= Fraction(1, 2000)


# ------------------------------------------------------------------------- The search


def named_cases(most):
    """Keys and responses with names: every case, most of them under several names."""
    for size in range(1, most + 1):
        for key in all_keys("abcde"[:size]):
            if sum(map(len, key)) == size:
                for response in all_partitions("abcde"[:size] + "vwxyz"[: most - size]):
                    if oracle.mentions_of(key) & oracle.mentions_of(response):
                        yield key, response


def fresh(response):
    used = oracle.mentions_of(response)
    return (f"j{n}" for n in count() if f"j{n}" not in used)


def changed(change, key, response):
    """Every response that the change makes of one, from the words of the chapter."""
    x, y, z = (mention for mention, _ in zip(fresh(response), range(3), strict=False))
    missing = oracle.mentions_of(key) - oracle.mentions_of(response)
    if change == "alone":
        return [[*response, {x}]]
    if change == "together":
        return [[*response, {x, y}], [*response, {x, y, z}]]
    if change == "mixed in":
        return [[*others(response, r), r | {x}] for r in response]
    if change == "found alone":
        return [[*response, {m}] for m in missing]
    entity = {m: k for k in key for m in k}
    return [[*others(response, r), r | {m}] for m in missing for r in response if r <= entity[m]]


def others(response, entity):
    return [each for each in response if each != entity]


def together(key, response):
    return len(oracle.mentions_of(key) | oracle.mentions_of(response))


def form(key, response):
    """What does not depend on the order of either side; for small pairs it is all there is."""
    met = [(len(k), *sorted((len(k & r), len(r)) for r in response if k & r)) for k in key]
    meets = [(len(r), *sorted((len(k & r), len(k)) for k in key if k & r)) for r in response]
    return sorted(met), sorted(meets)


CHANGES = [*twinless_changes.JUNK, *twinless_changes.FINDS]


@pytest.fixture(scope="module")
def searched():
    """Of every score and change, what happens in up to four mentions, and in how many at least."""
    known, seen, done = {}, {}, set()

    def scores(key, response, at):
        if at not in known:
            known[at] = {
                (p, m): by_oracle(m, p, key, response)
                for p in twinless_changes.PROPOSED
                for m in twinless_changes.NAMES
            }
        return known[at]

    for key, response in named_cases(4):
        for change in CHANGES:
            for after in map(sets, changed(change, key, response)):
                step = (change, str(form(key, response)), str(form(key, after)))
                if together(key, after) > 4 or step in done:
                    continue
                done.add(step)
                olds, news = scores(key, response, step[1]), scores(key, after, step[2])
                for (policy, measure), old in olds.items():
                    for part, a, b in zip(
                        twinless_changes.PARTS, old, news[policy, measure], strict=False
                    ):
                        sign = "rises" if b > a else "falls" if b < a else "stays"
                        there = seen.setdefault((policy, measure, change, part), {})
                        there[sign] = min(there.get(sign, 9), together(key, after))
    return seen


def test_the_search_finds_what_sets_find(searched):
    effects = twinless_changes.effects(4)
    assert {tuple(asked) for asked in effects} == set(searched)
    for asked, seen in effects.items():
        smallest = {sign: step.after.mentions for sign, step in seen.items()}
        assert smallest == searched[tuple(asked)], asked


def test_every_example_does_what_it_is_shown_for():
    for (policy, measure, change, part), seen in twinless_changes.effects(5).items():
        for sign, step in seen.items():
            key, before = map(sets, step.before.sides)
            same_key, after = map(sets, step.after.sides)
            assert key == same_key
            reached = [form(key, r) for r in map(sets, changed(change, key, before))]
            assert form(key, after) in reached
            a, b = (getattr(by_oracle(measure, policy, key, r), part) for r in (before, after))
            assert (a < b, a == b, a > b).index(True) == ("rises", "stays", "falls").index(sign)


def test_five_mentions_add_no_smaller_example():
    # What the search with four does not see has five in the search with five.
    four, five = twinless_changes.effects(4), twinless_changes.effects(5)
    for asked, seen in five.items():
        for sign, step in seen.items():
            before = four.get(asked, {}).get(sign)
            assert before == step if before else step.after.mentions == 5


def test_cases_are_all_and_each_once():
    forms = [form(*map(sets, case.sides)) for case in twinless_changes.cases(4)]
    named = [form(*pair) for pair in named_cases(4)]
    assert sorted(forms) == [each for each, _ in groupby(sorted(named))]


def test_pairs_with_names_are_all_cases():
    # The search of the papers' sentences has its own enumerator, by the names of mentions.
    named = {str(form(*map(sets, pair))) for pair in enumeration.pairs_up_to(4)}
    assert named == {str(form(*map(sets, c.sides))) for c in twinless_changes.cases(4)}


@pytest.mark.release
def test_six_mentions_change_one_sign():
    changed = []
    for changes in (twinless_changes.JUNK, twinless_changes.FINDS):
        five, six = (twinless_changes.verdicts(changes, most) for most in (5, 6))
        for before, after in zip(five.rows, six.rows, strict=True):
            signs = zip(twinless_changes.NAMES, before[1:], after[1:], strict=True)
            changed += [(after[0], *each) for each in signs if each[1] != each[2]]
    assert changed == [("complete", "blanc", "+ ± ±", "± ± ±")]


# -------------------------------------------------------------------------- What is proved

some_junk = st.tuples(st.sampled_from([*twinless_changes.JUNK]), st.integers(0, 20))


def with_junk(junk, key, response):
    change, which = junk
    made = changed(change, key, response) or [response]
    return sets(made[which % len(made)])


@pytest.mark.parametrize("policy", ["keep", "stoyanov_0", "rahman_ng"])
@settings(max_examples=60)
@given(pair=pairs(), junk=some_junk)
def test_junk_raises_no_part_of_a_score(policy, pair, junk):
    after = with_junk(junk, *pair)
    for measure in twinless_changes.NAMES:
        score = metric(measure, twinless=policy)
        for old, new in zip(score(*pair).exact[:3], score(pair[0], after).exact[:3], strict=True):
            assert new <= old, (measure, pair, after)


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=30)
@given(pair=pairs(), junk=some_junk)
def test_junk_never_raises_muc(policy, pair, junk):
    muc = metric("muc", twinless=policy)
    assert muc(pair[0], with_junk(junk, *pair)).exact.f1 <= muc(*pair).exact.f1


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=30)
@given(pair=pairs(), change=st.sampled_from(["together", "mixed in"]), which=st.integers(0, 20))
def test_only_singletons_of_junk_raise_lea(policy, pair, change, which):
    lea = metric("lea", twinless=policy)
    assert lea(pair[0], with_junk((change, which), *pair)).exact.f1 <= lea(*pair).exact.f1


@settings(max_examples=60)
@given(pair=pairs(), size=st.integers(1, 4))
def test_when_a_junk_entity_pays(pair, size):
    key, response = pair
    junk = frozenset(f"j{n}" for n in range(size))
    b3 = metric("b3", twinless="stoyanov_all")
    old, new = b3(key, response), b3(key, [*response, junk])
    assert new.exact.recall == old.exact.recall
    assert (new.exact.precision > old.exact.precision) == (old.exact.precision < Fraction(1, size))


@settings(max_examples=60)
@given(pair=pairs(), which=st.integers(0, 20))
def test_junk_in_an_entity_never_raises_b3_all(pair, which):
    b3 = metric("b3", twinless="stoyanov_all")
    new = b3(pair[0], with_junk(("mixed in", which), *pair))
    assert new.exact.f1 <= b3(*pair).exact.f1


@settings(max_examples=60)
@given(pair=pairs(), change=st.sampled_from([*twinless_changes.FINDS]), which=st.integers(0, 20))
@pytest.mark.parametrize("policy", POLICIES)
def test_b3_never_charges_for_a_find(policy, pair, change, which):
    key, response = pair
    made = changed(change, key, response) or [response]
    b3 = metric("b3", twinless=policy)
    assert b3(key, sets(made[which % len(made)])).exact.f1 >= b3(key, response).exact.f1
