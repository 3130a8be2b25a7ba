"""Advice that would lead into another finding of the same pipeline is another one there."""

from __future__ import annotations

from rows import each

from tfdata_lint import lint_source

PIPELINES = [
    ("shuffle(100).cache()", "TFD302", "Put `shuffle` after `cache`"),
    ("shuffle(100).batch(8).cache()", "TFD302", "Put `cache` before `shuffle`"),
    ("batch(8).shuffle(100)", "TFD306", "Put `shuffle` before `batch`"),
    ("batch(8).cache().shuffle(100)", "TFD306", "Put `cache`, and then `shuffle`, before `batch`"),
]


@each(("stages", "code", "advice"), PIPELINES)
def test_a_cache_and_a_shuffle_around_batches(stages: str, code: str, advice: str) -> None:
    text = f"import tensorflow as tf\nds = tf.data.TFRecordDataset(['a', 'b']).map(tf.io.decode_jpeg).{stages}\n"
    text += "for epoch in range(3):\n    for x in ds:\n        train_step(x)\n"
    said = [found.advice for found in lint_source(text).diagnostics if found.code == code]
    assert [one.startswith(advice) for one in said] == [True], said
