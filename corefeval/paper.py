"""What a paper has of a report: a table in LaTeX, and sentences that say how it was scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from corefeval._version import __version__
from corefeval.conventions import Conventions
from corefeval.display import percent, printable
from corefeval.errors import CorefError
from corefeval.registry import MEASURES
from corefeval.score import Score

NO_MEASURE = "no measure was scored, and there is nothing to report: name one"
OF_REFERENCE = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "conll")
"""What the reference scorer has."""
SINGLETONS = {
    "keep": "Singletons of the key and of the response are scored like any other entity.",
    "drop": "Singletons are removed from the key and from the response.",
    "drop_response": "Singletons are removed from the response, and stay in the key.",
}
WITHOUT_SPURIOUS = ("rahman_ng", "cai_strube", "shared_task")
"""The choices of ``twinless`` that remove spurious singletons."""
SIGNS = {
    "³": "$^3$",
    "ₑ": "$_e$",
    "ₘ": "$_m$",
    "φ₁": r"$\phi_1$",
    "φ₂": r"$\phi_2$",
    "κ": r"$\kappa$",
}
"""How LaTeX has what titles of measures have."""
ESCAPED = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def latex(
    rows: Mapping[str, Mapping[str, Score]],
    signature: str,
    measures: Iterable[str] = (),
    is_bold: Callable[[str, str], bool] = lambda row, measure: False,
    deviations: Mapping[str, Mapping[str, float]] | None = None,
) -> str:
    """A table for booktabs with recall, precision and F1 in percent; the signature is a comment.

    ``rows`` are scores by name and measure. Unless ``measures`` are named, they are those that the
    CoNLL score is the mean of, and that; without it, all. ``deviations`` stand beside F1.
    """
    scored = next(iter(rows.values()))
    if not scored:
        raise CorefError(NO_MEASURE)
    names, usual = list(measures) or list(scored), [*MEASURES["conll"].parts, "conll"]
    if not measures and scored.keys() >= {*usual}:
        names = usual
    groups, below, rules, columns = [""], [""], [], "l"
    for name in names:
        parts = ("R", "P", "F1") if _has_parts(scored[name]) else ("",)
        first, columns = len(below) + 1, columns + len(parts) * "r"
        title = _title(name)
        groups.append(title if len(parts) == 1 else rf"\multicolumn{{3}}{{c}}{{{title}}}")
        rules += [rf"\cmidrule(lr){{{first}-{first + 2}}}"] if len(parts) > 1 else []
        below += parts
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _line(groups)]
    lines += [" ".join(rules)] if rules else []
    lines += [_line(below), r"\midrule"] if any(below) else [r"\midrule"]
    for row, scores in rows.items():
        cells = [escaped(str(row))]
        for name in names:
            *others, last = _cells(scores[name])
            if deviations and row in deviations:
                last += rf" $\pm$ {percent(deviations[row][name])}"
            cells += [*others, rf"\textbf{{{last}}}" if is_bold(row, name) else last]
        lines.append(_line(cells))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {printable(signature)}"])


def _has_parts(score: Score) -> bool:
    return score.exact.recall is not None


def _cells(score: Score) -> list[str]:
    """Recall, precision and F1, or the one number that there is; the last decides what is bold."""
    recall, precision, _, value = score.exact
    parts = (recall, precision, value) if _has_parts(score) else (value,)
    return [percent(part) for part in parts]


def _title(name: str) -> str:
    title = MEASURES[name].title.removesuffix(" score") if name in MEASURES else escaped(name)
    for sign, of_latex in SIGNS.items():
        title = title.replace(sign, of_latex)
    return title


def _line(cells: Iterable[str]) -> str:
    line = f"{' & '.join(cells)} \\\\"
    # LaTeX would take either sign for an argument of the \\ or the \midrule before it.
    return f"{{}}{line}" if line.lstrip().startswith(("[", "*")) else line


def escaped(text: str) -> str:
    """A text for LaTeX.

    >>> print(escaped("ours_50%"))
    ours\\_50\\%
    """
    return "".join(ESCAPED.get(sign, sign) for sign in printable(text))


# Sentences


def scored_how(total: Mapping[str, Score], documents: int, choice: Conventions, like: str) -> str:
    """By which measures and by whose rules so many documents were scored."""
    if not total:
        raise CorefError(NO_MEASURE)
    names = [name for name in total if name not in ("mentions", "conll")]
    of_parts = _listed(_titles(name for name in names if _has_parts(total[name])))
    reported = [f"recall, precision and F1 of {of_parts}"] if of_parts else []
    if others := _titles(name for name in names if not _has_parts(total[name])):
        reported.append(_listed(others))
    if "mentions" in total and not reported:
        reported = ["recall, precision and F1 of mention detection"]
    if "conll" in total:
        reported.append("the CoNLL score, the mean F1 of MUC, B³ and CEAFₑ")
    number = f"{documents} document{'s' * (documents != 1)}"
    rules = f"by the rules of {like}" if like else _rules(choice, names)
    return (
        f"We score with corefeval {__version__} and report {', and '.join(reported)}, over "
        f"{number}, {rules}."
    )


def _rules(choice: Conventions, names: Iterable[str]) -> str:
    """By the rules of the reference scorer, which has only some measures."""
    chosen = choice.others
    rules = "by the reference scorer’s rules" + f" but for {_listed(chosen)}" * bool(chosen)
    if lacking := _titles(name for name in names if name not in OF_REFERENCE):
        are, their = ("is", "its paper defines it") if len(lacking) == 1 else (
            "are", "their papers define them")  # fmt: skip
        rules += f"; {_listed(lacking)}, which that scorer lacks, {are} scored as {their}"
    return rules


def numbers(total: Mapping[str, Score]) -> str:
    """The CoNLL score first, F1 by each measure, and numbers that are no F1."""
    clauses: list[str] = []
    of_f1: list[str] = []
    others: list[str] = []
    for name, score in total.items():
        number, (title,) = percent(score.exact.value), _titles([name])
        if name == "conll":
            clauses.append(f"The CoNLL score is {number}")
        elif not _has_parts(score):
            others.append(f"{title} is {number}")
        elif name != "mentions":
            of_f1.append(f"{number} by {title}")
    clauses += [f"F1 is {', '.join(of_f1)}"] if of_f1 else []
    clauses += others
    return f"{'; '.join(clauses)}." if clauses else ""


def singletons(choice: Conventions) -> str:
    """What becomes of singletons, those that the policy on spurious mentions removes included."""
    if choice.singletons == "keep" and choice.twinless in WITHOUT_SPURIOUS:
        return (
            "Singletons are scored like any other entity, but for those of the response that the "
            f"key lacks, which twinless={choice.twinless} removes."
        )
    return SINGLETONS[choice.singletons]


def found_mentions(score: Score, choice: Conventions) -> str:
    """How many mentions were found: those that are left of singletons, before a policy."""
    steps = []
    if choice.match != "exact":
        steps.append(f"with match={choice.match}")
    if choice.singletons != "keep":
        steps.append("without the singletons that are removed")
    if choice.twinless != "keep":
        steps.append(f"before twinless={choice.twinless} is applied")
    # Mentions of the same head may have other words.
    if score.exact.recall == score.exact.precision == 1 and choice.match == "exact":
        clause = "key and response have the same mentions."
    else:
        recall, precision = map(percent, score.exact[:2])
        own = "the response’s mentions are its own: those of the key"
        clause = (
            f"{'the key’s mentions' if steps else own} are found with a recall of {recall} and a "
            f"precision of {precision}."
        )
    sentence = f"{', and '.join(steps)}, {clause}" if steps else clause
    return f"{sentence[0].upper()}{sentence[1:]}"


def _titles(names: Iterable[str]) -> list[str]:
    return [MEASURES[name].title if name in MEASURES else name for name in names]


def _listed(texts: list[str]) -> str:
    """Texts in a sentence: "a, b and c"."""
    *others, last = texts or [""]
    return f"{', '.join(others)} and {last}" if others else last
