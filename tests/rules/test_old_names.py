"""TFD703, TFD705, TFD706 and TFD707 beyond the examples of their pages."""

from __future__ import annotations

from textwrap import dedent

import pytest
from fixes.comparison import compare
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.reports import FileReport

CODES = ("TFD703", "TFD705", "TFD706", "TFD707")
HEADER = """\
import functools
import numpy as np
import tensorflow as tf
from tensorflow import float32, function
from tensorflow.data import Dataset

# Rows may be as long as this one, --------------------------------------- which has 100 characters.
SHAPE = [2]
numbers = tf.data.Dataset.range(12)


def pairs(count=3):
    for number in range(count):
        yield [number, number], number


def named():
    yield {"a": [1.0], "b": ("x", 2)}


"""

#: The same elements, `element_spec` and cardinality: compared on TensorFlow.
SAFE = {
    "types": (
        "a = Dataset.from_generator(pairs, (tf.int64, float))",
        """
        a = Dataset.from_generator(
            pairs,
            output_signature=(
                tf.TensorSpec(shape=None, dtype=tf.int64), tf.TensorSpec(shape=None, dtype=float)
            ),
        )
        """,
    ),
    "all by position": (
        "a = Dataset.from_generator(pairs, (float32, 'int32'), (SHAPE, ()), (2,), name='a2')",
        """
        a = Dataset.from_generator(
            pairs,
            output_signature=(
                tf.TensorSpec(shape=SHAPE, dtype=float32), tf.TensorSpec(shape=(), dtype='int32')
            ),
            args=(2,),
            name='a2',
        )
        """,
    ),
    "in another order": (
        "a = Dataset.from_generator(output_types=tf.int64, generator=lambda: range(3), output_shapes=None)",
        """
        a = Dataset.from_generator(
            output_signature=tf.TensorSpec(shape=None, dtype=tf.int64), generator=lambda: range(3)
        )
        """,
    ),
    "nested": (
        "a = Dataset.from_generator(named, {'a': np.float32, 'b': (tf.string, tf.int32)}, {'b': ([], None), 'a': [1]})",
        """
        a = Dataset.from_generator(
            named,
            output_signature={
                'a': tf.TensorSpec(shape=[1], dtype=np.float32),
                'b': (tf.TensorSpec(shape=[], dtype=tf.string), tf.TensorSpec(shape=None, dtype=tf.int32)),
            },
        )
        """,
    ),
    "one part": (
        "a = Dataset.from_generator(lambda: iter([(1,)]), (tf.int32,), (tf.TensorShape([]),))",
        """
        a = Dataset.from_generator(
            lambda: iter([(1,)]), output_signature=(tf.TensorSpec(shape=[], dtype=tf.int32),)
        )
        """,
    ),
    "comments": (
        """
        a = Dataset.from_generator(
            pairs,
            # what they are
            output_types=(tf.int64, tf.int64),  # row and number
            output_shapes=([2], []),
        ).map(lambda x, y: x + y).batch(2)
        """,
        """
        a = Dataset.from_generator(
            pairs,
            # what they are
            output_signature=(
                tf.TensorSpec(shape=[2], dtype=tf.int64), tf.TensorSpec(shape=[], dtype=tf.int64)
            ),  # row and number
        ).map(lambda x, y: x + y).batch(2)
        """,
    ),
    "under another name": (
        "from_generator = Dataset.from_generator\na = from_generator(lambda: range(3), tf.int64)",
        """
        from_generator = Dataset.from_generator
        a = from_generator(lambda: range(3), output_signature=tf.TensorSpec(shape=None, dtype=tf.int64))
        """,
    ),
    "options": (
        """
        options = tf.data.Options()
        options.experimental_deterministic = not options.experimental_deterministic
        options.experimental_threading.private_threadpool_size = 3
        (options
         .experimental_threading  # threads
         .max_intra_op_parallelism) = 3
        options.experimental_threading = tf.data.experimental.ThreadingOptions()
        a = numbers.with_options(options)
        """,
        """
        options = tf.data.Options()
        options.deterministic = not options.experimental_deterministic
        options.threading.private_threadpool_size = 3
        (options
         .threading  # threads
         .max_intra_op_parallelism) = 3
        options.threading = tf.data.ThreadingOptions()
        a = numbers.with_options(options)
        """,
    ),
    "options of an object": (
        """
        class Reader:
            def __init__(self):
                self.options = tf.data.Options()
                self.options.experimental_deterministic, other = False, 3

            def read(self):
                return numbers.with_options(self.options)


        a = Reader().read()
        """,
        """
        class Reader:
            def __init__(self):
                self.options = tf.data.Options()
                self.options.deterministic, other = False, 3

            def read(self):
                return numbers.with_options(self.options)


        a = Reader().read()
        """,
    ),
    "functions": (
        """
        @function(experimental_compile=False, input_signature=[tf.TensorSpec([], tf.int64)])
        def step(x):
            return x + 1


        @tf.function(
            # relaxed
            experimental_relax_shapes = True,
        )
        def other(x):
            return x + 1


        a = numbers.map(step).map(functools.partial(tf.function, experimental_compile=None)(other))
        """,
        """
        @function(jit_compile=False, input_signature=[tf.TensorSpec([], tf.int64)])
        def step(x):
            return x + 1


        @tf.function(
            # relaxed
            reduce_retracing = True,
        )
        def other(x):
            return x + 1


        a = numbers.map(step).map(functools.partial(tf.function, jit_compile=None)(other))
        """,
    ),
}

