"""What holds the sentences of tables.ipynb."""

from collections import Counter
from fractions import Fraction

from corefbook import ledger
from corefbook.evidence.fold import Held
from corefbook.papers.popescubelis import lost_text, texts
from corefeval import Partition, metric


def held(
    came,
    cells,
    examples,
    f,
    in_table_7,
    kappa,
    no_link,
    response_links,
    row_of_table_3,
    shared_links,
    table_3,
    table_4,
    titles,
) -> Held:
    of_muc = [table_3["1"][part] for part in ("MRS", "MPS")]
    rounded = [Fraction(round(100 * part), 100) for part in of_muc]
    names = dict(zip(titles, ["muc", "b3", "kappa", "c", "xc", "h"], strict=True))
    of_4 = {n: dict(zip(titles, row, strict=True)) for n, row in table_4.items()}
    same_kappa = [
        metric("kappa")(*pair).exact.value == of_4[n]["κ"] for n, pair in examples.items()
    ]
    spurious = "{a b c} {d e}", "{a b d} {e x}"
    same_kappa.append(metric("kappa")(*spurious).exact.value == kappa(*spurious))
    another = row_of_table_3("{1 2 3 4 5 6 7} {8 9 10}", no_link[1])
    given = ledger.load("popescubelis").examples
    typed = [
        (given[name].key, given[name].response) for name in ("sample", "example-2", "example-3")
    ]
    as_typed = [tuple(map(Partition.parse, pair)) for pair in examples.values()]
    row_2 = row_of_table_3(*typed[1])
    lost_ticks = [
        each for each, value in another.items() if round(100 * value) != round(100 * row_2[each])
    ]
    by_def_18 = [
        1 - (1 - table_3[n]["DMT"]) * 2 * Fraction(each - 1, each)
        for n, each in {"1": 17, "2": 10, "3": 10}.items()
    ]
    groups = Counter(row.group for row in cells)
    lazy = {m: (of_4["2"][m], of_4["3"][m]) for m in titles}
    profile = lost_text.solutions()[0]
    row_4 = {m: lost_text.row_scores(names[m], "4", profile)[0].exact.value for m in names}
    without_link = {m: (of_4["2"][m], row_4[m]) for m in titles}
    higher = [m for m in titles if of_4["1"][m] > max(without_link[m])]
    lower = [m for m in titles if of_4["1"][m] < min(without_link[m])]
    worse = all(lazy[m][0] < lazy[m][1] for m in ("MUC", "B³", "C", "XC"))
    worse = worse and lazy["H"][0] > lazy["H"][1] and lazy["κ"] == (0, 0)
    printed = ledger.rows("popescubelis", "tables")
    muc_of_va = [
        row.printed
        for column in ("MRS", "MPS")
        for row in printed
        if (row.place, row.example) == ("Table 6", "VA") and row.label.startswith(column)
    ]
    table_6 = {row.verdict for row in printed if row.place == "Table 6"}
    table_7 = {row.verdict for row in printed if row.place == "Table 7"}
    c_of = {
        row.example: Fraction(int(row.printed), 100)
        for row in printed
        if row.place == "Table 7" and row.label.startswith("C,")
    }
    of_texts = ledger.load("popescubelis").examples
    of_va = texts.response_classes(of_texts["VA"], table_7=True)
    mentions = {text: texts.total_mentions(of_texts[text]) for text in ("VA", "LPG.eq", "LPG")}
    entities_of_va = texts.whole("VA", "key_classes")
    entities_of = {
        text: (texts.whole(text, "key_classes"), texts.response_classes(of_texts[text]).low)
        for text in ("VA", "LPG.eq", "LPG")
    }
    va = ledger.load("popescubelis").examples["VA"]
    sizes_of_va = mentions["VA"], entities_of_va
    recall_of_va, precision_of_va = texts.score_bounds(va, "muc")
    possible_of_va = [*texts.agreements(*sizes_of_va, recall_of_va, precision_of_va)]
    (ruled_out,) = {each.both + each.response_only for each in possible_of_va} - {
        mentions["VA"] - n for n in range(int(of_va.low), int(of_va.high) + 1)
    }
    left_of_va = sorted({each.both for each in possible_of_va})
    made_of_va = sorted({each.both + each.response_only for each in possible_of_va})
    better_than_row_1 = {m for m in titles if of_4["3"][m] > of_4["1"][m]}
    by_column = Counter(
        (row.label[:2], row.group) for row in cells if row.group in ("possible", "differs")
    )
    of_d_err = {group: by_column["D-", group] for group in ("possible", "differs")}
    missed = [row for row in cells if row.verdict == "missed"]
    rows_missed = [row.example for row in missed]
    within = ", within what the other cells allow"
    order = ["MRS", "MPS", "BRS", "BPS", "CRS", "CPS", "XRS", "XPS", "D-err", "DMT", "HRS", "HPS"]
    of_6 = {name + within: name for name in order}
    of_6 |= {"D-err (a reconstruction)": "D-err", "HRS": "HRS", "HPS": "HPS"}
    return Held(
        sentences=[
            ("All 42 cells that have a formula and a published text", groups["equal"]),
            (
                "all equal, if we read the words in one way",
                by_column["XC", "possible"] == came["possible", False]
                and came["differs", False] == 0,
            ),
            ("D-err: an idea", sum(of_d_err.values()) == 6),
            ("misses row 2", rows_missed == ["2", "6"]),
            ("made to fit these 51 cells", groups["listed"]),
            ("have 53%, −60% and 0%", *by_def_18),
            ("so recall is 0.30", table_3["2"]["HRS"]),
            (
                "147 mentions, 15 classes, 50 pronouns, and five classes with",
                lost_text.MUC6.mentions,
                lost_text.MUC6.classes,
                lost_text.MUC6.pronouns,
            ),
            ("and κ, made of the links", all(same_kappa)),
            ("Only HRS, and with it", lost_ticks == ["HRS"]),
            ("and it is 2/10 as before", another["BRS"]),
            ("Three of the examples come with key and response", typed == as_typed),
            ("worse one is the response without a link, by H", worse),
            ("From the rounded 85% and 79%", *of_muc),
            ("it would be 82%", f(*rounded)),
            ("has a MUC F of 81", round(100 * of_4["1"]["MUC"])),
            ("four of the six measures put", len(higher), len(titles)),
            ("But κ and H put it below both", lower == ["κ", "H"]),
            (
                "scores higher than row 1 by MUC, B³, κ and C",
                better_than_row_1 == {"MUC", "B³", "κ", "C"},
            ),
            (
                "MRS is printed as 70% and MPS as 78%",
                *(Fraction(int(each), 100) for each in muc_of_va),
            ),
            (
                "still only a few whole numbers fit",
                (shared_links, response_links) == (left_of_va, made_of_va),
            ),
            ("with its 638 mentions in 372 entities", *sizes_of_va),
            ("rules out the last of these, 397", mentions["VA"] - ruled_out),
            (
                "All the others are above the 372 of the key",
                sizes_of_va[1] if of_va.low > sizes_of_va[1] else 0,
            ),
            ("Two lazy responses to one key: H puts no link ahead, four others one entity", worse),
            (
                "From VA to LPG, by far the longest text, MUC rises and C falls",
                in_table_7["VA", "MUC"] < in_table_7["LPG", "MUC"]
                and in_table_7["VA", "C"] > in_table_7["LPG", "C"]
                and mentions["LPG"] > 4 * mentions["LPG.eq"],
            ),
            (
                "for DMT on LPG our limits would allow anything from 14% to 83%",
                *texts.dmt_interval(ledger.load("popescubelis").examples["LPG"]),
            ),
            (
                "Each number that we can check lies within its limits",
                table_6 == {"consistent", "not testable"} and table_7 == {"consistent"},
            ),
            (
                "on every text the response has more entities",
                all(made > keys for keys, made in entities_of.values()),
            ),
            ("C falls from 50% to 43%", c_of["VA"], c_of["LPG"]),
            (
                "LPG has more mentions than VA, too",
                mentions["LPG"] > max(mentions["VA"], mentions["LPG.eq"]),
            ),
        ],
        listings=[
            texts.b3_interval,
            texts.c_interval,
            texts.xc_interval,
            texts.dmt_interval,
            texts.muc_interval,
            texts.kappa_between,
        ],
        lists=[
            ledger.ticked("popescubelis", "Table 5", rows="label", columns="example"),
            ledger.ticked("popescubelis", "Table 6", names=of_6),
            ledger.ticked("popescubelis", "Table 7", rows="label", columns="example"),
        ],
    )
