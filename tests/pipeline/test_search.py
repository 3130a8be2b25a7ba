"""The byte search over whole files: it may keep too much, and must never drop a file with a pipeline in it."""

from __future__ import annotations

import re

import pytest

from tfdata_lint.pipeline.nouns.code import rows_with, whole
from tfdata_lint.pipeline.project.search import may_consume, may_hold_pipeline, worked_on

KEPT = {
    "the usual import": "import tensorflow as tf\nds = tf.data.Dataset.range(3)",
    "tfds by its full name": "import tensorflow_datasets; ds = tensorflow_datasets.load('mnist')",
    "tfds by its alias": "import tensorflow_datasets as tfds\nds = tfds.load('mnist')",
    "the module tf.data": "from tensorflow import data\nds = data.Dataset.range(3)",
    "the module tf.data among others": "from tensorflow import io, data\nds = data.Dataset.range(3)",
    "the class": "from tensorflow.data import Dataset\nds = Dataset.range(3)",
    "the class by another name": "from tensorflow.data import Dataset as D\nds = D.range(3)",
    "a reader": "from tensorflow.data import TFRecordDataset as Records\nds = Records(files)",
    "tf.data by another name": "import tensorflow as t\nd = t.data\nds = d.Dataset.range(3)",
    "a folder of images": "import keras\nds = keras.utils.image_dataset_from_directory('images')",
    "a folder of texts": "from tensorflow import keras\nds = keras.utils.text_dataset_from_directory('texts')",
    "a time series": "import keras\nds = keras.utils.timeseries_dataset_from_array(x, y, 3)",
    "a split": "import keras\na, b = keras.utils.split_dataset(x, left_size=0.5)",
    "TensorFlow 1 by compat": "import tensorflow.compat.v1 as tf\nds = tf.data.Dataset.range(3)",
    "TensorFlow 1 iterators": "import tensorflow as tf\nit = make().make_one_shot_iterator()",
    "contrib": "from tensorflow.contrib import data\nds = data.Dataset.range(3)",
    "reduce": "import tensorflow as tf\n\ndef f(ds: tf.data.Dataset):\n  return ds.reduce(0, g)",
    "save": "from tensorflow.data import Dataset\n\ndef f(ds: Dataset):\n  ds.save('here')",
    "a helper with an annotation": "import tensorflow as tf\n\ndef f(ds: tf.data.Dataset): return ds.map(g).batch(8)",
    "a helper with tuning": "import tensorflow as tf\n\ndef f(ds): return ds.map(g, num_parallel_calls=4)",
    "AUTOTUNE": "import tensorflow as tf\nfrom config import AUTOTUNE",
    "NumPy elements": "import tensorflow as tf\nfor x in load().as_numpy_iterator(): print(x)",
    "a single element": "import tensorflow as tf\nx = load().take(1).get_single_element()",
    "single examples": "import tensorflow as tf\nfor x in load().unbatch(): print(x)",
    "prefetch": "import tensorflow as tf\nds = load().prefetch(1)",
    "a profiler trace": "import tensorflow as tf\nwith tf.profiler.experimental.Trace('train'): pass",
    "a layout of images": "from tensorflow import keras\nkeras.layers.Conv2D(1, 1, data_format='channels_first')",
    "a low-level layout": "import tensorflow as tf\ntf.nn.conv2d(x, w, 1, 'SAME', data_format='NCHW')",
    "a layout in a notebook": '{"source": ["import keras\\n", "C(data_format=\\"channels_first\\")"]}',
    "tf.data by the name of a version": "from tensorflow.compat import v1\nds = v1.data.Dataset.range(3)",
    "blocks": "import tensorflow as tf\ndef f(ds): return ds.interleave(g, block_length=4)",
    "a notebook": '{"cells": [{"source": ["import tensorflow as tf\\n", "tf.data.Dataset.range(3)"]}]}',
}

