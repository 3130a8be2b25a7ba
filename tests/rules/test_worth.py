"""What saves too little time to be a warning: with data known to be small, and where something runs once."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest

from tfdata_lint import Settings, Target, lint_source
from tfdata_lint.lint.diagnostics import Diagnostic

LOOP = """\
for epoch in range(10):
    for x, y in ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) - y)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
"""


def found(code: str, text: str, path: str = "train.py") -> Diagnostic:
    report = lint_source(f"import tensorflow as tf\n{dedent(text)}", path, Settings(select=(code,)))
    (diagnostic,) = report.diagnostics
    return diagnostic


@pytest.mark.parametrize(
    "loads",
    [
        "from sklearn.datasets import load_iris\nx, y = load_iris(return_X_y=True)",
        "(x, y), _ = tf.keras.datasets.boston_housing.load_data()",
        "x, y = read(tf.keras.utils.get_file('auto-mpg.data', URL))",
        "x, y = read('https://storage.googleapis.com/tf-datasets/titanic/train.csv')",
        "x, y = read('data/iris_training.csv')",
        "import seaborn as sns\nx, y = split(sns.load_dataset('penguins'))",
    ],
)
def test_speed_with_small_data_is_advice(loads: str) -> None:
    text = f"{loads}\nds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)\n{LOOP}"
    assert (diagnostic := found("TFD604", text)).severity == "advice"
    assert diagnostic.cost.endswith("; little in sum here, because the data is small")


@pytest.mark.parametrize(
    "loads",
    [
        "(x, y), _ = tf.keras.datasets.mnist.load_data()",
        "x, y = read('iris_images/left')",
        "x, y = read('CASIA-iris')",
        "x, y = load(iris)",
        "NAMES = ['rose', 'iris', 'tulip']\nx, y = load(NAMES)",
    ],
)
def test_other_data_may_be_large(loads: str) -> None:
    text = f"{loads}\nds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)\n{LOOP}"
    assert found("TFD604", text).severity == "warning"


def test_a_file_that_reads_other_data_too_is_about_those() -> None:
    text = """\
    from sklearn.datasets import load_iris
    x, y = load_iris(return_X_y=True)
    ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor).shuffle(100).batch(32)
    """
    assert found("TFD604", dedent(text) + LOOP).severity == "warning"


WORDS = """\
import tensorflow_recommenders as tfrs
words = tf.data.TextLineDataset("words.txt")
table = tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer("v", tf.string, 0, tf.int64, 1), 1)
ids = words.map(lambda word: (table.lookup(word), tf.image.flip_left_right(tf.io.parse_tensor(word, tf.uint8))))
"""


@pytest.mark.parametrize(
    ("then", "why"),
    [
        ("tf.keras.layers.TextVectorization().adapt(ids)", "only `adapt` reads it, once"),
        (
            "with tf.io.TFRecordWriter('out') as writer:\n    for one in ids:\n        writer.write(serialize(one))",
            "only a loop that writes files reads it, once",
        ),
        (
            "for one in ids:\n    cv2.imshow('words', draw(one))\n    cv2.waitKey(0)",
            "only a loop that shows pictures reads it",
        ),
        (
            "tfrs.metrics.FactorizedTopK(candidates=ids)",
            "only an index of TensorFlow Recommenders reads it",
        ),
        ("model.fit(ids.prefetch(2), epochs=10)", ""),
        ("tf.keras.layers.TextVectorization().adapt(ids)\nmodel.fit(ids.prefetch(2), epochs=10)", ""),
        ("for one in ids:\n    model.train_on_batch(one)", ""),
    ],
)
def test_what_runs_once_is_advice(then: str, why: str) -> None:
    diagnostic = found("TFD102", f"{WORDS}{then}\n")
    assert diagnostic.severity == ("advice" if why else "warning")
    assert ("because" in diagnostic.cost) == bool(why)
    assert diagnostic.cost.endswith(why)


@pytest.mark.parametrize(
    ("then", "why"),
    [
        ("model.evaluate(test)", "only `evaluate` reads it, once"),
        ("model.evaluate(test)\nprint(model.predict(test))", "only `evaluate` and `predict` read it, once"),
        ("for _ in range(9):\n    model.evaluate(test)", ""),
        ("for _ in range(epochs):\n    model.evaluate(test, steps=5)", "only a few steps of `evaluate` read it"),
        ("for one in test:\n    seen(model(one))", "only a loop over test data reads it, once"),
        (
            "model.fit(train, validation_data=test, validation_steps=30)\nmodel.evaluate(test)",
            "only a few steps of validation and `evaluate` read it",
        ),
        ("model.fit(train, validation_data=test)\nmodel.evaluate(test)", "only validation and `evaluate` read it"),
        (
            "for _ in range(9):\n    model.fit(train, epochs=30)\n    model.evaluate(test)",
            "only `evaluate` reads it, once",
        ),
        ("for epoch in range(9):\n    for one in test:\n        seen(model(one))", ""),
        ("for number in range(3):\n    model.evaluate(test)", ""),
        ("\n".join(["model.evaluate(test)"] * 4), ""),
    ],
)
def test_what_is_only_evaluated_once_is_advice(then: str, why: str) -> None:
    test = WORDS.replace("ids =", "test =").replace("words.txt", "test.txt")
    train = "train = tf.data.TFRecordDataset('train').prefetch(2)\n"
    both = found("TFD102", f"{train}{test}model.fit(train, epochs=9)\n{then}\n")
    assert both.severity == ("advice" if why else "warning")
    assert both.cost.endswith(why)
    # Where nothing trains, that pass is all there is.
    assert found("TFD102", f"{test}{then}\n").severity == "warning"


@pytest.mark.parametrize(
    ("then", "few"),
    [
        ("model.fit(ids, steps_per_epoch=10, epochs=5)", True),
        ("model.fit(ids, steps_per_epoch=10, epochs=50)", False),
        ("model.fit(ids, steps_per_epoch=STEPS, epochs=5)", True),
        ("model.fit(ids, steps_per_epoch=10, epochs=args.epochs)", False),
        ("taken = iter(ids)\nfor _ in range(STEPS):\n    train(model, next(taken))", True),
        ("taken = iter(ids)\nfor _ in tqdm(range(STEPS)):\n    train(model, next(taken))", True),
        ("taken = iter(ids)\nfor _ in range(100 * STEPS):\n    train(model, next(taken))", False),
        ("taken = iter(ids)\nwhile going():\n    train(model, next(taken))", False),
        (
            "taken = iter(ids)\nfor _ in range(epochs):\n    for _ in range(5):\n        train(model, next(taken))",
            False,
        ),
        # Who else takes from it is not seen.
        ("taken = iter(ids)\nfirst = next(taken)\nmodel.build(first)\ntrain(model, taken)", False),
        (
            "step = minimize(ids.make_one_shot_iterator().get_next())\nwith tf.Session() as session:\n"
            "    session.run(tf.global_variables_initializer())\n    for _ in range(STEPS):\n        session.run(step)",
            True,
        ),
        (
            "step = minimize(ids.make_one_shot_iterator().get_next())\nwith tf.Session() as session:\n"
            "    while not session.should_stop():\n        session.run(step)",
            False,
        ),
    ],
)
def test_a_few_steps_are_advice(then: str, few: bool) -> None:
    words = WORDS.replace("import tensorflow_recommenders as tfrs\n", "STEPS = 8\n")
    diagnostic = found("TFD102", f"{words}{then}\n")
    assert diagnostic.severity == ("advice" if few else "warning")
    assert diagnostic.cost.endswith("because only a few steps read it") == few


TIMED = """\
import time

