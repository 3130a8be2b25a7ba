"""What real runs say about findings whose verdict no clock decides."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.verify.findings import findings_of
from tfdata_lint.verify.judge import verify
from tfdata_lint.verify.plan import Interpreter, Limits, Plan, target
from tfdata_lint.verify.runner import observe
from tfdata_lint.verify.verdicts import Verdict

pytestmark = pytest.mark.tensorflow

Judge = Callable[..., dict[str, Verdict]]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Write a script, run it, judge what the rules with these codes find in it."""

    def run(code: str, *codes: str) -> dict[str, Verdict]:
        path = tmp_path / "script.py"
        path.write_text(dedent(code))
        plan = Plan(target(str(path)), Interpreter(sys.executable, "it runs the tests"), Limits(seconds=20.0, pace=4.0))
        seen = observe(plan)
        findings, calls = findings_of(seen, Configuration())
        found = [one for one in findings if one.code in codes]
        verdicts = {verdict.code: verdict for verdict in verify(plan, seen, found, calls=calls).verdicts}
        assert set(verdicts) == set(codes)
        return verdicts

    return run


def said(verdict: Verdict) -> tuple[str, str]:
    return verdict.outcome, verdict.reason


def test_what_one_run_shows(judge: Judge) -> None:
    verdicts = judge(
        """\
        import tensorflow as tf

        picture = tf.io.encode_jpeg(tf.zeros([64, 64, 3], tf.uint8))


        def decode(data):
            return tf.transpose(tf.image.resize(tf.io.decode_jpeg(data, channels=3), [96, 96]), [2, 0, 1])


        pictures = tf.data.Dataset.from_tensor_slices([picture] * 5_000)
        pictures.shuffle(500)
        pictures = pictures.map(decode).batch(16).prefetch(100)
        for epoch in range(10_000):
            for batch in pictures:
                tf.reduce_sum(batch)
        """,
        "TFD102",
        "TFD107",
        "TFD401",
        "TFD601",
    )
    assert said(verdicts["TFD102"]) == ("not-needed", "runtime-already-does-it")
    assert said(verdicts["TFD107"]) == ("confirmed", "shown")
    assert verdicts["TFD107"].detail == "It may hold 169 MB"
    assert said(verdicts["TFD401"]) == ("confirmed", "shown")
    if not shutil.which("nvidia-smi"):
        assert said(verdicts["TFD601"]) == ("inconclusive", "not-measurable")


def test_draws_that_are_replayed_are_shown(judge: Judge) -> None:
    verdict = judge(
        """\
        import tensorflow as tf


        def augment(image):
            return image + tf.random.normal([4, 4, 3], seed=42)


        images = tf.data.Dataset.from_tensor_slices(tf.zeros([40, 4, 4, 3])).map(augment).batch(4)
        for epoch in range(10_000):
            for batch in images:
                tf.reduce_sum(batch)
        """,
        "TFD207",
    )["TFD207"]
    assert said(verdict) == ("confirmed", "shown")
    assert verdict.detail == "40 of 40 elements of a second iterator are the same as in the first one"


def test_a_leak_is_shown_whichever_part_was_drawn_first(judge: Judge) -> None:
    """Held at their loops, the one part has its first order when the other one has its second."""
    verdict = judge(
        """\
        import tensorflow as tf

        ds = tf.data.Dataset.range(400).shuffle(400, seed=1)
        train, validation = ds.skip(100), ds.take(100)
        for epoch in range(3_000):
            for x in train.batch(8).prefetch(tf.data.AUTOTUNE):
                tf.reduce_sum(x)
            for x in validation.batch(8).prefetch(tf.data.AUTOTUNE):
                tf.reduce_sum(x)
        """,
        "TFD404",
    )["TFD404"]
    assert said(verdict) == ("confirmed", "shown")
    assert verdict.share == pytest.approx(0.75, abs=0.15)
    assert "of 100)" in verdict.detail, "what is validated on is what counts"


@pytest.mark.thorough
def test_shards_that_overlap_are_counted(judge: Judge, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number:02}.txt").write_text(f"{number}\n")
    verdict = judge(
        f"""\
        import os
        import tensorflow as tf

        files = tf.data.Dataset.list_files({str(tmp_path / "*.txt")!r})
        files = files.shard(4, int(os.environ.get("WORKER", "0")))
        lines = files.interleave(tf.data.TextLineDataset, cycle_length=2, num_parallel_calls=2)
        for epoch in range(10_000):
            for batch in lines.batch(1).prefetch(1):
                tf.strings.length(batch)
        """,
        "TFD310",
    )["TFD310"]
    # Ten of forty files each, drawn twice: all the same once in 800 million times.
    assert said(verdict) == ("confirmed", "shown")
    assert verdict.share is not None
    assert verdict.share < 1
    assert "of 10 elements in common" in verdict.detail


