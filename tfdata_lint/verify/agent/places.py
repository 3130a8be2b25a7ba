"""Where in the user's source a frame is: rows from 1, columns from 0 in UTF-8 bytes, as `ast` counts them."""

from __future__ import annotations

import ast
import dis
import importlib
import linecache
import os
import sys
import sysconfig
from functools import cache, lru_cache
from itertools import islice
from types import CodeType, FrameType
from typing import Any

FRAMES = 4
#: What calls the user's function to trace it into a graph of operations.
TRACES_FUNCTIONS = "structured_function.py"

_HERE = os.path.dirname(os.path.realpath(__file__)) + os.sep
_GENERATED = "__autograph_generated_file"
_DATA = os.path.join("tensorflow", "python", "data", "")

#: Generated file → AutoGraph's map from its lines to the user's.
_source_maps: dict[str, Any] = {}


def user_frames(limit: int = FRAMES) -> list[dict[str, Any]]:
    """The calls in the user's code that led here, innermost first."""
    found: list[dict[str, Any]] = []
    frame: FrameType | None = sys._getframe(1)
    called = ""
    while frame is not None and len(found) < limit:
        name = frame.f_code.co_filename
        if _GENERATED in name:
            if place := _before_autograph(frame, called):
                found.append(place)
                called = ""
        elif is_user_file(name):
            found.append(_place(frame, called))
            called = ""
        elif not found and _DATA in name:
            called = _called(frame)
        frame = frame.f_back
    return found


def function_rows(graph: Any) -> dict[str, set[int]]:
    """File → rows of the user's code that has put the operations into the graph of a mapped function."""
    rows: dict[str, set[int]] = {}
    outside: int | None = None
    for operation in graph.get_operations():
        if outside is None:
            outside = _user_frames_outside(operation)
        frames = [frame for frame in operation.traceback.get_user_frames() if is_user_file(frame.filename)]
        for frame in frames[outside:]:
            rows.setdefault(os.path.realpath(frame.filename), set()).add(frame.lineno)
    return rows


def _user_frames_outside(operation: Any) -> int:
    """How many of them led to the tracing. It was traced for another purpose if none did: the innermost is its own."""
    files = [frame.filename for frame in operation.traceback]
    began = max((at for at, file in enumerate(files) if file.endswith(TRACES_FUNCTIONS)), default=-1)
    return sum(map(is_user_file, files[:began])) if began >= 0 else -1


def rows_of_statement(file: str, row: int) -> tuple[int, int] | None:
    """The first and the last row of the innermost statement at a row."""
    statement = _statement(file, row)
    return (statement.lineno, statement.end_lineno or statement.lineno) if statement else None


def frame_of(thread: int) -> dict[str, Any] | None:
    """Where a thread is right now."""
    frame = sys._current_frames().get(thread)
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return _place(frame, "") if frame else None


def place_of_error(error: BaseException) -> dict[str, Any] | None:
    """The innermost line of the user's code in a traceback."""
    place = None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if is_user_file(code.co_filename):
            place = {"file": os.path.realpath(code.co_filename), "row": trace.tb_lineno, "function": code.co_name}
        trace = trace.tb_next
    return place


@cache
def is_user_file(name: str) -> bool:
    """Neither Python's own, nor a package's, nor ours."""
    if name.startswith("<") or _GENERATED in name:
        return False
    path = os.path.realpath(name)
    if f"{os.sep}site-packages{os.sep}" in path or f"{os.sep}dist-packages{os.sep}" in path:
        return False
    return not path.startswith(_not_user())


@cache
def _not_user() -> tuple[str, ...]:
    folders = [_HERE, os.path.realpath(sysconfig.get_paths()["stdlib"]) + os.sep]
    # Where we are imported, and not started by our path, all of us is no code of the user.
    for name in ("tensorflow", "keras", "tfdata_lint"):
        if module := sys.modules.get(name):
            folders.append(os.path.dirname(os.path.realpath(module.__file__ or name)) + os.sep)
    return tuple(folders)


def install() -> None:
    """Listen to AutoGraph: functions that it converts run in files that it generates."""
    loader: Any = importlib.import_module("tensorflow.python.autograph.pyct.loader")
    original = loader.load_ast

    def load_ast(*arguments: Any, **keywords: Any) -> Any:
        loaded = original(*arguments, **keywords)
        _source_maps[loaded[0].__file__] = loaded[2]
        return loaded

    loader.load_ast = load_ast


