"""Transformations that did the work of two, or took other arguments: what they are as a chain of calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.rewriting.calls import Argument, Link, OldCall, is_plain, literal

#: Their parameters, of which those with `=` have a default, and what is written for them: by name but for the first.
CHAINS: Mapping[str, tuple[str, str]] = {
    "map_and_batch": (
        "map_func batch_size num_parallel_batches= drop_remainder= num_parallel_calls=",
        "map(map_func num_parallel_calls) batch(batch_size drop_remainder)",
    ),
    "shuffle_and_repeat": ("buffer_size count= seed=", "shuffle(buffer_size seed) repeat(count)"),
    "parallel_interleave": (
        "map_func cycle_length block_length= sloppy= buffer_output_elements= prefetch_input_elements=",
        "interleave(map_func cycle_length block_length num_parallel_calls deterministic)",
    ),
    "parse_example_dataset": (
        "features num_parallel_calls= deterministic=", "map(function num_parallel_calls deterministic)"
    ),
    "batch_and_drop_remainder": ("batch_size", "batch(batch_size drop_remainder)"),
    "padded_batch_and_drop_remainder": (
        "batch_size padded_shapes padding_values=",
        "padded_batch(batch_size padded_shapes padding_values drop_remainder)",
    ),
}  # fmt: skip


def links(old: OldCall, name: str, given: Mapping[str, ast.expr], target: Target) -> list[Link]:
    """The calls that do what one of these did, with those of their arguments that there are."""
    values = {parameter: Argument(parameter, value) for parameter, value in given.items() if literal(value) is not None}
    if (sloppy := given.get("sloppy")) and literal(sloppy) not in (None, False):
        values["deterministic"] = Argument("deterministic", sloppy, _opposite(sloppy, old.syntax.written(sloppy)))
    if "deterministic" in values and target.lacks(2, 2):
        old.draft.refuse("TensorFlow 2.2 added `deterministic=`; before, only the options of a dataset set it")
    for parameter, text in _added(old, name, given, target):
        values[parameter] = Argument(parameter, text=text)
    found: list[Link] = []
    for called, parameters in re.findall(r"(\w+)\((.*?)\)", CHAINS[name][1]):
        arguments = [values[parameter] for parameter in parameters.split() if parameter in values]
        if arguments and parameters.startswith(arguments[0].name):
            arguments[0] = arguments[0]._replace(name="")
        found.append((called, arguments))
    return found


def _added(old: OldCall, name: str, given: Mapping[str, ast.expr], target: Target) -> Iterator[tuple[str, str]]:
    """What the old one did without being told, or was told in another way."""
    written = old.syntax.written
    if name == "map_and_batch" and literal(given.get("num_parallel_calls", ast.Constant(None))) is None:
        # As many calls as a batch has elements: one means one after the other.
        if literal(given["batch_size"]) != 1 or "num_parallel_batches" in given:
            yield "num_parallel_calls", old.draft.autotune(old.call, target)
    if name == "parallel_interleave":
        # One thread for each input of the cycle, as before.
        cycle = given["cycle_length"]
        yield "num_parallel_calls", written(cycle) if is_plain(cycle) else old.draft.autotune(old.call, target)
    if name == "parse_example_dataset":
        taken, parse = names(old.call), f"{old.draft.tensorflow(old.call)}.io.parse_example"
        batch = next((free for free in ("batch", "serialized") if free not in taken), "x")
        yield "function", f"lambda {batch}: {parse}({batch}, {written(given['features'])})"
    if name.endswith("_and_drop_remainder"):
        yield "drop_remainder", "True"


def _opposite(sloppy: ast.expr, written: str) -> str:
    """`deterministic` for `sloppy`."""
    match sloppy:
        case ast.Constant():
            return "False"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as operand):
            return ast.unparse(operand)
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript():
            return f"not {written}"
    return f"not ({written})"
