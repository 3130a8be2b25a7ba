"""Places that tempt a rule, found in public code, with their relatives: each row says which rules speak about it.

Beside the pages, which show the usual cases.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint.linting import lint_source

PROGRAMS = {
    # A pattern without a wildcard is one file; one that only some callers give a name may be any number.
    "TFD105 of a glob": """
        def read(pattern):
            return tf.data.TextLineDataset(tf.io.gfile.glob(pattern)).batch(8).prefetch(2)

        def read_all(pattern):
            files = tf.io.gfile.glob(pattern)
            return tf.data.TextLineDataset(files).batch(8).prefetch(2)  # TFD105

        def train(model, folder):
            model.fit(read("train.csv"))
            model.evaluate(read("eval.csv"))
            model.fit(read_all("train*.csv"))
            model.evaluate(read_all(f"{folder}/*.csv"))
    """,
    # What one of them advises is right for the others: map, cache, shuffle, or a map that enlarges last.
    "TFD301 against TFD308 and TFD325": """
        def load(path):
            image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
            return tf.image.resize(image, [224, 224])

        def small(path):
            return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [8, 8])

        def enlarge(image):
            return tf.image.resize(image, [224, 224])

        def train(model, paths):
            files = tf.data.Dataset.from_tensor_slices(paths)
            model.fit(files.cache().shuffle(1000).map(load).batch(32).prefetch(2), epochs=3)  # TFD301
            model.fit(files.map(load).cache().shuffle(1000).batch(32).prefetch(2), epochs=3)
            model.fit(files.map(small).map(enlarge).cache().shuffle(1000).batch(32).prefetch(2), epochs=3)
            model.fit(files.map(small).cache().shuffle(1000).map(enlarge).batch(32).prefetch(2), epochs=3)

        def count(model):
            numbers = tf.data.Dataset.range(50_000)
            images = numbers.map(lambda n: tf.cast(tf.fill([8, 8, 3], n % 256), tf.uint8))
            model.fit(images.map(enlarge).cache().shuffle(1000).batch(32).prefetch(2), epochs=3)
            model.fit(images.cache().shuffle(1000).map(enlarge).batch(32).prefetch(2), epochs=3)
    """,
    # A handful of elements, however they are put together.
    "TFD101 over literals": """
        def train(model):
            model.fit(tf.data.Dataset.from_tensor_slices(collections.OrderedDict(t=[1, 2], g=[3, 4])).batch(2))
            sparse = tf.SparseTensor([[0, 1], [1, 1]], [1, 2], [2, 3])
            model.fit(tf.data.Dataset.from_tensor_slices((sparse, [1, 2])).batch(2))
            many = collections.OrderedDict(t=tf.random.uniform([1000]), g=[3, 4])
            model.fit(tf.data.Dataset.from_tensor_slices(many).batch(2))  # TFD101
    """,
    # A call that cannot run is another rule's.
    "TFD102 without a function": """
        def train(model):
            model.fit(tf.data.Dataset.list_files("*.png").map().batch(8).prefetch(2))
    """,
    # Cheap work behind a prefetch leaves the overlap; work that costs does not, also where it is parallel (advice).
    "TFD101 behind a prefetch": """
        def pick(features):
            label = features.pop("label")
            return {name: features[name] for name in ("a", "b")}, tf.cast(tf.squeeze(label, -1), tf.float32)

        def scale(features):
            return {name: tf.image.resize(features[name], [8, 8]) for name in ("a", "b")}

        def train(model, unseen, files):
            ready = tf.data.TFRecordDataset(files, num_parallel_reads=4).batch(8).prefetch(2)
            model.fit(ready.map(pick))
            model.fit(ready.map(pick).shuffle(10).map(lambda x, y: (x, (y, 1))))
            model.fit(ready.filter(lambda features: features["n"] > 3))
            model.fit(ready.filter(lambda features: tf.reduce_all(tf.strings.length(features["s"]) > 3)))
            model.fit(ready.filter(unseen))  # TFD101
            model.fit(ready.map(scale, num_parallel_calls=4))  # TFD101
            model.fit(ready.map(scale, num_parallel_calls=4).map(pick))  # TFD101
            model.fit(ready.map(scale))  # TFD101 TFD102
            model.fit(ready.map(scale).map(pick))  # TFD101 TFD102
            model.fit(ready.unbatch().batch(3))  # TFD101
            model.fit(ready.map(unseen))  # TFD101 TFD102
    """,
    "TFD101 kept or consumed": """
        def keep(files, model):
            batches = tf.data.TFRecordDataset(files, num_parallel_reads=4).batch(8)
            kept, count = [], 0
            for batch in batches:
                count += len(batch)
            for image, label in batches:
                kept.append((image.numpy(), label))
                print(count)
            return kept

        def consume(files, model):
            batches = tf.data.TFRecordDataset(files, num_parallel_reads=4).batch(8)  # TFD101
            kept = []
            for batch in batches:
                kept.append(model(batch))
            return kept

        def add(files):
            batches = tf.data.TFRecordDataset(files, num_parallel_reads=4).batch(8)  # TFD101
            total = 0.0
            for batch in batches:
                total += tf.reduce_sum(batch)
            return total
    """,
    "TFD101 sessions": """
        def once(files, model):
            batch = tf.data.TFRecordDataset(files, num_parallel_reads=4).batch(8).make_one_shot_iterator().get_next()
            logits = model(batch)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                return session.run(logits)

        def steps(files, model):
            records = tf.data.TFRecordDataset(files, num_parallel_reads=4)
            logits = model(records.batch(8).make_one_shot_iterator().get_next())  # TFD101
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for _ in range(100):
                    session.run(logits)

        def outputs(files, model):
            records = tf.data.TFRecordDataset(files, num_parallel_reads=4)
            logits = model(records.batch(8).make_one_shot_iterator().get_next())  # TFD101
            found = []
            with tf.Session() as session:
                while True:
                    found.append(session.run(logits))

        def elsewhere(files, train):
            records = tf.data.TFRecordDataset(files, num_parallel_reads=4)
            batch = records.batch(8).make_one_shot_iterator().get_next()  # TFD101
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                train(session, batch)
    """,
    "TFD102 nothing to compute": """
        Pair = collections.namedtuple("Pair", ["x", "y"])

        def ordered(features):
            return collections.OrderedDict((name, features[name]) for name in sorted(features))

        def rename(features):
            found = {}
            for old, new in [("x", "a"), ("y", "b")]:
                found[new] = features.pop(old)
            return found

        def walk(features):
            total = 0.0
            for at in tf.range(8):
                total += features[at]
            return total

        def train(model, files):
            rows = tf.data.TFRecordDataset(files, num_parallel_reads=4).map(tf.io.parse_tensor, num_parallel_calls=4)
            model.fit(rows.map(lambda x, y: Pair(x, y=y)).map(ordered).prefetch(2))
            model.fit(rows.map(rename).prefetch(2))
            model.fit(rows.map(lambda i, v: tf.RaggedTensor.from_row_splits(v, i)).prefetch(2))
            model.fit(rows.map(walk).prefetch(2))  # TFD102
    """,
    # The default of a parameter counts only where nobody is seen to give anything.
    "TFD307 parameters": """
        def public(files, passes=1):
            return tf.data.TFRecordDataset(files).repeat(passes).shuffle(1000)

        def reached(files, passes=1):
            return tf.data.TFRecordDataset(files).repeat(passes).shuffle(1000)  # TFD307

        def handed(files, passes=1):
            return tf.data.TFRecordDataset(files).repeat(passes).shuffle(1000)

        def endless(files, passes=None):
            return tf.data.TFRecordDataset(files).repeat(passes).shuffle(1000)

        def train(model, files, passes=None):
            rows = tf.data.TFRecordDataset(files).repeat(passes).shuffle(1000)
            model.fit(rows.batch(8), steps_per_epoch=100)
            rows = tf.data.TFRecordDataset(files).repeat(-1).shuffle(1000)  # TFD307
            model.fit(rows.batch(8))
            rows = tf.data.TFRecordDataset(files).repeat(-1).shuffle(1000)
            model.fit(rows.take(9).batch(8), validation_data=rows)

        def multiplied(files, passes=1):
            passes = passes * 5
            return tf.data.TFRecordDataset(files).repeat(passes).shuffle(1000)  # TFD307

        def renamed(files, passes=1):
            times = passes
            return tf.data.TFRecordDataset(files).repeat(times).shuffle(1000)

        def caller(files, passes, once=1):
            return reached(files, passes), handed(files, passes=once)
    """,
    # What is made of several rows of a batch must not be shuffled before, nor read from several files at once.
    "TFD306 rows": """
        def piece(row, at):
            return row[at : at + 3]

        def train(model, file):
            rows = tf.data.TFRecordDataset([file]).batch(32)
            model.fit(rows.map(lambda row: tf.strings.upper(row)).shuffle(9).prefetch(2))  # TFD306
            model.fit(rows.map(lambda row: tf.io.decode_raw(row, tf.uint8)[:, 1:]).shuffle(9).prefetch(2))  # TFD306
            model.fit(rows.map(lambda row: {"x": row, "n": tf.shape(row)[0]}).shuffle(9).prefetch(2))  # TFD306
            model.fit(rows.filter(lambda row: tf.shape(row)[0] > 31).shuffle(9).prefetch(2))  # TFD306
            model.fit(rows.map(lambda row: tf.stack([row[i : i + 4] for i in range(5)])).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: tf.stack([piece(row, 0), piece(row, 3)])).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: tf.signal.frame(row, 4, 1, axis=0)).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: tf.reduce_sum(row, axis=0)).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: tf.roll(row, 1, 0)).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: (row[0], row[31])).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: tf.split(row, 4)).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: tf.map_fn(lambda i: row[i], tf.range(4))).shuffle(9).prefetch(2))
            model.fit(rows.map(lambda row: row @ row).shuffle(9).prefetch(2))
    """,
    "TFD105 neighbours": """
        FILES = tf.io.gfile.glob("day-*.csv")

        def windows(model):
            lines = tf.data.TextLineDataset(FILES)
            model.fit(lines.window(5, 1).flat_map(lambda window: window.batch(5)).batch(4).prefetch(2))

        def slices(model):
            model.fit(tf.data.TextLineDataset(FILES).batch(9).map(lambda rows: (rows[:-1], rows[1:])).prefetch(2))

        def apart(model):
            lines = tf.data.TextLineDataset(FILES).map(lambda line: tf.io.decode_raw(line, tf.uint8)[1:])  # TFD105
            model.fit(lines.batch(9).prefetch(2))

        def taken_apart(model):
            lines = tf.data.TextLineDataset(FILES).batch(9).unbatch()  # TFD105
            model.fit(lines.map(lambda line: tf.io.decode_raw(line, tf.uint8)[1:]).batch(9).prefetch(2))
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_these_rows_are_reported(name: str) -> None:
    text = "import collections\nimport tensorflow as tf\n" + dedent(PROGRAMS[name])
    code = name.partition(" ")[0]
    shown = {code, *re.findall(r"TFD\d+", name)}
    expected = [
        (number, code)
        for number, row in enumerate(text.splitlines(), 1)
        for code in re.findall(r"TFD\d+", row.partition("  # ")[2])
        if code in shown
    ]
    report = lint_source(text, "program.py", Settings(target_tensorflow=Target((1, 15), "test", is_declared=True)))
    assert [(d.place.row, d.code) for d in report.diagnostics if d.code in shown] == expected


