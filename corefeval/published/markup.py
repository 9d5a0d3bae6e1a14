r"""The cells of a table in LaTeX or Markdown, and what they print.

What a command takes as its arguments is no number, unless it prints them: ``\hphantom{1}8.1`` is
8.1. A command that is not known here leaves the sign `UNKNOWN` in its cell, which is then not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise

UNKNOWN = "\ufffd"
"""What stands for a command that is not known."""
PRINTS = (
    "P: textbf textit textsl textsc textrm textsf texttt textmd textup textnormal text emph mbox "
    "hbox fbox mathbf mathrm mathit mathsf mathbb mathcal boldsymbol bm pmb underline uline "
    "dashuline uwave ul hl ensuremath tablenum"
    "|S: textsuperscript textsubscript rlap llap clap mathrlap mathllap"
    "|oP: num makecell thead shortstack hyperref|oPm: qty|oPom: SI|ooP: makebox framebox"
    "|omP: textcolor colorbox rotatebox|ommP: fcolorbox|mmP: resizebox multicolumn|mooP: raisebox"
    "|moP: scalebox|mP: href underset overset|ooomP: parbox|omomoP: multirow"
    "|m: phantom hphantom vphantom tnote ref label hspace vspace cline url arrayrulecolor noalign"
    "|mm: fontsize setlength|om: cellcolor color footnote footnotetext caption"
    "|oom: cite citep citet citealp citealt citeauthor citeyear citeyearpar newcite shortcite"
    "|omoo: rowcolor|omm: rule|opm: cmidrule|mmm: specialrule"
    "|o: footnotemark addlinespace toprule midrule bottomrule"
    "|: hline hhline tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge bf "
    "it rm sc sl sf tt em bfseries itshape scshape mdseries upshape slshape rmfamily sffamily "
    "ttfamily selectfont boldmath unboldmath centering raggedright raggedleft displaystyle "
    "textstyle scriptstyle quad qquad enspace thinspace hfill hfil strut null relax protect "
    "noindent leavevmode left right endhead endfirsthead endfoot endlastfoot xspace dag dagger "
    "ddag ddagger ast star bigstar checkmark circ bullet diamond triangle textdagger "
    "textdaggerdbl textasteriskcentered textsection S P clubsuit spadesuit heartsuit diamondsuit"
)
ARGUMENTS = {
    name: letters
    for letters, names in (kind.split(":") for kind in PRINTS.split("|"))
    for name in names.split()
}
"""The arguments of each command: m is not printed, P is, S is beside it; o in [], p in ()."""
SIGNS = {
    "pm": "±",
    "textpm": "±",
    "phi": " phi ",
    "varphi": " phi ",
    "Delta": "Δ",
    "delta": "δ",
    "beta": "β",
    "uparrow": "↑",
    "downarrow": "↓",
    "overline": "mean ",
    "textendash": "–",
    "textemdash": "—",
    "ldots": "…",
    "dots": "…",
    "cdots": "…",
}
COMMAND = re.compile(r"\\(?:([A-Za-z]+)\*?|(.))", re.DOTALL)
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}&]|[^\\{}&]+|\\", re.DOTALL)
SPACING = re.compile(r"\*?\s*\[\s*-?[\d.]+\s*(?:[a-z]{2}|\\)[^]]*\]")
"""What may follow the end of a line: its distance from the next."""
COMMENT = re.compile(r"(?<!\\)%.*")
TABULAR = re.compile(
    r"\\(begin|end)\{(tabular[xy*]?|longtable|xltabular|supertabular|tblr|longtblr|array)\}"
)
TAG = re.compile(r"</?(?:b|strong|i|em|u|s|span|small|font|center|p|div|a|code|mark|ins)\b[^>]*>")
BESIDE = re.compile(r"</?(?:sup|sub|br)\b[^>]*>")
LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")
SCALES = {"tabular*": "mom", "tabularx": "mom", "tabulary": "mom", "xltabular": "mom"}


def plain(cell: str) -> str:
    r"""What a cell prints, without marks of LaTeX and Markdown.

    >>> plain(r" CEAF$_{\phi_4}$ "), plain(r"\textbf{80.4}$^1$"), plain("**80.4**")
    ('CEAF phi 4', '80.4 1', '80.4')
    >>> plain(r"\hphantom{1}8.1"), plain(r"\fontsize{8}{9}\selectfont 24"), plain("[80.4](x#1.2)")
    ('8.1', '24', '80.4')
    """
    if "&" in cell or "<" in cell:
        cell = TAG.sub("", BESIDE.sub(" ", unescape(cell)))
    return " ".join(_printed(LINK.sub(r"\1", cell)).split())


def _printed(text: str) -> str:
    """What LaTeX prints, commands that are not known as `UNKNOWN`."""
    pieces: list[str] = []
    place = 0
    while place < len(text):
        command = COMMAND.match(text, place)
        if command is None:
            sign = text[place]
            if sign in "~_^":  # what is raised is no digit of the number before it
                pieces.append(" ")
            elif sign not in "{}$*`\\":
                pieces.append(sign)
            place += 1
            continue
        place = command.end()
        name, symbol = command.groups()
        if symbol:
            pieces.append(symbol if symbol in "%&#" else " " * (symbol in ",;:!/ \\_"))
        elif name in SIGNS:
            pieces.append(SIGNS[name])
        elif name in ARGUMENTS:
            shown, place = _arguments(text, place, ARGUMENTS[name])
            pieces.append(shown)
        else:
            pieces.append(f" {UNKNOWN} ")
    return "".join(pieces)


def _arguments(text: str, place: int, letters: str) -> tuple[str, int]:
    """What a command prints of its arguments, and where they end."""
    shown = ""
    for letter in letters:
        argument, place = _argument(text, place, letter)
        if letter in "PS":
            shown += _printed(argument)
    return (f" {shown} " if "S" in letters else shown), place


def _argument(text: str, place: int, letter: str) -> tuple[str, int]:
    """An argument and where it ends: in brackets, if they are there, or in braces, or one sign."""
    start = place
    while text[place : place + 1].isspace():
        place += 1
    opening, closing = {"o": ("[", "]"), "p": ("(", ")")}.get(letter, ("{", "}"))
    if text[place : place + 1] != opening:
        if letter in "op":
            return "", start
        command = COMMAND.match(text, place)
        end = command.end() if command else place + 1
        return text[place:end], end
    depth = 0
    for end in range(place + 1, len(text)):
        if text[end] == closing and not depth:
            return text[place + 1 : end], end + 1
        depth += (text[end] == "{") - (text[end] == "}")
    return text[place + 1 :], len(text)


# ----------------------------------------------------------------------------- tables and lines


def is_latex(text: str) -> bool:
    """Whether a text has a table of LaTeX: lines that end, and cells between &."""
    text = COMMENT.sub("", text)
    ends = text.count("\\\\") + text.count(r"\tabularnewline")
    if TABULAR.search(text) or (ends and "&" in text):
        return True
    return any(len(re.findall(r"(?<!\\)&(?!#?\w+;)", line)) > 1 for line in text.splitlines())


def tabulars(text: str) -> Iterator[str]:
    """The tables of a text in LaTeX; all of it where none begins, and one that is cut in two."""
    text = COMMENT.sub("", text)
    marks = [*TABULAR.finditer(text)]
    if not marks:
        yield text
    depth = int(bool(marks) and marks[0][1] == "end")
    start = 0
    for mark in marks:
        depth += 1 if mark[1] == "begin" else -1
        if mark[1] == "begin" and depth == 1:
            _, start = _arguments(text, mark.end(), SCALES.get(mark[2], "om"))
        elif depth == 0:
            yield text[start : mark.start()]
        depth = max(depth, 0)
    if depth:
        yield text[start:]


def latex_cells(text: str) -> list[list[str]]:
    """The cells of each line of a table in LaTeX, a wide one as often as it is wide."""
    return [
        [plain(part) for cell in line for part in _spanned(cell)] for line in _lines(_joined(text))
    ]


def _joined(text: str) -> str:
    """A table without those in its cells, which are there to break lines."""
    while True:
        marks = [*TABULAR.finditer(text)]
        pairs = (pair for pair in pairwise(marks) if [mark[1] for mark in pair] == ["begin", "end"])
        inner = next(pairs, None)
        if inner is None:
            return text
        begin, end = inner
        _, start = _arguments(text, begin.end(), "om")
        content = text[start : end.start()].replace("\\\\", " ")
        text = f"{text[: begin.start()]}{content}{text[end.end() :]}"


def _lines(text: str) -> list[list[str]]:
    lines: list[list[str]] = [[""]]
    depth = 0
    ended = False
    for token in TOKEN.findall(text):
        if ended:
            token = SPACING.sub("", token, count=1) if SPACING.match(token) else token
        ended = token in ("\\\\", r"\tabularnewline") and depth == 0
        if ended:
            lines.append([""])
        elif token == "&" and depth == 0:
            lines[-1].append("")
        else:
            lines[-1][-1] += token
            depth = max(0, depth + (token == "{") - (token == "}"))
    return [line for line in lines if any(cell.strip() for cell in line)]


def _spanned(cell: str) -> list[str]:
    """A cell as often as it is wide."""
    before, command, after = cell.partition(r"\multicolumn")
    if not command:
        return [cell]
    width, place = _argument(after, 0, "m")
    _, place = _argument(after, place, "m")
    text, place = _argument(after, place, "m")
    return [f"{before}{text}{after[place:]}"] * (int(width) if width.strip().isdigit() else 1)
