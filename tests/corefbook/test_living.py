"""What the moving figure shows of the 52 responses to its sentence, against the oracle's sets."""

from fractions import Fraction

import oracle
import pytest
from corefbook.pages import living
from corefbook.pages.living import KEY, MENTIONS, RESPONSE
from strategies import sets

TABLE = living.figure_data()
RESPONSES = {living.name(response): response for response in living.responses()}


def decimals(value):
    return f"{float(value):.4f}"


def test_every_response_stands_in_the_table_once():
    letters = set()
    for a in "-0":
        for b in "-01":
            for c in "-012":
                letters |= {a + b + c + d for d in "-0123"}
    numbered = {name for name in letters if first_letters(name) == "0123"[: len(set(name) - {"-"})]}
    assert set(TABLE["responses"]) == numbered == set(RESPONSES)
    assert len(numbered) == len([*living.responses()]) == 52


def first_letters(name):
    return "".join(dict.fromkeys(name.replace("-", "")))


def test_the_figure_begins_with_the_first_response():
    assert TABLE["key"] == "0110" and TABLE["response"] == living.name(RESPONSE) == "0100"
    pieces = [TABLE["text"][0]]
    for mention, text in zip(MENTIONS, TABLE["text"][1:], strict=True):
        pieces += [mention.replace("_", " "), text]
    assert "".join(pieces) == living.TEXT.replace("[", "").replace("]", "")


@pytest.mark.parametrize("measure", living.MEASURES)
def test_scores_are_the_oracles(measure):
    for name, response in RESPONSES.items():
        expected = oracle.score(measure, sets(KEY), sets(response))
        shown = TABLE["responses"][name]["scores"][measure]
        for part in ("recall", "precision", "f1"):
            value = getattr(expected, part)
            assert shown.get(part) == (None if value is None else decimals(value)), (name, part)


def test_spanning_links_are_as_many_as_muc_counts():
    for name, response in RESPONSES.items():
        hits, total, right, given = oracle.ORACLES["muc"].counts(sets(KEY), sets(response))
        spanning = TABLE["responses"][name]["spanning"]
        assert [len(spanning["key"]), len(spanning["response"])] == [total, given]
        on_both_sides = [sum(link[2] for link in spanning[side]) for side in ("key", "response")]
        assert on_both_sides == [hits, right], name


def test_spanning_links_hold_each_entity_together():
    for name, response in RESPONSES.items():
        for side, partition in (("key", KEY), ("response", response)):
            links = TABLE["responses"][name]["spanning"][side]
            joined = [{MENTIONS.index(mention)} for mention in partition.mentions]
            for a, b, _ in links:
                one, other = (next(part for part in joined if end in part) for end in (a, b))
                assert one is not other, "a link more than is needed"
                one |= other
                joined.remove(other)
            expected = [{MENTIONS.index(mention) for mention in entity} for entity in partition]
            assert sorted(map(sorted, joined)) == sorted(map(sorted, expected))


def test_credits_add_up_to_b_cubed():
    for name, response in RESPONSES.items():
        counts = oracle.ORACLES["b3"].counts(sets(KEY), sets(response))
        for side, (hits, total) in {"key": counts[:2], "response": counts[2:]}.items():
            credits = [
                each for each in TABLE["responses"][name]["credits"][side] if each is not None
            ]
            assert (sum(map(Fraction, credits)), len(credits)) == (hits, total), name


@pytest.mark.parametrize(("measure", "phi"), [("ceafm", oracle.phi3), ("ceafe", oracle.phi4)])
def test_the_chosen_pairs_are_a_best_alignment(measure, phi):
    for name, response in RESPONSES.items():
        pairs = TABLE["responses"][name]["pairs"]
        chosen = [pair for pair in pairs if measure in pair["chosen"]]
        for side in ("key", "response"):
            assert len({pair[side] for pair in chosen}) == len(chosen)
        best = oracle.best_alignment(sets(KEY), sets(response), phi)
        assert sum(Fraction(pair[measure]) for pair in chosen) == best, name


def test_the_grid_has_the_links_that_blanc_counts():
    for name, response in RESPONSES.items():
        grid = {frozenset(each[:2]): each[2:] for each in TABLE["responses"][name]["grid"]}
        assert len(grid) == 6
        common, key, _, other, key_other, _ = oracle.link_sets(sets(KEY), sets(response))
        states = list(grid.values())
        assert [sum(of_key for of_key, _ in states), states.count([1, 1])] == [key, common]
        assert [sum(not of_key for of_key, _ in states), states.count([0, 0])] == [key_other, other]


def test_all_links_are_those_of_lea():
    for name, response in RESPONSES.items():
        links = TABLE["responses"][name]["links"]
        for side, here, there in (("key", KEY, response), ("response", response, KEY)):
            every = {link for entity in sets(there) for link in oracle.links(entity)}
            expected = []
            for link in (link for entity in sets(here) for link in oracle.links(entity)):
                places = sorted(MENTIONS.index(mention) for mention in link)
                expected.append([places[0], places[-1], int(link in every)])
            assert sorted(links[side]) == sorted(expected), name


def test_the_still_pictures_show_what_the_table_has():
    start = TABLE["responses"]["0100"]
    words = living.picture("blanc").description
    linked = [[a, b] for a, b, of_key, of_response in start["grid"] if of_key and of_response]
    assert linked == [[0, 3]] and "Conradin–the_boy link, link" in words
    assert words.count("no link, link") == 2 and words.count("no link, no link") == 2
    for measure, part in (("muc", "spanning"), ("lea", "links")):
        description = living.picture(measure).description
        for side in ("key", "response"):
            lost = [link for link in start[part][side] if not link[2]]
            assert lost and all(f"{MENTIONS[a]}–{MENTIONS[b]}" in description for a, b, _ in lost)
    # The oracle's B³ of this response.
    assert "Sum: 3/4" in living.picture("b3").description
    assert "Sum: 2/3" in living.picture("b3").description


def test_each_measure_and_picture_has_its_words():
    assert [*living.SAYS] == [*living.MEASURES]
    assert [*living.STILL] == [*living.PICTURES]