def advice_of(text: str, code: str, target: Target) -> list[str]:
    report = lint_source(dedent(text), "program.py", Settings(target_tensorflow=target))
    return [diagnostic.advice for diagnostic in report.diagnostics if diagnostic.code == code]


@pytest.mark.parametrize(
    ("stages", "is_advised"),
    [
        ("batch(8)", True),
        ("map(lambda x: x * 2).prefetch(2).batch(8)", True),
        ("shuffle(100).batch(8)", False),
        ("padded_batch(8)", False),
        ("filter(lambda x: x > 3).batch(8)", False),
        ("map(lambda x: tf.reshape(x, [2, 4])).batch(8)", False),
    ],
)
def test_batches_are_advised_where_they_would_do(stages: str, is_advised: bool) -> None:
    text = f"""
        import tensorflow as tf

        def rows():
            while True:
                yield measure()

        def train(model):
            dataset = tf.data.Dataset.from_generator(rows, output_types=tf.float32).{stages}
            model.fit(dataset.prefetch(2))
    """
    (advice,) = advice_of(text, "TFD201", Target())
    assert ("Yield whole batches" in advice) == is_advised


@pytest.mark.parametrize("version", [(1, 15), (2, 1), (2, 3)])
def test_nothing_is_advised_that_the_target_lacks(version: tuple[int, int]) -> None:
    text = """
        import tensorflow as tf

        def read(dataset, parse):
            dataset = dataset.apply(tf.contrib.data.map_and_batch(parse, 8))
            dataset = dataset.apply(tf.contrib.data.group_by_window(parse, parse, 8))
            dataset = dataset.apply(tf.data.experimental.map_and_batch(parse, 8))
            return dataset.prefetch(tf.contrib.data.AUTOTUNE)
    """
    advice = advice_of(text, "TFD702", Target(version, "test", is_declared=True))
    assert len(advice) >= 3
    assert not any("tf.data.AUTOTUNE" in text or "`.group_by_window" in text for text in advice)


@pytest.mark.parametrize("stages", ["interleave(read, cycle_length=4)", "interleave(read)", "flat_map(read)",
                                    "interleave(read, cycle_length=2, num_parallel_calls=4)"])  # fmt: skip
def test_no_more_calls_than_open_inputs_are_advised(stages: str) -> None:
    text = f"""
        import tensorflow as tf

        def read(name):
            return tf.data.TFRecordDataset(name)

        def train(estimator):
            files = tf.data.Dataset.list_files("train-*")
            estimator.train(lambda: files.{stages}.batch(8).prefetch(1))
    """
    (advice,) = [one for code in ("TFD103", "TFD104", "TFD109") for one in advice_of(text, code, Target((1, 12)))]
    assert "`num_parallel_calls=cycle_length`" in advice
    assert "cpu_count" not in advice
