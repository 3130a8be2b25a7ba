"""Statements that move, and Python that goes: TFD204, TFD403, TFD501, TFD502 beyond their pages."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.settings.model import Selection, Settings
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.reports import FileReport

HEADER = """\
import itertools
import random

import numpy as np
import tensorflow as tf
from tensorflow.profiler.experimental import Trace

# A comment that speaks of itertools, random, np and Trace keeps the imports, too.
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
        for step in itertools.count():
            if step == 100:
                break
            with Trace(
                "train", step_num=step, _r=1
            ), tf.device("/CPU:0"):
                x = next(iterator, None)
                if x is None:
                    break
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
        for step in itertools.count():
            with Trace("train", step_num=step, _r=1):
                element = next(iterator, None)
                if element is None:
                    break
                x, (y, z) = element
                tf.reduce_sum(x)
        """,
    ),
    # What is read after the loop keeps the value of the last pass.
    "TFD501 last element": (
        """
        for epoch in range(2):
            for x in ds.filter(lambda x: True).skip(1):
                with Trace("train", step_num=epoch, _r=1):
                    tf.reduce_sum(x)
            print(x)
        """,
        """
        for epoch in range(2):
            iterator = iter(ds.filter(lambda x: True).skip(1))
            while True:
                with Trace("train", step_num=epoch, _r=1):
                    element = next(iterator, None)
                    if element is None:
                        break
                    x = element
                    tf.reduce_sum(x)
            print(x)
        """,
    ),
    "TFD501 beside numbers": (
        """
        batches = iter(endless)
        for step, x in zip(range(5, 14), batches):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        """
        batches = iter(endless)
        for step in range(5, 14):
            with Trace("train", step_num=step, _r=1):
                x = next(batches, None)
                if x is None:
                    break
                tf.reduce_sum(x)
        """,
    ),
    # Nothing comes after an endless dataset.
    "TFD501 endless": (
        """
        for step, x in enumerate(endless, start=1):
            print(step)
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
            if step == 9:
                break
        """,
        """
        iterator = iter(endless)
        for step in itertools.count(1):
            print(step)
            with Trace("train", step_num=step, _r=1):
                x = next(iterator, None)
                if x is None:
                    break
                tf.reduce_sum(x)
            if step == 9:
                break
        """,
    ),
    "TFD501 try": (
        """
        batches, step = iter(ds), 0
        while True:
            try:
                x = batches.get_next()
            except tf.errors.OutOfRangeError:
                break
            y = x[0]
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(y)
            step += 1
        """,
        """
        batches, step = iter(ds), 0
        while True:
            with Trace("train", step_num=step, _r=1):
                try:
                    x = batches.get_next()
                except tf.errors.OutOfRangeError:
                    break
                y = x[0]
                tf.reduce_sum(y)
            step += 1
        """,
    ),
    "TFD501 helper": (
        """
        class Trainer:
            def train_on(self, number, x):
                with Trace("train", step_num=number, _r=1):
                    # The step
                    return tf.reduce_sum(x)

            def run(self):
                number = 0
                for x in ds:
                    loss = self.train_on(number, x=x)
                    number += 1


        Trainer().run()
        """,
        """
        class Trainer:
            def train_on(self, number, x):
                # The step
                return tf.reduce_sum(x)

            def run(self):
                number = 0
                iterator = iter(ds)
                while True:
                    with Trace("train", step_num=number, _r=1):
                        x = next(iterator, None)
                        if x is None:
                            break
                        loss = self.train_on(number, x=x)
                    number += 1


        Trainer().run()
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
    "TFD501 another next": (
        """
        next = 3
        for step, batch in enumerate(ds):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(batch)
        """,
        "`next` is already used for something else here",
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
    "TFD501 once more": (
        """
        for step, x in enumerate(ds):
            print(step)
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        """,
        "once more at the end",
    ),
    "TFD501 else": (
        """
        for step, x in enumerate(ds):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        else:
            print("end")
        """,
        "has an `else`",
    ),
    "TFD501 counter": (
        """
        for step, x in enumerate(ds):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)
        print(step)
        """,
        "`step` is read after the loop",
    ),
    "TFD501 sometimes": (
        """
        for step, x in enumerate(ds):
            if step > 1:
                with Trace("train", step_num=step, _r=1):
                    tf.reduce_sum(x)
        """,
        "not in every pass",
    ),
    "TFD501 by hand": (
        """
        for step, x in enumerate(ds):
            trace = Trace("train", step_num=step, _r=1)
            trace.__enter__()
            tf.reduce_sum(x)
            trace.__exit__(None, None, None)
        """,
        "not entered by `with`",
    ),
    "TFD501 a part of a helper": (
        """
        def train(step, x):
            print(step)
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)


        for step, x in enumerate(ds):
            train(step, x)
        """,
        "only a part of the function",
    ),
    "TFD501 a helper of many": (
        """
        def train(step, x):
            with Trace("train", step_num=step, _r=1):
                tf.reduce_sum(x)


        for step, x in enumerate(ds):
            train(step, x)
        train(9, tf.zeros([4]))
        """,
        "called in other places",
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
        "more happens between",
    ),
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
