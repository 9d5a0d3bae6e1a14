"""What holds the sentences of lost-text.ipynb."""

from fractions import Fraction

from corefbook.evidence.fold import Held
from corefbook.papers.popescubelis import lost_text
from corefbook.papers.popescubelis.lost_text import MUC6
from corefeval import metric


def ends(numbers):
    return min(numbers), max(numbers)


def held(
    CLASSES,
    E,
    PRONOUNS,
    by_hand,
    cells,
    correct,
    eight,
    incorrect,
    largest,
    profile,
    rounds,
    solutions,
    suspects,
    without,
) -> Held:
    row_6 = {"6": cells["6"]}
    missed = [lost_text.missed(each, row_6, "free") for each in lost_text.stored()]
    splits = {tuple(sorted((q for _, q in p if q), reverse=True)) for p in solutions}
    given = [MUC6.mentions, MUC6.classes, MUC6.pronouns] == [E, CLASSES, PRONOUNS]
    always = sorted(set.intersection(*map(set, solutions)), reverse=True)
    (k, q), _ = always
    ties = sorted({each.exact.recall for each in lost_text.row_scores("xc", "6", profile)})
    n_cells = sum(map(len, cells.values()))
    free, xrs = round(100 * correct / E), cells["6"]["XRS"]
    shrunk = suspects / by_hand["after step 6"]
    only_xrs = sum(each == [("6", "XRS")] for each in missed)
    million_million = round(suspects / 10**12)
    as_before = {each for each in without if without[each] == len(solutions)}
    fitting = lost_text.core_sums(MUC6, cells)

    def one_class_for(k):
        """Row 5, where the key's largest class has k mentions."""
        pair = [range(k), *([m] for m in range(k, E))], [range(E)]
        c, dmt = (metric(name)(*pair).exact for name in ("c", "dmt"))
        return {"CPS": c.precision, "C": c.f1, "DMT": dmt.value}

    of_sizes = {k: one_class_for(k) for k in range(2, E)}
    enough = {
        cell: [k for k in of_sizes if rounds(of_sizes[k][cell], cells["5"][cell])]
        for cell in ("CPS", "C", "DMT")
    }
    constant = [
        name
        for name in ("muc", "kappa")
        if len({lost_text.row_scores(name, "6", p)[0].exact for p in solutions}) == 1
    ]
    slips = [
        each
        for each, cells_missed in zip(lost_text.stored(), missed, strict=True)
        if cells_missed == [("6", "XRS")]
    ]
    by_pronouns = lost_text.solutions("core", "pronouns")
    shapes_with_ties = [shape for shape in profile if shape[0] == 2 * shape[1]]
    sends_its_tie = profile in by_pronouns and len(shapes_with_ties) == 1
    as_well = [
        most
        for most in range(PRONOUNS)
        if rounds(1 - Fraction(PRONOUNS - most, E), cells["6"]["XPS"])
    ]
    second_ties = {
        tuple((k, q) for k, q in each if k == 2 * q) for each in {*solutions} - {*by_pronouns}
    }
    (still,) = set.intersection(*map(set, slips))
    of_slips = [each[0][1] + each[1][1] for each in slips]
    behind = [k for profile in solutions for k, _ in profile[8:]]
    small = [sum(k <= 3 for k, _ in profile) for profile in solutions]
    most_of_others = all(2 * each[1][1] > PRONOUNS - q for each in solutions)
    return Held(
        sentences=[
            ("One key that gives all 51 numbers", n_cells),
            ("From 57 million million profiles to 624", million_million, len(solutions)),
            ("over all 624 profiles", len(solutions)),
            ("The eight largest classes", len(eight)),
            ("the scores are 51 rounded percentages", n_cells),
            ("could have any of 57 million million lists of sizes and pronouns", million_million),
            ("only 624 lists are left", len(solutions)),
            ("to the same side, it is 451 or none", len(by_pronouns)),
            ("it is 451 or none", lost_text.solutions("core", "rest") == []),
            ("In all 624", len(solutions)),
            ("if its tie falls to the pronouns", sends_its_tie),
            ("the largest entity has 46 mentions, and 26 of these are pronouns", *always[0]),
            ("These are the 51 cells", n_cells),
            ("Which sizes would be printed as 31", cells["5"]["CPS"]),
            ("Fewer than one suspect in a million is left", shrunk > 10**6),
            ("The seven smallest have 2 to 4 mentions", *ends(behind)),
            ("the largest class and one of two mentions", always[1] == (2, 1)),
            ("there are seven ways left", len(splits) == 7),
            (
                "Without CRS, CPS, BPS or XPS there are 624 profiles as before",
                len(solutions) if as_before == {"CRS", "CPS", "BPS", "XPS"} else 0,
            ),
            ("and most without DMT", max(without, key=lambda cell: without[cell]) == "DMT"),
            ("for the 50 to fall on five classes", PRONOUNS),
            (
                "CPS is enough, and so are DMT and C",
                enough == dict.fromkeys(("CPS", "C", "DMT"), largest),
            ),
            ("MUC and κ do not even depend on the profile", constant == ["muc", "kappa"]),
            ("Only the first gives it", fitting == [(6, 26)]),
            ("624 profiles give all 51 cells", len(solutions), n_cells),
            ("we chose the 624 profiles", len(solutions)),
            ("What follows is about the 624 profiles", len(solutions)),
            (
                "Then most profiles give the cells with all ties",
                2 * len(by_pronouns) > len(solutions),
            ),
            (
                "has two ties. One falls to the pronouns. The second, in a class "
                "(2, 1) or (4, 2), must fall to the other mentions",
                second_ties == {((2, 1), (2, 1)), ((4, 2), (2, 1))},
            ),
            ("by either account the largest class is (46, 26)", *still),
            ("The 624 are among the 1,543", len({*solutions} & {*slips}), len(slips)),
            (
                "too, the second entity has 31 to 38 mentions. The first two "
                "together have 40 to 43",
                *ends([each[1][0] for each in slips]),
                *ends(of_slips),
            ),
            ("the class (2, 1) is no longer certain", any((2, 1) not in each for each in slips)),
            ("two mentions at least", given),
            ("one class has 26 of the 50 pronouns", q, PRONOUNS),
            ("102 mentions are correct", correct - 1),
            ("27 pronouns would have given 84", as_well[-1], cells["6"]["XPS"]),
            ("with 147 mentions in 15 entities", E, CLASSES),
            (
                "26 pronouns outnumber the 20 others. If a second class has 46 "
                "mentions, it has at most 21 pronouns, and takes the class of its "
                "other mentions. The other 24",
                q,
                k - q,
                k,
                PRONOUNS - q - (MUC6.pronoun_classes - 2),
                incorrect,
            ),
            ("the cell XRS 69", xrs),
            ("and XRS is 70", free),
            ("by one percentage point: 70 for 69", free, xrs),
            (
                "gives 70.07% for XRS. If the tie of the small class falls to the "
                "pronouns, it is 69.39%",
                ties[-1],
                ties[0],
            ),
            ("but 1,543 profiles give every other cell", only_xrs),
            ("in every profile: the largest, (46, 26)", *always[0]),
            ("and 6 to 11 entities with two or three mentions", *ends(small)),
            ("a second with most of the other pronouns", most_of_others),
            ("Here, 51 of them", n_cells),
            ("Of 57 million million profiles they leave 624", million_million, len(solutions)),
            ("one digit, XRS 69", xrs),
        ]
    )
