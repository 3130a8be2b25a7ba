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
from typing import Any

from tfdata_lint.lint.linting import recover_bytes
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage
from tfdata_lint.source import content

#: As their sources are written.
_WRITTEN = {"tensorslice": "fromtensorslices", "tensor": "fromtensors", "sparsetensorslice": "fromsparsetensorslices"}
#: Files that are read, and pipelines of one that are compared.
_FILES, _PIPELINES = 8, 64
#: Of one pipeline.
_STAGES = 200
#: A stage at the same place says more than one of the same name.
_SAME_PLACE = 3

Row = dict[str, Any]


def locate(rows: Sequence[Row], reports: Sequence[Mapping[str, Any]]) -> None:
    """Give each stage that has no place the one that the code has for it, and all places the row of what they call."""
    by_number = {row["id"]: row for row in rows}
    for report in reports:
        chain = [by_number[number] for number in report["stages"] if number in by_number]
        with suppress(Exception):
            # What cannot be told is not told.
            _fill(_along(chain, report["root"]), report["frames"])
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


def _along(chain: Sequence[Row], root: int) -> list[Row]:
    """The stages from the first source to the last, without those beside: of a zip the first input."""
    by_number = {row["id"]: row for row in chain}
    found = []
    number: int | None = root
    while number in by_number:
        found.append(by_number[number])
        number = next(iter(found[-1]["inputs"]), None)
    return found[::-1]


def _fill(chain: Sequence[Row], frames: Sequence[Row]) -> None:
    if not any(not row["frames"] for row in chain):
        return
    known = [frame for row in chain for frame in row["frames"][:1]]
    files = list(dict.fromkeys(frame["file"] for frame in (*known, *frames)))[:_FILES]
    best: tuple[int, list[tuple[Row, Stage]]] = 0, []
    for file in files:
        graph = _recovered(file)
        if graph is None:
            continue
        rows = {frame["row"] for frame in frames if frame["file"] == file}
        for stages, consumed_at in _pipelines(graph):
            score, pairs = _aligned(chain, stages)
            score += _SAME_PLACE * bool(consumed_at & rows)
            if pairs and score > best[0]:
                best = score, pairs
    for row, stage in best[1]:
        if not row["frames"] and stage.node is not None:
            end = stage.span
            row["frames"] = [
                {
                    "file": os.path.realpath(end.file), "row": end.row, "column": end.column, "end_row": end.end_row,
                    "end_column": end.end_column, "function": "",
                }
            ]  # fmt: skip


@lru_cache(maxsize=_FILES)
def _recovered(file: str) -> PipelineGraph | None:
    return recover_bytes(text_of(file), file, explicit=True)[1]


def _pipelines(graph: PipelineGraph) -> Iterator[tuple[list[Stage], set[int]]]:
    """Stages from the source on, with the rows where they are consumed."""
    for consumer in graph.consumers[:_PIPELINES]:
        yield _upstream(consumer.dataset), set(range(consumer.span.row, consumer.span.end_row + 1))
    used = {id(above) for stage in graph.stages for above in stage.inputs}
    for stage in [stage for stage in graph.stages if id(stage) not in used][:_PIPELINES]:
        yield _upstream(stage), set()


def _upstream(dataset: Dataset) -> list[Stage]:
    found: list[Stage] = []
    at: Dataset | None = dataset
    while at is not None and len(found) < _STAGES:
        if isinstance(at, Join):
            # Of several ways the longest: what was not gone through does not align. Of a loop that before it.
            ways = [branch.dataset for branch in at.branches]
            at = ways[0] if at.loop else max(ways, key=lambda way: way.depth)
            continue
        found.append(at)
        at = at.inputs[0] if at.inputs else None
    return found[::-1]


def _aligned(chain: Sequence[Row], stages: Sequence[Stage]) -> tuple[int, list[tuple[Row, Stage]]]:
    """Which stages of the code are which of the chain: as many as can be, in order. Known places must agree."""
    best: list[list[tuple[int, list[tuple[Row, Stage]]]]] = [[(0, [])] * (len(stages) + 1)]
    for row in chain:
        line: list[tuple[int, list[tuple[Row, Stage]]]] = [(0, [])]
        for number, stage in enumerate(stages):
            choices = [best[-1][number + 1], line[-1]]
            if weight := _weight(row, stage):
                score, pairs = best[-1][number]
                choices.append((score + weight, [*pairs, (row, stage)]))
            line.append(max(choices, key=lambda choice: choice[0]))
        best.append(line)
    return best[-1][-1]


def _weight(row: Row, stage: Stage) -> int:
    if _plain(row["op"]) != _plain(stage.op):
        return 0
    if not row["frames"]:
        return 1
    at, span = row["frames"][0], stage.span
    is_same = at["file"] == os.path.realpath(span.file) and span.row <= at["row"] <= span.end_row
    return _SAME_PLACE if is_same else 0


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
