"""Every figure of these papers would fail if it, its example or its verdict were another."""

import re

import pytest
from corefbook import ledger
from corefbook.ledger import Example, Paper
from figures import figures, row, spoiled

pytestmark = pytest.mark.proof

READ = ("vilain1995", "vilain1995_summary", "baldwin1998", "pradhan2014", "popescubelis")
QUOTED = ("luo2005", "recasens2010", "cai_strube2010", "reference_scorer",
          "reference_scorer_lea")  # fmt: skip
QUOTING = ("remark", "refuted", "misprint", "copy_slip")
# Computed from other printed cells, in which tests of the paper plant changes.
FROM_CELLS = {
    "other_res",
    "constant_relations",
    "constantly_lowest",
    "total_mentions",
    "coreference_rate",
}


def is_statement(judged):
    """Whether a row is true or not; what is printed of it is quoted, or is no figure."""
    return judged.computed in ("true", "false") or "counterexample" in judged.computed


@pytest.mark.parametrize("name", [*READ, *QUOTED])
def test_every_figure_fails_if_it_is_spoiled(name):
    for paper, figure in figures(name):
        judged = row(paper, figure)
        assert judged.verdict != "failed"
        quoting = any(kind in figure for kind in QUOTING)
        if "not_testable" in figure or (is_statement(judged) and not quoting):
            continue
        others = [spoiled(figure["printed"])]
        if judged.verdict == "consistent":  # an interval has room, and more on one side
            others = [re.sub(r"\d|five", each, figure["printed"]) for each in "19"]
        verdicts = {row(paper, figure | {"printed": printed}).verdict for printed in others}
        assert "failed" in verdicts, figure


@pytest.mark.parametrize("name", READ)
def test_a_misprint_with_a_spoiled_correction_fails(name):
    for paper, figure in figures(name):
        for kind in ("misprint", "copy_slip"):
            if kind in figure:
                right = spoiled(figure[kind]["right"])
                if right.endswith("ŋ"):
                    right = right.replace("8", "9")
                other = figure | {kind: figure[kind] | {"right": right}}
                assert row(paper, other).verdict == "failed", other


def changes(given):
    """Other keys and responses in the place of an example's: parted, joined, or with one more."""
    if "acts" in given:
        yield from ({"acts": acts} for acts in ("", "1a 2c", "1a 2b", "1a 2b 3b"))
    for side in ("key", "response"):
        if text := given.get(f"{side}_links"):
            links = text.strip("<>").split()
            yield {f"{side}_links": " ".join(links[1:] or ["Ψ-Ω"])}
            yield {f"{side}_links": " ".join([*links, f"{links[0][0]}-Ω"])}
            yield {f"{side}_links": " ".join([*links, "Ψ-Ω"])}
        elif text := given.get(side):
            entities = [entity.split() for entity in text.strip("{}").split("} {")]
            first, *others = entities
            joined = braced([[m for entity in entities for m in entity]])
            yield {side: braced([["Ω", *first], *others])}
            yield {side: braced([*entities, ["Ω"]])}
            yield {side: braced([entity[1:] for entity in entities])}
            yield {side: braced([[m] for entity in entities for m in entity])}
            yield {side: braced(entities[::-1])}
            yield {side: joined}
            yield {"key": joined, "response": joined}


def braced(entities):
    return " ".join("{" + " ".join(entity) + "}" for entity in entities if entity)


def on_another_example(paper, figure, change):
    """The verdict on a row if its example is changed."""
    name = figure["example"]
    all_given = {each.name: each.given for each in paper.examples.values()}
    given = dict(all_given[name])
    for side in ("key", "response"):
        if side in change or f"{side}_links" in change:
            given = {key: text for key, text in given.items() if not key.startswith(side)}
    examples = {**all_given, name: given | change}
    try:
        return row(Paper(paper.name, {**paper.content, "examples": examples}), figure).verdict
    except (LookupError, ValueError):  # the entity in question is gone
        return "failed"


