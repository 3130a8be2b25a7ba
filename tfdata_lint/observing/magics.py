"""`%load_ext tfdata_lint`: `%%tfdata_lint` says what is found in a cell and runs it, `%tfdata_profile` profiles."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from tfdata_lint.observing import cells
from tfdata_lint.observing.api import SECONDS, profile
from tfdata_lint.observing.evidence import NAME

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.source.places import Place

_NOTEBOOK = "notebook.ipynb"
_USAGE = "%tfdata_profile takes [--seconds N] [--step-ms MS] and an expression that is a tf.data.Dataset"
_OPTIONS = ("--seconds", "--step-ms")


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext tfdata_lint` calls."""
    shell.register_magic_function(_lint, "cell", "tfdata_lint")
    shell.register_magic_function(_profile, "line", "tfdata_profile")


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext tfdata_lint` calls."""
    for kind, name in (("cell", "tfdata_lint"), ("line", "tfdata_profile")):
        shell.magics_manager.magics[kind].pop(name, None)


def findings(text: str) -> str:
    """What is found in the last cell of a notebook, as a terminal shows it; empty where nothing is."""
    from tfdata_lint.config.settings.reading import Configuration
    from tfdata_lint.lint.linting import lint_source
    from tfdata_lint.output.text import Text, joined
    from tfdata_lint.source.notebook import read

    path = os.path.join(os.getcwd(), _NOTEBOOK)
    last = read(text).cells[-1].number
    report = lint_source(text, path, Configuration().for_file(path))
    own = [_in_session(found) for found in report.diagnostics if found.place.cell == last]
    written = Text(color=True)
    return "\n".join(written.render(*one) for one in joined(own))


def _in_session(found: Diagnostic) -> Diagnostic:
    """As a kernel knows its cells: as files that are called by the number of their execution."""

    def moved(place: Place) -> Place:
        return place if place.cell is None else place._replace(path=cells.name_of(place.cell), cell=None)

    related = tuple(other._replace(place=moved(other.place)) for other in found.related)
    return found._replace(place=moved(found.place), related=related)


def _lint(line: str, cell: str) -> None:
    """Say what is found in this cell, with those before it in mind, and run it; with `--only` do not run it."""
    options = line.split()
    if options not in ([], ["--only"]):
        raise _usage("%%tfdata_lint takes --only, or nothing")
    try:
        said = findings(cells.notebook())
    except Exception as error:
        said = f"tfdata-lint: cannot lint the cell: {type(error).__name__}: {error}"
    sys.stdout.write(f"{said or 'tfdata-lint: nothing found in this cell'}\n")
    sys.stdout.flush()
    if not options:
        _run(cell)


def _run(cell: str) -> None:
    """As if the magic were not there: rows and numbers are those that the notebook shows."""
    shell = cells.shell()
    number, shell.execution_count = shell.execution_count, len(shell.history_manager.input_hist_raw) - 1
    try:
        result = shell.run_cell(cell if cell.lstrip().startswith("%%") else f"# %%tfdata_lint\n{cell}")
    finally:
        shell.execution_count = number
    if error := result.error_in_exec or result.error_before_exec:
        # It has been shown; who runs all cells is to stop here.
        raise _usage(f"the cell raised {type(error).__name__}")


def _profile(line: str) -> Any:
    """Profile a dataset for some seconds: `%tfdata_profile ds`, `%tfdata_profile --seconds 5 train.take(100)`."""
    given = {"--seconds": SECONDS, "--step-ms": 0.0}
    rest = line.strip()
    while rest.startswith(_OPTIONS):
        first, _, rest = rest.partition(" ")
        name, _, value = first.partition("=")
        if not value:
            value, _, rest = rest.strip().partition(" ")
        try:
            given[name] = float(value)
        except (KeyError, ValueError):
            raise _usage(_USAGE) from None
        rest = rest.strip()
    if not rest:
        raise _usage(_USAGE)
    dataset = cells.shell().ev(rest)
    return profile(dataset, given["--seconds"], step_ms=given["--step-ms"], save=NAME)


def _usage(text: str) -> Exception:
    kind: type[Exception] = getattr(sys.modules["IPython"].core.error, "UsageError", ValueError)
    return kind(text)
