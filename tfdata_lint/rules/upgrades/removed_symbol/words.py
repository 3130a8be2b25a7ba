"""What is said of a name or an argument that is gone, and what to do about it."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.rules.upgrades.removed_symbol.symbols import CALLED, Gone, Removed

CASTS = {
    "to_bfloat16": "bfloat16", "to_complex64": "complex64", "to_complex128": "complex128", "to_double": "float64",
    "to_float": "float32", "to_int32": "int32", "to_int64": "int64",
}  # fmt: skip
#: What takes the place of names that only `tf.compat.v1` has, if any.
_INSTEAD = {
    "keras.mixed_precision.experimental": "Use `tf.keras.mixed_precision`, where `set_policy` is `set_global_policy`",
    "app": "Use `absl.app`",
    "flags": "Use `absl.flags`",
    "layers": "Use `tf.keras.layers`",
    "logging": "Use `absl.logging`, or `logging` of Python",
    "python": "Use a public name instead: this one is private",
    "div": "Use `tf.math.divide`, or `//` for integers",
    "enable_eager_execution": "Remove it: TensorFlow 2 always begins with eager execution",
    "enable_v2_behavior": "Remove it: it is the behavior of TensorFlow 2",
    "gfile.FastGFile": "Use `tf.io.gfile.GFile`",
    "image.resize_area": 'Use `tf.image.resize(…, method="area")`',
    "image.resize_bicubic": 'Use `tf.image.resize(…, method="bicubic")`',
    "image.resize_bilinear": "Use `tf.image.resize`",
    "image.resize_image_with_pad": "Use `tf.image.resize_with_pad`",
    "image.resize_nearest_neighbor": 'Use `tf.image.resize(…, method="nearest")`',
    "io.tf_record_iterator": "Use `tf.data.TFRecordDataset`",
    "py_func": "Use `tf.numpy_function` or, better, TensorFlow operations",
    "python_io.tf_record_iterator": "Use `tf.data.TFRecordDataset`",
    "random.set_random_seed": "Use `tf.random.set_seed`",
    "set_random_seed": "Use `tf.random.set_seed`",
    "sparse_to_dense": "Use `tf.sparse.to_dense` of a `tf.SparseTensor`",
    "string_split": "Use `tf.strings.split`, which gives a ragged tensor",
    "estimator": "Train with Keras or a loop, or stay with TensorFlow 2.15",
    "distribute.Strategy.experimental_make_numpy_dataset": "Use `tf.data.Dataset.from_tensor_slices`",
    **dict.fromkeys(
        [f"tensorflow_datasets.Split.{split}.subsplit" for split in ("ALL", "TEST", "TRAIN", "VALIDATION")],
        'Name the parts of the split: `split=["train[:80%]", "train[80%:]"]`',
    ),
    "keras.layers.experimental.SyncBatchNormalization": "Use `tf.keras.layers.BatchNormalization(synchronized=True)`",
    "keras.utils.multi_gpu_model": "Build the model in the scope of a `tf.distribute.MirroredStrategy`",
    "keras.wrappers.scikit_learn": "Use the package SciKeras",
    "train.experimental.enable_mixed_precision_graph_rewrite": "Use `tf.keras.mixed_precision.set_global_policy`",
    **{old: f"Use `tf.cast(x, tf.{dtype})`" for old, dtype in CASTS.items()},
}
_LEGACY = "Rewrite this for Keras 3, or keep Keras 2: install `tf_keras` and set `TF_USE_LEGACY_KERAS=1`"
_ADVICE = {
    **dict.fromkeys(("experimental_run_tf_function", "fused", "write_grads"), "Remove it"),
    "batch_input_shape": "Begin the model with `tf.keras.Input(batch_shape=…)`",
    "decay": "Pass a schedule of `tf.keras.optimizers.schedules` as `learning_rate`",
    "lr": "Pass `learning_rate`",
    "period": "Pass `save_freq`, which counts batches",
    "save_format": "Remove it, and end the name of the file in `.weights.h5`",
}
_OF_OBJECTS = ("tensorflow.keras.Model.", "tensorflow.distribute.Strategy.")
_COST = "This raises an AttributeError; in a mapped function, as soon as TensorFlow traces it"
_COSTS = {
    "decay": "TensorFlow 2.11 to 2.15 raise an error, and Keras 3 ignores it: the learning rate no longer decays",
    "lr": "Keras 3 raises an error, and TensorFlow 2.11 to 2.15 train with the default learning rate",
}


def old(use: SymbolUse) -> str:
    return shown(use.name.removeprefix("tensorflow."))


def message(use: SymbolUse, removed: Removed) -> str:
    later = "TensorFlow {}.{} and later".format(*removed.since)
    has = f"{later} have" if removed.since > (2, 0) else "TensorFlow 2 has"
    known = {"keras": f"Keras 3, which {later} use, has", "tfds": "TensorFlow Datasets 4.0 and later have"}
    has = known.get(removed.of, has)
    if removed.argument == CALLED and not use.name.startswith(_OF_OBJECTS):
        return f"{has} `{old(use)}` only as a name that raises an error"
    return (
        f"{has} no argument `{removed.argument}` of `{use.called}`"
        if removed.argument not in ("", CALLED)
        else f"{has} no `{old(use)}`"
    )


def cost(gone: Gone) -> str:
    is_import = gone.statement is not None and not gone.removed.argument
    plain = (
        "The import raises an error" if is_import else "The call raises an error" if gone.removed.argument else _COST
    )
    return _COSTS.get(gone.removed.argument, plain)


def advice(use: SymbolUse, removed: Removed) -> str:
    if said := _ADVICE.get(removed.argument) or (f"Use `{shown(removed.new)}`" if removed.new else ""):
        return said
    plain = "Rewrite the code without it: later versions have no replacement"
    if removed.since == (2, 0):
        plain = f"Use `tf.compat.v1.{removed.old}`: TensorFlow 2 has no other replacement"
    plain = _LEGACY if removed.of == "keras" else plain
    return _INSTEAD.get(use.name.removeprefix("tensorflow."), _INSTEAD.get(removed.old, plain))


def shown(name: str) -> str:
    return name.replace("tensorflow_datasets", "tfds") if name.startswith("tensorflow_datasets") else f"tf.{name}"
