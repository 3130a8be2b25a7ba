"""Statements that move, and Python that goes: TFD203, TFD204, TFD403, TFD501, TFD502 beyond their pages."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.settings.model import Selection, Settings
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.reports import FileReport

HEADER = """\
import random

import numpy as np
import tensorflow as tf
from tensorflow.profiler.experimental import Trace

# A comment that speaks of random, np and Trace keeps the imports, too.
LOW = 0.5
MOST = 3
ds = tf.data.Dataset.from_tensor_slices(tf.ones([8, 4])).batch(2).prefetch(tf.data.AUTOTUNE)
endless = ds.repeat()
images = tf.data.Dataset.from_tensor_slices(tf.ones([8, 4, 4, 3]))

"""

#: What the code becomes.
REWRITTEN = {
    # The row goes up with its comments and its layout, and no blank row stays behind.
    "TFD403 comments": (
        """
        if images:
            for step in range(9):
                # One batch
                batches = iter(
                    endless
                )  # of many

                batch = next(batches)
        """,
        """
        if images:
            # One batch
            batches = iter(
                endless
            )  # of many
            for step in range(9):
                batch = next(batches)
        """,
    ),
    "TFD403 middle": (
        """
        for step in range(9):
            tf.zeros([step])

            batches = endless.as_numpy_iterator()

            batch = next(batches)
        """,
        """
        batches = endless.as_numpy_iterator()
        for step in range(9):
            tf.zeros([step])

            batch = next(batches)
        """,
    ),
    # Other calls than `next`, a default, a block that the element is taken in, `else`, one row.
    "TFD403 get_next": (
        """
        for step in range(9):
            with tf.device("/CPU:0"):
                batch = iter(endless).get_next()
        else:
            tf.zeros([1])
        """,
        """
        iterator = iter(endless)
        for step in range(9):
            with tf.device("/CPU:0"):
                batch = iterator.get_next()
        else:
            tf.zeros([1])
        """,
    ),
    "TFD403 one row": (
        "for step in range(9): batch = next(iter(endless), None)  # the first",
        "iterator = iter(endless)\nfor step in range(9): batch = next(iterator, None)  # the first",
    ),
    # A function has names of its own; there, and in nested loops, no name is given twice.
    "TFD403 names": (
        """
        iterator = iter(ds)


        class Trainer:
            def __init__(self):
                self.train = {"a": endless}

            def run(self, data: tf.data.Dataset):
                for epoch in range(9):
                    batch = next(iter(self.train["a"]))
                    for step in range(9):
                        other = next(iter(data))


        Trainer().run(endless)
        """,
        """
        iterator = iter(ds)


        class Trainer:
            def __init__(self):
                self.train = {"a": endless}

            def run(self, data: tf.data.Dataset):
                iterator = iter(self.train["a"])
                for epoch in range(9):
                    batch = next(iterator)
                    data_iterator = iter(data)
                    for step in range(9):
                        other = next(data_iterator)


        Trainer().run(endless)
        """,
    ),
    # The loop keeps what it does before `Trace`, the block its comments.
    "TFD501 before": (
        """
        for step, (x) in enumerate(ds):
            if step == 100:
                break
            with Trace(
                "train", step_num=step, _r=1
            ), tf.device("/CPU:0"):
                # The step
                tf.reduce_sum(x)
            tf.zeros_like(x)
        """,
        """
        iterator = iter(ds)
        for step in range(len(ds)):
            if step == 100:
                break
            with Trace(
                "train", step_num=step, _r=1
            ), tf.device("/CPU:0"):
                x = next(iterator)
                # The step
                tf.reduce_sum(x)
            tf.zeros_like(x)
        """,
    ),
    "TFD501 pair": (
        """
        pairs = tf.data.Dataset.zip((images, (images, images)))
        for step, (x, (y, z)) in enumerate(pairs):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        """
        pairs = tf.data.Dataset.zip((images, (images, images)))
        iterator = iter(pairs)
        for step in range(len(pairs)):
            with Trace("train", step_num=step, _r=1):
                x, (y, z) = next(iterator)
                tf.reduce_sum(x)
        """,
    ),
    "TFD501 comments": (
        """
        batches = iter(endless)
        for step in range(9):
            # The next batch
            x = next(batches)  # waits

            with Trace("train", step_num=step, _r=1):
                # The step
                tf.reduce_sum(x)
        """,
        """
        batches = iter(endless)
        for step in range(9):
            with Trace("train", step_num=step, _r=1):
                # The next batch
                x = next(batches)  # waits
                # The step
                tf.reduce_sum(x)
        """,
    ),
    "TFD502 rows": (
        """
        for step, x in enumerate(ds):
            with Trace(
                "train",  # its name
            ):
                tf.reduce_sum(x)
        """,
        """
        for step, x in enumerate(ds):
            with Trace(
                "train",  # its name
                step_num=step,
                _r=1,
            ):
                tf.reduce_sum(x)
        """,
    ),
    # Every function of `random` and NumPy with its own arguments; only `random.randint` draws its upper bound.
    "TFD203 arguments": (
        """
        images = images.map(lambda x: (random.uniform(1, b=2), random.gauss(0, sigma=LOW), random.randint(-3, -1)))
        images = images.map(lambda *x: (random.randrange(3), random.randrange(1, 3), random.randint(1, MOST)))
        """,
        """
        images = images.map(
            lambda x: (
                tf.random.uniform([], 1, maxval=2),
                tf.random.normal([], 0, stddev=LOW),
                tf.random.uniform([], -3, 0, dtype=tf.int32),
            )
        )
        images = images.map(
            lambda *x: (
                tf.random.uniform([], maxval=3, dtype=tf.int32),
                tf.random.uniform([], 1, 3, dtype=tf.int32),
                tf.random.uniform([], 1, MOST + 1, dtype=tf.int32),
            )
        )
        """,
    ),
    "TFD203 arrays": (
        """
        images = images.map(lambda x: (np.random.randn(200, 300), np.random.normal(1, size=2), np.random.rand()))
        images = images.map(lambda *x: (np.random.randint(5), np.random.randint(low=1, high=5), np.random.random([])))
        """,
        """
        images = images.map(
            lambda x: (
                tf.random.normal([200, 300], dtype=tf.float64),
                tf.random.normal([2], 1, dtype=tf.float64),
                tf.random.uniform([]),
            )
        )
        images = images.map(
            lambda *x: (
                tf.random.uniform([], maxval=5, dtype=tf.int32),
                tf.random.uniform([], minval=1, maxval=5, dtype=tf.int32),
                tf.random.uniform([]),
            )
        )
        """,
    ),
    # The type is that of the tensor beside it, where the number is drawn.
    "TFD203 types": (
        """
        def augment(image):
            shift = 2 * random.random() - 1
            image = image + shift
            image *= np.random.uniform(0.5, 1.5, image.shape)
            image = tf.image.resize(image, [4, 4])
            image = image + random.random()
            return image - random.randint(0, 3)


        images = images.map(augment)
        """,
        """
        def augment(image):
            shift = 2 * tf.random.uniform([], dtype=image.dtype) - 1
            image = image + shift
            image *= tf.random.uniform(image.shape, 0.5, 1.5, dtype=image.dtype)
            image = tf.image.resize(image, [4, 4])
            image = image + tf.random.uniform([])
            return image - tf.cast(tf.random.uniform([], 0, 4, dtype=tf.int32), tf.float32)


        images = images.map(augment)
        """,
    ),
    # What is drawn in a loop meets what the loop made of the image before; of these, too, `randint` draws its bound.
    "TFD203 loops": (
        """
        def augment(image):
            own = random.Random()
            image *= 2
            for _ in range(2):
                image = image + random.random()
            return image, own.randint(1, 3)


        images = images.map(augment)
        """,
        """
        def augment(image):
            own = random.Random()
            image *= 2
            for _ in range(2):
                image = image + tf.random.uniform([], dtype=image.dtype)
            return image, tf.random.uniform([], 1, 4, dtype=tf.int32)


        images = images.map(augment)
        """,
    ),
    # What AutoGraph converts, where both ways keep the types.
    "TFD203 decisions": (
        """
        def make(dataset, chance):
            def augment(image):
                if chance > random.random():
                    image = tf.image.adjust_brightness(tf.image.flip_up_down(image), random.uniform(-0.1, 0.1))
                else:
                    image = 1 - image
                image = tf.image.flip_left_right(image) if np.random.rand() < LOW else image
                if random.randint(0, 1) == 1:
                    return tf.reverse(image, [0])
                return image

            return dataset.map(augment)


        images = make(images, 0.5)
        """,
        """
        def make(dataset, chance):
            def augment(image):
                if chance > tf.random.uniform([]):
                    image = tf.image.adjust_brightness(tf.image.flip_up_down(image), tf.random.uniform([], -0.1, 0.1))
                else:
                    image = 1 - image
                image = tf.image.flip_left_right(image) if tf.random.uniform([]) < LOW else image
                if tf.random.uniform([], 0, 2, dtype=tf.int32) == 1:
                    return tf.reverse(image, [0])
                return image

            return dataset.map(augment)


        images = make(images, 0.5)
        """,
    ),
    "TFD204 forms": (
        """
        def show(x):
            print("x", x, sep=", ", end=".")  # here
            if tf.reduce_sum(x) > 0:
                print(
                    x,
                )
            return x


        images = images.map(show)
        images = images.map(lambda x: [print("x", x), x][-1])
        images = images.filter(lambda x: (print(x) or tf.size(x)) > 1)
        """,
        """
        def show(x):
            tf.print("x", x, sep=", ", end=".")  # here
            if tf.reduce_sum(x) > 0:
                tf.print(
                    x,
                )
            return x


        images = images.map(show)
        images = images.map(lambda x: [tf.print("x", x), x][-1])
        images = images.filter(lambda x: ((tf.print(x), tf.size(x))[1]) > 1)
        """,
    ),
}

