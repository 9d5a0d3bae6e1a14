"""What the page of two files shows: what the commands say of them, below each the command itself.

In a browser files are bytes; they are written to Python's own file system first, under their names.
"""

from __future__ import annotations

import argparse
import shlex
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from functools import lru_cache
from html import escape
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import corefeval
from corefbook.pages.answers import Answer, fold, scrolling
from corefbook.tables import Table
from corefeval import cli
from corefeval.analysis.anatomy import USUAL, Anatomy, anatomy
from corefeval.analysis.command import add_anatomy, add_explain
from corefeval.analysis.explain import Explanation, Hit, explain
from corefeval.chance.command import add_compare, short_names
from corefeval.chance.leads import leads
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.display import percent
from corefeval.errors import CorefError
from corefeval.overlap.labels import FILES_OF_LABELS
from corefeval.registry import find, names_of
from corefeval.report import Report
from corefeval.scorers.bundles import bundles

NOT_HERE = {
    "columns": "--columns LABELS LABELS",
    "document": "--columns LABELS LABELS --document COLUMN",
    "id": "--columns LABELS LABELS --id COLUMN",
    "resamples": "--resamples 10000",
    "seed": "--resamples 10000 --seed 1",
}
"""The options that need more than the standard library, and how each may be typed."""
NEEDS_ALIGNMENT = {"ceafm", "ceafe", "conll"}
LEFT_OUT = (
    "CEAF and the CoNLL score are left out: a document has more than 60 entities on both sides "
    "that overlap in one tangle, and to align those the library wants SciPy, which is not in the "
    "browser. The command in a terminal gives them."
)
TABLES = (
    "This page reads CoNLL-2012, JSON lines and CorefUD. Tables (CSV, TSV, Parquet) are read by "
    "the command, in a terminal: corefeval score {} {} --columns LABELS LABELS, LABELS being the "
    "column that has the labels of entities, of the key and of the response."
)
SIDES = ("key", "response")
THREE_SIDES = (*SIDES, "second")
OF_ONE_SCORER = (*CHOICES, "like", "format")
"""What is not passed on where each scorer is asked by its own conventions."""
MEANINGS: dict[str, Mapping[str, str]] = {**CHOICES, **OF_FILES}
"""What each choice of an option does."""
NOBODY = (
    "No scorer that this book knows prints this number for these files. They may be other files, "
    "or the number may be another measure’s. The row that it stands in can be "
    '<a href="row-checker.html">checked without files</a>.'
)
PARTS = {"recall": "recall", "precision": "precision", "f1": "F1", "value": ""}


LIKE = [name for name, bundle in bundles().items() if bundle.measures]
"""The scorers whose rules there are."""
ADDED = {
    "score": cli.add_score,
    "anatomy": add_anatomy,
    "explain": add_explain,
    "compare": add_compare,
}
"""What adds the arguments of each command to a parser."""
ONE_MORE = "Choose a second response to the same key above."


def options(command: str = "score") -> list[argparse.Action]:
    """The options of a command, but for its help.

    >>> [option.dest for option in options()][:3]
    ['metric', 'like', 'columns']
    """
    actions = _parser(command)._actions
    return [action for action in actions if action.option_strings and action.dest != "help"]


def _parser(command: str) -> argparse.ArgumentParser:
    parser = cli._Parser(prog=f"corefeval {command}")
    ADDED[command](parser)
    return parser


def file_scores(**given: Any) -> Answer:
    """The scores of a response file, as the command prints them, with sentences for a paper.

    ``key`` and ``response`` are the bytes of files of CoNLL-2012, JSON lines or CorefUD,
    ``key_name`` and ``response_name`` their names; the other keywords are options of the command,
    as texts that are typed.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> split = lines.replace(b"her\\t(0)", b"her\\t(1)")
    >>> answer = file_scores(key=lines, response=split, metric="b3")
    >>> answer.told, ">66.67</td>" in answer.html, "$ corefeval score key response" in answer.html
    ('Scored 1 document.', True, True)
    >>> file_scores(key=lines, response=b"").told.partition(";")[0]
    'response: the file has no document'
    """
    return _asked("score", "standard", given, _scored)


