"""Which files the readers of a pipeline are given: one, or several."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.lengths import ARRAYS
from tfdata_lint.pipeline.nouns.paths import Path
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, External, Sequence, Value
from tfdata_lint.source.trees import walk

#: What these read is whole files of records; `list_files` reads names.
RECORDS = ("records", "text", "bytes", "csv")
_WILDCARDS = frozenset("*?[")
_PATH_JOINS = ("os.path.join", "posixpath.join", "tensorflow.io.gfile.join")
#: Library functions that return a list of file names.
_LISTING = ("rglob", "listdir", "list_directory")
_MATCHING = ("glob", "iglob", "matching_files")
#: What gives the names that it gets, some of them in another order.
_KEEPING = frozenset({*ARRAYS, "shuffle", "permutation", "sort"})


def is_one_file(path: Path) -> bool:
    """Does a path start from a single file name?"""
    source = path.stages[0]
    name = source.arguments.get("file_pattern") or source.arguments.get("filenames")
    if name is not None and _is_one_name(name.value, name.node):
        return True
    given = source.arguments.get("tensors") or source.arguments.get("filenames")
    match given.value if given else None:
        case Constant(str()) | Sequence(items=[_], rest=None):
            return True
        case External(symbol=symbol, arguments=[Sequence(items=[_], rest=None), *_]):
            return symbol.rpartition(".")[2] in ARRAYS
    return source.op == "from_tensors"


def is_given_files(reader: Stage) -> bool:
    """Is a reader given a list of several files for sure, or what lists them?"""
    argument = reader.arguments.get("filenames") or reader.arguments.get("file_pattern")
    return argument is not None and _are_files(argument.value)


@recursive
def _are_files(value: Value) -> bool:
    match value:
        case Sequence(items=items, rest=rest):
            return len(items) > 1 or rest is not None
        case External(symbol=symbol, given=(first, *_)) if symbol.rpartition(".")[2] in _KEEPING:
            return _are_files(first)
        case External(symbol=symbol, given=given, call=call):
            function = symbol.rpartition(".")[2].lower()
            pattern = given[0] if given else None
            written = call.args[0] if isinstance(call, ast.Call) and call.args else None
            return function in _LISTING or (function in _MATCHING and not _is_one_name(pattern, written))
    return False


def _is_one_name(pattern: Value | None, written: ast.expr | None) -> bool:
    """Is it a text without a wildcard, or a path of which neither the last part nor a known one has any?"""
    match pattern:
        case Constant(str(text)):
            return not _WILDCARDS & set(text)
        case External(symbol=symbol, arguments=parts) if symbol in _PATH_JOINS:
            known = [part.value if isinstance(part, Constant) else None for part in parts]
            texts = [text for text in known if isinstance(text, str)]
            if isinstance(known[-1], str):
                return not any(_WILDCARDS & set(text) for text in texts)
    return written is not None and _ends_in_name(written)


def _ends_in_name(written: ast.expr) -> bool:
    """Does the code of a path end in a whole name, behind a slash: `folder + "/items"`?"""
    texts = (part.value for part in walk(written) if isinstance(part, ast.Constant))
    if any(isinstance(text, str) and _WILDCARDS & set(text) for text in texts):
        return False
    match written:
        case ast.Call(func=ast.Name(id="str"), args=[ast.BinOp(op=ast.Div(), right=ast.Constant(value=str()))]):
            return True
        case (
            ast.BinOp(op=ast.Add(), right=ast.Constant(value=str(text)))
            | ast.JoinedStr(values=[*_, ast.Constant(value=str(text))])
            | ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text)))
            | ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"))
        ):
            _, slash, name = text.rpartition("/")
            return bool(slash and name) and not {"%", "{"} & set(name)
        case ast.Call(
            func=ast.Attribute(attr="join"), args=[*_, ast.Call(func=ast.Attribute(value=form, attr="format"))]
        ):
            # A name of which a part is filled in: `"{}.tfrecord".format(split)`.
            return isinstance(form, ast.Constant) and "." in str(form.value)
    return False


def reader_in(stage: Stage) -> Stage | None:
    """The stage that reads files in the pipeline that the function of another one returns."""
    inner = upstream(stage.nested) if stage.nested is not None else ()
    return next((part for part in inner if part.operation.reads in RECORDS), None)