#: What is left to a person, and why.
KEPT = {
    "TFD501 another range": (
        """
        range = 3
        for step, batch in enumerate(ds):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(batch)
        """,
        "`range` is already used for something else here",
    ),
    "TFD403 comprehension": ("batches = [next(iter(endless)) for _ in range(9)]", "no place for a statement"),
    "TFD403 a row of several": (
        """
        for step in range(9):
            batches = iter(endless); batch = next(batches)
        """,
        "other code is on the line",
    ),
    "TFD403 a block of its own": (
        """
        for step in range(9):
            with tf.device("/CPU:0"):
                batches = iter(endless)
                batch = next(batches)
        """,
        "in its own block",
    ),
    "TFD403 two meanings": (
        """
        for step in range(9):
            batches = iter(endless)
            batch = next(batches)
            batches = None
        """,
        "also used for something else",
    ),
    "TFD403 no name left": (
        """
        iterator = ds_iterator = None
        for step in range(9):
            batch = next(iter(ds))
        """,
        "no good name",
    ),
    "TFD501 used": (
        """
        for step, x in enumerate(ds):
            tf.zeros_like(x)
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        "used before `Trace`",
    ),
    "TFD501 passed over": (
        """
        for step, x in enumerate(ds):
            if step < 2:
                continue
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        "skipped before `Trace`",
    ),
    "TFD501 no length": (
        """
        some = ds.filter(lambda x: True)
        for step, x in enumerate(some):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        "no known length",
    ),
    "TFD501 no name": (
        """
        for step, x in enumerate(ds.skip(1)):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        "not iterate directly over a named dataset",
    ),
    "TFD501 other counting": (
        """
        for step, x in enumerate(ds, 1):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        "not iterate directly over a named dataset",
    ),
    "TFD501 a row between": (
        """
        batches = iter(endless)
        for step in range(9):
            x = next(batches)
            tf.zeros_like(x)
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        "on the line above",
    ),
    "TFD203 a range": ("images = images.map(lambda x: [x] * random.randint(1, 3))", "where a tensor does not work"),
    "TFD203 a helper that adds": (
        """
        def shift(image):
            return image + random.random()


        images = images.map(lambda image: shift(tf.cast(image, tf.float32)))
        """,
        "where a tensor does not work",
    ),
    "TFD203 another type by then": (
        """
        def augment(image):
            shift = random.random()
            image = tf.cast(image, tf.int32)
            return image + shift


        images = images.map(augment)
        """,
        "where a tensor does not work",
    ),
    "TFD203 an index": (
        "images = images.map(lambda x: (x, [1, 2][random.randint(0, 1)]))",
        "where a tensor does not work",
    ),
    "TFD203 a lambda's decision": ("images = images.map(lambda x: x if random.random() < 0.5 else -x)", "AutoGraph"),
    "TFD203 other types": (
        """
        def augment(image):
            if random.random() < 0.5:
                image = tf.image.resize(image, [2, 2])
            return image


        images = images.map(augment)
        """,
        "the same types",
    ),
    "TFD203 a number of Python": (
        """
        def augment(image):
            level = 1
            if random.random() < 0.5:
                level = level + 1
            return image * level


        images = images.map(augment)
        """,
        "the same types",
    ),
    "TFD203 a type with another name": (
        """
        def augment(image):
            factor = random.random()
            image = tf.cast(image, tf.float16)
            return image * factor


        images = images.map(augment)
        """,
        "where a tensor does not work",
    ),
    "TFD203 a helper": (
        """
        def factor():
            return random.random()


        images = images.map(lambda x: x * factor())
        """,
        "where a tensor does not work",
    ),
    "TFD203 a step": ("images = images.map(lambda x: random.randrange(0, 10, 2))", "no such arguments"),
    "TFD203 an unseen shape": ("images = images.map(lambda x: np.random.rand(int(4.2)))", "the shape"),
    "TFD204 text": ("images = images.map(lambda x: print('x is %s' % x) or x)", "Python builds the text"),
    "TFD204 a file": ("images = images.map(lambda x: print(x, flush=True) or x)", "no `flush=`"),
    "TFD204 used": ("images = images.filter(lambda x: not print(x))", "return value of `print`"),
}