def costliest(**given: Any) -> Answer:
    """The entities that cost most by ``measure``, over all documents."""
    return _in_a_fold(_asked("anatomy", USUAL, given, _costliest))


def errors(theme: str = "light", **given: Any) -> Answer:
    """The page that ``corefeval anatomy --html`` writes, in a frame of the page's light or dark."""

    def shown(arguments: argparse.Namespace, names: Sequence[str]) -> Answer:
        html = _anatomy(arguments, names).to_html(f"Errors of {arguments.response}")
        # In a frame whose page is an attribute, a link to a place in it would lead out of it.
        framed = html.replace("color-scheme: light dark", f"color-scheme: {theme}")
        framed = framed.replace("<style>", '<base href="about:srcdoc"><style>', 1)
        saved = f"data:text/html;charset=utf-8,{quote(html)}"
        return Answer(
            "",
            f'<iframe title="Errors in the text" sandbox srcdoc="{escape(framed)}"></iframe>'
            f'<p><a download="errors.html" href="{saved}">Save this as a page of its own</a></p>',
        )

    return _in_a_fold(_asked("anatomy", USUAL, given, shown))


def others(**given: Any) -> Answer:
    """What other scorers print for the same files, and why.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> split = lines.replace(b"her\\t(0)", b"her\\t(1)")
    >>> "$ corefeval explain key response" in others(key=lines, response=split).html
    True
    """

    def shown(arguments: argparse.Namespace, names: Sequence[str]) -> Answer:
        explanation = _explained(arguments, names)
        table = scrolling("What other scorers print", explanation.table().html())
        summary = f"<p>{escape(explanation.summary)}</p>"
        return Answer("", f"{summary}{table}{_list(explanation.notes())}")

    chosen = {name: value for name, value in given.items() if name != "printed"}
    return _in_a_fold(_asked("explain", "standard", chosen, shown))


def hits(**given: Any) -> Answer:
    """Which scorers print the number ``printed`` for the files; nothing where no number is typed.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> split = lines.replace(b"her\\t(0)", b"her\\t(1)")
    >>> "B³ F1 66.67" in hits(key=lines, response=split, printed="66.67").html
    True
    >>> "no number like 83.33" in hits(key=lines, response=split, printed="two thirds").html
    True
    >>> hits(key=lines, response=split).html
    ''
    """

    def shown(arguments: argparse.Namespace, names: Sequence[str]) -> Answer:
        return Answer("", _printed(_explained(arguments, names), arguments.printed))

    if not given.get("printed"):
        return Answer("")
    return _in_a_fold(_asked("explain", "standard", given, shown))


def winners(**given: Any) -> Answer:
    """Which response is ahead by every scorer's rules: ``response`` or ``second``.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> split = lines.replace(b"her\\t(0)", b"her\\t(1)")
    >>> found = winners(key=lines, response=split, second=lines, second_name="other").html
    >>> "other is ahead of response by" in found, "compare key response other" in found
    (True, True)
    >>> winners(key=lines, response=split).html
    '<p>Choose a second response to the same key above.</p>'
    """

    def shown(arguments: argparse.Namespace, names: Sequence[str]) -> Answer:
        paths = arguments.responses
        responses = dict(zip(short_names(paths), paths, strict=True))
        ahead = leads(arguments.key, responses, names, **cli.chosen_of(arguments, OF_FILES))
        summary = f"<p><strong>What to write:</strong> {escape(ahead.summary)}</p>"
        table = scrolling("Who is ahead by every scorer’s rules", ahead.table().html())
        return Answer("", f"{summary}{table}{_list(ahead.notes())}")

    if not given.get("second"):
        return Answer("", f"<p>{ONE_MORE}</p>")
    chosen = {name: value for name, value in given.items() if name not in OF_ONE_SCORER}
    return _in_a_fold(_asked("compare", "standard", chosen | {"every_scorer": "yes"}, shown))


