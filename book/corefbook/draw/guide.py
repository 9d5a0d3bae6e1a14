"""Questions, and what to do for each answer: a decision that is followed from top to bottom.

A guide is a list in HTML and no picture, so that its words grow with the reader's letters, wrap on
a phone, and are read aloud in their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from corefbook.colours import DAY, tint
from corefbook.picture import figure

Answers = Mapping[str, str]
QUESTION = f"font-weight: 600; border-left: 4px solid {DAY['neutral']}; padding-left: 0.6em"
BRANCHES = "list-style: none; margin: 0.2em 0 0.9em 2px; padding: 0 0 0 1em"
BRANCH = f"margin: 0.25em 0; padding-left: 0.6em; border-left: 2px solid {tint('neutral', 0.6)}"
ANSWER = f"background-color: {tint('neutral', 0.16)}; padding: 0 0.4em; border-radius: 0.4em"


class Guide:
    """Questions with their answers, each answer with what to do.

    >>> Guide({"Is it raining?": {"yes": "take a coat", "no": "go"}}, "Before you go.")
    Before you go.
    Is it raining?
    ├ yes → take a coat
    └ no → go
    """

    def __init__(self, questions: Mapping[str, Answers], caption: str = "") -> None:
        self.questions = questions
        self.caption = caption

    def __repr__(self) -> str:
        lines = [self.caption] if self.caption else []
        for question, answers in self.questions.items():
            lines.append(question)
            signs = ["├"] * (len(answers) - 1) + ["└"]
            rows = zip(signs, answers.items(), strict=True)
            lines += [f"{sign} {answer} → {advice}" for sign, (answer, advice) in rows]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        items = [
            f'<li><div style="{QUESTION}">{escape(question)}</div>'
            f'<ul style="{BRANCHES}">{"".join(map(_branch, answers.items()))}</ul></li>'
            for question, answers in self.questions.items()
        ]
        plain = "list-style: none; margin: 0; padding: 0"
        return figure(f'<ol style="{plain}">{"".join(items)}</ol>', self.caption, ())


def _branch(of: tuple[str, str]) -> str:
    answer, advice = map(escape, of)
    return f'<li style="{BRANCH}"><span style="{ANSWER}">{answer}</span> → {advice}</li>'
