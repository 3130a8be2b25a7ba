"""Datasets of a temporary folder that are read when it is gone."""

from __future__ import annotations

import ast
from collections.abc import Sequence

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
TEMPORARY = "TemporaryDirectory"
#: Functions that only name files: what they give is read by a `map`.
_NAMING = frozenset({
    "Path", "as_posix", "fspath", "glob", "iglob", "iterdir", "join", "joinpath", "list", "listdir", "rglob", "sorted",
    "str",
})  # fmt: skip
_READING = ("tensorflow.io.read_file", "tensorflow.data.TFRecordDataset", "tensorflow.data.TextLineDataset")


def kept(syntax: Syntax, path: Path) -> ast.With | None:
    """The `with` in which the temporary folder is there whose files a path begins with."""
    reader = path.stages[0]
    given = _files_of(path)
    if given is None or reader.node is None or reader.nested_in is not None:
        return None
    is_late = reader.op in _LATE
    for step in syntax.way(reader.node):
        if isinstance(step, ast.With):
            made = (item.optional_vars for item in step.items if last_name(item.context_expr) == TEMPORARY)
            folders = [folder.id for folder in made if isinstance(folder, ast.Name)]
            if any(names(given) & _named_after(folder, step.body, is_late) for folder in folders):
                return step
    return None


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


def is_read_later(syntax: Syntax, consumer: Consumer, kept_in: ast.With, reader: Stage) -> bool:
    """Is the dataset read when its folder is gone: behind the `with`, or by who gets it returned?"""
    if consumer.context.definition == reader.context.definition:
        is_later = consumer.span.row > (kept_in.end_lineno or 0) and not consumer.context.loops
        return is_later or consumer.kind == "return"
    # What runs meanwhile reads it in time.
    called = {
        last_name(node) for step in kept_in.body for node in walk(step) if isinstance(node, (ast.Name, ast.Attribute))
    }
    function = syntax.function_of(syntax.way(kept_in))
    returns = isinstance(function, ast.FunctionDef) and any(
        isinstance(s, ast.Return) for s in statements_in(function.body)
    )
    return returns and consumer.context.definition.rpartition(".")[2] not in called
