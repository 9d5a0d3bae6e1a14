"""What holds the sentences of twinless.ipynb."""

from corefbook import ledger
from corefbook.evidence.fold import Held
from corefbook.studies import twinless_changes as changes
from corefbook.studies.twinless_changes import PROPOSED
from corefbook.tables import Differs
from corefeval import Contingency, metric
from corefeval.overlap import twinless


def b_cubed_by(policy, key, response):
    """The F1 of B³ by a policy for mentions on one side only."""
    return metric("b3", twinless=policy)(key, response).exact.f1


def held(
    agreed,
    b3,
    by_sys,
    cai_strube,
    complete,
    f1_of,
    finds,
    first,
    junk,
    keep,
    key,
    mentions,
    most,
    numbers,
    of_sys,
    opening,
    precisions,
    second,
    series,
    sets,
    stoyanov_0,
    stoyanov_all,
    three,
) -> Held:
    examples = ledger.load("pradhan2014").examples
    typed = [str(examples[f"scenario-{n}"].response) for n in (1, 2)] == [first, second]
    quoted = [str(each.response) for each in ledger.load("cai_strube2010").examples.values()]
    f1 = {policy: b_cubed_by(policy, *opening) for policy in PROPOSED}
    of_opening = [b3(policy, *opening) for policy in (keep, complete)]
    as_high = sum(round(value - f1["complete"], 2) == 0 for value in f1.values())
    paid = {policy for policy, *cells in junk.rows if {*"+±"} & {*"".join(cells)}}
    cost = {policy for policy, *cells in finds.rows if {*"−±"} & {*"".join(cells)}}
    sys_of = metric("ceafm", twinless="cai_strube")
    wrong_beside_right = [sys_of("{a b}", each).exact.f1 for each in ("{a}", "{a x}")]
    clean = {"keep", "stoyanov_0", "rahman_ng"}
    recall, precision = b3(cai_strube, key, series[0])
    exact = 2 * recall * precision / (recall + precision)
    recall, precision = round(recall, 3), round(precision, 3)
    from_rounded = 2 * recall * precision / (recall + precision)
    detour = from_rounded, exact, exact, from_rounded
    falling = [[row[place] for row in by_sys.values()] for place in (2, 5)]
    plain = precisions("keep", *three)
    spurious = {p: precisions(p, first, three[-1]) for p in PROPOSED}
    risen = {p for p, (before, after) in spurious.items() if after > before}
    unmoved = [p for p, (before, after) in spurious.items() if after == before]
    raised = {policy: cells for policy, *cells in changes.raised(most).rows}
    of_two = raised["stoyanov_all"] + raised["cai_strube"]
    pair = [
        changes.smallest(most, policy, "b3", "alone", "rises")
        for policy in ("complete", "stoyanov_all")
    ]
    stays = [
        metric("blanc", twinless="complete")("{a b} {c}", each).exact.recall
        for each in ("{a} {b} {c}", "{a} {b} {c} {y}")
    ][1:]
    still = {p for p, values in f1_of.items() if len({*values}) == 1}
    ends = f1_of["complete"][0], f1_of["complete"][-1], f1_of["keep"][-1]
    return Held(
        sentences=[
            (
                "Two mentions are on",
                len(set.symmetric_difference(*map(mentions, map(sets, opening)))),
            ),
            ("response, by six policies", len(PROPOSED)),
            ("The four responses by B³ₛᵧₛ", len(series)),
            ("its B³ rises from 0.67 to nearly 1", ends[0], round(ends[1], 1)),
            (
                "1,000 invented mentions lift 0.67 to nearly 1",
                numbers[-1],
                ends[0],
                round(ends[1], 1),
            ),
            (
                "use the rule by which the score falls",
                [p for p, f1s in f1_of.items() if f1s[-1] < f1s[0]] == ["keep"],
            ),
            ("By another it falls from 0.44 to nearly 0", f1_of["keep"][0], round(ends[2], 1)),
            ("By three others it does not move", len(still)),
            (
                "recall rises from 5/8 to 4/5, and precision from 7/12 to 11/15",
                *(recall for recall, _ in of_opening),
                *(precision for _, precision in of_opening),
            ),
            ("F1 is 0.60 by the first policy and 0.77 by two others", f1["keep"], f1["complete"]),
            ("by two others", as_high),
            (
                "That is 0.16 or 0.17 for a choice",
                f1["complete"] - f1["keep"],
                f1["stoyanov_0"] - f1["keep"],
            ),
            ("first {a b d}, then {a b d} {c}", typed),
            ("print 1.00 for", b3(stoyanov_0, key, first)[1]),
            ("0.556 and 0.667 for", *(b3(stoyanov_all, key, each)[1] for each in (first, second))),
            ("They agree on all of them", all(agreed)),
            ("because it gives 0.556", b3(stoyanov_all, key, first)[1]),
            ("that it gives 0.667 as well", b3(stoyanov_all, key, second)[1]),
            (
                "{a b} {c} {i} {j}, then {a b} {i j} {c}, then {a b} {i j} {k l} "
                "{c}, and last {a b} {i j k l}",
                quoted == series,
            ),
            ("It is printed as 0.715 and is 5/7, or 0.714; it rounds to 0.715", *detour),
            ("It gives all but one", of_sys.count(Differs)),
            ("Both F1 scores fall", all(f1s == sorted({*f1s}, reverse=True) for f1s in falling)),
            ("from 4/9 to 7/12", *plain[:2]),
            ("The printed 0.333 is", plain[2]),
            ("with keep precision falls", plain[2] < plain[0]),
            ("With stoyanov_all and complete it rises", risen == {"stoyanov_all", "complete"}),
            ("The other three policies do not notice it", len(unmoved)),
            ("Only three policies have that", {*PROPOSED} - paid == clean),
            ("With keep a spurious mention never pays", "keep" not in paid),
            ("raises even recall", raised["complete"] == ["–", *["R P"] * 5]),
            ("and the response {a} {b} {c}, recall stays 1/2", *stays),
            ("Recall does not move under either", {*of_two} == {"–", "P"}),
            (
                "A spurious mention never raises MUC",
                all(each[0] == "–" for each in raised.values()),
            ),
            ("With complete and with stoyanov_all one", str(pair[0]) == str(pair[1])),
            ("CEAFₛᵧₛ rises from 1/2 to 4/7", *wrong_beside_right),
            ("no better than three of the others", len(cost - {"keep"})),
            ("with which it never costs", not cost & {"complete", "cai_strube"}),
        ],
        listings=[twinless.stoyanov_all, twinless.with_key_found, Contingency._with_found],
    )
