"""Where stages stand in the code that were made before anybody observed: by reading it, as linting does.

Of the stages of a dataset some places are known for certain, those of its mapped functions, and so is where it is
consumed. The pipeline of the code that agrees with these, and has the same operations, tells the others.
"""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any

from tfdata_lint.lint.linting import recover_bytes
from tfdata_lint.observing.cells import texts
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage
from tfdata_lint.source import content

#: What the cells of a notebook are called together.
_CELLS = "notebook.py"
#: As their sources are written.
_WRITTEN = {"tensorslice": "fromtensorslices", "tensor": "fromtensors", "sparsetensorslice": "fromsparsetensorslices"}
#: Files that are read, and pipelines of one that are compared.
_FILES, _PIPELINES = 8, 64
#: One behind another, and ways from a source to the end, of one pipeline.
_STAGES, _WAYS = 200, 16
#: A stage at the same place says more than one of the same name.
_SAME_PLACE = 3

Row = dict[str, Any]


def locate(rows: Sequence[Row], reports: Sequence[Mapping[str, Any]]) -> None:
    """Give each stage that has no place the one that the code has for it, and all places the row of what they call."""
    by_number = {row["id"]: row for row in rows}
    for report in reports:
        for chain in islice(_ways(by_number, report["root"]), _WAYS):
            with suppress(Exception):
                # What cannot be told is not told.
                _fill(chain, report["frames"])
    for frame in [*(f for row in rows for f in row["frames"]), *(f for report in reports for f in report["frames"])]:
        frame.update(_named(frame))


def text_of(file: str) -> bytes:
    """A file, or a cell of a notebook. Raises OSError."""
    try:
        return content.read(file)
    except OSError:
        if lines := linecache.getlines(file):
            return "".join(lines).encode()
        raise


def _ways(rows: Mapping[int, Row], number: int) -> Iterator[list[Row]]:
    """The stages from each source to this one, which is the last."""
    above = [other for other in rows[number]["inputs"] if other in rows] if number in rows else []
    for other in above:
        yield from ([*way, rows[number]] for way in _ways(rows, other))
    if number in rows and not above:
        yield [rows[number]]


def _fill(chain: Sequence[Row], frames: Sequence[Row]) -> None:
    if not any(not row["frames"] for row in chain):
        return
    known = [frame for row in chain for frame in row["frames"][:1]]
    files = list(dict.fromkeys(frame["file"] for frame in (*known, *frames)))[:_FILES]
    best: tuple[int, list[tuple[Row, Row]]] = 0, []
    for code in _codes(files):
        if code.graph is None:
            continue
        consumed = {(frame["file"], frame["row"]) for frame in frames}
        for stages, span in _pipelines(code.graph):
            score, pairs = _aligned(chain, stages, code)
            same = [row for row, _ in pairs if row["frames"]]
            if span and consumed & {code.at(span, row) for row in _rows(span)}:
                same.append({})
            score += _SAME_PLACE * len(same)
            # Names alone say little: a place has to agree.
            if same and score > best[0]:
                best = score, [(row, code.place(stage.span)) for row, stage in pairs if stage.node is not None]
    for row, place in best[1]:
        row["frames"] = row["frames"] or [place]


class _Code:
    """What was recovered from a file, or from all cells of a notebook: these are one text, one below the other."""

    def __init__(self, graph: PipelineGraph | None, parts: Sequence[tuple[int, str]] = ()) -> None:
        self.graph = graph
        self._parts = parts
        """The row before each part begins, and what its file is; none of a file."""

    def at(self, span: Span, row: int) -> tuple[str, int]:
        """File and row."""
        if not self._parts or span.file != _CELLS:
            return os.path.realpath(span.file), row
        before, file = max((part for part in self._parts if part[0] < row), default=(0, ""))
        return file, row - before

    def place(self, span: Span) -> Row:
        file, row = self.at(span, span.row)
        return {
            "file": file, "row": row, "column": span.column, "end_row": row + span.end_row - span.row,
            "end_column": span.end_column, "function": "",
        }  # fmt: skip


def _codes(files: Sequence[str]) -> Iterator[_Code]:
    parts = texts()
    if any(file in parts for file in files):
        before, begins = 0, []
        for file, text in parts.items():
            begins.append((before, file))
            before += text.count("\n") + 1
        yield _Code(recover_bytes("\n".join(parts.values()).encode(), _CELLS, explicit=True)[1], begins)
    yield from (_recovered(file) for file in files if file not in parts)


