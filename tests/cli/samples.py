"""Small files with known findings."""

from __future__ import annotations

import json

CLEAN = "import tensorflow as tf\n\ncount = len([1, 2, 3])\n"

#: TFD401, an error, at 4:1.
DISCARDED = """\
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(tf.io.gfile.listdir("images"))
dataset.shuffle(1024)
"""

#: TFD701, a warning, at 3:12.
DEPRECATED = """\
import tensorflow as tf

AUTOTUNE = tf.data.experimental.AUTOTUNE
"""

#: TFD102, which has a safe fix, at 9:19; TFD401, whose fix is unsafe, at 10:1.
FIXABLE = """\
import tensorflow as tf


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


dataset = tf.data.Dataset.list_files("images/*")
dataset = dataset.map(load, num_parallel_calls=1)
dataset.shuffle(1024)
"""
#: After safe fixes.
SAFE = FIXABLE.replace("num_parallel_calls=1", "num_parallel_calls=tf.data.AUTOTUNE")
#: After all fixes.
FIXED = SAFE.replace("dataset.shuffle(", "dataset = dataset.shuffle(")

BROKEN = "import tensorflow as tf\n\nds = tf.data.Dataset.range(3\n"


def notebook(*cells: str | tuple[str, str]) -> str:
    """A notebook of code cells; a pair gives a cell's type and its source."""
    pairs = [cell if isinstance(cell, tuple) else ("code", cell) for cell in cells]
    return json.dumps(
        {
            "cells": [
                {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
                | ({"outputs": [], "execution_count": None} if kind == "code" else {})
                for kind, source in pairs
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )
