"""What holds the sentences of significance.ipynb."""

import inspect
from fractions import Fraction
from math import log2

from corefbook.evidence.fold import Held
from corefbook.studies import coverage, real, runs, synthetic
from corefeval import evaluate
from corefeval.chance.results import SIGNIFICANT
from corefeval.chance.significance import FEW, compare


def held(
    a,
    alone,
    b,
    by_library,
    corpora,
    errors,
    expanded,
    found,
    grown,
    kind,
    least,
    left_out,
    library,
    many,
    muc,
    observed,
    p,
    true,
) -> Held:
    lead = 100 * (b.total["muc"].exact.f1 - a.total["muc"].exact.f1)
    smallest = synthetic.disagreement("b3", 5)
    assert smallest
    texts, *two_responses = smallest
    two_ways = []
    for response in two_responses:
        report = evaluate(dict(enumerate(texts)), dict(enumerate(response)), "b3")
        each = [document["b3"].exact.f1 for document in report.documents.values()]
        two_ways.append((sum(each) / 2, report.total["b3"].exact.f1))
    (mean, total_f1), (other_mean, other_total) = two_ways
    opposite = (mean - other_mean) * (total_f1 - other_total) < 0
    rivals = ("percentile", "basic", "BCa")
    lowest, sizes = coverage.lowest, coverage.sizes()
    first_rows = coverage.methods()[:5]
    worst = {coverage.worst(method, n) for method in first_rows for n in sizes}
    worst_on_ecb = coverage.worst(kind, "10", "difference", "ECB+")
    closer = all(
        lowest(method, n) > max(lowest(rival, n) for rival in rivals)
        for method in ("jackknife t", "bootstrap t")
        for n in sizes
    )
    short = all(lowest(method, "25") < 93 for method in rivals)
    ours = [lowest(kind, n, of) for n in sizes for of in ("score", "difference")]
    widths = [interval.high - interval.low for interval in (*alone, muc.interval)]
    of_ten = [float(100 * each) for each in sorted(found[10])]
    thrice = sum(of_ten) / len(of_ten) > 3 * 100 * true
    shown = [each.p < 0.05 for each in grown.values()]
    of_default = inspect.signature(compare).parameters
    level, draws = of_default["level"].default, of_default["resamples"].default
    of_share = (grown[40].p * (1 - grown[40].p) / draws) ** 0.5
    repetitions = {int(row["repetitions"]) for row in coverage.measured()}
    near = all(abs(end - mine) < 0.01 for end, mine in zip(by_library, expanded, strict=True))
    agree = library.p == p and library.exact == observed
    ahead = all(each.difference > 0 for each in grown.values())
    lemma, feature = (
        real.f1("cdcr-corpora", "ecbp", name, "documents")["ceafm"]
        for name in ("lemma", "feature.0")
    )

    def on_real(of, corpora):
        """The lowest share on these corpora, with ten documents or more."""
        return min(lowest(kind, n, of, c) for n in sizes[1:] for c in corpora) / 100

    few, sixty = (lowest(kind, n, "difference", "ECB+") / 100 for n in ("10", "60"))
    of_scores = on_real("score", coverage.REAL)
    of_differences = on_real("difference", {*coverage.REAL} - {"ECB+"})
    measures = {row["measure"] for row in coverage.measured()}
    return Held(
        sentences=[
            (
                "Three times B leads, and only 160 documents exclude 0",
                ahead
                and [each.interval.low > 0 for each in grown.values()] == [False, False, True],
            ),
            ("need far more than ten documents", few < 0.7 < 0.9 < sixty),
            ("Leads are of those with p < 0.05", SIGNIFICANT),
            ("on forty and on 160", max(grown)),
            ("But only on 160 documents", max(grown)),
            ("the least p is 1/10001", Fraction(1, draws + 1)),
            ("by default up to 13 documents", int(log2(draws))),
            ("the standard error of a share", of_share == grown[40].p_error),
            ("made each interval from 1,000 draws", coverage.DRAWS),
            ("at least 93% of the time on all five corpora", of_scores >= 0.93),
            ("An interval for a difference does so on four of them", of_differences >= 0.93),
            ("The lowest of these shares belongs to CEAFₘ", worst_on_ecb == "ceafm"),
            ("If it is one of those downward, it is the wrong one", feature > lemma),
            ("30 of 100 mentions, B with 26", 100 * errors["A"], 100, 100 * errors["B"]),
            ("by 2.8 points", lead),
            ("95%", level),
            ("2.5%", (1 - level) / 2),
            ("0.05", SIGNIFICANT),
            (
                "only five mentions in two documents",
                sum(len(x.mentions) for x in texts),
                len(texts),
            ),
            ("can even disagree about which system is better", opposite),
            ("It draws 10,000 times", draws),
            ("with NumPy, as SciPy does", near),
            ("We drew 2,000 corpora", *repetitions),
            ("scored them by eight measures", len(measures)),
            (
                "ten documents of the same size leave out 0.9% in",
                left_out(10),
            ),
            ("hold it too seldom even with 25", sizes[2] if short else 0),
            ("come closer", closer),
            ("close to what it promises", min(ours[2:]) > 93),
            ("still holds", max(ours[:2]) < 93.5),
            ("narrower than either", widths[2] < min(widths[:2])),
            ("A p of 0.16", p),
            ("The two agree", agree),
            ("B is ahead every time", ahead),
            ("only the whole corpus", shown == [False, False, True]),
            ("is on average more than three times", thrice),
            ("by 3.2 points when we score 3,200", 100 * true, len(many)),
            ("only in 8 of 100 corpora", len(of_ten), len(corpora[10])),
            ("about 5 of 100 even when", round(100 * SIGNIFICANT), 100),
            ("And a test at 0.05", SIGNIFICANT),
            ("it is a mean of eight leads", len(of_ten)),
            ("lowest of them is more than twice", of_ten[0] > 200 * true),
            ("we needed 160", min(n for n in grown if grown[n].p < 0.05)),
            ("that is always BLANC", worst == {"blanc"}),
            ("of 34%", 1 - (1 - SIGNIFICANT) ** 8),
            ("made 1,000 pairs", max(pairs for _, _, pairs in runs.measured())),
            ("in 50 of them it may", 1000 * SIGNIFICANT),
            (
                "p is below 0.05 no more often than it may be",
                max(runs.of_thousand(runs.ALIKE)) <= 50,
            ),
            ("it is below too often, even with ten runs", min(runs.of_thousand(runs.APART)) > 50),
            ("warns of fewer than ten runs", FEW),
            ("below 0.01", 2 / 2**least < 0.01 <= 4 / 2**least),
        ]
    )
