"""The rows of functions against the installed TensorFlow, Keras, NumPy and Python, and how rows add up."""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections import Counter
from typing import Any

import pytest
from rows import each

from tfdata_lint.pipeline.knowledge import functions
from tfdata_lint.pipeline.knowledge.functions import RANKS, ROWS, known
from tfdata_lint.pipeline.knowledge.names import canonical, last
from tfdata_lint.pipeline.knowledge.rows import V1, Known
from tfdata_lint.pipeline.knowledge.tensorflow_rows import KERAS, TENSORFLOW

#: Libraries that are not installed: their rows come from their documentation.
NOT_INSTALLED = {
    "PIL", "absl", "albumentations", "cv2", "h5py", "imageio", "imgaug", "keras_cv", "librosa", "loguru", "pandas",
    "progressbar", "rich", "scipy", "six", "skimage", "soundfile", "tensorflow_addons", "tensorflow_hub",
    "tensorflow_io", "tensorflow_probability", "tensorflow_text", "torchvision", "tqdm", "tree",
}  # fmt: skip
#: Methods of what has no full name.
METHODS = {"?", "local", "Element"}
#: Layers of keras_cv; layers are looked up as layers of Keras, wherever they live.
KERAS_CV = {"ChannelShuffle", "FourierMix", "GridMask", "JitteredResize", "Mosaic", "RepeatedAugmentation"}
#: Not public, of another Python, gone since, methods of what a function returns.
ELSEWHERE = {"tensorflow.layers.*", "tensorflow.python.*", "time.clock*", "tensorflow.get_variable().assign*"}
#: What only newer versions of Python have.
NEW = {"copy.replace": (3, 13)}


def find(owner: Any, path: str) -> bool:
    """Is there something under this path, where `*` stands for any names?"""
    part, _, rest = path.partition(".")
    part = part.replace("()", "")
    pattern = re.compile(re.escape(part).replace(r"\*", ".*"))
    for name in [part] if part.isidentifier() else filter(pattern.fullmatch, dir(owner)):
        try:
            inner = getattr(owner, name)
        except (AttributeError, ImportError):
            continue
        if not rest or find(inner, rest) or (part == "*" and find_deeper(inner, path)):
            return True
    return False


def find_deeper(owner: Any, path: str) -> bool:
    return inspect.ismodule(owner) and find(owner, path)


def is_in_tensorflow(name: str, tf: Any) -> bool:
    """Arithmetic is under `tf` or `tf.math`, or both."""
    path = name.removeprefix("tensorflow.")
    return find(tf, path) or find(tf.math, path)


@each("name", [name for name in ROWS if name.startswith("tensorflow.")])
def test_rows_of_tensorflow_and_keras(tf: Any, name: str) -> None:
    if known(name).gone or last(name).removesuffix("()") in KERAS_CV:
        assert not is_in_tensorflow(name, tf)
    elif name not in ELSEWHERE:
        assert is_in_tensorflow(name, tf)


@each("name", [name for name in ROWS if not name.startswith("tensorflow.")])
def test_rows_of_numpy_and_python(name: str) -> None:
    root, _, path = name.partition(".")
    if root in METHODS | NOT_INSTALLED or name in ELSEWHERE:
        return
    if hasattr(builtins, root):
        root, path = "builtins", name
    assert find(pytest.importorskip(root), path) or (name in NEW and sys.version_info < NEW[name])


def test_what_is_gone_was_there(tf: Any) -> None:
    """What is said to be only under `tf.compat.v1` is there, but for what Keras 3 and later versions took away."""
    names = {name for name in ROWS if known(name).gone == V1} - ELSEWHERE
    assert {name for name in names if not is_in_tensorflow(name, tf.compat.v1)} == set()


def test_a_function_has_one_row() -> None:
    groups = (
        TENSORFLOW, KERAS, functions._LIBRARIES, functions._NUMPY, functions._PYTHON,
        functions._METHODS, functions._PURE,
    )  # fmt: skip
    names = Counter(name for group in groups for rows in group for name, _ in rows)
    assert [name for name, count in names.items() if count > 1] == []
    assert names.keys() == ROWS.keys()


def test_names_of_rows_are_canonical() -> None:
    assert [name for name in ROWS if "*" not in name and canonical(name) != name] == []


@pytest.mark.parametrize("name", ["", "unseen.f", "torch.nn.functional.relu", "tensorflowx.abs", "tensor", "unseen()"])
def test_what_has_no_row_is_not_known(name: str) -> None:
    assert known(name) == Known()
    assert known(name).effect == "unknown"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tensorflow.image.random_hue", ("random", 2, "colour")),
        ("tensorflow.compat.v1.image.random_hue", ("random", 2, "colour")),
        ("tensorflow.image.random_new", ("random", -1, "light")),
        ("tensorflow.math.exp", ("pure", -1, "trivial")),
        ("keras.src.layers.Rescaling()", ("pure", -1, "trivial")),
        ("tensorflow.keras.layers.experimental.preprocessing.RandomFlip().call", ("random_layer", -1, "layer")),
        ("tensorflow.keras.layers.Dense().get_weights", ("unknown", -1, "light")),
        ("tensorflow.lookup.experimental.DenseHashTable().insert", ("variable_assign", -1, "light")),
        ("numpy.random.default_rng().normal", ("python_random", -1, "light")),
    ],
)
def test_rows_add_up(name: str, expected: tuple[str, int, str]) -> None:
    found = known(name)
    assert (found.effect, found.seed, found.cost) == expected


def test_costs_are_ranked() -> None:
    assert {"light", "trivial", *RANKS} == {row.get("cost", "light") for row in ROWS.values()}


def test_the_rows_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        ROWS["tensorflow.abs"] = ROWS["tensorflow.exp"]  # type: ignore[index]
    with pytest.raises(TypeError):
        ROWS["tensorflow.abs"]["cost"] = "light"  # type: ignore[index]
