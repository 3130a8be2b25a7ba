"""TFD706."""

from __future__ import annotations

from tfdata_lint.rules.upgrades.renaming import Renaming


class ExperimentalCompile(Renaming):
    code = "TFD706"
    name = "experimental-compile"
    summary = "`experimental_compile` of `tf.function` is `jit_compile` since TensorFlow 2.5"
    triggers = ("use:function(experimental_compile=) use:function(experimental_relax_shapes=)",)
    kinds = ("argument",)
    why = "`tf.function` logs a deprecation warning; a later TensorFlow will not have the old name"