@lru_cache(maxsize=_FILES)
def _recovered(file: str) -> _Code:
    return _Code(recover_bytes(text_of(file), file, explicit=True)[1])


def _rows(span: Span) -> range:
    return range(span.row, span.end_row + 1)


def _pipelines(graph: PipelineGraph) -> Iterator[tuple[list[Stage], Span | None]]:
    """Stages from the source on, with where they are consumed."""
    for consumer in graph.consumers[:_PIPELINES]:
        yield from ((way[::-1], consumer.span) for way in islice(_upstream(consumer.dataset), _WAYS))
    used = {id(above) for stage in graph.stages for above in stage.inputs}
    for stage in [stage for stage in graph.stages if id(stage) not in used][:_PIPELINES]:
        yield from ((way[::-1], None) for way in islice(_upstream(stage), _WAYS))


def _upstream(dataset: Dataset, depth: int = 0) -> Iterator[list[Stage]]:
    """The stages from this one to each source."""
    if isinstance(dataset, Join):
        # Of several ways the longest: what was not gone through does not align. Of a loop that before it.
        ways = [branch.dataset for branch in dataset.branches]
        yield from _upstream(ways[0] if dataset.loop else max(ways, key=lambda way: way.depth), depth + 1)
    elif not dataset.inputs or depth > _STAGES:
        yield [dataset]
    else:
        for above in dataset.inputs:
            yield from ([dataset, *way] for way in _upstream(above, depth + 1))


def _aligned(chain: Sequence[Row], stages: Sequence[Stage], code: _Code) -> tuple[int, list[tuple[Row, Stage]]]:
    """Which stages of the code are which of the chain: as many as can be, in order. Known places must agree."""
    best: list[list[tuple[int, list[tuple[Row, Stage]]]]] = [[(0, [])] * (len(stages) + 1)]
    for row in chain:
        line: list[tuple[int, list[tuple[Row, Stage]]]] = [(0, [])]
        for number, stage in enumerate(stages):
            choices = [best[-1][number + 1], line[-1]]
            if row["frames"] and _plain(row["op"]) != _plain(stage.op) and _is_at(row, stage, code):
                # Another stage that this call makes, such as the map of an `unbatch`: its place is that of the call.
                score, pairs = best[-1][number]
                line[number] = max(line[number], (score + _SAME_PLACE, [*pairs, (row, stage)]), key=_score)
            if weight := _weight(row, stage, code):
                score, pairs = best[-1][number]
                choices.append((score + weight, [*pairs, (row, stage)]))
            line.append(max(choices, key=_score))
        best.append(line)
    return best[-1][-1]


def _score(choice: tuple[int, list[tuple[Row, Stage]]]) -> int:
    return choice[0]


def _weight(row: Row, stage: Stage, code: _Code) -> int:
    if _plain(row["op"]) != _plain(stage.op):
        return 0
    if not row["frames"]:
        return 1
    return _SAME_PLACE if _is_at(row, stage, code) else 0


def _is_at(row: Row, stage: Stage, code: _Code) -> bool:
    at = row["frames"][0]
    # A call of a chain of several rows begins where the chain does.
    return (at["file"], at.get("end_row") or at["row"]) in {code.at(stage.span, row) for row in _rows(stage.span)}


def _plain(op: str) -> str:
    """`ParallelMap` and `map` are `map`, `FlatMap` and `flat_map` are `flatmap`."""
    name = op.rpartition(".")[2].lower().replace("_", "").replace("parallel", "").replace("dataset", "")
    return _WRITTEN.get(name, name)


def _named(frame: Mapping[str, Any]) -> dict[str, int]:
    """Row and column of the name that is called, rather than those where its chain begins."""
    end = frame.get("end_row", 0), frame.get("end_column", -1)
    call = _calls(frame["file"]).get(end) if end[0] else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return {}
    name = call.func
    return {"row": name.end_lineno or 0, "column": (name.end_col_offset or 0) - len(name.attr.encode())}


@lru_cache(maxsize=_FILES)
def _calls(file: str) -> dict[tuple[int, int], ast.Call]:
    with suppress(OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        calls = (node for node in ast.walk(ast.parse(text_of(file))) if isinstance(node, ast.Call))
        return {(call.end_lineno or 0, call.end_col_offset or 0): call for call in calls}
    return {}