#: What fails as it is: the result runs.
UNSAFE = {
    "names": (
        """
        a = numbers.map(lambda x: (tf.log)(tf.to_float(tf.to_int64(x))))
        b = a.map(tf.lgamma).map(functools.partial(tf.squared_difference, y=2.0))
        c = numbers.map(lambda x: tf.random_uniform([2], maxval=1) + tf.random_normal([2], seed=3))
        d = numbers.map(tf.as_string).map(
            lambda x: tf.string_join([x, x],
                                     "a")
        )
        """,
        """
        a = numbers.map(lambda x: tf.math.log(tf.cast(tf.cast(x, tf.int64), tf.float32)))
        b = a.map(tf.math.lgamma).map(functools.partial(tf.math.squared_difference, y=2.0))
        c = numbers.map(lambda x: tf.random.uniform([2], maxval=1) + tf.random.normal([2], seed=3))
        d = numbers.map(tf.as_string).map(
            lambda x: tf.strings.join([x, x],
                                      "a")
        )
        """,
    ),
    "inside a function": (
        """
        def logarithm(x):
            import tensorflow
            return tensorflow.log(tensorflow.to_double(x=x))


        a = numbers.map(logarithm)
        """,
        """
        def logarithm(x):
            import tensorflow
            return tensorflow.math.log(tensorflow.cast(x=x, dtype=tensorflow.float64))


        a = numbers.map(logarithm)
        """,
    ),
    "options that are gone": (
        """
        options = tf.data.Options()
        options.experimental_optimization.autotune = False
        options.experimental_optimization.autotune_ram_budget = 1 << 30
        a = numbers.with_options(options)
        """,
        """
        options = tf.data.Options()
        options.autotune.enabled = False
        options.autotune.ram_budget = 1 << 30
        a = numbers.with_options(options)
        """,
    ),
}

#: It is told, and not rewritten.
DISPLAY_ONLY = [
    ("a = Dataset.from_generator(\n    pairs, (tf.int64,  # row\n            tf.int64), ([2], []))", "comment"),
    ("types = (tf.int64, tf.int64)\na = Dataset.from_generator(pairs, types)", "not written here"),
    ("types = (tf.int64, tf.int64)\na = Dataset.from_generator(pairs, (*types,))", "not written here"),
    ("a = Dataset.from_generator(pairs, (tf.int64, tf.int64), tuple([[2], []]))", "not written here"),
    ("a = Dataset.from_generator(named, {**{'a': tf.int64}})", "not written here"),
    ("def f(int):\n    return Dataset.from_generator(pairs, int)\na = f(tf.int64)", "not written here"),
    ("a = Dataset.from_generator(pairs, (n := tf.int64, n))", "assigns a name"),
    ("make = functools.partial(Dataset.from_generator, output_types=tf.int64)\na = make(pairs)", "not all"),
    ("o = tf.data.Options()\no .  experimental_deterministic = 1\na = numbers.with_options(o)", "as one expression"),
    ("a = numbers.map(tf.function(lambda x: x, experimental_compile=True, **{}))", "may be, passed as well"),
    ("a = numbers.map(lambda x: tf.decode_csv(x, [[1]], *[',']))", "other names or another order"),
    ("a = numbers.map(lambda x: tf.decode_csv(x, [[1]], ',', True, 'name'))", "other names or another order"),
    ("a = numbers.map(functools.partial(tf.decode_csv, record_defaults=[[1]]))", "other names or another order"),
    ("a = numbers.map(lambda x: tf.decode_raw(bytes=x, out_type=tf.uint8))", "other names or another order"),
    ("a = numbers.map(lambda x: tf.random_poisson(x, [3]))", "other names or another order"),
    ("a = f'{numbers} {tf.log(2.0)}'", "cannot be changed in this place"),
    ("a = numbers.map(tf.to_float)", "without a call"),
]

