"""What the README shows is what its reader will see."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from rows import every_row

from corefeval.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def test_python_example():
    example = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(example, {}, "README", "README.md", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted and not result.failed


@pytest.mark.parametrize("block", CONSOLE)
def test_command_line_example(block, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    command, _, shown = block.partition("\n")
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "corefeval"
    assert main(arguments) == 0
    assert capsys.readouterr().out == shown


PAGES = [ROOT / "README.md", *(ROOT / "book").glob("*.md"), *(ROOT / "book").glob("*.ipynb")]
COMMAND = re.compile(r"corefeval (score|compare)\b([^`\n]*)")
OPTIONS = [
    (page.name, command, option)
    for page in PAGES
    for command, arguments in COMMAND.findall(page.read_text(encoding="utf-8"))
    for option in re.findall(r"(?<= )--[a-z-]+", arguments)
]


@every_row("page, command, option", OPTIONS)
def test_options_named_in_prose_exist(page, command, option, capsys):
    assert main([command, "--help"]) == 0
    assert re.search(rf"{option}\b(?!-)", capsys.readouterr().out)


def test_there_is_a_command_line_example():
    assert CONSOLE


ROOMS = ("benchmarks", "book", "corefeval", "data", "playground")
RECIPES = [
    path
    for room in ROOMS
    for path in (ROOT / room).rglob("README.md")
    if not {"node_modules", "_build"} & {*path.parts}
]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "RELEASING.md"])
def test_links_lead_to_files(page):
    assert lead_to_files(ROOT / page)


def test_links_of_recipes_lead_to_files_and_to_headings():
    for path in RECIPES:
        lead_to_files(path)


def lead_to_files(page: Path) -> int:
    """How many links a page has, each of which was followed."""
    prose = re.sub(r"`[^`\n]*`", "", page.read_text("utf-8"))
    targets = re.findall(r"\]\((?!https?:)([^)]+)\)", prose)
    for target, _, heading in (each.partition("#") for each in targets):
        found = page.parent / target if target else page
        assert found.exists(), f"{page}: {target}"
        # As GitHub makes an address of a heading.
        made = [re.sub(r"[^\w-]", "", each.lower().replace(" ", "-")) for each in headings(found)]
        assert not heading or heading in made, f"{page}: {target}#{heading}"
    return len(targets)


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M) if page.suffix == ".md" else []


def test_files_that_recipes_name_are_there():
    """Renamed, a file would leave a recipe that nobody can follow."""
    for page in [ROOT / "CONTRIBUTING.md", *RECIPES]:
        named = re.findall(
            r"`([\w./]+/[\w.]+\.(?:py|toml|md|m?js|css|ipynb|html))`", page.read_text("utf-8")
        )
        for name in named:
            # What is to be added is called name.
            there = [folder / name for folder in (ROOT, page.parent)]
            assert Path(name).stem == "name" or any(map(Path.exists, there)), f"{page}: {name}"


def test_who_begins_reads_one_screen_which_leads_to_every_recipe():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert len(text.split()) <= 900
    led = {*re.findall(r"\]\(([^)#]+README\.md)", text), "data/real/README.md"}
    assert led == {path.relative_to(ROOT).as_posix() for path in RECIPES}
