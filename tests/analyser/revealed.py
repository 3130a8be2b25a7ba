"""What `reveal_pipeline(x)` and its like say: one function from a value to a text for each fact."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tfdata_lint.pipeline.facts.draw import Draws, drawn
from tfdata_lint.pipeline.facts.length import amount_of, said
from tfdata_lint.pipeline.facts.maker import layers_in, loss_of, units_of
from tfdata_lint.pipeline.facts.rows import rows_of
from tfdata_lint.pipeline.facts.scale import Meaning, Meanings, meaning_of
from tfdata_lint.pipeline.interpreter.limits import LIMITS
from tfdata_lint.pipeline.interpreter.reading import Interpreter, read_module
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage
from tfdata_lint.pipeline.nouns.text import one_line
from tfdata_lint.pipeline.nouns.values import UNKNOWN, Constant, Expr, External, Value
from tfdata_lint.pipeline.nouns.work import Work
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.python.values import HOLE, texts_at, values_at
from tfdata_lint.source.module import Source


def reveal(source: Source) -> list[tuple[int, str]]:
    """What each call of a module sees, as (row, text), in the order of the source."""
    run = Interpreter(source, Project(), LIMITS)
    run.reveal = _reveal
    assert source.tree is not None
    with Work(LIMITS.asked):
        read_module(run, source.tree)
    return sorted(run.reveals, key=lambda found: found[0])


def _reveal(run: Run, node: ast.Call) -> Value:
    assert isinstance(node.func, ast.Name)
    name = node.func.id.removeprefix("reveal_")
    value = run.evaluate(node.args[0]) if node.args else UNKNOWN
    dataset = run.dataset(value)
    text = "nothing"
    if name in TEXTS:
        text = TEXTS[name](value)
    elif name in OF_NODES:
        text = OF_NODES[name](run.graph, node.args[0])
    elif dataset is not None:
        text = str(structure_of(dataset)) if name == "structure" else one_line(dataset, facts=run.frame.facts)
    run.reveals.append((node.lineno, text))
    return value


def _length(value: Value) -> str:
    if isinstance(value, (Stage, Join)):
        return said(value) or "unknown"
    number = amount_of(value)
    if number is None:
        return "unknown"
    return f"{number.times:g}" + ("" if number.of is None else " of a length")


def _draw(value: Value) -> str:
    """Of a value inside a mapped function what it hangs on; of a dataset what its last stage draws anew."""
    if isinstance(value, Join):
        return "unknown"
    found = (
        [effect.what for effect in drawn(value)]
        if isinstance(value, Stage)
        else [draw.what for draw in Draws().of(value)]
    )
    return ", ".join(sorted(found)) or "nothing"


def _scale(value: Value) -> str:
    return _meant(meaning_of(value) if isinstance(value, Dataset) else Meanings().of(value))


@recursive
def _meant(meaning: Meaning) -> str:
    if isinstance(meaning, tuple):
        return f"({', '.join(map(_meant, meaning))})"
    if isinstance(meaning, dict):
        return f"({', '.join(f'{key}: {_meant(part)}' for key, part in meaning.items())})"
    return meaning or "unknown"


def _maker(value: Value) -> str:
    layers, loss, units = layers_in(value), loss_of(value), units_of(value)
    parts = ["unknown" if layers is None else " ".join(last(layer.symbol) for layer in layers)]
    parts += [f"{units} outputs"] if units is not None else []
    return ", ".join([*parts, *([f"loss {loss[1]}"] if loss is not None else [])])


def _rows(value: Value) -> str:
    found = []
    for rows in rows_of(value):
        start, stop = ("?" if bound is None else f"{bound:g}" for bound in (rows.start, rows.stop))
        part = "" if rows.is_whole else f"[{start}:{stop}]"
        names = ", ".join(sorted(map(str, rows.columns.names)))
        columns = f" {'but' if rows.columns.others else 'of'} {names}" if names else ""
        found.append(f"{_named(rows.table)}{part}{columns}")
    return " beside ".join(found) or "unknown"


def _named(table: Value) -> str:
    match table:
        case External(symbol=symbol):
            return last(symbol)
        case Expr(by=name):
            return last(name)
        case Constant(value):
            return repr(value)
    return "unknown"


TEXTS: dict[str, Callable[[Value], str]] = {
    "draw": _draw,
    "length": _length,
    "rows": _rows,
    "maker": _maker,
    "scale": _scale,
}


def _value(graph: PipelineGraph, node: ast.expr) -> str:
    return " | ".join("unknown" if one is ... else repr(one) for one in values_at(graph, node))


def _text(graph: PipelineGraph, node: ast.expr) -> str:
    return " | ".join("…".join(text.split(HOLE)[::2]) for text in texts_at(graph, node))


#: The same of facts about what is written at a node.
OF_NODES: dict[str, Callable[[PipelineGraph, ast.expr], str]] = {
    "text": _text,
    "value": _value,
}
