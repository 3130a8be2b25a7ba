"""Transformations that did the work of two: what they are as a chain of calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from tfdata_lint.config.target import Target
from tfdata_lint.rewriting.old_call import Argument, Link, OldCall, link

#: Their parameters; those with `=` have a default.
SIGNATURES: Mapping[str, str] = {
    "map_and_batch": "map_func batch_size num_parallel_batches= drop_remainder= num_parallel_calls=",
    "shuffle_and_repeat": "buffer_size count= seed=",
    "parallel_interleave":
        "map_func cycle_length block_length= sloppy= buffer_output_elements= prefetch_input_elements=",
    "parse_example_dataset": "features num_parallel_calls= deterministic=",
    "batch_and_drop_remainder": "batch_size",
    "padded_batch_and_drop_remainder": "batch_size padded_shapes padding_values=",
}  # fmt: skip


def map_and_batch(old: OldCall, target: Target) -> list[Link]:
    given = old.bound(SIGNATURES["map_and_batch"])
    if given is None:
        return []
    calls: Argument | str | None = given.get("num_parallel_calls")
    if calls is None or (isinstance(calls, Argument) and calls.is_none):
        # As many calls as a batch has elements: one means one after the other.
        size = given["batch_size"].node
        is_one = isinstance(size, ast.Constant) and size.value == 1 and "num_parallel_batches" not in given
        calls = None if is_one else old.draft.autotune(old.call, target)
    return [
        link("map", map_func=given["map_func"], num_parallel_calls=calls),
        link("batch", batch_size=given["batch_size"], drop_remainder=given.get("drop_remainder")),
    ]


def shuffle_and_repeat(old: OldCall, target: Target) -> list[Link]:
    given = old.bound(SIGNATURES["shuffle_and_repeat"])
    if given is None:
        return []
    return [
        link("shuffle", buffer_size=given["buffer_size"], seed=given.get("seed")),
        link("repeat", count=given.get("count")),
    ]


def parallel_interleave(old: OldCall, target: Target) -> list[Link]:
    given = old.bound(SIGNATURES["parallel_interleave"])
    if given is None:
        return []
    cycle = given["cycle_length"]
    return [
        link(
            "interleave",
            map_func=given["map_func"],
            cycle_length=cycle,
            block_length=given.get("block_length"),
            # One thread for each input of the cycle, as before.
            num_parallel_calls=cycle.text if _is_plain(cycle.node) else old.draft.autotune(old.call, target),
            deterministic=_opposite(given.get("sloppy")),
        )
    ]


def parse_example_dataset(old: OldCall, target: Target) -> list[Link]:
    given = old.bound(SIGNATURES["parse_example_dataset"])
    if given is None:
        return []
    features = given["features"]
    parse = f"{old.draft.tensorflow(old.call)}.io.parse_example"
    taken = {part.id for part in ast.walk(old.call) if isinstance(part, ast.Name)}
    serialized = next((name for name in ("batch", "serialized") if name not in taken), "x")
    function = Argument(f"lambda {serialized}: {parse}({serialized}, {features.text})", start=features.start)
    return [
        link(
            "map",
            map_func=function,
            num_parallel_calls=given.get("num_parallel_calls"),
            deterministic=given.get("deterministic"),
        )
    ]


def batch_and_drop_remainder(old: OldCall, target: Target) -> list[Link]:
    given = old.bound(SIGNATURES["batch_and_drop_remainder"])
    return [link("batch", **given, drop_remainder="True")] if given else []


def padded_batch_and_drop_remainder(old: OldCall, target: Target) -> list[Link]:
    given = old.bound(SIGNATURES["padded_batch_and_drop_remainder"])
    return [link("padded_batch", **given, drop_remainder="True")] if given else []


CHAINS: Mapping[str, Callable[[OldCall, Target], list[Link]]] = {
    chain.__name__: chain
    for chain in (
        map_and_batch, shuffle_and_repeat, parallel_interleave, parse_example_dataset, batch_and_drop_remainder,
        padded_batch_and_drop_remainder,
    )
}  # fmt: skip


def _is_plain(node: ast.AST | None) -> bool:
    """May this be written twice?"""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, (ast.Name, ast.Constant))


def _opposite(sloppy: Argument | None) -> Argument | None:
    """`deterministic` for `sloppy`."""
    if sloppy is None:
        return None
    match sloppy.node:
        case ast.Constant(value=None | False):
            return None
        case ast.Constant():
            opposite = "False"
        case ast.UnaryOp(op=ast.Not(), operand=operand) if isinstance(operand, (ast.Name, ast.Attribute)):
            opposite = ast.unparse(operand)
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript() | ast.Compare():
            opposite = f"not {sloppy.text}"
        case _:
            opposite = f"not ({sloppy.text})"
    return sloppy._replace(text=opposite)