#: What carries the name is something else.
OTHERS = {
    "a function of the project": "def function(f, experimental_compile):\n    return f\n"
    "a = numbers.map(function(lambda x: x, experimental_compile=True))",
    "a method": "class Mine:\n    function = staticmethod(lambda f, **options: f)\n"
    "def f(tf):\n    return tf.function(lambda x: x, experimental_compile=True)\na = numbers.map(f(Mine))",
    "an attribute": "class Params:\n    pass\nparams = Params()\nparams.experimental_deterministic = True\na = numbers",
    "a name of one's own": "class Mine:\n    log = staticmethod(tf.abs)\ndef f(x, tf=Mine):\n    return tf.log(x)\n"
    "a = numbers.map(f)",
    "in a comprehension": "class Mine:\n    log = 3\na = [numbers, [tf.log for tf in [Mine]]]",
    "text": "a = numbers.map(lambda x: x + len('tf.log'))  # tf.log",
    "set before": "tf.log = tf.math.log\na = numbers.map(lambda x: tf.log(tf.cast(x, tf.float32)))",
    "asked for": "a = numbers.map(lambda x: tf.log(x) if hasattr(tf, 'log') else x)",
    "caught": "try:\n    a = numbers.map(lambda x: tf.log(x))\nexcept AttributeError:\n    a = numbers",
    "another version": "import tensorflow.compat.v1 as old\na = numbers.map(lambda x: old.log(old.to_float(x)))",
}


def fix(code: str, unsafe: bool = False) -> FileReport:
    settings = Settings(select=CODES, fixable=CODES, target_tensorflow=Target.parse("2.15", "test"))
    return fix_source(f"{HEADER}{dedent(code).strip()}\n", "pipeline.py", settings, unsafe=unsafe)


def after(code: str, unsafe: bool = False) -> str:
    fixed = fix(code, unsafe).after
    assert fixed is not None
    return fixed.decode().removeprefix(HEADER)


@pytest.mark.parametrize(("before", "expected"), SAFE.values(), ids=SAFE)
def test_safe(before: str, expected: str) -> None:
    assert after(before) == dedent(expected).lstrip()


@pytest.mark.parametrize(("before", "expected"), UNSAFE.values(), ids=UNSAFE)
def test_unsafe(before: str, expected: str) -> None:
    assert fix(before).after is None
    assert after(before, unsafe=True) == dedent(expected).lstrip()


@pytest.mark.parametrize(("code", "reason"), DISPLAY_ONLY)
def test_display_only(code: str, reason: str) -> None:
    report = fix(code, unsafe=True)
    assert report.after is None
    [found] = report.diagnostics
    assert found.fix is not None
    assert found.fix.applicability == "display-only"
    assert reason in found.fix.reason


@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS)
def test_other_things_of_the_name(code: str) -> None:
    assert not fix(code).diagnostics


def test_safe_ones_give_the_same(run_on_tensorflow: RunOnTensorFlow) -> None:
    for before, expected in SAFE.values():
        original, other = (f"{HEADER}{dedent(code).strip()}\n" for code in (before, expected))
        assert not compare(original, other, run_on_tensorflow).difference


def test_unsafe_ones_run(run_on_tensorflow: RunOnTensorFlow) -> None:
    for before, expected in UNSAFE.values():
        ended = [run_on_tensorflow(f"{HEADER}{dedent(code).strip()}\n", "old.py") for code in (before, expected)]
        assert [end["error"] for end in ended] == ["AttributeError", ""], ended


def test_other_things_of_the_name_run(run_on_tensorflow: RunOnTensorFlow) -> None:
    for code in OTHERS.values():
        assert not run_on_tensorflow(f"{HEADER}{code}\nassert a\n", "others.py")["error"]
