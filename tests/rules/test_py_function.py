"""What TFD202 proposes instead of Python."""

from __future__ import annotations

import pytest

from tfdata_lint.lint.linting import lint_source

PROGRAM = """
import io
import re
import urllib.request
import cv2
import numpy as np
import requests
import tensorflow as tf
from PIL import Image


def fetched(x):
    return io.BytesIO(requests.Session().get(x).content)


def work(x):
    {body}


def train(model, data, tokenizer, model_of_speech, helper):
    def load(x):
        return tf.ensure_shape(tf.numpy_function(work, [x], tf.float32), [8])

    dataset = tf.data.Dataset.from_tensor_slices(data).map(load)
    model.fit(dataset{behind}.batch(32))
"""


def found(body: str, behind: str = "") -> tuple[str, str]:
    (diagnostic,) = (d for d in lint_source(PROGRAM.format(body=body, behind=behind)).diagnostics if d.code == "TFD202")
    return diagnostic.severity, diagnostic.advice


@pytest.mark.parametrize(
    ("body", "native"),
    [
        ("return np.float32((x - np.mean(x)) / np.std(x))", "`tf.math` or `tf.experimental.numpy`"),
        ("return len(x.decode().lower().split())", "`tf.strings`"),
        ("return re.sub('a', 'b', x.decode())", "`tf.strings`"),
        ("return cv2.imread(x.decode()) / 255.0", "`tf.io.read_file` with `tf.io.decode_image`"),
        ("return cv2.resize(helper(cv2.imread(x)), (8, 8))", "`tf.image.resize` and `tf.io.read_file` with"),
        ("small_image = helper(x)\n    return small_image.resize((8, 8))", "`tf.image.resize`"),
        ("return np.abs(open(x).read())", "`tf.io.read_file`"),
        ("return np.asarray(Image.open(io.BytesIO(x)))", "`tf.io.decode_image` instead"),
        ("return np.load(io.BytesIO(x))", "TFRecord files"),
        ("return np.asarray(Image.open(io.BytesIO(urllib.request.urlopen(x).read())))", "files that are downloaded"),
        ("return np.asarray(Image.open(requests.get(x, stream=True).raw))", "files that are downloaded"),
        ("return np.asarray(Image.open(fetched(x)))", "files that are downloaded"),
    ],
)
def test_what_fits_the_work(body: str, native: str) -> None:
    assert found(body)[1].startswith(f"Use {native}")


@pytest.mark.parametrize(
    "body",
    [
        "return np.pad(tokenizer.encode(x.decode().lower()), 4)",
        "return np.log(tokenizer(x.decode())['input_ids'])",
        "return np.exp(model_of_speech.predict(x))",
        "return np.mean(helper(x))",
        "return helper(x.decode().strip())",
        "laplacian = helper(x)\n    laplacian.resize((8, 8))\n    return laplacian",
        "return x",
    ],
)
def test_otherwise_where_to_look(body: str) -> None:
    assert found(body)[1].startswith("Use TensorFlow operations (`tf.io`")


@pytest.mark.parametrize(
    ("behind", "severity"),
    [
        ("", "warning"),
        (".cache()", "advice"),
        (".shuffle(100).cache('file')", "advice"),
        (".map(lambda x: x + 1).repeat(2)", "warning"),
    ],
)
def test_a_cache_behind_pays_once(behind: str, severity: str) -> None:
    assert found("return np.sqrt(x)", behind)[0] == severity


def test_every_reader_must_be_behind_the_cache() -> None:
    text = PROGRAM.format(body="return np.sqrt(x)", behind=".cache()") + "    model.evaluate(dataset.batch(32))\n"
    assert [d.severity for d in lint_source(text).diagnostics if d.code == "TFD202"] == ["warning"]
