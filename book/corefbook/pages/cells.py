"""The cells of a chapter, run by IPython in the reader's browser, where there is no kernel.

IPython itself decides what a cell shows: the last expression, rich representations, streams,
errors. Here its outputs are only collected, in the form in which a notebook stores them.
"""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, ClassVar

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type

Output = dict[str, Any]


class Stream(StringIO):
    """What is printed: added to the last output where that is of the same stream."""

    def __init__(self, name: str, outputs: list[Output]) -> None:
        super().__init__()
        self.name = name
        self.outputs = outputs

    def write(self, text: str) -> int:
        last = self.outputs[-1] if self.outputs else {}
        if last.get("name") == self.name:
            last["text"] += text
        elif text:
            self.outputs.append({"output_type": "stream", "name": self.name, "text": text})
        return len(text)


class Compiler(CachingCompiler):
    """Gives cells the names of files, as the kernel does: its errors show the lines before."""

    def get_code_name(self, raw_code: str, code: str, number: int) -> str:
        return f"/cells/{number}.py"


class Results(DisplayHook):
    """The value of a cell's last expression."""

    def start_displayhook(self) -> None:
        pass

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: Any = None) -> None:
        Shell.collected.append({"output_type": "execute_result", "data": format_dict})

    def finish_displayhook(self) -> None:
        pass


class Displays(DisplayPublisher):
    """What is shown by ``display``."""

    def publish(self, data: dict[str, Any], *_: Any, **__: Any) -> None:
        Shell.collected.append({"output_type": "display_data", "data": data})

    def clear_output(self, wait: bool = False) -> None:
        Shell.collected.clear()


class Shell(InteractiveShell):
    """IPython's shell, of which there is one in a process."""

    compiler_class = Type(Compiler)
    displayhook_class = Type(Results)
    display_pub_class = Type(Displays)
    collected: ClassVar[list[Output]] = []

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        error = {"ename": etype.__name__, "evalue": str(evalue), "traceback": stb}
        Shell.collected.append({"output_type": "error", **error})


def run(source: str) -> list[Output]:
    """The outputs of a cell, which has the names that the cells before it gave.

    >>> run("x = 2; print(x)")
    [{'output_type': 'stream', 'name': 'stdout', 'text': '2\\n'}]
    >>> run("x + 1")
    [{'output_type': 'execute_result', 'data': {'text/plain': '3'}}]
    """
    outputs: list[Output] = []
    Shell.collected = outputs
    out, error = Stream("stdout", outputs), Stream("stderr", outputs)
    with redirect_stdout(out), redirect_stderr(error):
        Shell.instance(colors="nocolor").run_cell(source, store_history=True)
    return outputs
