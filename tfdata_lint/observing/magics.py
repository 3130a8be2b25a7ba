"""`%load_ext tfdata_lint`: findings below the cells that they are in, and the magics of a notebook."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from tfdata_lint.observing import cells
from tfdata_lint.observing.api import SECONDS, profile
from tfdata_lint.observing.evidence import NAME
from tfdata_lint.observing.linting import Cell, Linted, Session, Shown
from tfdata_lint.source import content

_NOTHING = "tfdata-lint: nothing found"
#: With a fix to write.
_SAMPLE = """import tensorflow as tf
ds = tf.data.TextLineDataset("a").map(lambda x: tf.image.random_hue(tf.io.decode_jpeg(x), 0.1))
model.fit(ds.batch(8), epochs=2)
"""
#: Seconds that Colab may take to hand over its notebook.
_PATIENCE = 20
_OPTIONS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "%tfdata_lint": {
        "what": {"nargs": "?", "choices": ("on", "off"), "help": "lint each cell once it has run, or stop doing so"},
        "--all": {"action": "store_true", "help": "lint the notebook itself, with the cells that have not run"},
        "--fix": {
            "nargs": "?", "const": 0, "type": int, "metavar": "N",
            "help": "put cell In [N] as `tfdata-lint check --fix` leaves it into the next input (default: the last)",
        },
    },
    "%%tfdata_lint": {"--only": {"action": "store_true", "help": "lint the cell without running it"}},
    "%tfdata_graph": {"--format": {"choices": ("svg", "text"), "help": "default: svg in a notebook"}},
    "%tfdata_profile": {
        "--seconds": {"type": float, "default": SECONDS, "help": "how long to read the dataset"},
        "--step-ms": {"type": float, "default": 0.0, "help": "how long a consumer takes for an element"},
        "dataset": {"nargs": "+", "help": "an expression that is a tf.data.Dataset"},
    },
}  # fmt: skip


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext tfdata_lint` calls."""
    live = Live(shell)
    # What a first run imports is imported here, rather than below a cell.
    Session([Cell(1, _SAMPLE)]).findings()
    shell.register_magic_function(live.lint, "line_cell", "tfdata_lint")
    shell.register_magic_function(live.graph, "line", "tfdata_graph")
    shell.register_magic_function(live.profile, "line", "tfdata_profile")
    shell.events.register("post_run_cell", live.after)
    _LIVE.append(live)


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext tfdata_lint` calls."""
    while _LIVE:
        shell.events.unregister("post_run_cell", _LIVE.pop().after)
    for kind, name in (("cell", "lint"), ("line", "lint"), ("line", "graph"), ("line", "profile")):
        shell.magics_manager.magics[kind].pop(f"tfdata_{name}", None)


class Live:
    """What listens to one shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._is_on = True
        texts = shell.history_manager.input_hist_raw[1:]
        self._session = Session(Cell(number, text) for number, text in enumerate(texts, 1))
        self._parsers = {name: _parser(name, options) for name, options in _OPTIONS.items()}

    def after(self, result: Any) -> None:
        """Say what is new, now that a cell has run."""
        # What a cell raises says more; an interrupted training loop has run.
        error = result.error_before_exec or result.error_in_exec
        info = result.info
        # What is not part of the history is run by something else, such as our own magic.
        if not info.store_history or (error and not isinstance(error, KeyboardInterrupt)):
            return
        try:
            self._session.add(Cell(result.execution_count, info.raw_cell, getattr(info, "cell_id", None) or ""))
            if self._is_on and (found := self._session.news()):
                _show(Shown(found))
        except Exception as error:
            self._is_on = False
            _write(f"tfdata-lint: linting is off: {type(error).__name__}: {error}")

    def lint(self, line: str, cell: str | None = None) -> None:
        """Lint the session: `%tfdata_lint`, `%tfdata_lint on`, `off`, `--all`, `--fix`; or a cell: `%%tfdata_lint`."""
        if cell is not None:
            only = self._parsers["%%tfdata_lint"].parse_argstring(line).only
            self._lint_cell(cell, only=only)
            return
        given = self._parsers["%tfdata_lint"].parse_argstring(line)
        if given.what:
            self._is_on = given.what == "on"
        elif given.fix is not None:
            self._fix(given.fix)
        elif given.all:
            text, path = _notebook(self._shell)
            self._say(self._session.findings_in(text, path))
        else:
            self._say(self._session.findings())

    def graph(self, line: str) -> None:
        """Show the pipelines of the session."""
        given = self._parsers["%tfdata_graph"].parse_argstring(line).format
        form = given or ("svg" if cells.is_notebook() else "text")
        drawn = self._session.drawn(form)
        if not drawn:
            _write("tfdata-lint: no pipelines in this session")
        elif form == "text" or not cells.display(sys.modules["IPython"].display.HTML(drawn)):
            _write(drawn)

    def profile(self, line: str) -> Any:
        """Profile a dataset for some seconds: `%tfdata_profile ds --seconds 5`."""
        given = self._parsers["%tfdata_profile"].parse_argstring(line)
        dataset = self._shell.ev(" ".join(given.dataset))
        return profile(dataset, given.seconds, step_ms=given.step_ms, save=NAME)

    def _say(self, found: list[Linted]) -> None:
        if found:
            _show(Shown(found))
        else:
            _write(_NOTHING)

    def _fix(self, number: int) -> None:
        """Put a fixed cell into the next input: that of this execution, else the last that has a fix."""
        fixed = self._session.fixed()
        if not fixed or (number and number not in fixed):
            _write(f"tfdata-lint: no safe fix{f' in {cells.name_of(number)}' if number else ''}")
            return
        number = number or list(fixed)[-1]
        self._shell.set_next_input(fixed.pop(number))
        others = ", ".join(map(cells.name_of, fixed))
        _write(f"tfdata-lint: fixed {cells.name_of(number)}{f'; there are fixes for {others}, too' if fixed else ''}")

    def _lint_cell(self, cell: str, *, only: bool) -> None:
        texts = self._shell.history_manager.input_hist_raw
        number = len(texts) - 1
        try:
            self._session.add(Cell(number, texts[number], cells.current_id()))
            self._say(self._session.in_cell(number))
        except Exception as error:
            _write(f"tfdata-lint: cannot lint the cell: {type(error).__name__}: {error}")
        if not only:
            _run(self._shell, cell)


_LIVE: list[Live] = []


def _parser(name: str, options: Mapping[str, Mapping[str, Any]]) -> Any:
    """An `argparse.ArgumentParser` that reads the rest of a line as IPython does, and raises its UsageError."""
    from IPython.core.magic_arguments import MagicArgumentParser

    parser = MagicArgumentParser(name)  # type: ignore[no-untyped-call]
    for option, given in options.items():
        parser.add_argument(option, **given)
    return parser


def _write(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _show(shown: Shown) -> None:
    if not cells.display(shown):
        _write(shown)


def _notebook(shell: Any) -> tuple[str, str]:
    """The text of the notebook and its path. Raises UsageError where the kernel cannot get at it."""
    if colab := sys.modules.get("google.colab"):
        answer = colab._message.blocking_request("get_ipynb", request="", timeout_sec=_PATIENCE)
        return json.dumps(answer["ipynb"]), os.path.abspath("notebook.ipynb")
    path = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    if not path.endswith(".ipynb") or not os.path.isfile(path):
        raise _usage("the kernel does not know the file of this notebook; run `tfdata-lint check NOTEBOOK.ipynb`")
    return content.read(path).decode(), path


def _run(shell: Any, cell: str) -> None:
    """As if the magic were not there: rows and numbers are those that the notebook shows."""
    number, shell.execution_count = shell.execution_count, len(shell.history_manager.input_hist_raw) - 1
    try:
        result = shell.run_cell(cell if cell.lstrip().startswith("%%") else f"# %%tfdata_lint\n{cell}")
    finally:
        shell.execution_count = number
    if error := result.error_in_exec or result.error_before_exec:
        # It has been shown; who runs all cells is to stop here.
        raise _usage(f"the cell raised {type(error).__name__}")


def _usage(text: str) -> Exception:
    kind: type[Exception] = getattr(sys.modules["IPython"].core.error, "UsageError", ValueError)
    return kind(text)
