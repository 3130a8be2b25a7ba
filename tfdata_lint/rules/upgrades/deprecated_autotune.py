"""TFD701."""

from __future__ import annotations

from tfdata_lint.rules.upgrades.renaming import Renaming


class DeprecatedAutotune(Renaming):
    code = "TFD701"
    name = "deprecated-autotune"
    summary = "`tf.data.experimental.AUTOTUNE` is `tf.data.AUTOTUNE` since TensorFlow 2.4"
    triggers = ("use:AUTOTUNE",)
    kinds = ("constant",)
    why = "It is the same number: the experimental name is kept as an alias"
