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


OF_TENSORFLOW_1 = """import tensorflow as tf

def batches(files):
    ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(32)
    return ds.make_one_shot_iterator().get_next()

with tf.Session() as session:
    batch = batches(["a.tfrecord"])
    for step in range(1000):
        session.run(batch)
"""


@each(
    ("more", "size"),
    [
        ("", "1"),
        ("AUTO = tf.data.experimental.AUTOTUNE\n", "AUTO"),
        ("rows = tf.contrib.data.CsvDataset\n", "1"),
        ("best = tf.data.experimental.CheckpointInputPipelineHook\n", "tf.data.experimental.AUTOTUNE"),
    ],
)
def test_a_program_of_tensorflow_1_is_told_names_that_it_surely_has(more: str, size: str) -> None:
    found = lint_source(OF_TENSORFLOW_1.replace("def", f"{more}def", 1)).diagnostics
    (missing,) = [one for one in found if one.code == "TFD101"]
    assert missing.fix is not None
    assert [edit.text.partition(".prefetch")[2] for edit in missing.fix.edits] == [f"({size})"]
    assert size == "AUTO" or f"`.prefetch({size})`" in missing.advice, missing.advice