@pytest.mark.parametrize(
    "name", [*READ, "luo2005", "cai_strube2010", "reference_scorer", "reference_scorer_lea"]
)
def test_every_result_fails_on_some_other_example(name):
    # A row that agrees whatever key and response are would restate what is printed.
    for paper, figure in figures(name):
        judged = row(paper, figure)
        if judged.measure in FROM_CELLS:
            continue
        result = judged.verdict in ("reproduced", "rounded", "holds") and judged.example
        assert judged.verdict not in ("reproduced", "rounded") or judged.example
        if result:
            given = paper.examples[judged.example].given
            verdicts = {on_another_example(paper, figure, each) for each in changes(given)}
            assert "failed" in verdicts, judged


def with_example(paper, figure, given):
    """The verdict on a row whose example, as its paper spells it out, is another."""
    other = Paper(paper.name, {**paper.content, "figures": [{**figure, "rows": [{}]}]})
    spelled = {**paper.examples, figure["example"]: Example(figure["example"], given)}
    vars(other)["examples"] = spelled
    (only,) = other.rows()
    return only.verdict


def test_figures_of_changes_fail_on_another_response():
    for paper, figure in figures("recasens2010"):
        if row(paper, figure).verdict == "reproduced":
            given = dict(paper.examples[figure["example"]].given)
            verdicts = {with_example(paper, figure, given | each) for each in changes(given)}
            assert "failed" in verdicts, figure


@pytest.mark.parametrize("name", ["lee2018", "shared_task_2012"])
def test_figures_from_cells_fail_with_another_cell(name):
    """Recall, precision and F1 of a table: none of those that are used can be 20 points off."""
    tested = 0
    for paper, figure in figures(name):
        if "not_testable" not in figure:
            given = dict(paper.examples[figure["example"]].given)
            measure = figure["measure"].partition("_")[0]
            used = [cell for cell in given if cell.startswith(measure) or measure == "average"]
            for cell in (c for c in used if c.endswith((".recall", ".precision"))):
                far = given | {cell: str(abs(float(given[cell]) - 50) / 2)}
                assert with_example(paper, figure, far) == "failed", (figure, cell)
                tested += 1
    assert tested > 50


@pytest.mark.parametrize("name", READ)
def test_a_wrong_verdict_fails(name):
    # Right figures are no misprints, true sentences are not refuted, and false ones do not hold.
    for paper, figure in figures(name):
        judged = row(paper, figure)
        said = {k: v for k, v in figure.items() if k not in QUOTING and k != "rounded"}
        if judged.verdict in ("reproduced", "given", "holds"):
            claims = {"refuted": "…"}, {"misprint": {"right": judged.printed, "reason": "…"}}
            for claim in claims if judged.verdict != "given" else claims[1:]:
                other = {k: v for k, v in said.items() if k != "given"} | claim
                other["quote"] = judged.printed  # so that nothing but the claim can fail
                assert row(paper, other).verdict == "failed", other
        elif judged.verdict in ("refuted", "misprint", "copy", "rounded"):
            assert row(paper, said).verdict == "failed", said


def test_second_hand_figures_say_who_quotes_them():
    for name in ledger.papers():
        second_hand = ledger.load(name).source == "secondary"
        assert all(bool(figure.secondary) == second_hand for figure in ledger.rows(name)), name


def test_a_summary_is_not_its_paper():
    assert "cite" not in ledger.load("vilain1995_summary").content["paper"]


def test_omissions_say_where_what_and_why():
    for name in READ:
        left_out = ledger.load(name).content["left_out"]
        assert left_out and all({*each} == {"place", "what", "why"} for each in left_out)


def test_evidence_completes_a_note():
    (used_twice,) = [r for r in ledger.rows("pradhan2014") if r.measure == "used_twice"]
    assert used_twice.note == "R2 counts for K1 and K2"
    noted = [r for r in ledger.rows("recasens2010") if r.printed == "no score"]
    assert [". " in r.note for r in noted] == [True]