@pytest.mark.nightly
def test_a_leak_is_counted_where_the_parts_are_made_not_behind_what_is_drawn(judge: Judge, tmp_path: Path) -> None:
    """Augmented, no example is another one any more; and rows of a picture that many have are no examples."""
    import numpy as np

    for number in range(60):
        picture = np.zeros([8, 8, 1], np.float32)
        picture[4] = number
        np.save(tmp_path / f"{number:02}.npy", picture)
    verdict = judge(
        f"""\
        import glob
        import numpy as np
        import tensorflow as tf


        def augment(picture):
            return picture + tf.random.uniform([8, 8, 1])


        pictures = np.stack([np.load(path) for path in sorted(glob.glob({str(tmp_path / "*.npy")!r}))])
        ds = tf.data.Dataset.from_tensor_slices(pictures).shuffle(60)
        train = ds.skip(20).map(augment).batch(8)
        validation = ds.take(20).map(augment).batch(8)
        for epoch in range(10_000):
            for x in train:
                tf.reduce_sum(x)
            for x in validation:
                tf.reduce_sum(x)
        """,
        "TFD404",
    )["TFD404"]
    assert said(verdict) == ("confirmed", "shown")
    assert verdict.share == pytest.approx(0.67, abs=0.25)
    assert "of 20)" in verdict.detail


@pytest.mark.nightly
def test_what_the_cache_freezes_is_shown_whatever_is_drawn_behind_it(judge: Judge) -> None:
    verdict = judge(
        """\
        import tensorflow as tf


        def augment(image):
            return image + tf.random.uniform([4, 4, 3])


        def noise(image):
            return image + tf.random.normal([4, 4, 3])


        images = tf.data.Dataset.from_tensor_slices(tf.zeros([40, 4, 4, 3])).map(augment).cache()
        images = images.map(noise).batch(4)
        for epoch in range(10_000):
            for batch in images:
                tf.reduce_sum(batch)
        """,
        "TFD302",
    )["TFD302"]
    assert said(verdict) == ("confirmed", "shown")
    assert verdict.detail == "40 of 40 elements of the second epoch are the same as in the first"


@pytest.mark.thorough
def test_what_is_scored_is_shown_to_be_drawn(judge: Judge) -> None:
    verdict = judge(
        """\
        import tensorflow as tf


        def augment(image, label):
            return tf.image.random_brightness(image, 0.2), label


        def pictures(count):
            images = tf.random.stateless_uniform([count, 8, 8, 3], [1, 2])
            return tf.data.Dataset.from_tensor_slices((images, tf.zeros([count]))).map(augment).batch(8)


        train_ds, val_ds = pictures(64), pictures(40)
        model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
        model.compile(loss="mse")
        model.fit(train_ds, epochs=10_000, validation_data=val_ds, verbose=0)
        """,
        "TFD412",
    )["TFD412"]
    assert said(verdict) == ("confirmed", "shown")
    assert verdict.detail == "40 of 40 scored elements differ between the first and a second pass"


@pytest.mark.thorough
@pytest.mark.parametrize(("reshuffles", "outcome"), [("True", "confirmed"), ("False", "inconclusive")])
def test_who_meets_others_in_each_epoch_is_shown_to_be_unpaired(judge: Judge, reshuffles: str, outcome: str) -> None:
    """That they meet the same again does not say that these are the right ones."""
    seeds = {"True": ("", ""), "False": (", seed=1", ", seed=2")}[reshuffles]
    first, second = (f"shuffle(100{seed}, reshuffle_each_iteration={reshuffles})" for seed in seeds)
    verdict = judge(
        f"""\
        import tensorflow as tf

        images = tf.data.Dataset.range(100).{first}
        labels = tf.data.Dataset.range(100).{second}
        pairs = tf.data.Dataset.zip((images, labels)).batch(10)
        for epoch in range(10_000):
            for image, label in pairs:
                tf.reduce_sum(image - label)
        """,
        "TFD418",
    )["TFD418"]
    assert verdict.outcome == outcome
    assert "100 elements have" in verdict.detail


def test_an_image_that_moves_without_its_mask_is_shown_by_what_is_drawn(judge: Judge) -> None:
    verdicts = judge(
        """\
        import tensorflow as tf


        @tf.function
        def crop(image, mask):
            image = tf.image.random_crop(image, [4, 4, 3])
            mask = tf.image.random_crop(mask, [4, 4, 1])
            return image, mask


        pairs = tf.data.Dataset.from_tensor_slices((tf.ones([40, 8, 8, 3]), tf.ones([40, 8, 8, 1])))
        pairs = pairs.map(crop).batch(4)
        for epoch in range(10_000):
            for image, mask in pairs:
                tf.reduce_sum(image)
        """,
        "TFD424",
    )
    assert said(verdicts["TFD424"]) == ("confirmed", "shown")
    assert verdicts["TFD424"].detail == (
        "In 40 of 40 calls of the function another number is drawn for the mask than for the image"
    )
