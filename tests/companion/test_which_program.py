"""Which scorer printed a number: against the command, and where SciPy is absent."""

import pytest
from companion.pages import which_scorer
from companion.pages.two_files import LEFT_OUT
from companion.pages.which_scorer import OURS, answers
from pair import KEY, PATHS, RESPONSE

import corefeval
from corefeval.display import percent
from corefeval.registry import SUITES, find


def asked(printed: str) -> dict:
    return answers(KEY, RESPONSE, printed, "key.conll", "a.conll")


def test_it_names_whom_the_quick_start_names():
    # `corefeval score key.conll a.conll --metric conll --like e2e` prints 59.59 there.
    (entry,) = [each for each in asked("59.59")["found"] if "CoNLL" in each["what"]]
    assert {"e2e", "s2e", "fastcoref"} <= {*entry["scorers"]}
    assert "229 singletons" in entry["rule"]
    assert "83.94" in entry["instead"] and entry["instead"].endswith("“--like e2e”.")


def test_a_number_by_our_rules_needs_nothing_instead():
    found = asked("77.08")["found"]  # MUC in the quick start
    assert found[0]["what"] == "MUC F1 77.08"
    assert (found[0]["rule"], found[0]["instead"]) == (OURS, "")
    assert {"reference", "coval"} <= {*found[0]["scorers"]}


def test_what_would_be_written_instead_is_left_out_where_it_is_the_same():
    # By scorch's rules the recall of B³ is 83.30, too, and its precision is not.
    assert {each["instead"] for each in asked("83.30")["found"]} == {""}
    # The exact value is between 83.295 and 83.30: who cuts decimals off prints 83.29.
    entry = asked("83.29")["found"][0]
    assert entry["what"] == "B³ recall 83.29, cut off"
    assert entry["scorers"][0] == "reference" and "coval" not in entry["scorers"]
    assert entry["instead"] == "B³ recall 83.30"


def test_it_says_what_the_reference_scorer_prints_for_the_same_score():
    (more,) = asked("83.30")["more"]
    assert more == (
        "For the same score, reference, perl_v7, perl_v8, perl_v8_01_tag, perl_9_alpha, "
        "perl_semeval print B³ recall 83.29: they cut decimals off."
    )


def test_near_numbers_are_named_where_nobody_prints_the_number():
    found = asked("83,99 %")
    assert found["found"] == []
    first, second, _ = found["more"]
    assert first.startswith("Near it, and not equal: CoNLL score F1 83.94, of ours, reference,")
    assert ", coval," in first and first.endswith(f" ({OURS}).")
    assert second.startswith("Near it, and not equal: CoNLL score F1 83.77, of stanza (")


@pytest.mark.parametrize("number", ["83,94", "59.6 %"])
def test_a_number_may_have_a_comma_and_a_percent_sign(number):
    plain = number.replace(",", ".").removesuffix(" %")
    assert asked(number)["found"] == asked(plain)["found"] != []


@pytest.mark.parametrize("number", ["83.94", "0.8394", "59.6", "86.2", "100"])
def test_it_finds_what_explain_finds(number):
    hits = corefeval.explain(*PATHS).hits(number)
    scorers = {(find(hit.measure).title, hit.scorer) for hit in hits if hit.scorer != "ours"}
    found = {
        (title, scorer)
        for each in asked(number)["found"]
        for title in [find(name).title for name in SUITES["standard"]]
        if each["what"].startswith(f"{title} ")
        for scorer in each["scorers"]
    }
    assert scorers == found


def test_what_cannot_be_read_is_told():
    assert asked("x")["error"] == "'x' is no number like 83.33 or 0.8333"
    assert "no document" in answers(KEY, b"", "1.0")["error"]
    assert asked("12.34")["found"] == []


def test_what_needs_scipy_is_left_out_and_said(without_scipy):
    which_scorer.explained.cache_clear()
    found = answers(KEY, RESPONSE, "50.0")
    which_scorer.explained.cache_clear()
    assert found["note"].startswith(LEFT_OUT)
    assert not any("CEAF" in score or "CoNLL" in score for score in found["scores"])
    assert any("MUC" in score for score in found["scores"])


def test_lea_is_not_called_the_reference_scorers():
    lea = [each for each in asked("100")["found"] if each["what"].startswith("LEA")]
    lea += [each for each in asked(f1_of("lea"))["found"] if each["what"].startswith("LEA")]
    assert lea and not any(each["rule"] == OURS for each in lea)


def f1_of(name: str) -> str:
    return percent(corefeval.evaluate(*PATHS, name)[name].exact.f1)
