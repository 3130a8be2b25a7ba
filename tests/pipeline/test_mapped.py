"""What is said of mapped functions: cases written as source, and the claims checked on real TensorFlow."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rows import each
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.pipeline.knowledge.functions import ROWS, known
from tfdata_lint.pipeline.knowledge.names import displayed, plain
from tfdata_lint.pipeline.nouns.stages import MappedFunction
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.sources import load

IMPORTS = """
import collections, datetime, functools, json, logging, math, os, random, time, uuid
import cv2, keras, scipy, unseen
import numpy as np
import tensorflow as tf
import tensorflow.compat.v1 as tf1
import tensorflow_addons as tfa
import tensorflow_hub as hub
import tensorflow_probability as tfp
"""

#: What functions find outside of themselves.
OUTSIDE = {
    "table": "tf.lookup.StaticHashTable(init, -1)",
    "contrib_table": "tf1.contrib.lookup.index_table_from_file(path)",
    "v": "tf.Variable(1)",
    "mutable": "tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)",
    "weight": "keras.Variable(1.0)",
    "rng": "tf.random.Generator.from_seed(1)",
    "global_rng": "tf.random.get_global_generator()",
    "np_rng": "np.random.default_rng()",
    "flip": "tf.keras.layers.RandomFlip('horizontal')",
    "old_flip": "tf.keras.layers.experimental.preprocessing.RandomFlip()",
    "rescale": "keras.layers.Rescaling(1.0 / 255)",
    "rescale_known": "tf.keras.layers.Rescaling(0.5)",
    "normalise": "tf.keras.layers.Normalization(mean=1.0, variance=2.0)",
    "adapted": "tf.keras.layers.Normalization()",
    "dense": "tf.keras.layers.Dense(3)",
    "vectorise": "tf.keras.layers.TextVectorization()",
    "strings": "tf.keras.layers.StringLookup()",
    "augment": "tf.keras.Sequential([tf.keras.layers.RandomFlip(), tf.keras.layers.RandomRotation(0.1)])",
    "shrink": "tf.keras.Sequential([tf.keras.layers.Resizing(2, 2), tf.keras.layers.Rescaling(0.5)])",
    "model": "tf.keras.Sequential([tf.keras.layers.Dense(3)])",
    "embed": "hub.KerasLayer(url)",
    "seen": "[]",
    "counter": "collections.Counter()",
    "logger": "logging.getLogger(name)",
    "MEAN": "[1.0, 2.0, 3.0]",
    "ARRAY": "np.array([1.0, 2.0])",
    "SCALE": "255.0",
    "KEY": "'image'",
    "ZERO": "tf.constant(0.0)",
    "FEATURES": "{'a': tf.io.FixedLenFeature([], tf.int64), 'b': tf.io.VarLenFeature(tf.string)}",
    "RAGGED": "{'a': tf.io.RaggedFeature(tf.int64)}",
}


def mapped(source: str, argument: str = "f", **outside: str) -> MappedFunction:
    """What the interpreter says of the function `f` of a source text, which `map` is given by this argument."""
    names = {**OUTSIDE, **outside}
    used = [f"{name} = {value}" for name, value in names.items() if re.search(rf"\b{name}\b", f"{source} {argument}")]
    function = f"f = {source}" if source.startswith("lambda") else source
    rows = [IMPORTS, *used, function, f"tf.data.Dataset.load('path').map({argument})"]
    stages = recover(load("\n".join(rows).encode(), "module.py")).stages
    (stage,) = (stage for stage in stages if stage.op == "map")
    assert stage.function is not None
    return stage.function


# ---- effects ------------------------------------------------------------------------------------------------------

EFFECTS = [
    ("lambda x: x + 1", []),
    ("lambda x: tf.random.uniform([])", ["random tf.random.uniform"]),
    ("lambda x: tf.random.uniform([], seed=1)", ["random tf.random.uniform seeded"]),
    ("lambda x: tf.random.uniform([], seed=None)", ["random tf.random.uniform"]),
    ("lambda x: tf.random.uniform([], 0, 1, tf.float32, 7)", ["random tf.random.uniform seeded"]),
    ("lambda x: tf.random.uniform([], seed=unknown)", ["random tf.random.uniform"]),
    ("lambda x: tf.random.normal([2]) + x", ["random tf.random.normal"]),
    ("lambda x: tf.random.shuffle(x, 5)", ["random tf.random.shuffle seeded"]),
    ("lambda x: tf.image.random_flip_left_right(x)", ["random tf.image.random_flip_left_right"]),
    ("lambda x: tf.image.random_flip_left_right(x, 3)", ["random tf.image.random_flip_left_right seeded"]),
    ("lambda x: tf.image.random_crop(x, [2, 2, 3], 1)", ["random tf.image.random_crop seeded"]),
    ("lambda x: tf1.random_crop(x, [2, 2, 3], 1)", ["random tf.random_crop seeded"]),
    ("lambda x: tf1.random_uniform([])", ["random tf.random_uniform"]),
    ("lambda x: tf1.random_normal([])", ["random tf.random_normal"]),
    ("lambda x: tf1.random_shuffle(x)", ["random tf.random_shuffle"]),
    (
        "lambda x: tf.image.sample_distorted_bounding_box(x, b, 0)",
        ["random tf.image.sample_distorted_bounding_box"],
    ),
    ("lambda x: tfa.image.random_cutout(x, 8)", ["random tfa.image.random_cutout"]),
    ("lambda x: tfp.distributions.Beta(1.0, 1.0).sample()", ["random tfp.distributions.Beta.sample"]),
    (
        "lambda x: tf.random.stateless_uniform([], seed=[1, 2])",
        ["stateless_random tf.random.stateless_uniform seeded"],
    ),
    ("lambda x, s: tf.random.stateless_uniform([], s)", ["stateless_random tf.random.stateless_uniform"]),
    (
        "lambda x: tf.image.stateless_random_brightness(x, 0.2, (1, 2))",
        ["stateless_random tf.image.stateless_random_brightness seeded"],
    ),
    ("lambda x: tf.random.split(x)", []),
    ("lambda x: rng.normal([]) + x", ["generator tf.random.Generator.normal"]),
    ("lambda x: global_rng.uniform([])", ["generator tf.random.get_global_generator.uniform"]),
    ("lambda x: flip(x)", ["random_layer tf.keras.layers.RandomFlip"]),
    ("lambda x: flip(x, training=True)", ["random_layer tf.keras.layers.RandomFlip"]),
    ("lambda x: flip(x, training=False)", ["stateful_layer tf.keras.layers.RandomFlip"]),
    ("lambda x: old_flip(x)", ["random_layer tf.keras.layers.experimental.preprocessing.RandomFlip"]),
    ("lambda x: augment(x, training=True)", ["random_layer tf.keras.Sequential"]),
    ("lambda x: shrink(x)", []),
    ("lambda x: model(x)", ["stateful_layer tf.keras.Sequential"]),
    ("lambda x: dense(x)", ["stateful_layer tf.keras.layers.Dense"]),
    ("lambda x: vectorise(x)", ["stateful_layer tf.keras.layers.TextVectorization"]),
    ("lambda x: strings(x)", ["stateful_layer tf.keras.layers.StringLookup"]),
    ("lambda x: embed(x)", ["stateful_layer tensorflow_hub.KerasLayer"]),
    ("lambda x: rescale(x)", []),
    ("lambda x: normalise(x)", []),
    ("lambda x: adapted(x)", ["stateful_layer tf.keras.layers.Normalization"]),
    ("lambda x: x * random.random()", ["python_random random.random"]),
    ("lambda x: x * np.random.rand()", ["python_random np.random.rand"]),
    ("lambda x: x * np_rng.normal()", ["python_random np.random.default_rng.normal"]),
    ("lambda x: x * scipy.stats.norm.rvs()", ["python_random scipy.stats.norm.rvs"]),
    ("lambda x: (x, time.time())", ["python_random time.time"]),
    ("lambda x: (x, time.time_ns())", ["python_random time.time_ns"]),
    ("lambda x: (x, str(datetime.datetime.now()))", ["python_random datetime.datetime.now"]),
    ("lambda x: (x, uuid.uuid4().hex)", ["python_random uuid.uuid4"]),
    ("lambda x: (x, os.urandom(8))", ["python_random os.urandom"]),
    ("def f(x):\n    np.random.seed(1)\n    return x", []),
    ("def f(x):\n    print(x)\n    return x", ["side_effect print"]),
    ("def f(x):\n    print('shape', x.shape)\n    return x", []),
    ("def f(x):\n    logging.info('x %s', x)\n    return x", ["side_effect logging.info"]),
    ("def f(x):\n    logger.info(x)\n    return x", ["side_effect logging.getLogger.info"]),
    ("def f(x):\n    logging.info('tracing')\n    return x", []),
    ("def f(x):\n    tf1.logging.info(x)\n    return x", ["side_effect tf.logging.info"]),
    ("def f(x):\n    seen.append(x)\n    return x", ["side_effect seen.append"]),
    ("def f(x):\n    elsewhere.append(x)\n    return x", ["side_effect elsewhere.append"]),
    ("def f(x):\n    counter.update([1])\n    return x", ["side_effect counter.update"]),
    ("def f(x):\n    c = collections.Counter()\n    c.update([1])\n    return x", []),
    ("def f(x):\n    global count\n    count = x\n    return x", ["side_effect count"]),
    ("lambda x: x.numpy()", ["eager_only x.numpy"]),
    ("lambda x: mutable.lookup(x)", ["variable_read tf.lookup.experimental.MutableHashTable.lookup"]),
    ("lambda x: mutable[x]", ["variable_read mutable"]),
    ("lambda x: x * weight", ["variable_read weight"]),
    ("lambda x: weight.assign(x)", ["variable_assign tf.keras.Variable.assign"]),
    ("lambda x: tf.math.add_n([x, v])", ["variable_read v"]),
    ("lambda x: tf.sort(tf.random.normal, x)", ["random tf.random.normal"]),
    ("lambda x: x['a'].numpy().decode()", ["eager_only x['a'].numpy"]),
    ("lambda x: open(x).read()", ["eager_only open"]),
    ("lambda x: tf.io.gfile.GFile(x).read()", ["eager_only tf.io.gfile.GFile"]),
    ("lambda x: os.path.join('dir', x)", ["eager_only os.path.join"]),
    ("lambda x: cv2.resize(x, (2, 2))", ["eager_only cv2.resize"]),
    ("lambda x: np.sqrt(x)", ["eager_only np.sqrt"]),
    ("lambda x: np.array([x, 1])", ["eager_only np.array"]),
    ("lambda x: json.loads(x)", ["eager_only json.loads"]),
    ("lambda x: x * np.sqrt(2.0)", []),
    ("lambda x: x * np.prod(x.shape)", []),
    (
        "lambda x: tf.keras.preprocessing.image.random_shift(x, 0.2, 0.2)",
        ["eager_only tf.keras.preprocessing.image.random_shift"],
    ),
    ("lambda x: tf.py_function(lambda a: a.numpy() + np.random.rand(), [x], T)", ["py_function tf.py_function"]),
    ("lambda x: tf.numpy_function(func, [x], tf.float32)", ["py_function tf.numpy_function"]),
    ("lambda x: tf1.py_func(func, [x], tf.float32)", ["py_function tf.py_func"]),
    ("lambda x: x * v", ["variable_read v"]),
    ("lambda x: x * v.read_value()", ["variable_read tf.Variable.read_value"]),
    ("def f(x):\n    v.assign_add(1)\n    return x", ["variable_assign tf.Variable.assign_add"]),
    ("def f(x):\n    self.n.assign_add(1)\n    return x", ["variable_assign self.n.assign_add"]),
    ("lambda x: table.lookup(x)", ["lookup tf.lookup.StaticHashTable.lookup"]),
    ("lambda x: table[x]", ["lookup table"]),
    ("lambda x: contrib_table.lookup(x)", ["lookup tf.contrib.lookup.index_table_from_file.lookup"]),
    ("lambda x: self.table.lookup(x)", ["lookup self.table.lookup"]),
    ("def f(x):\n    tf.print(x)\n    return x", ["tf_print tf.print"]),
    ("lambda x: tf1.Print(x, [x])", ["tf_print tf.Print"]),
    ("lambda x: tf.map_fn(tf.image.random_flip_left_right, x)", ["random tf.image.random_flip_left_right"]),
    ("lambda x: tf.map_fn(flip, x)", ["random_layer tf.keras.layers.RandomFlip seeded"]),
    ("lambda x: tf.map_fn(table.lookup, x)", ["lookup tf.lookup.StaticHashTable.lookup"]),
    ("lambda x: tf.cond(x > 1, lambda: tf.random.normal([]), lambda: 0.0)", ["random tf.random.normal"]),
]  # fmt: skip


@each(("source", "expected"), EFFECTS)
def test_effects(source: str, expected: list[str]) -> None:
    found = [f"{e.kind} {e.what}{' seeded' if e.seeded else ''}" for e in mapped(source).effects if e.kind != "lookup"]
    found += [f"{e.kind} {e.what}" for e in mapped(source).effects if e.kind == "lookup"]
    found = [text for text in found if not (text == "variable_read v" and len(found) > 1)]
    assert found == expected


def test_a_seed_that_may_be_none_is_no_seed() -> None:
    source = "lambda x: tf.random.uniform([], seed=s)"
    assert not mapped(source, s="1 if unknown else None").effects[0].seeded
    assert mapped(source, s="1 if unknown else 2").effects[0].seeded


def test_python_under_py_function_does_not_count() -> None:
    source = "lambda x: tf.py_function(lambda a: print(a) or seen.append(a) or random.random(), [x], tf.float32)"
    function = mapped(source)
    effect = function.has("py_function")
    assert [e.kind for e in function.effects] == ["py_function"]
    assert effect is not None
    assert isinstance(effect.wrapped, ast.Lambda)
    assert function.operations == ("tensorflow.py_function",)


def test_the_function_under_a_partial_is_the_wrapped_one() -> None:
    source = "lambda x: tf.numpy_function(functools.partial(inner, 1), [x], tf.float32)"
    function = mapped(source, functools="__import__('functools')", inner="lambda a, b: a")
    assert function.effects[0].wrapped is None
    function = mapped(f"import functools\nf = {source}", inner="lambda a, b: a")
    assert isinstance(function.effects[0].wrapped, ast.Lambda)
    assert ast.unparse(function.effects[0].wrapped) == "lambda a, b: a"


def test_mutations_are_side_effects() -> None:
    function = mapped("def f(x):\n    self.count = 1\n    return x")
    assert [(effect.kind, effect.what) for effect in function.effects] == [("side_effect", "self.count")]


# ---- resolved, operations, cost -----------------------------------------------------------------------------------

RESOLVED = [
    ("lambda x: tf.cast(x, tf.float32) / 255.0", True),
    ("lambda x: tf.image.resize(tf.io.decode_jpeg(x), [2, 2])", True),
    ("lambda x: tf1.image.resize_images(x, [2, 2])", True),
    ("lambda x: unseen.preprocess(x)", False),
    ("lambda x: helper(x)", False),
    ("lambda x: obj.process(x)", False),
    ("lambda x: x.set_shape([1])", True),
    ("lambda x: '{}'.format(x.shape)", True),
    ("lambda x: tf.map_fn(lambda t: t + 1, x)", True),
    ("lambda x: tf.map_fn(unseen.f, x)", False),
    ("lambda x: tf.raw_ops.RandomUniform(shape=[1])", False),
    ("lambda x: tf.summary.scalar('x', x)", False),
    ("lambda x: tf.io.write_file('p', x)", False),
    ("lambda x: tf.Variable(x)", False),
    ("lambda x: tf.random.set_seed(1)", False),
    ("lambda x: eval('x')", False),
    ("lambda x: tf.keras.applications.resnet50.preprocess_input(x)", True),
    ("lambda x: tf.lookup.StaticHashTable(a, -1)", True),
    ("lambda x: tf.data.Dataset.from_tensor_slices(x)", True),
    ("lambda x: tf.experimental.numpy.sum(x)", True),
    ("lambda x: tf.contrib.image.rotate(x, 1.0)", True),
    ("lambda x: tf.contrib.layers.fully_connected(x)", False),
    ("lambda x: tf.layers.dense(x, 3)", False),
    ("lambda x: tf.nest.map_structure(tf.abs, x)", True),
]


@each(("source", "expected"), RESOLVED)
def test_resolved(source: str, expected: bool) -> None:
    assert mapped(source).resolved is expected


def test_recursion_is_not_resolved() -> None:
    function = mapped("def f(x):\n    return f(x)")
    assert not function.resolved
    assert function.cost == "unknown"
    assert function.batch_safety == "unknown"


def test_operations_are_full_names_in_order() -> None:
    function = mapped("lambda x: tf1.image.resize_images(tf.io.decode_jpeg(tf.io.read_file(x)), [abs(2), 2])")
    assert function.operations == (
        "tensorflow.io.read_file",
        "tensorflow.io.decode_jpeg",
        "tensorflow.image.resize_images",
    )


COSTS = [
    ("lambda x: x + 1", "trivial", ""),
    ("lambda x, y: (tf.cast(x, tf.float32) / 255.0, tf.one_hot(y, 10))", "trivial", ""),
    ("lambda x: rescale(x)", "trivial", ""),
    ("lambda x: tf.image.flip_left_right(x)", "light", ""),
    ("lambda x: table.lookup(x)", "light", ""),
    ("lambda x: tf.data.TFRecordDataset(x)", "light", ""),
    ("def f(x):\n    for i in range(9):\n        x = x + i\n    return x", "light", ""),
    ("lambda x: unseen.f(x)", "unknown", ""),
    ("lambda x: unseen.f(tf.io.decode_png(x))", "heavy", "tf.io.decode_png"),
    ("lambda x: tf.image.resize(tf.image.decode_jpeg(tf.io.read_file(x)), [2, 2])", "heavy", "tf.image.decode_jpeg"),
    ("lambda x: tf.image.resize(x, [2, 2])", "heavy", "tf.image.resize"),
    ("lambda x: tf1.image.resize_images(x, [2, 2])", "heavy", "tf.image.resize_images"),
    ("lambda x: tf.io.read_file(x)", "heavy", "tf.io.read_file"),
    ("lambda x: tf.io.parse_single_example(x, FEATURES)", "heavy", "tf.io.parse_single_example"),
    ("lambda x: tf1.parse_single_example(x, FEATURES)", "heavy", "tf.parse_single_example"),
    ("lambda x: tf.strings.split(x)", "heavy", "tf.strings.split"),
    ("lambda x: tf.strings.regex_replace(x, 'a', 'b')", "heavy", "tf.strings.regex_replace"),
    ("lambda x: tf.strings.length(x)", "light", ""),
    ("lambda x: tf.signal.stft(x, 4, 2)", "heavy", "tf.signal.stft"),
    ("lambda x: tf.audio.decode_wav(x)", "heavy", "tf.audio.decode_wav"),
    ("lambda x: tf.image.adjust_hue(x, 0.1)", "heavy", "tf.image.adjust_hue"),
    ("lambda x: tfa.image.rotate(x, 0.1)", "heavy", "tfa.image.rotate"),
    ("lambda x: tf.matmul(x, x)", "heavy", "tf.matmul"),
    ("lambda x: tf.linalg.diag(x)", "light", ""),
    ("lambda x: tf.numpy_function(g, [x], tf.int64)", "heavy", "tf.numpy_function"),
    ("lambda x: model(x)", "heavy", "tf.keras.Sequential"),
    ("lambda x: flip(x)", "heavy", "tf.keras.layers.RandomFlip"),
    ("lambda x: vectorise(x)", "heavy", "tf.keras.layers.TextVectorization"),
    ("lambda x: strings(x)", "light", ""),
]


@each(("source", "cost", "heavy"), COSTS)
def test_cost(source: str, cost: str, heavy: str) -> None:
    function = mapped(source)
    assert (function.cost, function.heavy) == (cost, heavy)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("lambda f: tf.data.TFRecordDataset(f)", True),
        ("lambda f: tf1.data.TextLineDataset(f).skip(1)", True),
        ("lambda f: tf.data.experimental.CsvDataset(f, [])", True),
        ("lambda f: tf.data.Dataset.from_tensors(f)", False),
        ("lambda f: tf.io.read_file(f)", False),
    ],
)
def test_reads_files(source: str, expected: bool) -> None:
    assert mapped(source).reads_files is expected


def given(argument: str) -> MappedFunction:
    """A library function given to `map` as it is."""
    return mapped("lambda x: x", argument)


def test_library_functions_given_as_they_are() -> None:
    assert given("tf.io.decode_jpeg").cost == "heavy"
    assert given("tf.io.decode_jpeg").batch_safety == "unsafe"
    assert given("tf.abs").batch_safety == "elementwise"
    assert given("tf.exp").batch_safety == "approximate"
    assert given("functools.partial(tf.one_hot, depth=3)").batch_safety == "elementwise"
    assert given("functools.partial(tf.image.resize, size=unknown)").batch_safety == "shape-bound"
    assert given("tf.data.TFRecordDataset").reads_files
    assert given("tf.keras.layers.RandomFlip()").has("random_layer")
    assert not given("unseen.f").resolved
    assert not given("unknown").resolved


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tensorflow.image.resize", "tf.image.resize"),
        ("tensorflow.compat.v1.random_uniform", "tf.random_uniform"),
        ("tensorflow.compat.v2.io.read_file", "tf.io.read_file"),
        ("keras.layers.RandomFlip()", "tf.keras.layers.RandomFlip"),
        ("tf_keras.layers.Dense()", "tf.keras.layers.Dense"),
        ("numpy.random.rand", "np.random.rand"),
        ("builtins.print", "print"),
        ("Element.numpy", ".numpy"),
        ("tensorflow.lookup.StaticHashTable().lookup", "tf.lookup.StaticHashTable.lookup"),
        ("tensorflow_addons.image.rotate", "tfa.image.rotate"),
        ("random.random", "random.random"),
        ("albumentations.Compose()", "albumentations.Compose"),
    ],
)
def test_displayed(name: str, expected: str) -> None:
    assert displayed(name) == expected


# ---- batch safety -------------------------------------------------------------------------------------------------

#: True on real TensorFlow too, see below.
ELEMENTWISE = [
    "lambda x: x",
    "lambda x: x * 2 + 1",
    "lambda x: x * 3.1",
    "lambda x: x / 255",
    "lambda x: x / 255.0 * 2 - 1",
    "lambda x: 1.0 - x / 255.0",
    "lambda x: (x - 0.5) / 0.25",
    "lambda x: (x / 3.1 - 0.7) / 7.3",
    "lambda x: (x / 3.1) * 7.3",
    "lambda x: (x - 0.1) + 0.7",
    "lambda x: x - x * 3.1",
    "lambda x: x // 3",
    "lambda x: x % 3",
    "lambda x: x ** 2",
    "lambda x: -x",
    "lambda x: abs(x)",
    "lambda x: x * x",
    "lambda x: x > 0.5",
    "lambda x: (x > 0.1) & (x < 0.7)",
    "lambda x: tf.cast(x, tf.float32)",
    "lambda x: tf.cast(x, tf.float32) / 127.5 - 1",
    "lambda x: tf.saturate_cast(x, tf.int32)",
    "lambda x: tf.abs(x) + tf.sign(x)",
    "lambda x: tf.round(tf.cast(x, tf.float32))",
    "lambda x: tf.clip_by_value(x, 0, 1)",
    "lambda x: tf.clip_by_value(x * 3.1, 0.0, 1.0) * 7.3",
    "lambda x: tf.maximum(x, 3)",
    "lambda x: tf.where(x > 1, x, 0)",
    "lambda x: tf.where(x > 1, x, x * 2)",
    "lambda x: tf.nn.relu(x)",
    "lambda x: tf.nn.leaky_relu(x)",
    "lambda x: tf.identity(x)",
    "lambda x: tf.zeros_like(x)",
    "lambda x: (x, tf.ones_like(x))",
    "lambda x: [x, x + 1]",
    "lambda x: {'a': x, 'b': x + 1}",
    "lambda x: ({'a': x}, x)",
    "lambda x: tf.math.is_nan(tf.cast(x, tf.float32))",
    "lambda x: tf.one_hot(tf.cast(x, tf.int32), 5)",
    "lambda x: tf.gather([1, 2, 3, 4, 5], tf.cast(x, tf.int32) % 5)",
    "lambda x: tf.math.squared_difference(x, 3)",
    "lambda x: tf.add(x, 3)",
    "lambda x: tf.expand_dims(x, -1)",
    "lambda x: x[..., None]",
    "lambda x: x[..., 0]",
    "lambda x: x[..., ::-1]",
    "lambda x: tf.stack([x, x], axis=-1)",
    "lambda x: tf.reduce_max(x, axis=-1)",
    "lambda x: tf.argmax(x, axis=-1)",
    "lambda x: tf.sort(x)",
    "lambda x: tf.reverse(x, [-1])",
    "lambda x: x + tf.constant(1, x.dtype)",
    "lambda x: x * tf.cast(3, x.dtype)",
    "lambda x: x * SCALE",
    "lambda x: tf.keras.layers.Rescaling(0.5)(x)",
    "lambda x: rescale_known(x)",
    "lambda x: tf.strings.length(tf.strings.as_string(x))",
    "lambda x: tf.strings.join([tf.strings.as_string(x), 'a'])",
    "lambda x: tf.strings.as_string(x) + 'a' + 'b'",
    "lambda x: tf.strings.substr(tf.strings.as_string(x), 0, 1)",
    "lambda x: tf.strings.to_hash_bucket_fast(tf.strings.as_string(x), 7)",
    "lambda x, scale=2: x * scale",
    "def f(x):\n    '''Scale.'''\n    y = tf.cast(x, tf.float32)\n    y = y / 255.0\n    y -= 0.5\n    return y, x",
    "def f(x):\n    a, b = x + 1, x * 2\n    return a, b",
]

BATCH = [
    # structures
    ("lambda x, y: (x / 255, y)", "elementwise"),
    ("lambda x, y: x", "elementwise"),
    ("lambda x, y: (y, x)", "elementwise"),
    ("lambda d: (d['image'] / 255, d['label'])", "elementwise"),
    ("lambda d: d[KEY]", "elementwise"),
    ("lambda d: {**d, 'image': d['image'] / 255}", "elementwise"),
    ("lambda d: d['a'] * d['a']", "elementwise"),
    ("lambda d: tf.stack([d['a'], d['b']], axis=-1)", "elementwise"),
    ("lambda d: dict(d, a=d['a'] + 1)", "elementwise"),
    ("def f(d):\n    label = d.pop('label')\n    return d, label", "elementwise"),
    ("def f(d):\n    d = d.copy()\n    del d['id']\n    d['image'] = d['image'] / 255\n    return d", "elementwise"),
    ("def f(d):\n    d.pop('id')\n    return d", "elementwise"),
    ("def f(d):\n    d['image'] /= 255\n    return d['image'], d['label']", "elementwise"),
    ("lambda d: {**d, 'b': d['a']}['b']", "elementwise"),
    ("lambda d: {'b': d['a']}['b']", "elementwise"),
    ("lambda x: (x, x + 1)[-1]", "elementwise"),
    ("lambda x: tuple([x, x])", "elementwise"),
    ("lambda x: dict(a=x, b=x)", "elementwise"),
    ("lambda x: dict(x, a=x['a'] * 2)", "elementwise"),
    ("def f(x):\n    d = dict(x)\n    d['b'] = d['b'] * 2\n    return d", "elementwise"),
    ("lambda d: d['a']['b'] * 2", "elementwise"),
    ("def f(x):\n    half = -0.5\n    return x * half", "elementwise"),
    ("def f(x):\n    size = (8, 8)\n    return tf.image.resize(x, size)", "shape-bound"),
    ("def f(x):\n    column = tf.io.decode_csv(x, defaults)[0]\n    return column * 2", "elementwise"),
    ("lambda x: x * float(3)", "elementwise"),
    ("lambda x: x * np.float32(3)", "elementwise"),
    ("lambda x: x * np.pi + ZERO", "elementwise"),
    ("lambda x: x * -(-np.pi)", "elementwise"),
    ("lambda x: x * tf.ones([])", "elementwise"),
    ("lambda x: tf.minimum(x, tf.float32.max)", "elementwise"),
    ("lambda x: tf.cast(x, x.dtype)", "elementwise"),
    ("lambda x: self.table.lookup(x)", "elementwise"),
    ("lambda x: tf.nn.embedding_lookup(MATRIX, x)", "elementwise"),
    ("lambda x: table.lookup(x)", "elementwise"),
    ("lambda x: tuple(tf.io.decode_csv(x, defaults))", "elementwise"),
    ("lambda x: tf.io.decode_csv(x, defaults)", "elementwise"),
    ("def f(x):\n    a, b = tf.io.decode_csv(x, defaults)\n    return a + b, b", "elementwise"),
    ("lambda x: tf.io.decode_raw(x, tf.uint8)", "elementwise"),
    ("lambda x: tf.stack(tf.io.decode_csv(x, defaults)[1:], axis=-1)", "elementwise"),
    ("lambda x: tf.image.convert_image_dtype(x, tf.float32)", "elementwise"),
    # to rounding
    ("lambda x: tf.exp(x)", "approximate"),
    ("lambda x: tf.sigmoid(x) * 2", "approximate"),
    ("lambda x: tf.sqrt(x)", "approximate"),
    ("lambda x: x ** 0.5", "approximate"),
    ("lambda x: x ** 5", "approximate"),
    ("lambda x: 2.0 ** x", "approximate"),
    ("lambda x: x * 3.1 * 7.3", "approximate"),
    ("lambda x: x + 0.1 + 0.7", "approximate"),
    ("lambda x: (x + 0.1) + x", "approximate"),
    ("lambda x: (x + x) + 0.1", "approximate"),
    ("lambda x: x * x * 3.1", "approximate"),
    ("lambda x: x * 2 * 3.1", "approximate"),
    ("lambda x: tf.pow(x, 3)", "approximate"),
    ("lambda x: tf.image.convert_image_dtype(x * 3.1, tf.float32)", "approximate"),
    ("lambda x: x * 3.1 + x * 7.3", "approximate"),
    ("lambda x: tf.identity(x * 3.1) * 7.3", "approximate"),
    ("lambda x: tf.cast(x * 3.1, tf.float32) * 7.3", "approximate"),
    ("lambda x: tf.multiply(tf.multiply(x, 3.1), 7.3)", "approximate"),
    ("lambda x: tf.image.convert_image_dtype(x, tf.float32) * 3.1", "approximate"),
    ("lambda x: tf.image.convert_image_dtype(x, tf.uint8)", "approximate"),
    ("lambda x: rescale_known(x) + 3.1", "approximate"),
    ("lambda x: tf.reduce_mean(x, axis=-1)", "approximate"),
    ("lambda x: tf.nn.softmax(x)", "approximate"),
    # one shape
    ("lambda x: tf.image.resize(x, [8, 8])", "shape-bound"),
    ("lambda x, y: (tf.image.resize(x, SIZE) / 255.0, y)", "shape-bound"),
    ("lambda x: tf.image.flip_left_right(x)", "shape-bound"),
    ("lambda x: tf.image.resize(x, [8, 8]) * 3.1 * 7.3", "shape-bound"),
    # parsing
    ("lambda x: tf.io.parse_single_example(x, FEATURES)", "parse"),
    ("lambda x: tf.io.parse_single_example(features=FEATURES, serialized=x)", "parse"),
    ("lambda x: tf.io.parse_single_example(x, {'a': tf.io.FixedLenFeature([], tf.int64)})", "parse"),
    ("def f(x):\n    d = tf.io.parse_single_example(x, FEATURES)\n    return d['a'] * 2, d['b']", "parse"),
    ("lambda x: tf.io.parse_single_example(x, RAGGED)", "unsafe"),
    ("lambda x: tf.io.parse_single_example(x, elsewhere)", "unknown"),
    ("lambda x: tf.exp(tf.io.parse_single_example(x, FEATURES)['a'])", "parse"),
    ("lambda x: tf.io.decode_jpeg(tf.io.parse_single_example(x, FEATURES)['a'])", "unsafe"),
    ("lambda d: tf.io.parse_single_example(d['raw'], FEATURES)", "unsafe"),
    # not seen
    ("lambda x: helper(x)", "unknown"),
    ("lambda x: unseen.f(x)", "unknown"),
    ("lambda x: x * elsewhere", "broadcast"),
    ("lambda x: x - self.mean", "broadcast"),
    ("lambda x: x * v", "broadcast"),
    ("lambda x: rescale(x)", "elementwise"),
    ("lambda x: keras.layers.Rescaling(elsewhere)(x)", "unknown"),
    ("lambda x: x if flag else x + 1", "elementwise"),
    ("lambda *x: x", "unknown"),
    ("def f(x):\n    if training:\n        x = x + 1\n    return x", "elementwise"),
    ("def f(x):\n    for i in range(3):\n        x = x + i\n    return x", "approximate"),
    ("def f(x):\n    x + 1", "unknown"),
    ("def f(x):\n    return x\n    x = x + 1", "elementwise"),
    ("def f(x):\n    return", "unknown"),
    ("def f(x):\n    pass", "unknown"),
    ("def f(x):\n    del x[0]\n    return x", "unknown"),
    ("def f(x):\n    del MEAN['a']\n    return x", "unsafe"),
    ("def f(x):\n    a, *b = x, x, x\n    return a", "elementwise"),
    ("def f(x):\n    a, b = x\n    return a", "unknown"),
    ("def f(x):\n    MEAN['a'] = x\n    return x", "unsafe"),
    ("def f(x):\n    self.a = x\n    return x", "unsafe"),
    ("def f(d):\n    d['d'] = d\n    return d", "unknown"),
    ("def f(d):\n    a = d.pop('a')\n    return d['a']", "unknown"),
    ("def f(d):\n    a = d['a']\n    return d + 1, a", "unknown"),
    ("def f(d):\n    tf.abs(d)\n    return d", "unknown"),
    ("def f(d):\n    return d.pop('a', 'b')", "unknown"),
    ("lambda x: (x, *x)", "unknown"),
    ("lambda x: [t for t in x]", "unknown"),
    ("lambda x: f'{x}'", "unknown"),
    ("lambda x: not x", "unknown"),
    ("lambda x: 0 < x < 1", "unknown"),
    ("lambda x: x in MEAN", "unknown"),
    ("lambda d: {**d, **d}", "unknown"),
    ("lambda d: {key: d}", "unknown"),
    ("lambda d: {**MEAN, 'a': d}", "unknown"),
    ("lambda x: dict(MEAN, a=x)", "unknown"),
    ("lambda x: tuple(MEAN)", "unsafe"),
    ("lambda x: (x, x)[2]", "unknown"),
    ("lambda x: tf.abs(*x)", "unknown"),
    ("lambda x: tf.abs(MEAN)", "unknown"),
    ("lambda x: tf.strings.join(x)", "unknown"),
    ("lambda x: x * MEAN[0]", "elementwise"),
    ("lambda x: x * f.g(1).h", "unknown"),
    ("lambda x: x * tf.constant(1.0, shape=[3])", "broadcast"),
    ("lambda x: tf.abs()", "unknown"),
    ("lambda d: {'a': {'b': {'c': {'d': {'e': {'f': {'g': {'h': {'i': d}}}}}}}}}", "unknown"),
    ("lambda x: tf.strings.substr(x, pos, 1)", "unsafe"),
    ("lambda x: tf.gather(MEAN, x, axis=1)", "unsafe"),
    ("lambda x: x[..., x]", "unsafe"),
    ("lambda x: x * tf.ones([3])", "broadcast"),
    ("lambda x: x * (1, 2)", "broadcast"),
    ("lambda x: x * None", "broadcast"),
    ("lambda x: x * MEAN", "broadcast"),
    ("lambda x: x + x[..., 0]", "broadcast"),
    ("lambda x: tf.reduce_max(x, axis=-1) + x", "broadcast"),
    ("lambda x: x[None] * 2", "unsafe"),
    ("lambda x: {k: v * 2 for k, v in x.items()}", "elementwise"),
    ("lambda x: {k: tf.reduce_sum(v) for k, v in x.items()}", "unsafe"),
    ("lambda x: {k: v for k, v in x.items() if tf.rank(v)}", "unknown"),
    ("lambda x: tf.gather(x, [0, 2], axis=-1)", "elementwise"),
    ("lambda x: tf.stack(x, axis=-1)", "unsafe"),
    ("lambda x: tf.squeeze(x, axis=0)", "unsafe"),
    ("def f(x):\n    x.set_shape([3])\n    return x", "rewritten"),
    ("lambda x: tf.reshape(x, [3, 1])", "rewritten"),
    ("lambda x: tf.concat([x, tf.abs(x)], axis=0)", "rewritten"),
    ("lambda x: tf.reshape(x, [-1])", "rewritten"),
    ("lambda x: tf.ensure_shape(x, [3])", "rewritten"),
    ("lambda d: {k: tf.abs(v) if k in ('a', 'b') else v for k, v in d.items()}", "elementwise"),
    ("lambda d: {k: tf.abs(v) if v[0] > 0 else v for k, v in d.items()}", "unknown"),
    ("def f(d):\n    out = {}\n    for k, v in d.items():\n        out[k] = v / 255\n    return out", "elementwise"),
    ("def f(d):\n    o = {}\n    for k in d:\n        if k != 'a':\n            o[k] = d[k]\n    return o", "unknown"),
    ("lambda x: tf.transpose(tf.reshape(x, [3, 1]), [1, 0])", "rewritten"),
    ("lambda x: (x[1:], tf.abs(x)[0])", "rewritten"),
    ("lambda x: x[1:] - ARRAY", "broadcast"),
    ("lambda x: tf.reshape(x, x)", "unsafe"),
    ("lambda x: [(x, [x])]", "unsafe"),
    ("@wrapped\ndef f(x):\n    return x", "unknown"),
    ("@tf.function\ndef f(x):\n    return x", "elementwise"),
    ("lambda d: d[key]", "unknown"),
    ("lambda x: (x, elsewhere)", "unknown"),
    ("lambda x: x.values", "unsafe"),
    ("lambda x: tf.exp(tf.image.resize(x, [8, 8]))", "unknown"),
    # what the element decides in Python
    ("def f(x):\n    assert x.shape[0] == 3\n    return x", "unknown"),
    ("def f(x):\n    if len(x.shape) == 3:\n        tf.debugging.assert_rank(x, 3)\n    return x", "unknown"),
    ("lambda x: tf.one_hot(x, len(x.shape))", "unsafe"),
    ("lambda x: tf.one_hot(x, int(x.shape[0]) + 1)", "unsafe"),
    ("lambda x: tf.one_hot(x, [2, 3][x.shape.rank])", "unsafe"),
    ("lambda x: tf.one_hot(x, sum([n for n in x.shape]))", "unknown"),
    ("lambda x: tf.strings.join([tf.strings.as_string(x), f'{x.shape}'])", "unknown"),
    ("lambda x: x * (3 if flag else len(x.shape))", "unknown"),
    ("lambda x: x + tf.zeros(x.shape, x.dtype)", "unsafe"),
    ("lambda x: x + tf.zeros(tf.shape(x))", "unsafe"),
    ("def f(x):\n    tf.debugging.assert_greater(x, 0)\n    return x", "unknown"),
    ("def f(d):\n    d['a']['b'] = 1\n    return d", "unknown"),
    ("def f(d):\n    part = d['a']\n    part.update(b=1)\n    return d", "unknown"),
    ("def f(d):\n    del d['a']['b']\n    return d", "unknown"),
    # helpers, and loops that are unrolled
    ("def g(y, by):\n    return y / by\ndef f(x):\n    return g(x, 255.0)", "elementwise"),
    ("def g(d):\n    d['a'] = d['a'] / 255\n    return d\ndef f(d):\n    return g(d)", "elementwise"),
    ("def g(y):\n    return y - tf.reduce_mean(y)\ndef f(x):\n    return g(x)", "unsafe"),
    ("def f(d):\n    for key in ('a', 'b'):\n        d[key] = d[key] / 255\n    return d", "elementwise"),
]

#: Never elementwise, and different or failing on real TensorFlow for some element.
UNSAFE = [
    "lambda x: 0",
    "lambda x: (x, 1)",
    "lambda x: (x, tf.constant(1))",
    "lambda x: (x, [x, x])",
    "lambda x: x.shape",
    "lambda x: tf.shape(x)",
    "lambda x: tf.size(x)",
    "lambda x: tf.rank(x)",
    "lambda x: x[0]",
    "lambda x: x[-1]",
    "lambda x: tf.reduce_mean(x)",
    "lambda x: tf.reduce_max(x, axis=0)",
    "lambda x: x / tf.reduce_max(x)",
    "lambda x: x - tf.reduce_mean(x)",
    "lambda x: tf.cumsum(x)",
    "lambda x: tf.argmax(x)",
    "lambda x: tf.reverse(x, [0])",
    "lambda x: tf.math.l2_normalize(x)",
    "lambda x: tf.norm(x)",
    "lambda x: tf.squeeze(x)",
    "lambda x: tf.transpose(x)",
    "lambda x: tf.reshape(x, [-1, -1])",
    "lambda x: tf.expand_dims(x, 0)",
    "lambda x: tf.stack([x, x])",
    "lambda x: tf.tile(x, [2])",
    "lambda x: tf.pad(x, [[1, 1]])",
    "lambda x: tf.range(x)",
    "lambda x: tf.unstack(x)",
    "lambda x: tf.where(x > 0)",
    "lambda x: tf.strings.format('{}', x)",
    "lambda x: tf.one_hot(tf.cast(x, tf.int32), 5, axis=0)",
    "lambda x: tf.gather(x, 0)",
    "lambda x: tf.cond(tf.reduce_all(x > 0), lambda: x, lambda: -x)",
    "lambda x: x + tf.cast(tf.random.uniform([]), x.dtype)",
    "lambda x: tf.numpy_function(sum, [x], tf.float32)",
    "lambda x: tf.io.decode_raw(tf.io.serialize_tensor(x), tf.uint8)",
    "lambda x: tf.broadcast_to(x, [3, 3])",
    "lambda x: tf.unique(x)",
    "def f(x):\n    y = tf.cond(tf.equal(x, 0), lambda: tf.zeros(N), lambda: x)\n    y.set_shape(N)\n    return y",
]
#: Refused as well, though it may go well for some elements.
REFUSED = [
    "lambda x: x @ x",
    "lambda x: tf.matmul(x, x)",
    "lambda x: tf.strings.split(tf.strings.as_string(x))",
    "lambda x: tf.map_fn(lambda t: t + 1, x)",
    "lambda x: tf.image.decode_jpeg(x)",
    "lambda x: tf.io.read_file(x)",
]


@each("source", ELEMENTWISE)
def test_elementwise(source: str) -> None:
    function = mapped(source)
    assert (function.batch_safety, function.batch_reason) == ("elementwise", "")


@each(("source", "expected"), BATCH)
def test_batch_safety(source: str, expected: str) -> None:
    function = mapped(source)
    assert function.batch_safety == expected, function.batch_reason
    if expected not in ("elementwise", "shape-bound", "parse", "rewritten"):
        assert function.batch_reason


@each("source", UNSAFE + REFUSED)
def test_unsafe(source: str) -> None:
    function = mapped(source)
    assert function.batch_safety == "unsafe", function.batch_reason
    assert function.batch_reason


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("lambda x: tf.reshape(x, [-1, N])", "`tf.reshape` depends on the element's rank"),
        ("lambda x: tf.reduce_mean(x)", "`tf.reduce_mean` without a negative axis reduces over the batch"),
        ("lambda x, y: x * y", "two components are combined, whose shapes may differ"),
        ("lambda d: d['a'] + d['b']", "two components are combined, whose shapes may differ"),
        ("lambda x: x - MEAN", "a list of values is no scalar"),
        ("lambda x: x - ARRAY", "`np.array` is not a scalar"),
        ("lambda x: (x, 1)", "a constant in the result has no batch dimension"),
        ("lambda x: (x, tf.io.decode_csv(x, d))", "a list in the result is stacked into one tensor"),
        ("lambda x: tf.random.uniform([]) + x", "`tf.random.uniform` draws once per call, not once per element"),
        ("lambda x: helper(x)", "not everything in it is known"),
        ("lambda x: x[0]", "an item is taken from the batch dimension"),
        ("lambda x: x.shape", "`.shape` sees the batch dimension"),
        ("lambda x: tf.exp(x)", "`tf.exp` is equal to rounding only"),
        ("lambda x, y: x", "`y`, which it drops, would be batched too"),
        ("lambda d: d['a'] * 2", "what it leaves out of `d` would be batched too"),
        ("def f(d):\n    d.pop('id')\n    return d", "`d.id`, which it drops, would be batched too"),
        ("lambda x: tf.image.flip_left_right(x)", ""),
        ("lambda x: tf.image.resize(x, [tf.cast(x[0], tf.int32), 2])", "`tf.image.resize` is set by the element"),
    ],
)
def test_reasons(source: str, reason: str) -> None:
    assert mapped(source).batch_reason == reason


def test_a_parameter_that_is_no_element_is_no_component() -> None:
    source = "lambda x, scale: x * scale"
    assert mapped(source, "functools.partial(f, scale=2.0)").batch_safety == "elementwise"
    assert mapped(source, "functools.partial(f, scale=unknown)").batch_safety == "broadcast"
    assert mapped(source).batch_safety == "broadcast"


def test_deep_expressions_are_left_alone() -> None:
    assert mapped("lambda x: " + "(" * 80 + "x" + " + 1)" * 80).batch_safety == "unknown"


# ---- on real TensorFlow -------------------------------------------------------------------------------------------
# The checks run in a process of its own, which imports this module (see conftest.py).

STATEFUL = [
    ("lambda x: x + 1", False),
    ("lambda x: tf.cast(x, tf.float32) / 255.0", False),
    ("lambda x: tf.image.resize(tf.zeros([4, 4, 3]), [2, 2])", False),
    ("lambda x: tf.strings.regex_replace(tf.strings.as_string(x), '1', '2')", False),
    ("lambda x: tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.int64)", False),
    ("lambda x: tf.random.stateless_uniform([], seed=[1, 2])", False),
    ("lambda x: tf.image.stateless_random_flip_left_right(tf.zeros([4, 4, 3]), seed=[1, 2])", False),
    ("lambda x: tf.random.experimental.stateless_fold_in([1, 2], x)", False),
    ("lambda x: tf.cond(x > 1, lambda: x, lambda: -x)", False),
    ("lambda x: tf.map_fn(lambda t: t + 1, tf.range(x + 1))", False),
    ("lambda x: tf.while_loop(lambda i: i < x, lambda i: i + 1, [x])", False),
    ("lambda x: tf.vectorized_map(lambda t: t + 1, tf.range(4))", False),
    ("lambda x: tf.py_function(lambda a: a, [x], tf.int64)", True),
    ("lambda x: tf.numpy_function(lambda a: a, [x], tf.int64)", True),
    ("lambda x: tf.linalg.matmul(tf.zeros([2, 2]), tf.zeros([2, 2]))", False),
    ("lambda x: tf.signal.stft(tf.zeros([8]), 4, 2)", False),
    ("lambda x: tf.io.encode_jpeg(tf.zeros([4, 4, 3], tf.uint8))", False),
    ("lambda x: tf.ragged.range(x).to_tensor()", False),
    ("lambda x: tf.sparse.to_dense(tf.sparse.from_dense([x]))", False),
    ("lambda x: tf.sets.size(tf.sparse.from_dense([[x]]))", False),
    ("lambda x: tf.experimental.numpy.sum(x)", False),
    ("lambda x: tf.keras.utils.to_categorical(x, 100)", False),
    ("lambda x: tf.keras.applications.resnet50.preprocess_input(tf.zeros([4, 4, 3]))", False),
    ("lambda x: tf.keras.ops.square(x)", False),
    ("lambda x: tf.keras.layers.Rescaling(0.5)(x)", False),
    ("lambda x: tf.keras.layers.CenterCrop(2, 2)(tf.zeros([4, 4, 3]))", False),
    ("lambda x: tf.keras.layers.Resizing(2, 2)(tf.zeros([4, 4, 3]))", False),
    ("lambda x: tf.keras.layers.Flatten()(tf.zeros([1, 4, 3]))", False),
    ("lambda x: tf.keras.layers.CategoryEncoding(30, output_mode='one_hot')(x)", False),
    ("lambda x: flip(tf.zeros([4, 4, 3]))", True),
    ("lambda x: normalise(tf.zeros([1, 3]))", False),
    ("lambda x: dense(tf.zeros([1, 3]))", True),
    ("lambda x: tf.random.uniform([])", True),
    ("lambda x: tf.random.normal([], seed=1)", True),
    ("lambda x: tf.random.shuffle([x, x])", True),
    ("lambda x: tf.random.categorical([[1.0, 2.0]], 1)", True),
    ("lambda x: tf.random.gamma([], 1.0)", True),
    ("lambda x: tf.nn.dropout(tf.ones([3]), 0.5)", True),
    ("lambda x: tf.image.random_flip_left_right(tf.zeros([4, 4, 3]))", True),
    ("lambda x: tf.image.random_crop(tf.zeros([4, 4, 3]), [2, 2, 3])", True),
    ("lambda x: tf.image.sample_distorted_bounding_box([4, 4, 3], [[[0.0, 0.0, 1.0, 1.0]]])[0]", True),
    ("lambda x: tf1.random_uniform([])", True),
    ("lambda x: rng.normal([])", True),
    ("lambda x: table.lookup(x)", True),
    ("lambda x: x * v", True),
    ("lambda x: v.assign_add(x)", True),
    ("def f(x):\n    tf.print(x, output_stream=OUT)\n    return x", True),
    ("def f(x):\n    tf.debugging.assert_greater(x, MINUS_ONE)\n    return x", False),
]


@pytest.mark.parametrize(
    "check",
    ["check_elementwise", "check_unsafe", "check_stateful", "check_seed_positions", "check_known_operations"],
)
def test_on_tensorflow(check: str, run_on_tensorflow: RunOnTensorFlow) -> None:
    file = Path(__file__)
    paths = [str(file.parent), str(file.parents[1]), str(file.parents[2])]
    code = f"import sys\nsys.path[:0] = {paths}\nimport {file.stem}\n{file.stem}.{check}()\n"
    ended = run_on_tensorflow(code, str(file))
    assert not ended["error"], ended["detail"]


def elements() -> list[Any]:
    """Datasets of scalars, vectors and images."""
    import numpy as np
    import tensorflow as tf

    rng = np.random.default_rng(7)
    arrays = [
        (rng.normal(size=47) * np.exp(rng.normal(size=47) * 3)).astype(np.float32),
        rng.integers(-1000, 1000, 13),
        rng.integers(0, 256, 13).astype(np.uint8),
        (rng.normal(size=(13, 3)) * 50).astype(np.float32),
        rng.random((5, 4, 3, 3)).astype(np.float32),
    ]
    options = tf.data.Options()
    options.autotune.enabled = False  # its thread makes the end of an iterator slow
    return [tf.data.Dataset.from_tensor_slices(array).with_options(options) for array in arrays]


def defined(source: str, names: dict[str, Any]) -> Any:
    """The function that a source text defines."""
    if source.startswith("lambda"):
        return eval(source, names)
    exec(source, names)
    return names["f"]


def outcome(make: Callable[[], Any]) -> list[Any] | None:
    """All elements of a dataset as bytes, or None when it cannot be made or fails."""
    import tensorflow as tf

    try:
        return [
            [
                (part.shape, str(part.dtype), part.tolist() if part.dtype.kind == "O" else part.tobytes())
                for part in tf.nest.flatten(element)
            ]
            for element in make().as_numpy_iterator()
        ]
    except Exception:
        return None


def same_on_batches(source: str, datasets: list[Any]) -> Iterator[bool]:
    """For each dataset the function works on: is it the same on batches, bit for bit?"""
    import tensorflow as tf

    rescale = tf.keras.layers.Rescaling(0.5)
    function = defined(source, {"tf": tf, "SCALE": 255.0, "MEAN": [1.0, 2.0, 3.0], "rescale_known": rescale})
    for dataset in datasets:
        before = outcome(lambda: dataset.map(function).batch(3))  # noqa: B023
        if before is not None:
            yield outcome(lambda: dataset.batch(3).map(function)) == before  # noqa: B023


def check_elementwise() -> None:
    """What is called elementwise is the same on batches."""
    datasets = elements()
    compared = {source: list(same_on_batches(source, datasets)) for source in ELEMENTWISE}
    assert [source for source, found in compared.items() if not found or not all(found)] == []


def check_unsafe() -> None:
    """What is called unsafe makes a difference on batches, for some element."""
    datasets = elements()
    harmless = []
    for source in UNSAFE:
        found = same_on_batches(source, datasets)
        if next(found, False) and all(found):
            harmless.append(source)
    assert harmless == []


def check_stateful() -> None:
    """The runtime makes a `map` parallel by itself exactly when its function is called stateless."""
    import tensorflow as tf

    initializer = tf.lookup.KeyValueTensorInitializer(tf.constant([1], tf.int64), tf.constant([2], tf.int64))
    dense = tf.keras.layers.Dense(3)
    dense.build([1, 3])
    names = {
        "tf": tf,
        "tf1": tf.compat.v1,
        "table": tf.lookup.StaticHashTable(initializer, -1),
        "v": tf.Variable(1, dtype=tf.int64),
        "rng": tf.random.Generator.from_seed(1),
        "flip": tf.keras.layers.RandomFlip("horizontal"),
        "normalise": tf.keras.layers.Normalization(mean=1.0, variance=2.0),
        "dense": dense,
        "OUT": "file://printed",
        "MINUS_ONE": tf.constant(-1, tf.int64),
    }
    wrong = []
    for source, expected in STATEFUL:
        dataset = tf.data.Dataset.range(20).map(defined(source, dict(names)))
        iterator = iter(dataset.apply(tf.data.experimental.assert_cardinality(20)))
        next(iterator)
        nodes = {node.name for node in tf.data.experimental.get_model_proto(iterator).nodes.values()}
        if ("Map" in nodes) != expected:
            wrong.append(source)
    assert wrong == []


def check_seed_positions() -> None:
    """The positions of `seed` in the tables are those of the installed TensorFlow."""
    import tensorflow as tf

    checked = 0
    for name, position in ((name, row["seed"]) for name, row in ROWS.items() if "seed" in row and "*" not in name):
        parts = name.split(".")[1:]
        for root in (tf, tf.compat.v1):
            try:
                parameters = list(inspect.signature(functools.reduce(getattr, parts, root)).parameters)
            except AttributeError:
                continue
            checked += 1
            assert "seed" in parameters, name
            assert position in (-1, parameters.index("seed")), name
            break
    assert checked > 40


def check_known_operations() -> None:
    """Public operations are known, and the random ones among them for what they are."""
    import tensorflow as tf

    not_known = re.compile(r"_|write_|gfile|match_filenames_once|fractional|nce_|sampled_|experimental|[A-Z]")
    random = re.compile(r"random_|.*sampler|dropout|sample_distorted")
    for module in ("math", "image", "io", "strings", "linalg", "nn", "signal", "sparse", "ragged", "bitwise", "audio"):
        for name in dir(getattr(tf, module)):
            if not not_known.match(name):
                usual = "random" if random.match(name) else "pure"
                expected = "stateless_random" if name.startswith("stateless_") else usual
                assert known(f"tensorflow.{module}.{name}").effect == expected, name
    for name in dir(tf.random):
        if callable(getattr(tf.random, name)) and name not in ("split", "fold_in", "get_global_generator"):
            assert known(f"tensorflow.random.{name}").effect != "pure", name


@each(("source", "expected"), STATEFUL)
def test_stateful(source: str, expected: bool) -> None:
    function = mapped(source)
    assert (function.stateful is not None) == expected
    assert function.is_stateless != expected


def test_plain() -> None:
    assert plain("tensorflow.compat.v1.compat.v2.io.read_file") == "tensorflow.io.read_file"
    assert plain("keras.src.layers.Dense") == "tensorflow.keras.layers.Dense"