DROPPED = {
    "nothing at all": "",
    "no TensorFlow": "import numpy as np\nprint(np.arange(3))",
    "another library's datasets": "from torch.utils.data import DataLoader, Dataset\n\nclass D(Dataset): pass",
    "TensorFlow without input": "import tensorflow as tf\nprint(tf.constant(1) + 1)",
    "an attribute": "import tensorflow as tf\nx = FLAGS.data",
    "another loader": "import tensorflow_datasets as tfds\nx = np.load('x')",
    "attention": "import tensorflow as tf\nattend(x, block_length=4)",
    "a type": "import tensorflow as tf\nx = dtype.as_numpy_dtype",
    "a layout that is asked for": "import tensorflow as tf\nif data_format == 'channels_first': pass",
    "a name in a comment": "# converts checkpoints of tensorflow\nprint('done')",
}


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT.keys())
def test_kept(source: str) -> None:
    assert may_hold_pipeline(source.encode())


@pytest.mark.parametrize("source", DROPPED.values(), ids=DROPPED.keys())
def test_dropped(source: str) -> None:
    assert not may_hold_pipeline(source.encode())


WORKED_ON = {
    "a loop": ("for x in make():", {"make"}),
    "a loop over a member": ("for x in data.train.load(1):", {"data"}),
    "counted": ("for i, x in enumerate(tqdm(make())):", {"make"}),
    "a comprehension": ("found = [f(x) for x in make()]", {"make"}),
    "a variable": ("ds = make(3)\nfor x in ds: pass", {"ds", "make"}),
    "one of several": ("train, test = make(3)\nfor x in test: pass\nfor x in train: pass", {"train", "test", "make"}),
    "an attribute": ("self.ds = data.make(3)\nfor x in self.ds: pass", {"self", "data"}),
    "a map": ("return make(3).map(f)", {"make"}),
    "a chain": ("ds = make(3)\nds = (\n    ds\n    .batch(8)\n)", {"ds", "make"}),
}


@pytest.mark.parametrize(("source", "names"), WORKED_ON.values(), ids=WORKED_ON.keys())
def test_worked_on(source: str, names: set[str]) -> None:
    found = worked_on(source.encode())
    assert found is not None
    assert found >= {name.encode() for name in names}
    for name in names:
        # Whoever asks for some names is told of them as whoever asks for all.
        some = worked_on(source.encode(), {name.encode()})
        assert some is not None
        assert name.encode() in some


def test_names_that_nobody_asks_for_are_not_looked_for() -> None:
    assert worked_on(b"ds = make(3)\nfor x in ds: pass", {b"ds"}) == {b"ds"}


def test_anything_may_be_consumed() -> None:
    assert worked_on(b"model.fit(ds)") is None
    assert worked_on(b"ds = make(3)\nuse(ds)") == frozenset()


MAY_CONSUME = {
    "import tensorflow as tf\nfor x in make(): pass": True,
    "import tensorflow as tf\nmake().map(f)": True,
    "import tensorflow as tf\nprint(make())": False,
    "from data import make\nmodel.fit(make())": True,
    "from data import make\nfor x in make(): pass": False,
    "from sklearn.svm import SVC\nSVC().fit(x)": False,
}


@pytest.mark.parametrize("source", MAY_CONSUME)
def test_may_consume(source: str) -> None:
    assert may_consume(source.encode()) is MAY_CONSUME[source]


@pytest.mark.parametrize("kept", [True, False])
def test_pictures_of_a_notebook_are_passed_over(kept: bool) -> None:
    """What is drawn may spell any word; what stands around it counts."""
    picture = '"image/png": "' + "AUTOTUNE" + "A" * 300_000 + '"'
    code = "tf.data" if kept else "tf.nn"
    text = f'{{"cells": [{{"source": ["import tensorflow"]}}, {{{picture}, "text": ["{code}"], {picture}}}]}}'
    assert may_hold_pipeline(text.encode()) == kept
    assert may_hold_pipeline(f'{text[:-1]}, "image/png": "'.encode()) == kept


@pytest.mark.parametrize("text", ["tf", "(tf.x", "atf tf", "tf_2", "2tf", "tftf", "a.tf", "é_tf tfé", "tf\n\ntf;tf"])
def test_a_whole_word_is_what_stands_between_its_bounds(text: str) -> None:
    assert [found.span() for found in re.finditer(whole("tf"), text)] == [
        found.span() for found in re.finditer(r"\btf\b", text)
    ]


def test_rows_with_several_patterns_are_in_order() -> None:
    assert rows_with("b\na\nab", "a", "b") == [1, 2, 3, 3]
