"""The one way to normalise the full name of a function.

A full name is the path under which Python finds it: `tensorflow.compat.v1.image.resize`, `keras.src.layers.Dense`.
An object that a call has made is written with `()`: `tensorflow.keras.layers.Dense()` for calling a layer,
`tensorflow.Variable().assign` for the method of a variable.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: Names that are remembered; a file has a few hundred.
_REMEMBERED = 8192

_COMPAT = r"^tensorflow(?:\.compat\.v[12])+(?=\.|$)"
_KERAS = r"^(?:tensorflow\.(?:python\.)?keras|keras(?:\.src)?|tf_keras)\."
_DATA = r"^tensorflow\.(?:python\.data|(contrib\.data)\.python)\.(experimental\.)?(ops\.\w+\.)?(?=(\w))"
_PROFILER = r"^tensorflow\.python\.profiler\.(?:profiler_v2|trace)\."
_LAYER = r"^(?:tensorflow\.keras|keras_cv)\.layers\.(?:\w+\.)*(\w+\(\))(?:\.(?:__call__|call))?$"
#: `Generator.from_seed().normal` is `Generator.normal`.
_MAKER = r"(\.[A-Z]\w*)\.from_\w+\(\)\."
_SHORT = {
    "tensorflow": "tf",
    "numpy": "np",
    "tensorflow_addons": "tfa",
    "tensorflow_probability": "tfp",
    "tensorflow_text": "tf_text",
    "tensorflow_io": "tfio",
}


@lru_cache(maxsize=_REMEMBERED)
def plain(name: str) -> str:
    """The public name of today: no `compat.v1`, no private home of tf.data or the profiler, one home of Keras."""
    if name.startswith("tensorflow.compat."):
        name = re.sub(_COMPAT, "tensorflow", name)
    if "keras" in name:
        return re.sub(_KERAS, "tensorflow.keras.", name)
    if name.startswith(("tensorflow.python.data.", "tensorflow.contrib.data.python.")):
        return _public(name)
    if name.startswith("tensorflow.python.profiler."):
        return re.sub(_PROFILER, "tensorflow.profiler.experimental.", name)
    return name.replace("tensorflow_datasets.public_api.", "tensorflow_datasets.")


def _public(name: str) -> str:
    """`tensorflow.python.data.ops.dataset_ops.DatasetV2.range` is `tensorflow.data.Dataset.range`."""
    match = re.match(_DATA, name)
    if match is None or not (match[3] or match[4].isupper()):
        return name
    first, dot, rest = name[match.end() :].partition(".")
    home = f"tensorflow.{match[1] or 'data'}.{match[2] or ''}"
    return f"{home}{first.removesuffix('V1').removesuffix('V2')}{dot}{rest}"


def canonical(name: str) -> str:
    """The name under which the tables have it: `tf.math.abs` is `tf.abs`, a layer is a layer wherever it lives."""
    name = plain(name)
    if name.startswith("tensorflow.math."):
        return f"tensorflow.{name[16:]}"
    return re.sub(_LAYER, r"tensorflow.keras.layers.\1", name) if ".layers." in name else name


def displayed(name: str) -> str:
    """A full name as the field writes it: `tf.image.resize`, `np.random.rand`, `print`."""
    root, dot, rest = re.sub(_MAKER, r"\1.", plain(name)).replace("()", "").partition(".")
    match root:
        case "builtins":
            return rest
        case "Element" | "?" | "local":
            return f".{rest}"
    return f"{_SHORT.get(root, root)}{dot}{rest}"


def last(name: str) -> str:
    """`resize` of `tensorflow.image.resize`."""
    return name[name.rfind(".") + 1 :]
