"""What a function under `numpy_function` returns, against the dtypes that `Tout` says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.elements import inside
from tfdata_lint.pipeline.nouns.results import Reading, dtype_said
from tfdata_lint.pipeline.nouns.stages import Call, Stage
from tfdata_lint.pipeline.nouns.values import Sequence
from tfdata_lint.rules.correctness.generator_structure.arrays import NUMBERS, Arrays

#: They take what NumPy gives as it is; `py_function` converts it.
_STRICT = ("numpy_function", "py_func")
#: NumPy has had either of them for an `int`, by its version and the platform.
_INTS = {"int32", "int64"}


class WrongDtype(NamedTuple):
    call: Call
    returned: str
    """The dtype."""
    told: str
    place: str
    """Which of several values: `value 2 of 3`; empty of a single one."""


def wrong_dtypes(stage: Stage) -> Iterator[WrongDtype]:
    """The first value of each call of a function that certainly has another dtype than is told."""
    function = stage.function
    for call in function.calls if function is not None else ():
        if call.python is not None and last_name(call.node) in _STRICT:
            found = next(_wrong(call, inside(stage, for_all=True)), None)
            if found is not None:
                yield found


def _wrong(call: Call, reading: Reading) -> Iterator[WrongDtype]:
    told, returned = call.argument(2, "Tout"), call.python.result if call.python is not None else None
    several = isinstance(told, Sequence) and isinstance(returned, Sequence)
    pairs = [(told, returned)]
    if isinstance(told, Sequence):
        values = returned.items if isinstance(returned, Sequence) else (returned,)
        if told.rest is not None or not told.exact or len(told.items) != len(values):
            return
        pairs = list(zip(told.items, values, strict=True))
    arrays = Arrays(reading)
    for number, (said, value) in enumerate(pairs, start=1):
        is_, dtype = arrays.of(value), dtype_said(said)
        is_ = NUMBERS.get(is_, is_)
        if is_ and dtype and is_ != dtype and not {is_, dtype} <= _INTS:
            yield WrongDtype(call, is_, dtype, f"value {number} of {len(pairs)}" if several else "")


def name_of(call: Call) -> str:
    """The function under the call, as it is written."""
    given = call.node.args[0] if call.node.args else next(k.value for k in call.node.keywords if k.arg == "func")
    return "the function" if isinstance(given, ast.Lambda) else f"`{ast.unparse(given)}`"
