"""What writes no files, of Python, TensorFlow, Keras and other libraries. What is not named here may."""

from __future__ import annotations

import re

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import canonical

#: Methods that write no file, where no class of the project has one of that name.
METHODS = frozenset(
    {"add", "add_argument", "all", "any", "append", "apply_gradients", "argmax", "argmin", "argsort", "as_default",
     "assign", "assign_add", "assign_sub", "astype", "axis", "build", "capitalize", "clear", "compile", "copy",
     "count", "cumsum", "decode", "diff", "dot", "encode", "endswith", "evaluate", "extend", "fit", "flatten",
     "format", "get", "gradient", "imshow", "index", "insert", "isdigit", "item", "items", "join", "keys", "legend",
     "lower", "lstrip", "max", "mean", "min", "minimize", "numpy", "parse_args", "parse_known_args", "pop",
     "predict", "predict_on_batch", "prod", "ravel", "replace", "reset_state", "reset_states", "reshape", "result",
     "round", "rstrip", "set_description", "set_postfix", "set_title", "set_xlabel", "set_xticks", "set_ylabel",
     "set_yticks", "setdefault", "sort", "split", "splitlines", "squeeze", "startswith", "std", "strip", "sum",
     "summary", "swapaxes", "test_on_batch", "test_step", "title", "tolist", "train_on_batch", "train_step",
     "transpose", "update", "update_state", "upper", "values", "var", "with_suffix", "zfill"}
)  # fmt: skip
#: What only reads, or calls only what it is given by name.
BUILTINS = frozenset(
    {"abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "classmethod", "complex",
     "delattr", "dict", "dir", "divmod", "enumerate", "filter", "float", "format", "frozenset", "getattr", "globals",
     "hasattr", "hash", "hex", "id", "input", "int", "isinstance", "issubclass", "iter", "len", "list", "locals", "map",
     "max", "memoryview", "min", "next", "object", "oct", "ord", "pow", "print", "property", "range", "repr",
     "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type",
     "vars", "zip"}
)  # fmt: skip
#: Of TensorFlow and Keras, besides what is known to compute. What is saved of a model is read by models alone, and
#: events go to files whose names tell the time.
_QUIET_BEGINNINGS = (
    "tensorflow.GradientTape", "tensorflow.Variable", "tensorflow.data.", "tensorflow.distribute.",
    "tensorflow.function", "tensorflow.keras.", "tensorflow.summary.", "tensorflow.train.Checkpoint",
    "tensorflow.compat.v1.GraphKeys", "tensorflow.compat.v1.Session", "tensorflow.compat.v1.estimator.",
    "tensorflow.compat.v1.train.", "tensorflow.estimator.",
)  # fmt: skip
_QUIET_EFFECTS = frozenset(
    {"generator", "iterator", "logging", "lookup", "random", "random_layer", "stateful_layer", "stateless_random",
     "tf_print", "variable_assign", "variable_read"}
)  # fmt: skip
_READERS = ("tensorflow.io.gfile.exists", "tensorflow.io.gfile.glob", "tensorflow.io.gfile.isdir",
            "tensorflow.io.gfile.listdir", "tensorflow.io.gfile.stat", "tensorflow.gfile.Exists",
            "tensorflow.gfile.Glob", "tensorflow.gfile.IsDirectory", "tensorflow.gfile.ListDirectory",
            "tensorflow.gfile.Stat")  # fmt: skip
_WRITERS = ("tensorflow.data.Dataset.save", "tensorflow.data.experimental.save", "tensorflow.keras.callbacks.",
            "tensorflow.keras.datasets.", "tensorflow.keras.preprocessing.image.",
            "tensorflow.keras.utils.")  # fmt: skip
#: NumPy has functions in few rooms, and these of them write.
_OF_NUMPY = re.compile(r"numpy\.(?:(?:fft|linalg|ma|random)\.)?(?!save|memmap|DataSource|fromfile)\w+(?:\(\)\.\w+)?")
_QUIET_CALLBACKS = frozenset(
    f"tensorflow.keras.callbacks.{name}"
    for name in ["BackupAndRestore", "Callback", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler",
                 "ModelCheckpoint", "ProgbarLogger", "ReduceLROnPlateau", "TensorBoard", "TerminateOnNaN"]
)  # fmt: skip
_LOOKING = ("os.listdir", "os.path.")
#: Of these, what only looks at the text of a path.
_OF_PATHS = frozenset(f"os.path.{name}" for name in ("basename", "dirname", "join", "normpath", "split", "splitext"))
#: What shows pictures, and saves none.
_SHOWING = frozenset(
    f"matplotlib.pyplot.{name}"
    for name in ["axis", "bar", "clf", "close", "colorbar", "figure", "gca", "gcf", "grid", "hist", "imshow", "legend",
                 "plot", "scatter", "show", "subplot", "subplots", "suptitle", "text", "tight_layout", "title",
                 "xlabel", "xlim", "xticks", "ylabel", "ylim", "yticks"]
)  # fmt: skip
#: Of Python's library these write nothing.
_QUIET = ("abc.", "argparse.", "array.", "bisect.", "collections.", "contextlib.", "copy.", "dataclasses.", "datetime.",
          "enum.", "functools.", "heapq.", "itertools.",
          "json.dumps", "json.loads",
          "math.", "operator.", "os.environ", "os.getenv", "os.listdir", "os.path.", "pickle.dumps", "pickle.loads",
          "random.", "re.", "string.", "struct.", "time.", "timeit.", "typing.", "tqdm.")  # fmt: skip


def writes(name: str, looks: bool) -> bool:
    """Might a function of a library write files, or look for some where that is meant?"""
    root = name.partition(".")[0]
    if root in ("tensorflow", "keras"):
        return _writes_of_tensorflow(canonical(name), looks)
    if root == "numpy":
        return _OF_NUMPY.fullmatch(name) is None
    if looks and name.startswith(_LOOKING) and name not in _OF_PATHS:
        return True
    return not (name.startswith(_QUIET) or name in _SHOWING or known(name).is_pure)


def _writes_of_tensorflow(name: str, looks: bool) -> bool:
    row = known(name)
    if name in _READERS or row.cost == "read":
        return looks
    if row.is_pure or row.effect in _QUIET_EFFECTS or name in _QUIET_CALLBACKS:
        return False
    return name.startswith(_WRITERS) or not name.startswith(_QUIET_BEGINNINGS)
