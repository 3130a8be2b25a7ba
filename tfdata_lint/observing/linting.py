"""Lint the cells of an IPython session while it grows."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdata_lint.config.settings.model import NOTES
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.target import Target
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.linting import lint_source, may_matter, recover
from tfdata_lint.lint.problems import has_word
from tfdata_lint.observing import cells
from tfdata_lint.output.change import change, changed
from tfdata_lint.output.graph import render
from tfdata_lint.output.text import Text, joined, said
from tfdata_lint.run.batches import collector_off
from tfdata_lint.source.module import load
from tfdata_lint.source.notebook import IN_SESSION, without_magics
from tfdata_lint.source.visible import visible

if TYPE_CHECKING:
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.lint.diagnostics import Diagnostic, PlacedFix
    from tfdata_lint.source.places import Place

_NOTEBOOK = "notebook.ipynb"
_DRAWN = "session.ipynb"
_COLORS = {"error": "#c4371f", "warning": "#b9791f", "advice": "#2f7fb8"}
_STYLE = (
    ".tfdl-f{max-width:70em;font:14px/1.5 system-ui,sans-serif}"
    ".tfdl-f summary{cursor:pointer}.tfdl-f p{margin:2px 0 2px 18px}"
    ".tfdl-f pre{margin:4px 0 4px 18px;padding:0;background:none;font-size:13px}"
    ".tfdl-f .m{color:#c4371f}.tfdl-f .p{color:#2a8a4f}.tfdl-f i{opacity:.65;font-style:normal}"
    ".tfdl-f button{margin:4px 0 6px 18px;cursor:pointer}"
)
_CODE = r"`([^`]+)`"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MARKS = {"-": "m", "+": "p"}
_COPY = "navigator.clipboard.writeText(this.dataset.cell);this.textContent='copied'"

#: Code, text of the cell, row, column.
_Key = tuple[str, str, int, int]


class Cell(NamedTuple):
    """A cell as it was executed last."""

    number: int
    """That of its execution, which the notebook shows."""
    text: str
    id: str = ""
    """As the front end calls it; empty where that does not say."""


class Linted(NamedTuple):
    """A finding, with the same at other places, and the cell as its fix would leave it."""

    finding: Diagnostic
    others: Sequence[Place]
    fixed: str = ""


class Session:
    """The cells that a kernel has executed, in the order in which they were first executed."""

    def __init__(self, cells: Iterable[Cell] = ()) -> None:
        self._cells: list[Cell] = []
        self._told: set[_Key] = set()
        self._names: set[str] = set()
        """What cells define that have to do with datasets."""
        self._has_news = False
        for cell in cells:
            self.add(cell)

    def add(self, cell: Cell) -> None:
        """Add a cell, or replace its earlier version: it has the same id, or the same text where there is no id."""
        self._has_news |= self._matters(cell)
        for position, known in enumerate(self._cells):
            if known.id == cell.id if known.id and cell.id else known.text == cell.text:
                self._cells[position] = cell
                return
        self._cells.append(cell)

    def findings(self) -> list[Linted]:
        """Return all findings in the session."""
        return self._linted(self._found(with_edits=True))

    def news(self) -> list[Linted]:
        """Return the errors and warnings that nobody was told of since their cell changed."""
        if not self._has_news:
            return []
        self._has_news = False
        # Most cells bring no finding, so that no edits need to be written.
        if not self._new(self._found(with_edits=False)):
            return []
        new = self._new(self._found(with_edits=True))
        self.tell(new)
        return self._linted(new)

    def tell(self, findings: Iterable[Diagnostic]) -> None:
        """Record that these were told."""
        self._told.update(map(self._key, findings))

    def in_cell(self, number: int) -> list[Linted]:
        """Return the findings in the cell of this execution, and record that they were told."""
        found = self._found(with_edits=True)
        own = [one for one in found if one.place.cell is not None and self._cells[one.place.cell - 1].number == number]
        self.tell(own)
        return self._linted(own)

    def fixed(self) -> dict[int, str]:
        """Return the cells that `--fix` would change, by the number of their execution."""
        report = fix_source(self.notebook(), _path(), _settings(with_edits=True))
        if report.after is None:
            return {}
        texts = ["".join(cell["source"]) for cell in json.loads(report.after)["cells"]]
        return {cell.number: text for cell, text in zip(self._cells, texts, strict=True) if cell.text != text}

    def drawn(self, form: str) -> str:
        """Return the pipelines as `text` or `svg`, with what is found in them; empty without any."""
        text = self.notebook()
        source = load(text.encode(errors="replace"), _DRAWN)
        graph = recover(source)
        found = lint_source(text, _DRAWN, _settings(with_edits=False)).diagnostics
        return render([(source, graph)], form, findings=found) if graph.stages else ""

    def notebook(self) -> str:
        """Return the session as the text of a notebook."""
        written = [
            {
                "cell_type": "code", "execution_count": cell.number, "outputs": [], "source": cell.text,
                "metadata": {IN_SESSION: {"execution": cell.number}},
            }
            for cell in self._cells
        ]  # fmt: skip
        return json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    def findings_in(self, text: str, path: str) -> list[Linted]:
        """Return all findings in the text of a notebook, whose cells are called as in the session if they have run."""
        executions = {cell.text.rstrip(): cell.number for cell in self._cells}
        with suppress(ValueError, TypeError, KeyError, AttributeError):
            data = json.loads(text)
            for cell in data["cells"]:
                if cell["cell_type"] == "code" and (number := executions.get("".join(cell["source"]).rstrip())):
                    cell["metadata"] = {**cell["metadata"], IN_SESSION: {"execution": number}}
            text = json.dumps(data)
        names = {
            row.number: cells.name_of(row.execution)
            for row in load(text.encode(errors="replace"), path).cells
            if row.execution
        }
        report = lint_source(text, path, _settings(with_edits=True))
        return [
            Linted(_renamed(one, names), [_moved(other, names) for other in others])
            for one, others in joined(report.diagnostics)
            if one.code not in NOTES
        ]

    def _matters(self, cell: Cell) -> bool:
        """May it change what is found? It has a word of tf.data, or uses what such a cell defines."""
        text = without_magics(cell.text)
        try:
            names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Name, *_DEFINITIONS))]
        except (SyntaxError, ValueError, RecursionError):
            return True
        if not has_word(text) and self._names.isdisjoint(one.id for one in names if isinstance(one, ast.Name)):
            return False
        self._names.update(one.name for one in names if isinstance(one, _DEFINITIONS))
        self._names.update(one.id for one in names if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
        return True

    def _found(self, *, with_edits: bool) -> list[Diagnostic]:
        text = self.notebook()
        if not may_matter(text.encode(errors="replace")):
            return []
        # A kernel holds much that the collector would go through.
        with collector_off():
            found = lint_source(text, _path(), _settings(with_edits=with_edits)).diagnostics
        return [one for one in found if one.code not in NOTES]

    def _new(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        return [one for one in found if one.severity != "advice" and self._key(one) not in self._told]

    def _key(self, one: Diagnostic) -> _Key:
        text = self._cells[one.place.cell - 1].text if one.place.cell else ""
        return one.code, text, one.place.row, one.place.column

    def _linted(self, found: Iterable[Diagnostic]) -> list[Linted]:
        # As a kernel knows its cells: as files that are called by the number of their execution.
        names = {position: cells.name_of(cell.number) for position, cell in enumerate(self._cells, 1)}
        return [
            Linted(_renamed(one, names), [_moved(other, names) for other in others], self._repaired(one))
            for one, others in joined(found)
        ]

    def _repaired(self, one: Diagnostic) -> str:
        """Return the cell as the fix leaves it; empty where the fix is elsewhere, too."""
        fix, own = one.fix, one.place.cell
        if fix is None or not fix.edits or not fix.can_be_applied or fix.is_needless or own is None:
            return ""
        if any(edit.place[:2] != one.place[:2] for edit in fix.edits):
            return ""
        edits = sorted(fix.edits, key=lambda edit: edit.place[2:6])
        return "\n".join(changed(self._cells[own - 1].text.split("\n"), edits))


def _renamed(one: Diagnostic, names: Mapping[int, str]) -> Diagnostic:
    """With these names of cells."""
    related = tuple(other._replace(place=_moved(other.place, names)) for other in one.related)
    return one._replace(place=_moved(one.place, names), related=related, fix=one.fix and _fix(one.fix, names))


def _fix(fix: PlacedFix, names: Mapping[int, str]) -> PlacedFix:
    edits = fix.edits and tuple(edit._replace(place=_moved(edit.place, names)) for edit in fix.edits)
    return fix._replace(edits=edits)


def _moved(place: Place, names: Mapping[int, str]) -> Place:
    name = names.get(place.cell or 0)
    return place._replace(path=name, cell=None) if name else place


def _path() -> str:
    return os.path.join(os.getcwd(), _NOTEBOOK)


def _settings(*, with_edits: bool) -> Settings:
    """Those of the working directory, for the TensorFlow that is running here."""
    overrides: dict[str, Any] = {"with_edits": with_edits}
    version = getattr(sys.modules.get("tensorflow"), "__version__", "")
    with suppress(ValueError):
        overrides["target_tensorflow"] = Target.parse(version, "the running kernel")
    return Configuration(overrides=overrides).for_file(_path())


class Shown:
    """Findings below a cell: a row each with the rest folded, or as a terminal shows them."""

    def __init__(self, found: Sequence[Linted]) -> None:
        self._found = found

    def __repr__(self) -> str:
        written = Text(color=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
        return "\n".join([*(written.render(one.finding, one.others) for one in self._found), *self._hint()])

    def _repr_html_(self) -> str:
        rows = "".join(map(_row, self._found))
        hint = "".join(f"<p><i>{_marked(line)}</i></p>" for line in self._hint())
        return visible(f'<style>{_STYLE}</style><div class="tfdl-f">{rows}{hint}</div>', keep="\n")

    def _hint(self) -> Iterator[str]:
        fixes = (one.finding.fix for one in self._found if one.fixed)
        if any(fix and fix.applicability == "safe" for fix in fixes):
            yield "`%tfdata_lint --fix` puts the fixed cell into the next input"


def _row(linted: Linted) -> str:
    one = linted.finding
    color = _COLORS[one.severity]
    head = f'<b style="color:{color}">{one.severity}</b> <b>{one.code}</b> {escape(one.name)}: {_marked(one.message)}'
    where = ", ".join([str(one.place), *(other.within for other in linted.others)])
    return f"<details><summary>{head} <i>{escape(where)}</i></summary>{''.join(_folded(linted))}</details>"


def _marked(text: str) -> str:
    return re.sub(_CODE, r"<code>\1</code>", escape(text))


def _folded(linted: Linted) -> Iterator[str]:
    one, fix = linted.finding, linted.finding.fix
    notes = [("cost", one.cost), ("advice", one.advice), ("fix", said(fix) if fix and fix.can_be_applied else "")]
    for name, text in notes:
        if text:
            yield f"<p><i>{name}</i> {_marked(text)}</p>"
    for related in one.related:
        yield f"<p><i>{escape(str(related.place))}</i> {_marked(related.message)}</p>"
    if rows := change(fix.edits) if fix and fix.edits and fix.can_be_applied else []:
        marked = (f"<span class={_MARKS.get(row[0])}>{escape(row)}</span>" for row in rows)
        yield "\n".join(["<pre>", *marked, "</pre>"])
    if linted.fixed:
        yield f'<button onclick="{_COPY}" data-cell="{escape(linted.fixed)}">Copy the fixed cell</button>'
