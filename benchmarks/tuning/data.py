"""What the pipelines read: written once, and found again by the next process."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
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


def _example(**values: Sequence[float] | int | bytes) -> bytes:
    """A record of features."""

    def feature(value: Sequence[float] | int | bytes) -> tf.train.Feature:
        if isinstance(value, bytes):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
        if isinstance(value, int):
            return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))
        return tf.train.Feature(float_list=tf.train.FloatList(value=value))

    features = tf.train.Features(feature={name: feature(value) for name, value in values.items()})
    return tf.train.Example(features=features).SerializeToString()


def _jpeg(numbers: np.random.Generator, size: int) -> bytes:
    """A smooth picture with some noise, as photos are."""
    coarse = tf.image.resize(numbers.integers(0, 255, [6, 6, 3]).astype(np.float32), [size, size]).numpy()
    noisy = np.clip(coarse + numbers.normal(0, 12, coarse.shape), 0, 255).astype(np.uint8)
    return tf.io.encode_jpeg(noisy).numpy()


def picture_records(files: int, each: int) -> list[str]:
    """Files of records with a JPEG of 192 × 192 pixels and one of five labels."""
    numbers = np.random.default_rng(3)

    def write(folder: Path) -> None:
        for file in range(files):
            with tf.io.TFRecordWriter(str(folder / f"{file:02}.tfrecord")) as writer:
                for _ in range(each):
                    writer.write(_example(image=_jpeg(numbers, 192), label=int(numbers.integers(5))))

    return sorted(map(str, Path(_made(f"picture-records-{files}-{each}", write)).iterdir()))


def measurements(files: int, each: int) -> list[str]:
    """Compressed files of records with sixteen numbers and a label."""
    numbers = np.random.default_rng(4)

    def write(folder: Path) -> None:
        for file in range(files):
            with tf.io.TFRecordWriter(str(folder / f"{file:02}.gz"), "GZIP") as writer:
                for _ in range(each):
                    writer.write(_example(x=numbers.random(16).tolist(), y=int(numbers.integers(10))))

    return sorted(map(str, Path(_made(f"measurements-{files}-{each}", write)).iterdir()))


def classes(count: int, each: int) -> str:
    """A folder with a folder of JPEG files for each class."""
    numbers = np.random.default_rng(5)

    def write(folder: Path) -> None:
        for kind in range(count):
            (folder / f"class{kind}").mkdir()
            for number in range(each):
                (folder / f"class{kind}" / f"{number:03}.jpg").write_bytes(_jpeg(numbers, 224))

    return _made(f"classes-{count}-{each}", write)


def arrays(count: int) -> str:
    """A pattern of files of NumPy, each a picture of 64 × 64 pixels."""
    numbers = np.random.default_rng(6)

    def write(folder: Path) -> None:
        for number in range(count):
            np.save(folder / f"{number:04}.npy", numbers.integers(0, 255, [64, 64, 3], dtype=np.uint8))

    return f"{_made(f'arrays-{count}', write)}/*.npy"


def tables(files: int, rows: int) -> list[str]:
    """CSV files with a header: eight numbers and a label."""
    numbers = np.random.default_rng(7)

    def write(folder: Path) -> None:
        for file in range(files):
            lines = [",".join([*(f"c{column}" for column in range(8)), "label"])]
            for row in numbers.random([rows, 8]):
                lines.append(",".join([*(f"{value:.5f}" for value in row), str(int(row[0] * 5))]))
            (folder / f"{file:02}.csv").write_text("\n".join(lines) + "\n")

    return sorted(map(str, Path(_made(f"tables-{files}-{rows}", write)).iterdir()))


WORDS = [f"{first}{second}{third}" for first in "bcdfgl" for second in "aeiou" for third in "mnprst"]


def reviews(count: int) -> str:
    """A file of lines: a label, a tab, and eight to forty words with signs and numbers between them."""
    numbers = np.random.default_rng(8)

    def write(folder: Path) -> None:
        lines = []
        for _ in range(count):
            words = [*numbers.choice(WORDS, int(numbers.integers(8, 40))), "2024", "Well,"]
            lines.append(f"{numbers.integers(2)}\t{' '.join(words)}.")
        (folder / "reviews.txt").write_text("\n".join(lines) + "\n")

    return f"{_made(f'reviews-{count}', write)}/reviews.txt"