@pytest.mark.parametrize("name", REWRITTEN)
def test_becomes(name: str) -> None:
    before, after = map(dedent, REWRITTEN[name])
    report = _fixed(name, before)
    assert report.after is not None
    assert report.after.decode() == HEADER + after


@pytest.mark.parametrize("name", REWRITTEN)
def test_becomes_what_runs(name: str, run_on_tensorflow: RunOnTensorFlow, tmp_path: Path) -> None:
    """On TensorFlow, over all elements."""
    code = f"{HEADER}{dedent(REWRITTEN[name][1])}\nfor element in images:\n    pass\n"
    # AutoGraph reads the file.
    file = tmp_path / "pipeline.py"
    file.write_text(code)
    ended = run_on_tensorflow(code, str(file))
    assert not ended["error"], ended["detail"]


@pytest.mark.parametrize("name", KEPT)
def test_stays(name: str) -> None:
    code, reason = KEPT[name]
    report = _fixed(name, dedent(code))
    assert report.after is None
    (diagnostic,) = report.diagnostics
    assert diagnostic.fix is not None
    assert diagnostic.fix.applicability == "display-only"
    assert reason in diagnostic.fix.reason


def _fixed(name: str, code: str) -> FileReport:
    settings = Settings(command_line=Selection(select=(name[:6],)))
    return fix_source(HEADER + code, settings=settings, unsafe=True, needless=True)