# ------------------------------------------------------------------------------- the command

Shown = Callable[[argparse.Namespace, Sequence[str]], Answer]


def _asked(command: str, usual: Any, given: Mapping[str, Any], shown: Shown) -> Answer:
    """The answer that ``shown`` makes of a command's result, and the command; or its refusal."""
    sides = THREE_SIDES if command == "compare" else SIDES
    with files(given, sides) as paths, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        typed = [*map(str, paths), *_options(command, given)]
        line = f"<pre>$ corefeval {escape(shlex.join([command, *typed]))}</pre>"
        if any(path.name.lower().endswith(FILES_OF_LABELS) for path in paths):
            return Answer(TABLES.format(*paths), line, "refused")
        try:
            arguments = _parser(command).parse_args(typed)
            names = names_of(arguments.metric or usual)
            result, left = _without_scipy(lambda names: shown(arguments, names), names)
        except CorefError as error:
            return Answer(str(error), line, "refused")
    notes = [*dict.fromkeys(str(warning.message) for warning in caught), *left]
    return result._replace(html=f"{_warned(notes)}{result.html}{line}")


def _options(command: str, given: Mapping[str, Any]) -> Iterator[str]:
    """The options that the form has, as they are typed; an empty field is none."""
    for option in options(command):
        if option.dest not in NOT_HERE and (value := given.get(option.dest)):
            yield option.option_strings[-1]
            if option.nargs != 0:
                yield str(value).strip()


def _in_a_fold(answer: Answer) -> Answer:
    """An answer that says itself, where it stands, that it is none."""
    if answer.state != "refused":
        return answer
    return Answer("", f'<p class="refused">{escape(answer.told)}</p>{answer.html}')


def _without_scipy(
    answer: Callable[[Sequence[str]], Answer], names: Sequence[str]
) -> tuple[Answer, list[str]]:
    """The answer by these measures or, without SciPy, by those that can be had, and a note."""
    try:
        return answer(names), []
    except ModuleNotFoundError:
        left = [name for name in names if name not in NEEDS_ALIGNMENT]
        return answer(left), [LEFT_OUT]


def _warned(notes: Sequence[str]) -> str:
    """The first warning, and a fold for the others."""
    if not notes:
        return ""
    first, *others = notes
    rest = fold("warnings", f"{len(others)} more warnings", _list(others)) if others else ""
    return f'<div class="warned"><p>{escape(first)}</p>{rest}</div>'


def _list(texts: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in texts) + "</ul>"


@contextmanager
def files(given: Mapping[str, Any], sides: Sequence[str] = SIDES) -> Iterator[list[Path]]:
    """Put these sides into files of their names, in a folder that is the current one meanwhile."""
    with TemporaryDirectory() as folder, chdir(folder):
        paths = _paths({side: given.get(f"{side}_name", side) for side in sides})
        for path, side in zip(paths, sides, strict=True):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(bytes(given[side]))
        yield paths


def _paths(names: Mapping[str, str]) -> list[Path]:
    """Where the files are put, so that messages name them as the reader does."""
    alone = {side: PurePath(name.replace("\\", "/")).name for side, name in names.items()}
    if len({*alone.values()}) < len(alone):
        return [Path(side, name) for side, name in alone.items()]
    return [*map(Path, alone.values())]


# -------------------------------------------------------------------------------- the scores


