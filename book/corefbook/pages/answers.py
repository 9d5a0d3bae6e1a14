"""What a form shows: a sentence that is said at once, and HTML below it or beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from html import escape
from typing import Literal, NamedTuple, ParamSpec

from corefeval.errors import CorefError

Given = ParamSpec("Given")


State = Literal["said", "right", "wrong", "refused"]
"""What an answer says of what was typed: it has a value, it is right or wrong, it has no answer."""


class Answer(NamedTuple):
    """The sentence for the form's status, what is shown, and the state, which gives its colour."""

    told: str
    html: str = ""
    state: State = "said"


def answers(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Make a function answer with what is wrong where it would raise a `CorefError`."""

    @wraps(function)
    def answered(*given: Given.args, **named: Given.kwargs) -> Answer:
        try:
            return function(*given, **named)
        except CorefError as error:
            return Answer(str(error), state="refused")

    return answered


def fold(name: str, summary: str, html: str) -> str:
    """A fold that keeps whether it is open when its answer is another."""
    return f'<details id="{name}"><summary>{escape(summary)}</summary>\n{html}</details>'


def scrolling(label: str, html: str) -> str:
    """HTML that may be wider than the page, and is then moved by hand or by key."""
    return (
        f'<div class="scrolls" tabindex="0" role="group" aria-label="{escape(label)}">{html}</div>'
    )


def html_table(label: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    """A table of rows that are HTML already."""
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return scrolling(label, f'<table class="dataframe">{body}</table>')
