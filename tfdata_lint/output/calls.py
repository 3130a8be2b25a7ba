"""What is written in the call of a stage, and where it ends: what all drawings of a pipeline say of a stage."""

from __future__ import annotations

import ast
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tfdata_lint.lint.diagnostics import Placer
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Argument, Stage, tips
from tfdata_lint.pipeline.nouns.values import Constant, Function, Value

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.source.module import Source
    from tfdata_lint.source.places import Place


class Marks:
    """What was found of stages, in whatever file they stand: by where a call ends, as those of a chain begin at one
    place."""

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        self._found: dict[tuple[object, ...], list[Diagnostic]] = defaultdict(list)
        for diagnostic in findings:
            self._found[_end(diagnostic.place)].append(diagnostic)
        self._placers: dict[int, Placer] = {}

    def of(self, source: Source, stage: Stage) -> Sequence[Diagnostic]:
        """Those of a stage in a pipeline of `source`."""
        if not self._found:
            return ()
        placer = self._placers.setdefault(id(source), Placer(source))
        return self._found.get(_end(placer.place(stage.span)), ())


def _end(place: Place) -> tuple[object, ...]:
    return os.path.abspath(place.path), place.cell, place.end_row, place.end_column


def arguments_text(source: Source, stage: Stage) -> Iterator[tuple[str, str]]:
    """The arguments as written, mapped functions and further datasets left out; options by their settings."""
    if stage.op == "with_options":
        inherited: dict[str, Any] = {}
        for origin in stage.inputs:
            for tip in tips(origin):
                inherited.update(tip.options)
        for path, value in stage.options.items():
            if inherited.get(path) is not value:
                yield path, _known(value)
        return
    for name, argument in stage.arguments.items():
        if name in stage.operation.functions or name in stage.operation.datasets or name == "name":
            continue
        if isinstance(argument.value, Function) or (name.startswith("num_parallel") and argument.literal == AUTOTUNE):
            continue
        yield name, short(source, argument.node) if _is_written(stage, argument) else _known(argument.value)


def _is_written(stage: Stage, argument: Argument) -> bool:
    """It stands in the call itself, not in a list or dict that `*` or `**` spreads."""
    call = stage.node
    if not isinstance(call, ast.Call):
        return True
    spread = [part.value for part in call.args if isinstance(part, ast.Starred)]
    spread += [keyword.value for keyword in call.keywords if keyword.arg is None]
    return all(argument.node is not node for node in spread)


def _known(value: Value) -> str:
    return repr(value.value) if isinstance(value, Constant) else "…"


def short(source: Source, node: ast.expr, width: int = 40) -> str:
    """An expression as written, shortened."""
    try:
        text = " ".join(ast.unparse(node).split())
    except RecursionError:
        return "…"
    return text if len(text) <= width else text[: width - 1] + "…"
