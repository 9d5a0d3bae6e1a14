"""The lost MUC-6 text: the search loses no profile, and what is stored gives what is printed."""

from itertools import combinations_with_replacement

import pytest
from corefbook import ledger
from corefbook.papers.popescubelis import lost_cells, lost_text
from corefbook.papers.popescubelis.distributional_error import d_err
from corefbook.papers.popescubelis.lost_text import MUC6, NAMES, Totals, printed_cells
from rows import every_row

pytestmark = pytest.mark.proof

SMALL = Totals(mentions=20, classes=5, pronouns=8, pronoun_classes=3)
NOTHING = {"4": {}, "5": {}, "6": {}}
CELLS = [(row, name) for row, names in printed_cells().items() for name in names]


def every_profile(text):
    """Slowly: all multisets of (size, pronouns) that the text admits."""
    sizes = range(text.mentions, 1, -1)
    shapes = [(k, q) for k in sizes for q in range(min(k - 1, text.pronouns), 0, -1)]
    for part in combinations_with_replacement(shapes, text.pronoun_classes):
        if sum(q for _, q in part) == text.pronouns:
            for rest in combinations_with_replacement(sizes, text.classes - text.pronoun_classes):
                if sum(k for k, _ in part) + sum(rest) == text.mentions:
                    yield tuple(sorted([*part, *((k, 0) for k in rest)], reverse=True))


def as_printed(profile, exclusive):
    """The cells that this key would have printed, XC's by the first way to settle its ties."""
    cells = {row: {} for row in NOTHING}
    for row, measure in ((row, measure) for row in cells for measure in NAMES):
        score = lost_text.row_scores(measure, row, profile, exclusive)[0]
        for name, part in NAMES[measure].items():
            value = getattr(score.exact, part)
            cells[row][name] = next(p for p in range(-200, 101) if lost_text.rounds_to(p, value))
    return cells


@pytest.fixture(scope="module")
def small():
    return SMALL, list(every_profile(SMALL))


def test_without_cells_the_search_finds_every_profile(small):
    text, profiles = small
    assert sorted(lost_text.search(text, NOTHING)) == sorted(profiles)
    assert lost_text.how_many(text, text.mentions) == len(profiles) > 300


@pytest.mark.parametrize("exclusive", ["core", "free"])
@pytest.mark.parametrize("which", range(0, 271, 45))
def test_the_search_finds_all_profiles_printed_alike(small, exclusive, which):
    text, profiles = small
    planted = profiles[which]
    cells = as_printed(planted, exclusive)
    fitting = lost_text.search(text, cells, exclusive)
    assert planted in fitting
    assert sorted(fitting) == sorted(p for p in profiles if lost_text.gives(p, cells, exclusive))


def test_every_cell_is_asked(small):
    text, profiles = small
    cells = as_printed(profiles[len(profiles) // 3], "core")
    assert lost_text.search(text, cells)
    for row, name in CELLS:
        other = cells[row][name] + (50 if cells[row][name] < 50 else -50)
        assert not lost_text.search(text, {**cells, row: cells[row] | {name: other}}), (row, name)


def test_all_cells_are_asked_of_the_text():
    assert len(CELLS) == 3 * sum(map(len, NAMES.values()))


@every_row("profile", lost_text.stored()[::60])
def test_what_the_solutions_print_is_found_again(profile):
    cells = as_printed(profile, "core")
    kept = lost_text.without(cells, "6", *NAMES["xc"])
    assert kept == lost_text.without(printed_cells(), "6", *NAMES["xc"])


def test_every_stored_profile_is_a_possible_key():
    stored = lost_text.stored()
    assert len(set(stored)) == len(stored)
    for profile in stored:
        pronouns = [q for _, q in profile if q]
        assert sum(k for k, _ in profile) == MUC6.mentions and len(profile) == MUC6.classes
        assert sum(pronouns) == MUC6.pronouns and len(pronouns) == MUC6.pronoun_classes
        assert all(k >= 2 and k > q for k, q in profile)
        assert list(profile) == sorted(profile, reverse=True)


def test_every_stored_profile_gives_every_cell_but_xc():
    cells = lost_text.without(printed_cells(), "6", *NAMES["xc"])
    profiles = lost_text.stored()
    sizes = {tuple((k, 0) for k, _ in profile) for profile in profiles}
    assert all(lost_text.gives(each, {row: cells[row] for row in ("4", "5")}) for each in sizes)
    assert all(lost_text.gives(profile, {"6": cells["6"]}) for profile in profiles)


def test_every_solution_gives_xc_too():
    xc = {"6": {name: printed_cells()["6"][name] for name in NAMES["xc"]}}
    solutions = set(lost_text.solutions())
    for profile in lost_text.stored():
        assert lost_text.gives(profile, xc) == (profile in solutions)


def test_the_free_reading_misses_one_cell():
    assert lost_text.solutions("free") == []
    for profile in lost_text.stored()[::50]:
        assert lost_text.missed(profile, printed_cells(), "free") == [("6", "XRS")]


@pytest.mark.parametrize("exclusive", ["core", "free"])
def test_a_rule_reaches_what_ties_allow(small, exclusive):
    for profile in small[1]:
        some = lost_text.outcomes(profile, exclusive)
        for ties in ("pronouns", "rest"):
            assert lost_text.outcomes(profile, exclusive, ties) <= some
        if all(2 * q != k for k, q in profile):
            assert lost_text.outcomes(profile, exclusive, "rest") == some


def test_the_counts_agree_with_what_is_counted_otherwise():
    steps = lost_text.counts("profiles, core")
    assert steps[-1].count == len(lost_text.solutions())
    without = {step.cell: step.count for step in lost_text.counts("without, free")}
    assert without["row 6: XRS"] == len(lost_text.stored())


def test_a_double_at_a_border_is_refused():
    with pytest.raises(ArithmeticError, match="too near"):
        lost_text.rounds_to(40, 0.405 + 1e-13)


def test_the_ledger_has_the_values_of_all_solutions():
    for row in ledger.rows("popescubelis_lost"):
        if row.measure in lost_text.CELLS:
            name = next(m for m, parts in NAMES.items() if row.measure in parts)
            value = lost_cells.solved_cell(row.example, name, NAMES[name][row.measure])
            ends = value if isinstance(value, ledger.Bounds) else (value, value)
            assert all(lost_text.rounds_to(int(row.printed), float(end)) for end in ends)
            assert row.verdict == "given"  # the profiles were chosen because they give it


# ------------------------------------------------------------------------------- D-err


PAIRS = [([7, 5, 3, 2], [9, 7, 1]), ([5, 5], [10]), ([5, 5], [1] * 10), ([4, 4, 1], [3, 3, 3])]


@pytest.mark.parametrize(("key", "response"), PAIRS)
def test_exchanging_the_sides_exchanges_the_type(key, response):
    error, exchanged = d_err(key, response), d_err(response, key)
    assert error.square == exchanged.square and {error.kind, exchanged.kind} == {"r", "p"}
    assert 0 < error.square < 1


def test_the_reconstruction_misses_row_2_alone():
    assert [str(d_err(*pair)) for pair in PAIRS[:3]] == ["34-p", "51-p", "42-r"]
