"""What README, the recipes and the pages name is there: options, links, files, figures."""

import re
import subprocess
from pathlib import Path

import ledger_pages
import pages
import pytest
from corefbook import ledger
from corefbook.studies import people

from corefeval.cli import main
from corefeval.scorers.bundles import bundles

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *(ROOT / "book").glob("*.md"), *(ROOT / "book").glob("*.ipynb")]


@pytest.mark.parametrize("command", ["score", "compare"])
def test_options_named_in_prose_exist(command, capsys):
    assert main([command, "--help"]) == 0
    known = {*re.findall(r"--[a-z-]+", capsys.readouterr().out)}
    named = {
        (page.name, option)
        for page in PAGES
        for arguments in re.findall(rf"corefeval {command}\b([^`\n]*)", page.read_text("utf-8"))
        for option in re.findall(r"(?<= )--[a-z-]+", arguments)
    }
    assert named and {(page, option) for page, option in named if option not in known} == set()


ROOMS = ("book", "corefeval", "data", "tests")
RECIPES = [
    path
    for room in ROOMS
    for path in (ROOT / room).rglob("README.md")
    if not {"node_modules", "_build"} & {*path.parts}
]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "book/publishing/RELEASING.md"])
def test_links_lead_to_files(page):
    assert lead_to_files(ROOT / page)


def test_links_of_recipes_lead_to_their_targets():
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


def test_one_screen_leads_to_every_recipe():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert len(text.split()) <= 700
    of_data = re.findall(
        r"\]\(([\w/]+/README\.md)", (ROOT / "data" / "README.md").read_text("utf-8")
    )
    led = {*re.findall(r"\]\(([^)#]+README\.md)", text), *(f"data/{each}" for each in of_data)}
    assert led == {path.relative_to(ROOT).as_posix() for path in RECIPES}


def test_readme_counts_the_scorers_of_explain():
    named = [bundle for bundle in bundles().values() if bundle.measures]
    repositories = {re.split("[ ,]", bundle.scorer)[0] for bundle in named}
    counted = f": {len(named)} versions and modes of scorers, of {len(repositories)} repositories"
    assert counted in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.proof
def test_readme_shows_the_figures_of_the_first_page():
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    shown = [line for line in lines if line.startswith("| [")]
    for line, row in zip(shown, pages.strip(), strict=True):
        computed = f"{row.computed} ✓" if row.agrees else f"≠ {row.computed}"
        paper = ledger.load(row.paper)
        short = paper.content["paper"]["short"] + ledger_pages.ADDED[paper.source]
        name = f"[{short}](book/{row.chapter}.ipynb), {row.label}"
        assert line == f"| {name} | {row.printed} | {computed} |"


@pytest.mark.proof
def test_the_three_numbers_of_readme_are_computed():
    text = (ROOT / "README.md").read_text("utf-8")
    came = ledger_pages.tally(ledger_pages.of_kind("published"))
    counted = sum(came[group] for group in ledger.GROUPED if group != "listed")
    assert f"**{came['equal']}** of {counted} figures" in text
    assert f"and {came['differs']} [differ]" in text
    assert f"{came['cannot be checked']} cannot be checked" in text
    agree = people.agreement(*people.annotated_sides("sara-3", "A", "B"))
    muc, ceafe = (f"{agree[name]:.0f}" for name in ("muc", "ceafe"))
    assert f"**{muc} or {ceafe}**" in text and f"is {muc} by MUC and {ceafe} by CEAFₑ" in text
    given = [row for row in ledger.rows("popescubelis_lost") if row.verdict == "given"]
    assert f"**{len(given)}** rounded scores" in text


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="it needs a git checkout")
def test_readme_shows_six_entries_of_the_top():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    top = {path.partition("/")[0] for path in listed.splitlines() if not path.startswith(".")}
    assert len(top) <= 13, sorted(top)
    (tree,) = re.findall(r"```text\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    shown = [line.split()[0].rstrip("/") for line in tree.splitlines()]
    assert shown == ["book", "corefeval", "data", "tests", "environment.yml", "README.md"]
    assert {*shown} <= top
