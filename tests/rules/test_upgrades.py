"""What becomes of each old name: TFD701 and TFD702 beyond the examples of their pages."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from fixes.comparison import compare, failure
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint import lint_paths
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.lint.reports import FileReport

HEADER = """\
import tensorflow as tf
from tensorflow.data import experimental

# Rows may be as long as this one, --------------------------------------- which has 100 characters.
# A comment that speaks of experimental keeps the import, too.
numbers = tf.data.Dataset.range(12)
vectors = numbers.map(lambda x: tf.range(x % 4))
sets = [numbers.take(2), numbers.skip(3)]
choices = tf.data.Dataset.range(2).repeat(20)


def double(x):
    return 2 * x


def spread(x):
    return tf.data.Dataset.range(x % 4).map(lambda y: 100 * x + y)


"""

#: The same elements in the same order, `element_spec` and cardinality: compared on TensorFlow.
SAFE = [
    # The methods of the same name
    ("a1 = numbers.batch(5).apply(experimental.unbatch())", "a1 = numbers.batch(5).unbatch()"),
    ("a2 = numbers.apply(experimental.enumerate_dataset(4))", "a2 = numbers.enumerate(4)"),
    ("a3 = numbers.apply(experimental.enumerate_dataset(**{'start': 4}))", "a3 = numbers.enumerate(**{'start': 4})"),
    ("a4 = numbers.map(lambda x: x // 2).apply(experimental.unique())", "a4 = numbers.map(lambda x: x // 2).unique()"),
    ("a5 = numbers.apply(experimental.ignore_errors(True))", "a5 = numbers.ignore_errors(True)"),
    ("a6 = numbers.apply(experimental.take_while(lambda x: x < 5))", "a6 = numbers.take_while(lambda x: x < 5)"),
    (
        "a7 = numbers.apply(experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * x)))",
        "a7 = numbers.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * x))",
    ),
    (
        "a8 = numbers.apply(experimental.group_by_window(lambda x: x % 3, lambda key, group: group.batch(2), 4))",
        "a8 = numbers.group_by_window(lambda x: x % 3, lambda key, group: group.batch(2), 4)",
    ),
    (
        "a9 = vectors.apply(experimental.bucket_by_sequence_length(tf.size, [1, 3], [2, 2, 3], drop_remainder=True))",
        "a9 = vectors.bucket_by_sequence_length(tf.size, [1, 3], [2, 2, 3], drop_remainder=True)",
    ),
    (
        "b1 = numbers.apply(experimental.rejection_resample(lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], seed=3))",
        "b1 = numbers.rejection_resample(lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], seed=3)",
    ),
    ("b2 = numbers.apply(experimental.snapshot('b2', 'GZIP'))", "b2 = numbers.snapshot('b2', 'GZIP')"),
    # Under another name
    ("c1 = vectors.apply(experimental.dense_to_ragged_batch(5, True))", "c1 = vectors.ragged_batch(5, True)"),
    (
        "c2 = vectors.apply(experimental.dense_to_sparse_batch(5, row_shape=[4]))",
        "c2 = vectors.sparse_batch(5, row_shape=[4])",
    ),
    ("c3 = experimental.Counter(3, step=2)", "c3 = tf.data.Dataset.counter(3, step=2)"),
    ("c4 = experimental.RandomDataset(seed=4).take(5)", "c4 = tf.data.Dataset.random(seed=4).take(5)"),
    ("c5 = experimental.RandomDataset().take(5)", "c5 = tf.data.Dataset.random().take(5)"),
    (
        "c6 = experimental.sample_from_datasets(sets, [0.2, 0.8], seed=2)",
        "c6 = tf.data.Dataset.sample_from_datasets(sets, [0.2, 0.8], seed=2)",
    ),
    (
        "c7 = experimental.sample_from_datasets(sets, seed=tf.constant(2, tf.int64))",
        "c7 = tf.data.Dataset.sample_from_datasets(sets, seed=tf.constant(2, tf.int64))",
    ),
    (
        "c8 = experimental.choose_from_datasets(sets, choices)",
        "c8 = tf.data.Dataset.choose_from_datasets(sets, choices, stop_on_empty_dataset=False)",
    ),
    (
        "c9 = experimental.choose_from_datasets(sets, choices, True)",
        "c9 = tf.data.Dataset.choose_from_datasets(sets, choices, True)",
    ),
    # The dataset was an argument
    ("d1 = experimental.get_single_element(numbers.batch(12))", "d1 = numbers.batch(12).get_single_element()"),
    (
        "d2 = experimental.get_single_element((numbers if sets else choices).batch(20))",
        "d2 = (numbers if sets else choices).batch(20).get_single_element()",
    ),
    (
        "d3 = experimental.get_single_element(dataset=a1.take(1) if sets else choices)",
        "d3 = (a1.take(1) if sets else choices).get_single_element()",
    ),
    ("d4 = experimental.get_next_as_optional(iter(numbers)).get_value()",
     "d4 = iter(numbers).get_next_as_optional().get_value()"),
    ("experimental.save(numbers, 'd5', 'GZIP')", "numbers.save('d5', 'GZIP')"),
    ("experimental.save(path='d6', dataset=vectors)", "vectors.save(path='d6')"),
    ("d5 = experimental.load('d5', None, 'GZIP')", "d5 = tf.data.Dataset.load('d5', None, 'GZIP')"),
    (
        "d6 = experimental.load('d6', element_spec=vectors.element_spec)",
        "d6 = tf.data.Dataset.load('d6', element_spec=vectors.element_spec)",
    ),
    # One becomes two
    (
        "e1 = numbers.apply(experimental.map_and_batch(double, 5))",
        "e1 = numbers.map(double, num_parallel_calls=tf.data.AUTOTUNE).batch(5)",
    ),
    (
        "e2 = numbers.apply(experimental.map_and_batch(double, 5, None, True, 2))",
        "e2 = numbers.map(double, num_parallel_calls=2).batch(5, drop_remainder=True)",
    ),
    (
        "e3 = numbers.apply(experimental.map_and_batch(map_func=double, batch_size=5, drop_remainder=bool(sets)))",
        "e3 = numbers.map(map_func=double, num_parallel_calls=tf.data.AUTOTUNE)"
        ".batch(batch_size=5, drop_remainder=bool(sets))",
    ),
    (
        "e4 = numbers.apply(experimental.map_and_batch(lambda x: tf.random.uniform([], seed=3), 1))",
        "e4 = numbers.map(lambda x: tf.random.uniform([], seed=3)).batch(1)",
    ),
    # Inputs of several lengths, and fewer of them than the cycle is long
    (
        "f1 = numbers.apply(experimental.parallel_interleave(spread, 3))",
        "f1 = numbers.interleave(spread, cycle_length=3, num_parallel_calls=3)",
    ),
    (
        "f2 = numbers.apply(experimental.parallel_interleave(spread, len(sets), sloppy=False))",
        "f2 = numbers.interleave(spread, cycle_length=len(sets), num_parallel_calls=tf.data.AUTOTUNE)",
    ),
    (
        "f3 = numbers.take(2).apply(experimental.parallel_interleave(spread, cycle_length=5, block_length=1))",
        "f3 = numbers.take(2).interleave(spread, cycle_length=5, block_length=1, num_parallel_calls=5)",
    ),
]  # fmt: skip

#: What may differ, with the reason.
UNSAFE = [
    (
        "a1 = numbers.apply(experimental.shuffle_and_repeat(8, 2, seed=3))",
        "a1 = numbers.shuffle(8, seed=3).repeat(2)",
        "with a seed",
    ),
    ("a2 = numbers.apply(experimental.shuffle_and_repeat(8, None))", "a2 = numbers.shuffle(8).repeat()", "with a seed"),
    (
        "b1 = numbers.apply(experimental.map_and_batch(double, 5, num_parallel_batches=2))",
        "b1 = numbers.map(double, num_parallel_calls=tf.data.AUTOTUNE).batch(5)",
        "`num_parallel_batches`",
    ),
    (
        "c1 = numbers.apply(experimental.parallel_interleave(spread, 3, 2))",
        "c1 = numbers.interleave(spread, cycle_length=3, block_length=2, num_parallel_calls=3)",
        "inside a block",
    ),
    (
        "c2 = numbers.apply(experimental.parallel_interleave(spread, 3, sloppy=True))",
        "c2 = numbers.interleave(spread, cycle_length=3, num_parallel_calls=3, deterministic=False)",
        "order stays undefined",
    ),
    (
        "c3 = numbers.apply(experimental.parallel_interleave(spread, 3, sloppy=sets or choices))",
        "c3 = numbers.interleave(\n"
        "    spread, cycle_length=3, num_parallel_calls=3, deterministic=not (sets or choices)\n"
        ")",
        "order stays undefined",
    ),
    (
        "c4 = numbers.apply(experimental.parallel_interleave(spread, 3, prefetch_input_elements=1))",
        "c4 = numbers.interleave(spread, cycle_length=3, num_parallel_calls=3)",
        "have no counterpart",
    ),
    (
        "c5 = numbers.repeat().apply(experimental.parallel_interleave(spread, 3))",
        "c5 = numbers.repeat().interleave(spread, cycle_length=3, num_parallel_calls=3)",
        "becomes infinite",
    ),
    (
        "options = tf.data.Options()\noptions.deterministic = False\n"
        "d1 = numbers.apply(experimental.parallel_interleave(spread, 3)).with_options(options)",
        "options = tf.data.Options()\noptions.deterministic = False\n"
        "d1 = numbers.interleave(spread, cycle_length=3, num_parallel_calls=3).with_options(options)",
        "`deterministic`",
    ),
    (
        "features = {'a': tf.io.VarLenFeature(tf.int64)}\n"
        "e1 = tf.data.Dataset.from_tensors(['']).apply(experimental.parse_example_dataset(features, 2))",
        "features = {'a': tf.io.VarLenFeature(tf.int64)}\n"
        "e1 = tf.data.Dataset.from_tensors(['']).map(\n"
        "    lambda batch: tf.io.parse_example(batch, features), num_parallel_calls=2\n"
        ")",
        "static shape",
    ),
    (
        "f1 = tf.compat.v1.data.experimental.Counter().take(2)",
        "f1 = tf.data.Dataset.counter().take(2)",
        "`make_one_shot_iterator`",
    ),
]

OLD = """\
import tensorflow.compat.v1 as tf

