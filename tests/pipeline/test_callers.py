"""A function that is read alone: what its callers in other files give decides which way is taken."""

from __future__ import annotations

import re
from pathlib import Path

from analyser.revealed import reveal

from tfdata_lint.source.module import load

#: All take one way, one of them through a package; what a test asks for says nothing.
TAKEN = {
    "data/build.py": """\
import tensorflow as tf


def build(files, is_training, mode="mixed", compress=True):
    ds = tf.data.TFRecordDataset(files)
    if is_training:
        ds = ds.shuffle(100)
    if mode == "mixed":
        ds = ds.repeat()
    if compress:
        ds = ds.batch(8)
    reveal_pipeline(ds)  # revealed: TFRecordDataset |> shuffle |> batch
    return ds


class Reader:
    def __init__(self, files, is_training=False):
        self.files, self.is_training = files, is_training

    def read(self):
        ds = tf.data.TFRecordDataset(self.files)
        if self.is_training:
            ds = ds.shuffle(100)
        reveal_pipeline(ds)  # revealed: TFRecordDataset |> shuffle
        return ds
""",
    "data/__init__.py": """\
from data.build import Reader, build
""",
    "config.py": """\
IS_TRAINING = True
""",
    "train.py": """\
import config
import data
from data import Reader


def train(model, files):
    model.fit(data.build(files, config.IS_TRAINING, mode="plain"))
    model.fit(Reader(files, is_training=True).read())
""",
    "build_test.py": """\
from data import build


def test_evaluation():
    assert build([], False)
""",
}
#: One gives another value, or what the user says; it is handed on, extended, or nobody but a test calls it.
OPEN = {
    "build.py": """\
import tensorflow as tf


def differs(files, is_training):
    ds = tf.data.TFRecordDataset(files)
    if is_training:
        ds = ds.shuffle(100)
    reveal_pipeline(ds)  # revealed: TFRecordDataset |> (shuffle if is_training)


def told(files, is_training):
    ds = tf.data.TFRecordDataset(files)
    if is_training:
        ds = ds.shuffle(100)
    reveal_pipeline(ds)  # revealed: TFRecordDataset |> (shuffle if is_training)


def handed(files, is_training=False):
    ds = tf.data.TFRecordDataset(files)
    if is_training:
        ds = ds.shuffle(100)
    reveal_pipeline(ds)  # revealed: TFRecordDataset |> (shuffle if is_training)


def tested(files, is_training):
    ds = tf.data.TFRecordDataset(files)
    if is_training:
        ds = ds.shuffle(100)
    reveal_pipeline(ds)  # revealed: TFRecordDataset |> (shuffle if is_training)


class Reader:
    def __init__(self, files, is_training):
        self.files, self.is_training = files, is_training

    def read(self):
        ds = tf.data.TFRecordDataset(self.files)
        if self.is_training:
            ds = ds.shuffle(100)
        reveal_pipeline(ds)  # revealed: TFRecordDataset |> (shuffle if self.is_training)
""",
    "train.py": """\
import argparse

from build import Reader, differs, handed, told

parser = argparse.ArgumentParser()
parser.add_argument("--train", action="store_true")
args = parser.parse_args()


class Images(Reader):
    pass


def train(files, run):
    differs(files, True)
    differs(files, False)
    told(files, args.train)
    run(handed)
    handed(files)
    Reader(files, True).read()
""",
    "test_build.py": """\
from build import tested


def test_it():
    tested([], True)
""",
}
#: A number is what it is usually; a default that nobody leaves is none.
NUMBERS = {
    "build.py": """\
import tensorflow as tf


def usual(files, size=32, count=1):
    ds = tf.data.TFRecordDataset(files)
    if size > 1:
        ds = ds.batch(size)
    reveal_pipeline(ds)  # revealed: TFRecordDataset |> (batch if size > 1)
""",
    "train.py": """\
from build import usual

usual([], 64)
""",
}


def seen(folder: Path, files: dict[str, str], file: str) -> tuple[dict[int, str], dict[int, str]]:
    """What a comment says of each row, and the analyser."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    rows = enumerate(files[file].splitlines(), 1)
    said = {row: found[1] for row, line in rows if (found := re.search("# revealed: (.*)", line))}
    return said, dict(reveal(load(files[file].encode(), str(folder / file))))


def test_the_way_that_all_callers_take(tmp_path: Path) -> None:
    said, found = seen(tmp_path, TAKEN, "data/build.py")
    assert found == said


def test_callers_that_do_not_agree(tmp_path: Path) -> None:
    said, found = seen(tmp_path, OPEN, "build.py")
    assert found == said


def test_numbers_decide_no_way(tmp_path: Path) -> None:
    said, found = seen(tmp_path, NUMBERS, "build.py")
    assert found == said
