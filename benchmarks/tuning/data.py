"""What the pipelines read: written once, and found again by the next process."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import tensorflow as tf

_ROOT = Path(tempfile.gettempdir()) / f"tfdata-lint-tuning-{os.getuid()}"


def _made(name: str, write: Callable[[Path], None]) -> str:
    folder = _ROOT / name
    if not folder.exists():
        _ROOT.mkdir(exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=_ROOT))
        write(unfinished)
        try:
            unfinished.rename(folder)
        except OSError:
            # Another process was faster.
            shutil.rmtree(unfinished)
    return str(folder)


def records(files: int, each: int) -> list[str]:
    """Files of examples: eight numbers and a label."""
    numbers = np.random.default_rng(1)

    def write(folder: Path) -> None:
        for file in range(files):
            with tf.io.TFRecordWriter(str(folder / f"{file:02}.tfrecord")) as writer:
                for _ in range(each):
                    x = tf.train.Feature(float_list=tf.train.FloatList(value=numbers.random(8)))
                    y = tf.train.Feature(int64_list=tf.train.Int64List(value=[int(numbers.integers(10))]))
                    example = tf.train.Example(features=tf.train.Features(feature={"x": x, "y": y}))
                    writer.write(example.SerializeToString())

    return sorted(map(str, Path(_made(f"records-{files}-{each}", write)).iterdir()))


def pictures(count: int) -> list[str]:
    """JPEG files of 256 × 256 pixels."""
    numbers = np.random.default_rng(2)

    def write(folder: Path) -> None:
        for number in range(count):
            pixels = numbers.integers(0, 255, [256, 256, 3], dtype=np.uint8)
            (folder / f"{number:03}.jpg").write_bytes(tf.io.encode_jpeg(pixels).numpy())

    return sorted(map(str, Path(_made(f"pictures-{count}", write)).iterdir()))
