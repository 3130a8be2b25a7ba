"""TFD701."""

from __future__ import annotations

from tfdata_lint.rules.upgrades.renaming import Renaming


class DeprecatedAutotune(Renaming):
    code = "TFD701"
    name = "deprecated-autotune"
    summary = "`tf.data.experimental.AUTOTUNE` is `tf.data.AUTOTUNE` since TensorFlow 2.4"
    triggers = ("use:AUTOTUNE",)
    kinds = ("constant",)
    why = "The experimental name is kept as an alias only, and experimental names go away without notice"