def read(files):
    dataset = tf.data.TFRecordDataset(files)
    return dataset.apply(tf.data.experimental.{}){}

{}
"""


@pytest.mark.parametrize(
    ("name", "behind", "consumer", "reason"),
    [
        ("map_and_batch(tf.io.decode_raw, 8)", ".make_one_shot_iterator()", "row = read('a').get_next()", ""),
        (
            "map_and_batch(tf.io.decode_raw, 8)",
            "",
            "model = tf.keras.Model()\nmodel.fit(read('a'))",
            "number of elements",
        ),
        ("map_and_batch(tf.io.decode_raw, 8)", "", "", "number of elements"),
        ("parallel_interleave(tf.data.TextLineDataset, 4)", "", "", ""),
        ("unbatch()", "", "", "make_one_shot_iterator"),
    ],
)
def test_in_code_for_tensorflow_1(name: str, behind: str, consumer: str, reason: str) -> None:
    report = lint_source(OLD.format(name, behind, consumer))
    (found,) = (found.fix for found in report.diagnostics if found.code == "TFD702")
    assert found is not None
    assert (found.applicability == "safe", reason in found.reason) == (not reason, True)


#: Only the text counts.
LAYOUTS = {
    "one statement per stage": (
        """
        ds = ds.map(double)
        ds = ds.apply(experimental.map_and_batch(double, 5))  # a pair
        """,
        """
        ds = ds.map(double)
        ds = ds.map(double, num_parallel_calls=tf.data.AUTOTUNE)  # a pair
        ds = ds.batch(5)
        """,
    ),
    "a chain over several rows": (
        """
        ds = (
            ds.map(double)
            .apply(experimental.map_and_batch(double, 5))  # a pair
            .prefetch(2)
        )
        """,
        """
        ds = (
            ds.map(double)
            .map(double, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(5)  # a pair
            .prefetch(2)
        )
        """,
    ),
    "a chain with backslashes": (
        """
        ds = ds.map(double) \\
            .apply(experimental.shuffle_and_repeat(5)) \\
            .prefetch(2)
        """,
        """
        ds = ds.map(double) \\
            .shuffle(5) \\
            .repeat() \\
            .prefetch(2)
        """,
    ),
    "rows that are kept": (
        """
        ds = ds.apply(
            experimental.group_by_window(
                key_func=lambda x: x % 2,  # even or odd
                reduce_func=lambda key, group: group.batch(
                    4
                ),
                window_size=4,
            )
        )
        """,
        """
        ds = ds.group_by_window(
            key_func=lambda x: x % 2,  # even or odd
            reduce_func=lambda key, group: group.batch(
                4
            ),
            window_size=4,
        )
        """,
    ),
    "rows below the parenthesis": (
        """
        ds = experimental.sample_from_datasets([ds, ds],
                                               weights=[0.1, 0.9],
                                               seed=3)
        """,
        """
        ds = tf.data.Dataset.sample_from_datasets([ds, ds],
                                                  weights=[0.1, 0.9],
                                                  seed=3)
        """,
    ),
    "arguments with comments": (
        """
        ds = ds.apply(
            experimental.parallel_interleave(
                spread,
                # as many as there are disks
                cycle_length=4,
                sloppy=True,  # any order will do
            )
        )
        """,
        """
        ds = ds.interleave(
            spread,
            # as many as there are disks
            cycle_length=4,
            num_parallel_calls=4,
            deterministic=False,  # any order will do
        )
        """,
    ),
    "too long for one row": (
        """
        def make(ds, parse_record, name_of_features, size_of_batches):
            return ds.apply(experimental.map_and_batch(
              lambda record: parse_record(record, name_of_features),
              batch_size=size_of_batches))
        """,
        """
        def make(ds, parse_record, name_of_features, size_of_batches):
            return ds.map(
                lambda record: parse_record(record, name_of_features),
                num_parallel_calls=tf.data.AUTOTUNE).batch(batch_size=size_of_batches)
        """,
    ),
    "a dataset over several rows": (
        """
        batch = experimental.get_single_element(
            ds.map(double)
            .batch(4),
        )
        """,
        """
        batch = (
            ds.map(double)
            .batch(4)
        ).get_single_element()
        """,
    ),
    "a dataset over several rows by name, with a comment": (
        """
        batch = experimental.get_single_element(
            dataset=ds.map(double)
            .batch(4),  # all of them
        )
        """,
        """
        batch = (
            ds.map(double)
            .batch(4)  # all of them
        ).get_single_element()
        """,
    ),
    "comments on rows of their own": (
        """
        ds = ds.apply(experimental.map_and_batch(
          double,
          # more do not fit
          # into memory
          batch_size=4,
          num_parallel_calls=2,  # cores
        ))
        """,
        """
        ds = ds.map(
          double,
          num_parallel_calls=2,  # cores
        )
        ds = ds.batch(
          # more do not fit
          # into memory
          batch_size=4,
        )
        """,
    ),
    # AutoGraph would not know which of the two it has.
    "two lambdas stay on two rows": (
        """
        ds = ds.map(lambda x: x + 1).apply(
            experimental.take_while(lambda x: x > 3 and x < 5)
        )
        """,
        """
        ds = ds.map(lambda x: x + 1).take_while(
            lambda x: x > 3 and x < 5
        )
        """,
    ),
    "AUTOTUNE of the file": (
        """
        AUTO = tf.data.experimental.AUTOTUNE
        ds = ds.apply(experimental.map_and_batch(double, 5)).prefetch(experimental.AUTOTUNE)
        """,
        """
        AUTO = tf.data.AUTOTUNE
        ds = ds.map(double, num_parallel_calls=AUTO).batch(5).prefetch(tf.data.AUTOTUNE)
        """,
    ),
    "an import of its own": (
        """
        from tensorflow.data.experimental import AUTOTUNE as AUTO
        from tensorflow.data.experimental import cardinality, AUTOTUNE

        ds = ds.prefetch(AUTO).prefetch(AUTOTUNE).prefetch(AUTO)
        """,
        """
        from tensorflow.data import AUTOTUNE as AUTO
        from tensorflow.data import AUTOTUNE
        from tensorflow.data.experimental import cardinality

        ds = ds.prefetch(AUTO).prefetch(AUTOTUNE).prefetch(AUTO)
        """,
    ),
    "a generator gets parentheses": (
        "ds = ds.apply(tf.contrib.data.batch_and_drop_remainder(n for n in sizes))\n",
        "ds = ds.batch((n for n in sizes), drop_remainder=True)\n",
    ),
    "compat.v1": (
        "ds = ds.prefetch(tf.compat.v1.data.experimental.AUTOTUNE)\n",
        "ds = ds.prefetch(tf.compat.v1.data.AUTOTUNE)\n",
    ),
    "tf.contrib": (
        """
        ds = ds.apply(tf.contrib.data.batch_and_drop_remainder(5))
        ds = ds.apply(tf.contrib.data.padded_batch_and_drop_remainder(5, padded_shapes=[None]))
        ds = ds.apply(tf.contrib.data.prefetch_to_device("/gpu:0"))
        """,
        """
        ds = ds.batch(5, drop_remainder=True)
        ds = ds.padded_batch(5, padded_shapes=[None], drop_remainder=True)
        ds = ds.apply(experimental.prefetch_to_device("/gpu:0"))
        """,
    ),
}

DISPLAY_ONLY = [
    ("transform = experimental.unbatch()\nds = numbers.apply(transform)", "not directly inside `.apply(…)`"),
    ("ds = numbers.apply(transformation_func=experimental.unbatch())", "not directly inside `.apply(…)`"),
    ("ds = (numbers.apply)(experimental.unbatch())", "not directly inside `.apply(…)`"),
    ("make = experimental.Counter\nds = make()", "without a call"),
    ("ds = numbers.apply(experimental.map_and_batch(*[double, 5]))", "not all of its arguments are known"),
    ("ds = experimental.get_single_element(**{'dataset': numbers})", "not all of its arguments are known"),
    ("ds = numbers.apply(experimental.map_and_batch(double, n := 5, num_parallel_calls=n))", "assigns a name"),
    ("ds = numbers.apply(  # why\n    experimental.unique()\n)", "a comment is in the way"),
    (
        "ds = numbers.apply(experimental.parallel_interleave(spread, 3, prefetch_input_elements=1,  # one\n))",
        "a comment is in the way",
    ),
    (
        "ds = numbers.apply(experimental.parallel_interleave(spread, 3, sloppy=bool(  # why\n    sets\n)))",
        "a comment is in the way",
    ),
    ("text = f'{experimental.get_single_element(numbers)}'", "cannot be changed in this place"),
    ("writer = experimental.TFRecordWriter('path')", "records one by one"),
]

#: What carries the name is something else where it is used: nothing is said, or nothing changes without being asked.
#: `cut` is a transformation of the program's own.
OTHERS = {
    "parameter": "def f(unbatch):\n    return pairs.apply(unbatch())\na = f(cut)",
    "lambda": "a = (lambda unbatch: pairs.apply(unbatch()))(cut)",
    "local": "def f():\n    unbatch = cut\n    return pairs.apply(unbatch())\na = f()",
    "comprehension": "a, b = [pairs.apply(unbatch()) for unbatch in (cut, cut)]",
    "class body": "class C:\n    unbatch = cut\n    ds = pairs.apply(unbatch())\na = C.ds",
    "global": "def g():\n    global unbatch\n    unbatch = cut\ng()\na = pairs.apply(unbatch())",
    "rebound": "if numbers is not pairs:\n    unbatch = cut\na = pairs.apply(unbatch())",
    "function": "def unbatch():\n    return cut()\na = pairs.apply(unbatch())",
    "class": "class unbatch:\n    def __call__(self, ds):\n        return ds.take(1)\na = pairs.apply(unbatch())",
    "globals": "globals()['unbatch'] = cut\na = pairs.apply(unbatch())",
    "loop": "for unbatch in [cut]:\n    a = pairs.apply(unbatch())",
    "with": "import contextlib\nwith contextlib.nullcontext(cut) as unbatch:\n    a = pairs.apply(unbatch())",
    "pattern": "match [cut]:\n    case [unbatch]:\n        a = pairs.apply(unbatch())",
    "walrus": "[(unbatch := cut) for _ in range(1)]\na = pairs.apply(unbatch())",
    "module": "class Mine:\n    unbatch = cut\ndef f(experimental):\n"
    "    return pairs.apply(experimental.unbatch())\na = f(Mine)",
    "constant": "class Mine:\n    AUTOTUNE = 1\ndef f(experimental):\n"
    "    return numbers.map(double, experimental.AUTOTUNE)\na = f(Mine)",
    "no dataset": "class Mine:\n    def apply(self, function):\n        return function(pairs)\n"
    "a = Mine().apply(experimental.unbatch())",
    "no dataset in an attribute": "class Mine:\n    def apply(self, function):\n        return function(pairs)\n"
    "class Other:\n    mine = Mine()\n    def f(self):\n        return self.mine.apply(experimental.unbatch())\n"
    "a = Other().f()",
    "endless": "a = tf.data.Dataset.counter().apply(experimental.parallel_interleave(spread, 3))",
    "endless draws": "a = tf.data.Dataset.random(3).apply(experimental.parallel_interleave(spread, 3))",
    "endless argument": "def f(ds):\n    return ds.apply(experimental.parallel_interleave(spread, 3))\n"
    "a, b = f(numbers.repeat()), f(numbers)",
}  # fmt: skip

OTHERS_HEADER = f"""{HEADER}from tensorflow.data.experimental import unbatch

pairs = numbers.batch(2)
used = [unbatch]


def cut():
    return lambda ds: ds.take(1)


"""


def fix(code: str, unsafe: bool = False) -> FileReport:
    settings = Settings(fixable=("TFD701", "TFD702"), target_tensorflow=Target.parse("2.15", "test"))
    return fix_source(code, "pipeline.py", settings, unsafe=unsafe)


def fixed(code: str, unsafe: bool = False) -> str:
    report = fix(code, unsafe)
    return (report.after or code.encode()).decode()


@pytest.mark.parametrize(("before", "after"), SAFE)
def test_safe(before: str, after: str) -> None:
    assert fixed(f"{HEADER}{before}\n") == f"{HEADER}{after}\n"


@pytest.mark.parametrize(("before", "after", "reason"), UNSAFE)
def test_unsafe(before: str, after: str, reason: str) -> None:
    report = fix(f"{HEADER}{before}\n")
    assert [reason in found.fix.reason for found in report.diagnostics if found.code == "TFD702" and found.fix] == [
        True
    ]
    assert report.after is None
    assert fixed(f"{HEADER}{before}\n", unsafe=True) == f"{HEADER}{after}\n"


@pytest.mark.parametrize(("before", "after"), LAYOUTS.values(), ids=LAYOUTS)
def test_layout(before: str, after: str) -> None:
    assert fixed(HEADER + dedent(before), unsafe=True) == HEADER + dedent(after)


@pytest.mark.parametrize(("code", "reason"), DISPLAY_ONLY)
def test_display_only(code: str, reason: str) -> None:
    report = fix(f"{HEADER}{code}\n", unsafe=True)
    assert report.after is None
    [found] = [diagnostic for diagnostic in report.diagnostics if diagnostic.code == "TFD702"]
    assert found.fix is not None
    assert found.fix.applicability == "display-only"
    assert reason in found.fix.reason


def test_safe_ones_give_the_same(run_on_tensorflow: RunOnTensorFlow) -> None:
    for random in (True, False):
        pairs = [pair for pair in SAFE if random == bool(re.search("seed|random", pair[1]))]
        original, other = (HEADER + "\n".join(side) for side in zip(*pairs, strict=True))
        assert not compare(original, other, run_on_tensorflow).difference


@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS)
def test_other_things_of_the_name(code: str) -> None:
    assert fix(f"{OTHERS_HEADER}{code}\n").after is None


def test_other_things_of_the_name_run(run_on_tensorflow: RunOnTensorFlow) -> None:
    for code in OTHERS.values():
        assert not run_on_tensorflow(f"{OTHERS_HEADER}{code}\nassert a\n", "others.py")["error"]


def test_the_name_of_an_enclosing_class_is_not_seen() -> None:
    """Methods see the module's name."""
    code = "class C:\n    unbatch = 3\n\n    def f(self):\n        return pairs.apply(unbatch())\n"
    assert fixed(OTHERS_HEADER + code) == OTHERS_HEADER + code.replace("apply(unbatch())", "unbatch()")


def test_unsafe_ones_run(run_on_tensorflow: RunOnTensorFlow) -> None:
    before, after = (HEADER + "\n".join(case[i] for case in UNSAFE) for i in (0, 1))
    assert not failure(before, after, run_on_tensorflow)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_fixes_settle(number: int) -> None:
    """What comes out has nothing left to fix."""
    code = HEADER + "\n".join(before for before, *_ in [*SAFE, *UNSAFE][number::3])
    assert fix(fixed(code, unsafe=True), unsafe=True).after is None
    assert not re.search(r"experimental\.[a-z_A-Z]+\(", fixed(code, unsafe=True))


@pytest.mark.parametrize(
    ("target", "severity"),
    [
        (Target(oldest=(2, 1)), "warning"),
        (Target(oldest=(2, 11)), "error"),
        (Target((2, 12), "requirements.txt", is_declared=True), "error"),
    ],
)
def test_what_a_lower_bound_still_allows_is_no_error(target: Target, severity: str) -> None:
    text = "import tensorflow as tf\nds = tf.data.Dataset.range(8).batch(2)\nadam = tf.keras.optimizers.Adam(lr=0.1)\n"
    found = [
        d for d in lint_source(text, settings=Settings(target_tensorflow=target)).diagnostics if d.code == "TFD707"
    ]
    assert [(d.severity, d.place.row) for d in found] == [(severity, 3)]


@pytest.mark.parametrize(
    ("layers", "codes"),
    [
        ("import tensorflow as tf\n\n\ndef norm(x):\n    return tf.contrib.layers.instance_norm(x)\n", []),
        (
            "import tensorflow as tf\n\n\n@tf.function\ndef norm(x):\n    return x  # was tf.contrib.layers\n",
            ["TFD701"],
        ),
        ("def norm(x):\n    return x\n", ["TFD701"]),
    ],
)
def test_a_program_of_tensorflow_1_has_its_names(layers: str, codes: list[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "layers.py").write_text(layers)
    (tmp_path / "data.py").write_text(
        "import tensorflow as tf\n\n\ndef make(names):\n"
        "    return tf.data.TFRecordDataset(names).batch(8).prefetch(tf.data.experimental.AUTOTUNE)\n"
    )
    (tmp_path / "main.py").write_text("from data import make\nfrom layers import norm\n\nrun(make(NAMES), norm)\n")
    reports = lint_paths([str(tmp_path / "data.py")], Settings(select=("TFD701",)))
    assert [diagnostic.code for report in reports for diagnostic in report.diagnostics] == codes
