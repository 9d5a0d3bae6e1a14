"""What holds the sentences of published-tables.ipynb."""

from fractions import Fraction
from itertools import pairwise

from corefbook.evidence.fold import Held
from corefbook.papers import published_tables
from corefbook.papers.published_tables import rows_of


def held(
    MEASURES,
    adds_up,
    average_between,
    average_left,
    away,
    behind,
    common,
    f1,
    f_between,
    f_left,
    found,
    gain,
    last,
    lee,
    mean,
    quoted,
    rows,
    steps,
    with_calculator,
) -> Held:
    every = [flag for flags in found.values() for flag in flags]
    not_last = [flag for (_, is_last), flags in found.items() if not is_last for flag in flags]
    coarse, second = (gain(*pair) for pair in zip(steps[1:], steps, strict=False))
    third, fourth = (Fraction(b["average"]) - Fraction(a["average"]) for a, b in pairwise(steps))
    ahead = gain(quoted["Björkelund and Kuhn"], quoted["Ma et al."])
    apart = common(f_between("69.3", "76.2"), behind("72.7"))
    inside = all(high > -0.5 and low < 0.5 for low, high, _ in away.values())
    outside = sum(abs(mean) > 0.5 for *_, mean in away.values())
    possible = all(
        low <= high
        for row in rows
        for low, high in [*(f_left(row, m) for m in MEASURES), average_left(row)]
    )
    same = all(
        published_tables.average_between(row) == average_between(row.given)
        for paper in ("shared_task_2012", "lee2018")
        for row in rows_of(paper)
    )
    slips, share = with_calculator.count(False), sum(every) / len(every)
    ends = average_left(last)
    return Held(
        sentences=[
            ("Every bar overlaps the range from −0.5 to 0.5", inside),
            ("Two circles lie outside", outside),
            ("54 F1 scores and 18 averages", len(with_calculator), len(rows)),
            ("you will find 13", slips + outside),
            ("Every printed number in both tables can be right", possible and same),
            ("no row contradicts itself", all(map(adds_up, rows))),
            ("in the first seven rows", len(quoted)),
            ("in the other 11 rows", len(lee)),
            ("plant 5,472 misprints, it finds 93.5%", len(every), share),
            (
                "a printed 70.5 says only that the score was between 70.45 and 70.55",
                Fraction("70.5"),
                *behind("70.5"),
            ),
            (
                "printed F1 is 72.93, and nobody would print that as 73.0",
                mean,
                Fraction(last["average"]),
            ),
            ("up to 72.98, and from 72.95 on", ends[1], ends[0]),
            ("every average can be right", inside),
            ("Two circles lie outside", outside),
            ("That makes 11 of 54", slips, len(with_calculator)),
            ("all of those that are not", all(not_last)),
            ("Ma et al. by 0.067 to 0.075 points", *ahead),
            ("The two do not meet", apart[0] > apart[1]),
            (
                "F1 can reach 72.69, and a rounded 72.7 begins at 72.65",
                f1(Fraction("69.4"), Fraction("76.3")),
                Fraction("72.7"),
                behind("72.7")[0],
            ),
            ("All 11 fit", slips),
            ("All of them do", all(map(adds_up, rows))),
            ("is printed as 0.4", fourth),
            ("0.37 at most", second[1]),
            ("printed as 0.3", third),
            ("lies between 0.27 and 0.37", *coarse),
        ]
    )
