"""The page on the command line has what the parser has."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pages
import pytest
from test_book import ROOT, parsed

from corefeval import cli

PAGE = (ROOT / "book" / "command-line.md").read_text(encoding="utf-8")


COMMANDS = [*pages.helps()]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_its_section_with_what_its_help_prints(name):
    printed = subprocess.run(
        [sys.executable, "-m", "corefeval", name, "--help"],
        env=os.environ | {"COLUMNS": "80"}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    page = parsed("command-line.html")
    (own,) = page.xpath(f"//section[h2[normalize-space(code) = 'corefeval {name}']]")
    shown = [pre.text_content().strip() for pre in own.iter("pre")]
    assert shown[0] == printed.strip() and f"usage: corefeval {name}" in printed


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example(name):
    own = PAGE.partition(f"\n(command-{name})=")[2].partition("\n(command-")[0]
    assert f"\n$ corefeval {name} " in own


def test_the_exit_codes_are_those_of_the_scorer():
    source = Path(cli.__file__).read_text(encoding="utf-8")
    returned = set(re.findall(r"return (\d+)\b", source)) | {"0", "1"}  # 1 is of a table
    assert set(re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)) == returned


def test_the_page_leads_to_the_quick_start_and_back():
    assert parsed("command-line.html").xpath("//article//a[starts-with(@href, 'quick-start.html')]")
    assert parsed("quick-start.html").xpath("//article//a[starts-with(@href, 'command-line.html')]")
