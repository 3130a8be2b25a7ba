"""Programs in which a value holds its predecessor twice, again and again: ways of doubling, and uses of what it gives.

As a graph each has some dozens of nodes; as a tree it would have a million millions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

TIMES: Final = 44
HEAD: Final = """\
import collections
import functools
import os
import numpy as np
import tensorflow as tf
P = collections.namedtuple("P", "a b")
class K:
    def __init__(self, a, b):
        self.a = a
        self.b = b
def pair(a):
    return (a, a)
"""
_END = "for b in ds.batch(2):\n    s(b)\n"
_FILES = "tf.data.TFRecordDataset('a')"
_RANGE = "tf.data.Dataset.range(9)"

#: By name: the first value, and what is made of the one before (`{0}`; `{n}` is its number).
WAYS: Final[dict[str, tuple[str, str]]] = {
    "tuple": ("(1, 2)", "({0}, {0})"),
    "list": ("[1, 2]", "[{0}, {0}]"),
    "set": ("1", "{{{0}, {0}}}"),
    "dict": ("{{'a': 1}}", "{{'a': {0}, 'b': {0}}}"),
    "dict_call": ("1", "dict(a={0}, b={0})"),
    "dict_splat": ("{{'a': 1}}", "{{**{0}, 'k{n}': {0}}}"),
    "dict_union": ("{{'a': 1}}", "{0} | {{'k{n}': {0}}}"),
    "splat": ("(1, 2)", "(*{0}, {0})"),
    "sum": ("(1, 2)", "{0} + ({0},)"),
    "sum_self": ("(1, 2)", "{0} + {0}"),
    "times": ("(1, 2)", "({0},) * 2"),
    "times_many": ("(1, 2)", "[{0}] * 100"),
    "and": ("x", "{0} and {0}"),
    "or": ("x", "{0} or {0}"),
    "or_calls": ("x()", "g({0}) or h({0})"),
    "conditional": ("(1, 2)", "({0}, 1) if c{n} else ({0}, 2)"),
    "conditional_same": ("x", "{0} if c{n} else g({0})"),
    "call": ("x", "g({0}, {0})"),
    "call_keywords": ("x", "g(a={0}, b={0})"),
    "stack": ("(1, 2)", "tf.stack([{0}, {0}])"),
    "concat": ("tf.constant([1])", "tf.concat([{0}, {0}], 0)"),
    "add": ("tf.constant([1])", "{0} + {0}"),
    "mul_tf": ("tf.constant([1])", "tf.multiply({0}, {0})"),
    "add_np": ("np.zeros(3)", "np.add({0}, {0})"),
    "np_stack": ("np.zeros(3)", "np.stack([{0}, {0}])"),
    "np_array": ("1", "np.array([{0}, {0}])"),
    "cond": ("tf.constant([1])", "tf.cond(c, lambda: {0}, lambda: {0} + 1)"),
    "where": ("tf.constant([1])", "tf.where(c, {0}, {0})"),
    "spec": ("tf.TensorSpec([2], tf.float32)", "({0}, {0})"),
    "spec_dict": ("tf.TensorSpec([2], tf.float32)", "{{'a': {0}, 'b': {0}}}"),
    "shape": ("tf.TensorShape([2])", "({0}, {0})"),
    "dtype": ("tf.float32", "({0}, {0})"),
    "sequential": ("tf.keras.layers.Dense(2)", "tf.keras.Sequential([{0}, {0}])"),
    "partial": ("g", "functools.partial({0}, {0})"),
    "partial_keyword": ("g", "functools.partial(g, a={0}, b={0})"),
    "lambda": ("(lambda x: x)", "(lambda x: ({0}(x), {0}(x)))"),
    "lambda_value": ("(lambda: 1)", "(lambda a={0}, b={0}: (a, b))"),
    "zip_ds": ("tf.data.Dataset.range(3)", "tf.data.Dataset.zip(({0}, {0}))"),
    "zip_map": ("tf.data.Dataset.range(3)", "tf.data.Dataset.zip(({0}.map(f), {0}.batch(2)))"),
    "concat_ds": ("tf.data.Dataset.range(3)", "{0}.concatenate({0})"),
    "sample_ds": ("tf.data.Dataset.range(3)", "tf.data.Dataset.sample_from_datasets([{0}, {0}])"),
    "pair_ds": ("tf.data.Dataset.range(3)", "({0}, {0})"),
    "conditional_ds": ("tf.data.Dataset.range(3)", "{0}.map(f) if c{n} else {0}.map(g)"),
    "map_ds": ("tf.data.Dataset.range(3)", "{0}.map(lambda *x: (x, x))"),
    "window_ds": ("tf.data.Dataset.range(3)", "{0}.interleave(lambda x: {0})"),
    "instance": ("1", "K({0}, {0})"),
    "project_call": ("(1, 2)", "pair({0})"),
    "project_call_sum": ("(1, 2)", "pair({0}) + pair({0})"),
    "comprehension": ("(1, 2)", "[{0} for _ in (1, 2)]"),
    "dict_comprehension": ("(1, 2)", "{{k: {0} for k in 'ab'}}"),
    "format": ("'ab'", "'{{}}{{}}'.format({0}, {0})"),
    "fstring": ("'ab'", "f'{{{0}}}{{{0}}}'"),
    "join": ("'ab'", "os.path.join({0}, {0})"),
    "strings": ("'ab'", "{0} + {0}"),
    "zip_py": ("(1, 2)", "list(zip({0}, {0}))"),
    "slices": ("(1, 2)", "({0}[:], {0}[:])"),
    "namedtuple": ("1", "P({0}, {0})"),
    "input_lambda": ("g", "tf.keras.layers.Lambda({0})"),
    "layers_functional": ("tf.keras.Input((2,))", "tf.keras.layers.Add()([{0}, {0}])"),
    "nest": ("(1, 2)", "tf.nest.map_structure(lambda a: a, ({0}, {0}))"),
    "compare": ("(1, 2)", "({0} == {0}, {0})"),
}


def _piped(made: str) -> Callable[[str], str]:
    """A pipeline that is made of the last value, `{0}`."""
    return lambda last: f"ds = {made.replace('{0}', last)}\n{_END}"


def _rows(text: str) -> Callable[[str], str]:
    return lambda last: text.replace("{0}", last)


#: What is done with the last value, behind the rows that make it.
AFTER: Final[dict[str, Callable[[str], str]]] = {
    "slices": _piped("tf.data.Dataset.from_tensor_slices({0})"),
    "tensors": _piped("tf.data.Dataset.from_tensors({0}).map(f)"),
    "generator": _piped("tf.data.Dataset.from_generator(rows, output_signature={0})"),
    "generator_types": _piped("tf.data.Dataset.from_generator(rows, {0}, {0})"),
    "generator_args": _piped("tf.data.Dataset.from_generator(rows, tf.int32, args={0})"),
    "zip": _piped("tf.data.Dataset.zip({0})"),
    "dataset": _piped("{0}"),
    "files": _piped("tf.data.TFRecordDataset({0}, num_parallel_reads=4).map(f)"),
    "list_files": _piped("tf.data.Dataset.list_files({0}).interleave(tf.data.TFRecordDataset).cache({0})"),
    "closure": _piped(_FILES + ".map(lambda x: {0})"),
    "called": _piped(_FILES + ".map(lambda x: {0}(x))"),
    "mapped_by": _piped(_FILES + ".map({0})"),
    "interleave": _piped(_RANGE + ".interleave(lambda n: tf.data.Dataset.from_tensor_slices({0}))"),
    "flat_map": _piped(_RANGE + ".flat_map(lambda n: {0})"),
    "filter": _piped(_RANGE + ".filter(lambda n: {0})"),
    "py_function": _piped(_RANGE + ".map(lambda n: tf.py_function(g, {0}, {0}))"),
    "arguments": _piped(_RANGE + ".shuffle({0}).batch({0}).prefetch({0}).repeat({0}).shard({0}, {0}).take({0})"),
    "padded": _piped(_RANGE + ".padded_batch(2, padded_shapes={0}, padding_values={0})"),
    "bucket": _piped(_RANGE + ".bucket_by_sequence_length(lambda x: 1, {0}, {0})"),
    "parse": _piped(_FILES + ".map(lambda x: tf.io.parse_single_example(x, {0}))"),
    "scan": _piped(_RANGE + ".scan({0}, lambda a, b: ({0}, b))"),
    "fit": _rows(f"ds = {_FILES}.map(f).batch(2)\nmodel.compile(loss={{0}})\nmodel.fit(ds, validation_data={{0}})\n"),
    "model": _rows("{0}.fit({0}, epochs=2)\n{0}.evaluate({0})\n"),
    "step": _rows(
        f"@tf.function\ndef step(b, e):\n    return e\nfor b in {_FILES}.map(f):\n    step(b, {{0}})\n    {{0}}(b)\n"
    ),
    "walked": _rows(f"for a in {{0}}:\n    for c in a:\n        for b in {_FILES}.map(f):\n            s(b, a, c)\n"),
    "changed": _rows(f"q = [{{0}}]\nq.append({{0}})\nds = {_FILES}.map(lambda x: q)\n{_END}"),
    "compared": _rows(f"if {{0}} == {{0}} or {{0}} in {{0}}:\n    ds = {_RANGE}\nelse:\n    ds = {_FILES}\n{_END}"),
    "options": _rows(f"o = tf.data.Options()\no.deterministic = {{0}}\nds = {_RANGE}.map(f).with_options(o)\n{_END}"),
    "attribute": _rows(
        "class M:\n    def __init__(self):\n        self.e = {0}\n    def f(self, x):\n        return self.e\n"
        f"    def go(self):\n        for x in {_FILES}.map(self.f):\n            self.e = x\nM().go()\n"
    ),
}
#: What stands before, and behind, a body that doubles its first value.
AROUND: Final[dict[str, tuple[str, str]]] = {
    "in_map": ("def f(e0):\n", f"    return {{0}}\nds = {_FILES}.map(f)\n{_END}"),
    "in_map_of_pairs": ("def f(e0, y):\n", f"    return {{0}}, y\nds = {_FILES}.map(f).batch(4)\nmodel.fit(ds)\n"),
    "in_loop": (f"@tf.function\ndef step(e):\n    return e\nfor e0 in {_FILES}.map(f):\n", "    step({0})\n"),
}
USES: Final = (*AFTER, *AROUND, "in_either_map")


def program(way: str, use: str, times: int = TIMES) -> str:
    """The program that doubles so often in this way, and uses it so."""
    first, more = WAYS[way]
    rows = [f"e{n + 1} = {more.format(f'e{n}', n=n)}\n" for n in range(times)]
    last = f"e{times}"
    if use in AFTER:
        return f"{HEAD}e0 = {first.format()}\n{''.join(rows)}{AFTER[use](last)}"
    if use == "in_either_map":
        body = "".join(f"    {row}" for row in rows) + f"    return {last}\n"
        return f"{HEAD}def f(e0):\n{body}def g(e0):\n{body}ds = {_FILES}\nds = ds.map(f) if c else ds.map(g)\n{_END}"
    before, behind = AROUND[use]
    return HEAD + before + "".join(f"    {row}" for row in rows) + behind.replace("{0}", last)
