"""Transformations that did the work of two: what they are as a chain of calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.rewriting.calls import Argument, Link, OldCall, is_plain, literal

_Given = Mapping[str, ast.expr]


def _map_and_batch(old: OldCall, given: _Given, target: Target) -> list[Link]:
    calls = given.get("num_parallel_calls")
    # As many calls as a batch has elements: one means one after the other.
    is_one = literal(given["batch_size"]) == 1 and "num_parallel_batches" not in given
    is_open = (calls is None or literal(calls) is None) and not is_one
    return [
        _link(
            "map",
            map_func=given["map_func"],
            num_parallel_calls=old.draft.autotune(old.call, target) if is_open else calls,
        ),
        _link("batch", batch_size=given["batch_size"], drop_remainder=given.get("drop_remainder")),
    ]


def _shuffle_and_repeat(old: OldCall, given: _Given, target: Target) -> list[Link]:
    return [
        _link("shuffle", buffer_size=given["buffer_size"], seed=given.get("seed")),
        _link("repeat", count=given.get("count")),
    ]


def _parallel_interleave(old: OldCall, given: _Given, target: Target) -> list[Link]:
    cycle, sloppy = given["cycle_length"], given.get("sloppy")
    # One thread for each input of the cycle, as before.
    calls = old.syntax.written(cycle) if is_plain(cycle) else old.draft.autotune(old.call, target)
    deterministic = None
    if sloppy is not None and literal(sloppy) is not None and literal(sloppy) is not False:
        _check_deterministic(old, target)
        deterministic = Argument("deterministic", sloppy, _opposite(sloppy, old.syntax.written(sloppy)))
    return [
        _link(
            "interleave",
            map_func=given["map_func"],
            cycle_length=cycle,
            block_length=given.get("block_length"),
            num_parallel_calls=calls,
            deterministic=deterministic,
        )
    ]


def _parse_example_dataset(old: OldCall, given: _Given, target: Target) -> list[Link]:
    parse = f"{old.draft.tensorflow(old.call)}.io.parse_example"
    taken = names(old.call)
    serialized = next((name for name in ("batch", "serialized") if name not in taken), "x")
    function = Argument(text=f"lambda {serialized}: {parse}({serialized}, {old.syntax.written(given['features'])})")
    if deterministic := given.get("deterministic"):
        _check_deterministic(old, target)
    calls = given.get("num_parallel_calls")
    return [_link("map", map_func=function, num_parallel_calls=calls, deterministic=deterministic)]


def _dropping(name: str) -> Callable[[OldCall, _Given, Target], list[Link]]:
    return lambda old, given, target: [_link(name, **given, drop_remainder="True")]


def _check_deterministic(old: OldCall, target: Target) -> None:
    if target.below(2, 2):
        old.draft.refuse("`deterministic=` came with TensorFlow 2.2; before, only the options of a dataset said it")


def _opposite(sloppy: ast.expr, written: str) -> str:
    """`deterministic` for `sloppy`."""
    match sloppy:
        case ast.Constant():
            return "False"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as operand):
            return ast.unparse(operand)
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript() | ast.Compare():
            return f"not {written}"
    return f"not ({written})"


#: Their parameters, of which those with `=` have a default, and what is written for them.
CHAINS: Mapping[str, tuple[str, Callable[[OldCall, _Given, Target], list[Link]]]] = {
    "map_and_batch":
        ("map_func batch_size num_parallel_batches= drop_remainder= num_parallel_calls=", _map_and_batch),
    "shuffle_and_repeat": ("buffer_size count= seed=", _shuffle_and_repeat),
    "parallel_interleave": (
        "map_func cycle_length block_length= sloppy= buffer_output_elements= prefetch_input_elements=",
        _parallel_interleave,
    ),
    "parse_example_dataset": ("features num_parallel_calls= deterministic=", _parse_example_dataset),
    "batch_and_drop_remainder": ("batch_size", _dropping("batch")),
    "padded_batch_and_drop_remainder": ("batch_size padded_shapes padding_values=", _dropping("padded_batch")),
}  # fmt: skip


def _link(name: str, **arguments: Argument | ast.expr | str | None) -> Link:
    """A call with those of these arguments that there are. Only the first may stay positional."""
    found: list[Argument] = []
    for number, (parameter, given) in enumerate(arguments.items()):
        if isinstance(given, Argument):
            found.append(given)
        elif isinstance(given, str):
            found.append(Argument(parameter, text=given))
        elif given is not None and literal(given) is not None:
            found.append(Argument(parameter if number else "", given))
    return name, found