def place_of(name: str, row: int, function: str, called: str) -> dict[str, Any]:
    """The call of this name in a row, of which no more is known: with its span if the statement has one such call."""
    file = os.path.realpath(name)
    place = {"file": file, "row": row, "function": function}
    statement = _statement(file, row)
    if statement is None:
        return place
    calls = _calls(statement, _names(called))
    if len(calls) != 1:
        # What is called may be wrapped under another name.
        every = calls or [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        calls = [call for call in every if call.func.end_lineno == row]
    return _with_call(place, calls if len(calls) == 1 else [], 0)


def _called(frame: FrameType) -> str:
    """The name by which the user's code calls a function of `tf.data`."""
    if frame.f_code.co_name != "__init__":
        return frame.f_code.co_name
    return type(frame.f_locals.get("self")).__name__


def _place(frame: FrameType, called: str) -> dict[str, Any]:
    code = frame.f_code
    file = os.path.realpath(code.co_filename)
    place = {"file": file, "row": frame.f_lineno, "function": code.co_name}
    if sys.version_info >= (3, 11):
        row, end_row, column, end_column = next(islice(code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
        if row is not None and end_column is not None:
            place.update(row=row, column=column, end_row=end_row, end_column=end_column)
        return place
    names = _names(called)
    statement = _statement(file, frame.f_lineno)
    if not names or statement is None:
        return place
    calls = _calls(statement, names)
    return _with_call(place, calls, 0 if len(calls) == 1 else _nth(code, frame.f_lasti, names, statement))


def _before_autograph(frame: FrameType, called: str) -> dict[str, Any] | None:
    for here, origin in _source_maps.get(frame.f_code.co_filename, {}).items():
        if here.lineno == frame.f_lineno:
            file = origin.loc.filename
            if not is_user_file(file):
                return None
            file = os.path.realpath(file)
            place = {"file": file, "row": origin.loc.lineno, "function": origin.function_name or ""}
            statement = _statement(file, origin.loc.lineno)
            calls = _calls(statement, _names(called)) if statement else []
            return _with_call(place, calls if len(calls) == 1 else [], 0)
    return None


def _with_call(place: dict[str, Any], calls: list[ast.Call], number: int) -> dict[str, Any]:
    """The place with the span of that call; as it is when there is no telling."""
    if not 0 <= number < len(calls):
        return place
    call = calls[number]
    span = {
        "row": call.lineno,
        "column": call.col_offset,
        "end_row": call.end_lineno,
        "end_column": call.end_col_offset,
    }
    return {**place, **span}


@lru_cache(maxsize=64)
def _tree(file: str) -> ast.Module | None:
    try:
        with open(file, "rb") as source:
            return ast.parse(source.read())
    except OSError:
        # A cell of a notebook is in no file.
        text = "".join(linecache.getlines(file))
    except (SyntaxError, ValueError):
        return None
    try:
        return ast.parse(text) if text else None
    except (SyntaxError, ValueError):
        return None


def _names(called: str) -> frozenset[str]:
    """The names that a function of `tf.data` is written by."""
    return frozenset({called, called.replace("V2", ""), called.lstrip("_")} - {""})


def _statement(file: str, row: int) -> ast.stmt | None:
    """The innermost statement at a row."""
    tree = _tree(file)
    if tree is None:
        return None
    around = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= row <= (n.end_lineno or 0)]
    return max(around, key=lambda node: (node.lineno, -(node.end_lineno or 0)), default=None)


def _calls(statement: ast.stmt, names: frozenset[str]) -> list[ast.Call]:
    """The calls of a function of these names, in the order in which they happen."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call) and _name(node.func) in names]
    return sorted(calls, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _nth(code: CodeType, last: int, names: frozenset[str], statement: ast.stmt) -> int:
    """Which of these calls is being made: before 3.11 a frame knows its row only, but its bytecode names them all."""
    if code.co_name == "<lambda>":
        return -1
    row = loads = 0
    for instruction in dis.get_instructions(code):
        row = instruction.starts_line or row
        inside = statement.lineno <= row <= (statement.end_lineno or 0)
        if inside and instruction.offset < last and instruction.argval in names:
            loads += 1
    return loads - 1