def measure(ds):
    start = time.perf_counter()
    for one in ds:
        {}
    print(time.perf_counter() - start)

measure(ids)
"""


@pytest.mark.parametrize(("body", "severity"), [("time.sleep(0.01)", "advice"), ("train(model, one)", "warning")])
def test_a_loop_that_is_only_timed_compares_pipelines(body: str, severity: str) -> None:
    assert found("TFD102", f"{WORDS}{TIMED.format(body)}").severity == severity


@pytest.mark.parametrize(("then", "severity"), [("", "advice"), ("model.fit(train, epochs=9)", "warning")])
def test_what_nothing_in_a_notebook_reads_is_advice(then: str, severity: str) -> None:
    code = f"import tensorflow as tf\n{WORDS}train = ids.batch(8).prefetch(1)\n{then}"
    cell = {"cell_type": "code", "source": code, "metadata": {}, "outputs": [], "execution_count": None}
    book = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (diagnostic,) = lint_source(book, "train.ipynb", Settings(select=("TFD102",))).diagnostics
    assert diagnostic.severity == severity


@pytest.mark.parametrize(("part", "severity"), [("test", "advice"), ("train", "warning")])
def test_what_only_evaluation_makes_with_python_is_advice(part: str, severity: str) -> None:
    text = f"""\
        def rows():
            for name in NAMES:
                yield cv2.imread(name)

        def make(part):
            if part == "train":
                return tf.data.TFRecordDataset("train")
            return tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([8, 8, 3], tf.uint8))

        def again(part):
            if part == "train":
                return tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([8, 8, 3], tf.uint8))
            return tf.data.TFRecordDataset("test")

        model.fit({"again" if part == "train" else "make"}("{part}").batch(8), epochs=9)
    """
    report = lint_source(f"import cv2\nimport tensorflow as tf\n{dedent(text)}", "a.py", Settings(select=("TFD201",)))
    assert severity in {diagnostic.severity for diagnostic in report.diagnostics}


def test_what_is_thrown_away_does_not_run() -> None:
    assert found("TFD102", f"{WORDS.replace('ids = words', 'words')}model.fit(words)\n").severity == "advice"


def test_reading_files_into_a_cache_is_advice() -> None:
    text = """\
    import tensorflow as tf

    names = tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob("*.jpg")))
    images = names.map(tf.io.read_file).map(decode, num_parallel_calls=tf.data.AUTOTUNE).cache()
    model.fit(images.shuffle(100).batch(32).prefetch(2), epochs=10)
    """
    settings = Settings(select=("TFD102",), target_tensorflow=Target.parse("2.4", "here"))
    (read,) = lint_source(dedent(text), "train.py", settings).diagnostics
    (read_again,) = lint_source(dedent(text).replace(".cache()", ""), "train.py", settings).diagnostics
    assert (read.severity, read_again.severity) == ("advice", "warning")


def test_an_expensive_map_is_not_free_because_a_cache_keeps_it() -> None:
    text = """\
    ds = tf.data.Dataset.list_files("*.jpg").map(
        lambda name: tf.image.random_crop(tf.io.decode_jpeg(tf.io.read_file(name)), [8, 8, 3])
    )
    model.fit(ds.batch(32).cache().prefetch(2), epochs=10)
    """
    assert found("TFD102", text).severity == "warning"


def test_errors_stay_errors() -> None:
    text = """\
    from sklearn.datasets import load_iris
    x, y = load_iris(return_X_y=True)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
    ds.shuffle(100)
    model.fit(ds)
    """
    assert found("TFD401", text).severity == "error"


@pytest.mark.parametrize(
    ("path", "severity"),
    [("train_eager.py", "advice"), ("eager_mlp.py", "advice"), ("eagerly.py", "warning"), ("train.py", "warning")],
)
def test_what_is_eager_by_the_name_of_its_file_is_meant(path: str, severity: str) -> None:
    text = f"ds = tf.data.Dataset.from_tensor_slices(load()).shuffle(100).batch(32)\n{LOOP.replace('x, y', 'x')}"
    assert found("TFD604", text.replace("model(x) - y", "model(x)"), path).severity == severity


@pytest.mark.parametrize("waits", ["pytest.raises(ValueError)", "self.assertRaisesRegex(ValueError, 'steps')"])
def test_what_a_test_waits_for_is_meant(waits: str) -> None:
    endless = "ds = tf.data.Dataset.range(9).batch(3).repeat()\n"
    report = lint_source(
        f"import tensorflow as tf\n{endless}with {waits}:\n    model.fit(ds)\n", "a.py", Settings(select=("TFD405",))
    )
    assert not report.diagnostics
    assert found("TFD405", f"{endless}with open('log'):\n    model.fit(ds)\n").severity == "error"


@pytest.mark.parametrize(
    ("test", "severities"),
    [
        ('tf.__version__ >= "1.7.0"', ["warning", "advice"]),
        ('version.parse(tf.__version__) < version.parse("2.4")', ["warning", "advice"]),
        ('not tf.__version__.startswith("1.")', ["warning", "advice"]),
        ('tf.__version__.startswith("2")', ["warning", "advice"]),
        ('LooseVersion(tf.__version__) > LooseVersion("2.9.1")', ["advice", "warning"]),
        ("parallel", ["warning", "warning"]),
        ('keras.__version__ >= "3"', ["warning", "warning"]),
    ],
)
def test_what_the_target_does_not_run_is_advice(test: str, severities: list[str]) -> None:
    text = f"""\
import tensorflow as tf


def decode(path):
    return tf.image.decode_jpeg(tf.io.read_file(path))


def pictures(files):
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(1000)
    if {test}:
        ds = ds.map(decode)
    else:
        ds = ds.map(decode)
    return ds.batch(8).prefetch(1)


def train(model, files):
    model.fit(pictures(files), epochs=3)
"""
    settings = Settings(select=("TFD102",), target_tensorflow=Target.parse("2.3", "a test"))
    report = lint_source(text, "train.py", settings)
    assert [diagnostic.severity for diagnostic in report.diagnostics] == severities


@pytest.mark.parametrize(("name", "severity"), [("test_ds", "advice"), ("train_ds", "warning"), ("ds", "warning")])
def test_what_is_handed_on_as_test_data_is_advice(name: str, severity: str) -> None:
    text = f"""
        def load(files):
            {name} = tf.data.Dataset.list_files(files).interleave(tf.data.TFRecordDataset).shuffle(1000).batch(8)
            return Split(part={name}.prefetch(1))

        def train(split, model):
            for images in split.part:
                step(model, images)
    """
    assert (diagnostic := found("TFD103", text)).severity == severity
    assert ("only evaluation reads it, by its name" in diagnostic.cost) == (severity == "advice")
