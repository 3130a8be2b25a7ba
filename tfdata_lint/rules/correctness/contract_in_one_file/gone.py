"""Datasets whose files are removed before they are read."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import last_name, names, statements_in
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.paths import Path
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.syntax import Syntax
from tfdata_lint.source.trees import walk

#: What the sources that open their files late call them.
_PATHS = ("filenames", "file_pattern", "path", "directory")
_LATE = frozenset({
    "CsvDataset", "FixedLengthRecordDataset", "TFRecordDataset", "TextLineDataset", "load",
    "make_batched_features_dataset",
    "make_csv_dataset", "audio_dataset_from_directory", "image_dataset_from_directory", "text_dataset_from_directory",
})  # fmt: skip
_TEMPORARY = "TemporaryDirectory"
_REMOVING = ("shutil.rmtree", "os.remove", "os.unlink", "tensorflow.io.gfile.rmtree", "tensorflow.io.gfile.remove")
#: Functions that only name files: what they give is read by a `map`.
_NAMING = frozenset({
    "Path", "as_posix", "fspath", "glob", "iglob", "iterdir", "join", "joinpath", "list", "listdir", "rglob", "sorted",
    "str",
})  # fmt: skip
_READING = ("tensorflow.io.read_file", "tensorflow.data.TFRecordDataset", "tensorflow.data.TextLineDataset")


class Kept(NamedTuple):
    """How long the files of a dataset are there."""

    code: Sequence[ast.stmt]
    """The statements that run meanwhile."""
    end: ast.stmt
    """What removes them, at its end."""
    is_removed: bool
    """By a call, not by the end of a `with`."""


def kept(syntax: Syntax, path: Path) -> Kept | None:
    """The time for which the files that a path begins with are kept; None where nothing is seen to remove them."""
    reader = path.stages[0]
    given = _files_of(path)
    if given is None or reader.node is None or reader.nested_in is not None:
        return None
    is_late = reader.op in _LATE
    for step in syntax.way(reader.node):
        for item in step.items if isinstance(step, ast.With) else ():
            if last_name(item.context_expr) == _TEMPORARY and isinstance(folder := item.optional_vars, ast.Name):
                if isinstance(step, ast.With) and names(given) & _named_after(folder.id, step.body, is_late):
                    return Kept(step.body, step, False)
    return _removed(syntax, reader.node, given, is_late)


def _files_of(path: Path) -> ast.expr | None:
    """What names the files that a source opens late, or that a `map` behind it reads."""
    reader, *others = path.stages
    if reader.op in _LATE:
        wanted: Sequence[str] = _PATHS
    elif any(stage.function and not set(_READING).isdisjoint(stage.function.operations) for stage in others):
        wanted = ("file_pattern",) if reader.op == "list_files" else ("tensors",) * (reader.op == "from_tensor_slices")
    else:
        return None
    return next((reader.arguments[name].node for name in wanted if name in reader.arguments), None)


def _named_after(folder: str, body: list[ast.stmt], is_late: bool) -> set[str]:
    """The names of a folder and of what is computed of it, or only of files in it."""
    found = {folder}
    for statement in statements_in(body):
        if isinstance(statement, ast.Assign) and names(statement.value) & found:
            calls = (part for part in walk(statement.value) if isinstance(part, ast.Call))
            if is_late or all(last_name(call) in _NAMING for call in calls):
                found |= names(*statement.targets)
    return found


def _removed(syntax: Syntax, reader: ast.AST, given: ast.expr, is_late: bool) -> Kept | None:
    """The same, of what `shutil.rmtree(folder)` or the like removes in the same block."""
    block = syntax.block(reader)
    for number, statement in enumerate(block.statements[block.index + 1 :] if block is not None else ()):
        match statement:
            case ast.Expr(value=ast.Call(func=func, args=[ast.Name(id=name), *_])) if (
                plain(syntax.scopes.full_name(func)) in _REMOVING
            ):
                pass
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="cleanup" | "unlink"))):
                pass
            case _:
                continue
        function = syntax.function_of(syntax.way(reader))
        before = function.body if isinstance(function, ast.FunctionDef) else syntax.tree.body
        if block is not None and names(given) & _named_after(name, before, is_late):
            return Kept(block.statements[block.index : block.index + 1 + number], statement, True)
    return None


def is_read_later(syntax: Syntax, consumer: Consumer, files: Kept, reader: Stage) -> bool:
    """Is the dataset read when its files are gone: behind what removes them, or by who gets it returned?"""
    if consumer.context.definition == reader.context.definition:
        is_later = consumer.span.row > (files.end.end_lineno or 0) and not consumer.context.loops
        is_returned = consumer.kind == "return" and (not files.is_removed or is_later)
        return is_returned or is_later
    # What runs meanwhile reads it in time.
    called = {
        last_name(node) for step in files.code for node in walk(step) if isinstance(node, (ast.Name, ast.Attribute))
    }
    function = syntax.function_of(syntax.way(files.end)[:-1])
    returns = isinstance(function, ast.FunctionDef) and any(
        isinstance(s, ast.Return) for s in statements_in(function.body)
    )
    return returns and consumer.context.definition.rpartition(".")[2] not in called
