"""How many bytes stages hold."""

from __future__ import annotations

from rows import each

from tfdata_lint.lint.linting import recover
from tfdata_lint.pipeline.nouns.memory import held


@each(
    ("pipeline", "expected"),
    [
        ("range(1000).shuffle(10)", [80]),
        ("range(1000).batch(4).shuffle(10)", [320]),
        ("range(1000).batch(4, drop_remainder=True).shuffle(10)", [320]),
        ("range(1000).batch(4).repeat().shuffle(10)", [320]),
        ("range(10).shuffle(1000)", [80]),
        ("range(10).repeat().shuffle(1000)", [8000]),
        ("range(10).batch(4).shuffle(1000)", [80]),
        ("range(10).prefetch(2)", [16]),
        ("range(10).prefetch(tf.data.AUTOTUNE)", [None]),
        ("range(10).shuffle(size)", [None]),
        ("range(10).cache()", [80]),
        ("range(10).cache('/tmp/x')", [None]),
        ("range(10).batch(3).cache()", [80]),
        ("range(10).batch(size).cache()", [80]),
        ("range(10).batch(3, drop_remainder=True).cache()", [72]),
        ("range(10).filter(test).cache()", [None]),
        ("range(10).filter(test).shuffle(2)", [16]),
        ("range(10).map(lambda x: (tf.zeros([2, 3]), {'a': tf.cast(x, tf.uint8)})).shuffle(2)", [50]),
        ("range(10).map(lambda x: tf.as_string(x)).shuffle(2)", [None]),
        ("range(10).map(unknown).shuffle(2)", [None]),
        ("list_files('*').map(lambda x: tf.io.decode_png(tf.io.read_file(x), channels=3)).shuffle(2)", [None]),
        ("range(10).window(3).flat_map(lambda w: w.batch(3)).shuffle(2)", [None]),
        ("range(10).shuffle(4).batch(2).prefetch(1)", [32, 16]),
    ],
)
def test_what_is_held(pipeline: str, expected: list[int | None]) -> None:
    graph = recover(f"import tensorflow as tf\nds = tf.data.Dataset.{pipeline}\n")
    assert [held(stage) for stage in graph.stages if stage.op in ("shuffle", "prefetch", "cache")] == expected


def test_either_way() -> None:
    source = (
        "import tensorflow as tf\nds = tf.data.Dataset.range(10)\n"
        "if train:\n    ds = ds.map(lambda x: tf.cast(x, tf.int32))\nds = ds.shuffle(2)\n"
    )
    assert held(recover(source).stages[-1]) is None
