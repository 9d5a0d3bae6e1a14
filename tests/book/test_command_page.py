"""The page on the command line has what the parser has."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pages
import pytest
from test_book import ROOT, parsed, words

from corefeval import cli

PAGE = (ROOT / "book" / "command-line.md").read_text(encoding="utf-8")


COMMANDS = [*pages.helps()]


def lines_of(text: str) -> set[str]:
    """The lines of a help, as they are indented."""
    return {line.rstrip() for line in text.splitlines() if line.strip()}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_section_with_its_help(name):
    printed = subprocess.run(
        [sys.executable, "-m", "corefeval", name, "--help"],
        env=os.environ | {"COLUMNS": "80"}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    page = parsed("command-line.html")
    (own,) = page.xpath(f"//section[h2[normalize-space(code) = 'corefeval {name}']]")
    (shared,) = page.xpath("//section[h2[starts-with(., 'Options that several')]]")
    shown = next(own.iter("pre")).text_content().strip()
    assert shown.startswith(f"usage: corefeval {name}")
    rest = lines_of(printed) - lines_of(shown)
    assert lines_of(shown) <= lines_of(printed)
    assert rest <= lines_of(next(shared.iter("pre")).text_content())
    assert {line.split()[0] for line in rest if line.startswith("  --")} == {
        words(code) for code in own.xpath("p[a[starts-with(., 'options that')]]/code")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example(name):
    own = PAGE.partition(f"\n(command-{name})=")[2].partition("\n(command-")[0]
    assert f"\n$ corefeval {name} " in own


def test_the_exit_codes_are_those_of_the_scorer():
    source = Path(cli.__file__).read_text(encoding="utf-8")
    returned = set(re.findall(r"return (\d+)\b", source)) | {"0", "1"}  # 1 is of a table
    assert set(re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)) == returned


def test_the_page_and_quick_start_are_linked():
    assert parsed("command-line.html").xpath("//article//a[starts-with(@href, 'quick-start.html')]")
    assert parsed("quick-start.html").xpath("//article//a[starts-with(@href, 'command-line.html')]")
