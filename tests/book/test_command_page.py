"""The page on the command line has what the parser has."""

import argparse
import re
from pathlib import Path

import pytest
from test_book import ROOT, parsed, words

from corefeval import cli

PAGE = (ROOT / "book" / "command-line.md").read_text(encoding="utf-8")


def commands() -> dict[str, argparse.ArgumentParser]:
    (found,) = (
        action
        for action in cli._parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return dict(found.choices)


@pytest.mark.parametrize("name", commands())
def test_every_option_is_on_the_page_with_its_choices_and_default(name):
    (section,) = parsed("command-line.html").xpath(f"//section[h2[contains(., '{name}')]]")
    rows = {words(row.find("th")): words(row.find("td")) for row in section.xpath(".//tr[td]")}
    for action in commands()[name]._actions:
        typed = action.option_strings or [action.metavar]
        (row,) = [row for row in rows if row.split()[0].rstrip(",") in typed]
        assert all(choice in row + rows[row] for choice in action.choices or ())
        if action.default not in (None, False, argparse.SUPPRESS):
            told = rf"default: {action.default}|{action.default} \(default\)"
            assert re.search(told, rows[row]), (row, rows[row])


def test_the_exit_codes_are_those_of_the_scorer():
    source = Path(cli.__file__).read_text(encoding="utf-8")
    returned = set(re.findall(r"return (\d+)\b", source)) | {"0"}
    assert set(re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)) == returned


def test_the_page_leads_to_the_quick_start_and_back():
    assert parsed("command-line.html").xpath("//article//a[starts-with(@href, 'quick-start.html')]")
    assert parsed("quick-start.html").xpath("//article//a[starts-with(@href, 'command-line.html')]")
