"""Transformations that did the work of two: what they are as a chain of calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.rewriting.old_call import Argument, Link, OldCall

_Given = Mapping[str, Argument]


def _map_and_batch(old: OldCall, given: _Given, target: Target) -> list[Link]:
    calls: Argument | str | None = given.get("num_parallel_calls")
    if calls is None or (isinstance(calls, Argument) and calls.is_none):
        # As many calls as a batch has elements: one means one after the other.
        is_one = given["batch_size"].literal == 1 and "num_parallel_batches" not in given
        calls = None if is_one else old.draft.autotune(old.call, target)
    return [
        _link("map", map_func=given["map_func"], num_parallel_calls=calls),
        _link("batch", batch_size=given["batch_size"], drop_remainder=given.get("drop_remainder")),
    ]


def _shuffle_and_repeat(old: OldCall, given: _Given, target: Target) -> list[Link]:
    return [
        _link("shuffle", buffer_size=given["buffer_size"], seed=given.get("seed")),
        _link("repeat", count=given.get("count")),
    ]


def _parallel_interleave(old: OldCall, given: _Given, target: Target) -> list[Link]:
    cycle = given["cycle_length"]
    deterministic = _opposite(given.get("sloppy"))
    _check_deterministic(old, deterministic, target)
    return [
        _link(
            "interleave",
            map_func=given["map_func"],
            cycle_length=cycle,
            block_length=given.get("block_length"),
            # One thread for each input of the cycle, as before.
            num_parallel_calls=cycle.text if cycle.is_plain else old.draft.autotune(old.call, target),
            deterministic=deterministic,
        )
    ]


def _parse_example_dataset(old: OldCall, given: _Given, target: Target) -> list[Link]:
    features = given["features"]
    parse = f"{old.draft.tensorflow(old.call)}.io.parse_example"
    taken = names(old.call)
    serialized = next((name for name in ("batch", "serialized") if name not in taken), "x")
    function = Argument(f"lambda {serialized}: {parse}({serialized}, {features.text})", start=features.start)
    calls, deterministic = given.get("num_parallel_calls"), given.get("deterministic")
    _check_deterministic(old, deterministic, target)
    return [_link("map", map_func=function, num_parallel_calls=calls, deterministic=deterministic)]


def _dropping(name: str) -> Callable[[OldCall, _Given, Target], list[Link]]:
    return lambda old, given, target: [_link(name, **given, drop_remainder="True")]


def _check_deterministic(old: OldCall, argument: Argument | None, target: Target) -> None:
    if argument is not None and target.below(2, 2):
        old.draft.refuse("`deterministic=` came with TensorFlow 2.2; before, only the options of a dataset said it")


def _opposite(sloppy: Argument | None) -> Argument | None:
    """`deterministic` for `sloppy`."""
    if sloppy is None or sloppy.literal is None or sloppy.literal is False:
        return None
    return sloppy.negated if sloppy.literal is ... else sloppy._replace(text="False")


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


def _link(name: str, **arguments: Argument | str | None) -> Link:
    """A call with those of these arguments that there are. Only the first may stay positional."""
    found: list[Argument] = []
    for parameter, argument in arguments.items():
        if isinstance(argument, str):
            found.append(Argument(argument, parameter))
        elif argument is not None and not argument.is_none:
            is_first = parameter == next(iter(arguments))
            found.append(argument if is_first and not argument.name else argument._replace(name=parameter))
    return Link(name, tuple(found))