def _scored(arguments: argparse.Namespace, names: Sequence[str]) -> Answer:
    report = _report(arguments, names)
    if arguments.format != "table":
        shown = f"<pre>{escape(cli.run_score(arguments))}</pre>"
    else:
        table = report.table(arguments.per_document).html(report.short_signature)
        shown = scrolling("The scores", table)
    if _has_both_sides(report):
        shown += f"<p><strong>What to write:</strong> {escape(report.sentence())}</p>"
    number = f"{len(report)} document" + "s" * (len(report) != 1)
    return Answer(f"Scored {number}.", shown)


def _report(arguments: argparse.Namespace, names: Sequence[str]) -> Report:
    chosen = cli.chosen_of(arguments)
    report = corefeval.evaluate(arguments.key, arguments.response, names, **chosen)
    _ = report.total  # counted here, where what is missing shows
    return report


def _has_both_sides(report: Report) -> bool:
    tables = next(iter(report.tables.values())).values()
    return any(tally.recall.key_mentions for tally in tables) and any(
        tally.precision.T.key_mentions for tally in tables
    )


# ---------------------------------------------------------------------------------- the errors


def _anatomy(arguments: argparse.Namespace, names: Sequence[str]) -> Anatomy:
    return anatomy(arguments.key, arguments.response, names, **cli.chosen_of(arguments))


def _costliest(arguments: argparse.Namespace, names: Sequence[str]) -> Answer:
    measure = arguments.measure or ("b3" if "b3" in names else names[0])
    losses = _anatomy(arguments, list(dict.fromkeys([*names, measure])))
    table = losses.costliest_table(measure).html()
    return Answer("", scrolling("The entities that cost most", table))


# ------------------------------------------------------------------------------- other scorers


def _explained(arguments: argparse.Namespace, names: Sequence[str]) -> Explanation:
    paths = arguments.key, arguments.response
    content = tuple(Path(path).read_bytes() for path in paths)
    chosen = tuple(cli.chosen_of(arguments, OF_FILES).items())
    return explained(paths, content, tuple(names), chosen)


@lru_cache(maxsize=1)
def explained(
    paths: tuple[str, str],
    content: tuple[bytes, bytes],
    names: tuple[str, ...],
    chosen: tuple[tuple[str, str], ...],
) -> Explanation:
    """Every scorer's scores of two files, whose content says whether they are the last ones.

    These are kept, because readers ask for several numbers of the same files.
    """
    return explain(*paths, names, **dict(chosen))


def _printed(explanation: Explanation, number: str) -> str:
    """The scorers that print a number, by what it is and by which rule."""
    rows: list[list[str]] = []
    for hit in sorted(explanation.hits(number), key=lambda hit: _kind(explanation, hit)):
        title, rule = _kind(explanation, hit)
        ours = percent(explanation.ours[hit.measure].exact.parts[hit.part])
        if rows and rows[-1][0] == title and rows[-1][2] == rule:
            rows[-1][1] += f", {hit.scorer}"
        else:
            rows.append([title, hit.scorer, rule, ours])
    said = [
        f"For the same score {hit.scorer} prints {_title(hit)}: it cuts decimals off."
        for hit in explanation.truncations(number)
    ]
    if not rows:
        near = [
            f"Near it, and not equal: {_title(hit)}, of {hit.scorer}."
            for hit in explanation.nearest(number)
        ]
        return f"<p>{NOBODY}</p>{_list(near + said)}"
    table = Table(["it is", "scorers", "rule", "by our rules"], rows, "Who prints this number.")
    return scrolling("Who prints this number", table.html()) + (_list(said) if said else "")


def _kind(explanation: Explanation, hit: Hit) -> tuple[str, str]:
    """The title of a number that is hit, and the rule of its scorer: ours has none."""
    rule = explanation.reasons.get(hit.scorer, {}).get(hit.measure, "as our rules count")
    return _title(hit) + ", cut off" * (hit.how == "cut off"), rule


def _title(hit: Hit) -> str:
    return " ".join(filter(None, (find(hit.measure).title, PARTS[hit.part], percent(hit.value))))
