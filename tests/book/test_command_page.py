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
    """In the command's own section, or once for several commands, with the command's name."""
    page = parsed("command-line.html")
    (own,) = page.xpath(f"//section[h2[normalize-space(code) = 'corefeval {name}']]")
    options = "table[contains(@class, 'options')]"
    rows = own.xpath(f".//{options}//tr[td]")
    for shared in page.xpath(f"//{options}[thead//th[3]]//tr[td]"):
        if name in words(shared.xpath("td")[-1]).split(", "):
            rows.append(shared)
    told = {words(row.find("th")): words(row.find("td")) for row in rows}
    for action in commands()[name]._actions:
        typed = action.option_strings or [action.metavar]
        (row,) = [row for row in told if row.split()[0].rstrip(",") in typed]
        assert all(choice in row + told[row] for choice in action.choices or ())
        if action.default not in (None, False, argparse.SUPPRESS):
            default = rf"default: {action.default}|{action.default} \(default\)"
            assert re.search(default, told[row]), (row, told[row])


def test_an_option_stands_once():
    """Conventions above all, which three commands have."""
    rows = parsed("command-line.html").xpath("//table[contains(@class, 'options')]//tr[td]")
    seen = [(words(row.find("th")), words(row.find("td"))) for row in rows]
    assert len(seen) == len({*seen}) > 30


@pytest.mark.parametrize("name", commands())
def test_every_command_has_an_example(name):
    own = PAGE.partition(f"<!-- generated: command {name} -->")[2].partition("<!-- generated")[0]
    assert f"\n$ corefeval {name} " in own


def test_the_exit_codes_are_those_of_the_scorer():
    source = Path(cli.__file__).read_text(encoding="utf-8")
    returned = set(re.findall(r"return (\d+)\b", source)) | {"0"}
    assert set(re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)) == returned


def test_the_page_leads_to_the_quick_start_and_back():
    assert parsed("command-line.html").xpath("//article//a[starts-with(@href, 'quick-start.html')]")
    assert parsed("quick-start.html").xpath("//article//a[starts-with(@href, 'command-line.html')]")
