"""Values that an operation does not take: floats for counts, numbers out of range, settings that miss another one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tfdata_lint.pipeline.facts.length import numbers_in, numbers_of, row_counts
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Argument, Stage
from tfdata_lint.pipeline.nouns.values import Computed, Constant, Expr, External, Mapping_, Sequence, Symbol, Value
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.pipeline.python.values import value_at

#: Measured: each raises for 0. What is below it has a meaning for `shuffle` alone.
_POSITIVE = {"batch": "batch_size", "window": "size", "shard": "num_shards", "shuffle": "buffer_size"}
_COUNTS = frozenset({*_POSITIVE.values(), "count", "index"})
#: Operators of one number that are followed.
_DEEPEST = 3
#: What readers of directories take, beside None.
_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "label_mode": ("int", "binary", "categorical"), "color_mode": ("rgb", "rgba", "grayscale"),
    "subset": ("training", "validation", "both"),
})  # fmt: skip
#: The least that is taken, 0 never but by `prefetch` (measured).
_LEAST: Mapping[str, Mapping[str, int]] = MappingProxyType({
    "map": {"num_parallel_calls": -1}, "interleave": {"num_parallel_calls": -1, "cycle_length": -1, "block_length": 1},
    "prefetch": {"buffer_size": -1},
})  # fmt: skip
#: Arguments of which one is needed, and the other is not taken then (measured).
_EITHER: Mapping[str, tuple[str, str]] = MappingProxyType({
    "from_generator": ("output_types", "output_signature"), "group_by_window": ("window_size", "window_size_func"),
})  # fmt: skip
_PYTHON = frozenset({"len", "int", "float", "round"})


def wrong_value(graph: PipelineGraph, stage: Stage) -> tuple[str, str, str] | None:
    """What is wrong with the value of an argument, why, and what to do."""
    for name, argument in stage.arguments.items():
        if name in _COUNTS and stage.inputs and _is_float(graph, stage, argument):
            return (
                f"`{stage.op}` gets a float as `{name}`",
                "It does not convert floats to integers, also not whole ones",
                f"Write `int({argument.written})`, or divide with `//`",
            )
    size = stage.literal(_POSITIVE.get(stage.op, ""))
    if size == 0 and isinstance(stage.arguments[_POSITIVE[stage.op]].node, ast.Call):
        # The length of a list that is empty on some way, such as a loop that does not run.
        return None
    if type(size) is int and size <= 0 and (size == 0 or stage.op in ("shard", "window")):
        return f"`{stage.op}` gets {size} as `{_POSITIVE[stage.op]}`", "It must be positive", "Give a positive number"
    indices = numbers_of(stage.arguments["index"].value) if "index" in stage.arguments and stage.op == "shard" else ()
    index = next((one for one in indices if type(size) is int and not 0 <= one < size), None)
    if index is not None:
        return (
            f"`shard` gets the index {index} of {size} shards",
            f"The shards are numbered from 0 to {size - 1}",
            "Number the workers from 0",
        )
    if stage.op == "from_tensor_slices" and len(rows := row_counts(stage.result)) > 1:
        return (
            f"`from_tensor_slices` gets arrays of {' and '.join(map(str, sorted(rows)))} rows",
            "All must have the same number of rows",
            "Pass the arrays that belong together",
        )
    if (wrong := _out_of_range(stage) or _one_of_two(stage) or _other_kind(stage)) is not None:
        return wrong
    if stage.op == "bucket_by_sequence_length":
        counts = [_count(stage.arguments.get(name)) for name in ("bucket_boundaries", "bucket_batch_sizes")]
        if counts[0] is not None and counts[1] is not None and counts[0] + 1 != counts[1]:
            return (
                f"`{stage.op}` gets {counts[1]} batch sizes for {counts[0]} boundaries",
                "There is one bucket more than there are boundaries",
                f"Give {counts[0] + 1} batch sizes",
            )
    if stage.op == "sample_from_datasets":
        counts = [_count(stage.arguments.get(name)) for name in ("weights", "datasets")]
        if None not in counts and counts[0] != counts[1]:
            return (
                f"`{stage.op}` gets {counts[0]} weights for {counts[1]} datasets",
                "Both must be as many",
                "Add or remove weights",
            )
    return _unknown_choice(stage) or _unsplit(stage) if stage.op.endswith("_dataset_from_directory") else None


def _out_of_range(stage: Stage) -> tuple[str, str, str] | None:
    """`num_parallel_calls=0`"""
    for name, least in _LEAST.get(stage.op, {}).items():
        given = stage.literal(name)
        if type(given) is int and (given < least or (given == 0 and stage.op != "prefetch")):
            instead = "`tf.data.AUTOTUNE`" if least < 0 else "a positive number"
            return f"`{stage.op}` gets {given} as `{name}`", f"It takes no {given}", f"Write {instead}"
    return None


def _one_of_two(stage: Stage) -> tuple[str, str, str] | None:
    """Of two arguments one is needed, and only one."""
    one, other = _EITHER.get(stage.op, ("", ""))
    given = [name for name in (one, other) if name in stage.arguments and stage.literal(name) is not None]
    if not one or len(given) == 1:
        return None
    return (
        f"`{stage.op}` gets {'both' if given else 'neither'} `{one}` {'and' if given else 'nor'} `{other}`",
        "It needs one of them, and takes no more",
        f"Give `{other if stage.op == 'from_generator' else one}` alone",
    )


def _other_kind(stage: Stage) -> tuple[str, str, str] | None:
    """What is of another kind: a list for a tuple, a dict for options, a text for a number."""
    for name, argument in stage.arguments.items():
        match stage.op, argument.value:
            case "zip", Sequence(kind="list"):
                return "`zip` gets a list of datasets", "It takes tuples and dicts", f"Pass `tuple({argument.written})`"
            case "with_options", Mapping_():
                return "`with_options` gets a dict", "It takes a `tf.data.Options`", "Set attributes of one"
            case _, value if name in _COUNTS and stage.inputs and _is_text(value):
                return (
                    f"`{stage.op}` gets a text as `{name}`",
                    "It takes a number: what comes from the environment is text",
                    f"Write `int({argument.written})`",
                )
    return None


def _is_text(value: Value) -> bool:
    match value:
        case Constant(str()):
            return True
        case External(symbol="os.environ.get" | "os.getenv", arguments=(_, *default)):
            return all(isinstance(one, Constant) and isinstance(one.value, str) for one in default)
        case Computed(expr=Expr(by="item", of=(Symbol("os.environ"), _))):
            return True
    return False


def _unknown_choice(stage: Stage) -> tuple[str, str, str] | None:
    """`label_mode="sparse"`: words of other functions."""
    for name, choices in _CHOICES.items():
        given = stage.literal(name)
        if isinstance(given, str) and given not in choices:
            known = ", ".join(f'"{choice}"' for choice in choices)
            return f"`{stage.op}` does not know `{name}={given!r}`", f"It takes {known}", f"Write one of {known}"
    return None


def _unsplit(stage: Stage) -> tuple[str, str, str] | None:
    """`validation_split` needs `subset`, and where the files are shuffled a `seed`."""
    split, subset, seed = (stage.literal(name) for name in ("validation_split", "subset", "seed"))
    if ... in (split, subset) or (split is None and subset is None):
        return None
    missing = "subset" if subset is None else "validation_split" if split is None else ""
    if not missing and seed is None and stage.literal("shuffle", True) is True:
        missing = "seed"
    given = "subset" if missing == "validation_split" else "validation_split"
    return (
        (f"`{stage.op}` gets `{given}` without `{missing}`", "It needs both", f"Pass `{missing}`") if missing else None
    )


def _count(argument: Argument | None) -> int | None:
    value = argument.value if argument is not None else None
    if isinstance(value, Computed) and value.expr.by == "builtins.list":
        counted = numbers_in(value.expr.of[0])
        return len(counted) if counted else None
    return len(value.items) if isinstance(value, Sequence) and value.rest is None and value.exact else None


def _is_float(graph: PipelineGraph, stage: Stage, argument: Argument) -> bool:
    """Is it a float of Python for sure? Those of NumPy are converted (measured)."""
    if type(argument.literal) is float:
        return True
    places = origins(graph, argument.node) if stage.span.file == graph.file else []
    return bool(places) and all(_kind(graph, place, _DEEPEST) is float for place in places)


def _kind(graph: PipelineGraph, place: Place, left: int) -> Any:
    """`int` or `float` where it is a number of Python for sure."""
    value = value_at(graph, *place)
    if type(value) in (int, float):
        return type(value)
    match place.node:
        case ast.BinOp(op=op, left=one, right=other) if left:
            sides = [origins(graph, side, place.source) for side in (one, other)]
            found = {_kind(graph, part, left - 1) for side in sides for part in side[:1]}
            is_known = all(sides) and found <= {int, float}
            return (float if isinstance(op, ast.Div) or float in found else int) if is_known else None
        case ast.Call(args=[_, *_]) if last_name(place.node) in _PYTHON:
            return float if last_name(place.node) == "float" else int
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return int
    return None
