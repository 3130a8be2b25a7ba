"""TFD707."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import (
    chooses_version,
    needs_tensorflow_1,
    needs_tensorflow_2,
    seems_tensorflow_2,
    tells_versions_apart,
)
from tfdata_lint.pipeline.project.index import attribute_span
from tfdata_lint.rewriting.calls import Argument, OldCall
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded
from tfdata_lint.rules.upgrades.removed_symbol.methods import Method, removed_methods
from tfdata_lint.rules.upgrades.removed_symbol.symbols import Removed, removed_uses

_CASTS = {
    "to_bfloat16": "bfloat16", "to_complex64": "complex64", "to_complex128": "complex128", "to_double": "float64",
    "to_float": "float32", "to_int32": "int32", "to_int64": "int64",
}  # fmt: skip
#: What takes the place of names that only `tf.compat.v1` has, if any.
_INSTEAD = {
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
    **{old: f"Use `tf.cast(x, tf.{dtype})`" for old, dtype in _CASTS.items()},
}
_REASON = "today the code raises an error, and TensorFlow 2 may compute something else than TensorFlow 1 did"


class RemovedSymbol(Rule):
    code = "TFD707"
    name = "removed-symbol"
    group = "correctness"
    summary = "A module with a pipeline uses a name that TensorFlow no longer has"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 0) or not any(stage.span.file == graph.file for stage in graph.stages):
            return
        for called, method in removed_methods(graph, target):
            yield self._method(graph, called, method, target)
        # Where nobody says what the code is for, it may well be for TensorFlow 1.
        is_for_2 = _is_told(target) or needs_tensorflow_2(graph.source)
        if not is_for_2 and not seems_tensorflow_2(graph.source):
            return
        uses = [(use, removed) for use, removed in removed_uses(graph) if not chooses_version(graph, use.node)]
        is_one_slip = len({removed.old for _, removed in uses}) == 1
        if not uses or not (is_for_2 or is_one_slip) or tells_versions_apart(graph):
            return
        if needs_tensorflow_1(graph.source):
            # Its names fail one after the other, and what is to be done is done to all of it.
            if _is_told(target):
                yield self._program(uses[0][0], target)
            return
        for use, removed in uses:
            yield self._gone(graph, use, removed, target)

    def _program(self, use: SymbolUse, target: Target) -> Finding:
        origin = target.origin.removeprefix("assumed: ")
        said = f"{origin} says {target}, which has" if target.is_declared else f"{origin}, where there is"
        return self.finding(
            use.span,
            f"This is TensorFlow 1 code, but {said} no `{_old(use)}`",
            cost="The program raises an AttributeError at the first name that TensorFlow 2 does not have",
            advice="Port it (`tf_upgrade_v2` renames what it can), import `tensorflow.compat.v1`, or declare "
            "TensorFlow 1 for its folder",
            severity="warning",
            confidence="likely",
        )

    def _method(self, graph: PipelineGraph, called: ast.Attribute, method: Method, target: Target) -> Finding:
        return self.finding(
            attribute_span(called, graph.file),
            f"In {method.gone}, {method.of} has no `{called.attr}`",
            cost="This raises an AttributeError",
            advice=method.advice,
            severity=None if target.is_declared and method.new else "warning",
            confidence="likely",
            fix=_renamed(graph, called, method.new) if method.new else None,
        )

    def _gone(self, graph: PipelineGraph, use: SymbolUse, removed: Removed, target: Target) -> Finding:
        if removed.new:
            advice = f"Use `tf.{removed.new}`"
        else:
            advice = _INSTEAD.get(
                removed.old, (f"Use `tf.compat.v1.{removed.old}`: TensorFlow 2 has no other replacement")
            )
        return self.finding(
            use.span,
            f"TensorFlow 2 has no `{_old(use)}`",
            cost="This raises an AttributeError; in a mapped function, as soon as TensorFlow traces it",
            advice=advice,
            severity=None if _is_told(target) else "warning",
            confidence="proven" if _is_told(target) else "likely",
            fix=_fix(graph, use, removed) if removed.new or removed.old in _CASTS else None,
        )


def _is_told(target: Target) -> bool:
    """Does the project say that it is for TensorFlow 2, if only by a lower bound?"""
    return target.is_declared or (target.oldest or (1, 0)) >= (2, 0)


def _old(use: SymbolUse) -> str:
    return use.name.replace("tensorflow", "tf", 1)


@guarded
def _renamed(graph: PipelineGraph, called: ast.Attribute, new: str) -> Fix:
    draft = Draft(graph)
    draft.rename_attribute(called, called.attr, new)
    return draft.fix("unsafe", f"Call `{new}`", "today the code raises an error")


@guarded
def _fix(graph: PipelineGraph, use: SymbolUse, removed: Removed) -> Fix:
    draft = Draft(graph)
    tensorflow = use.written.partition(".")[0]
    if removed.old in _CASTS:
        _cast(draft, use, tensorflow, _CASTS[removed.old])
        return draft.fix("unsafe", "Cast with `tf.cast`", _REASON)
    new = f"{tensorflow}.{removed.new}"
    if not _keeps_arguments(use, removed):
        draft.refuse("its arguments now have other names or another order")
    elif draft.can_edit(use.node):
        if use.call is None:
            draft.replace(use.node, new)
        else:
            OldCall(draft, use.call).rename(new)
    return draft.fix("unsafe", f"Replace with `tf.{removed.new}`", _REASON)


def _keeps_arguments(use: SymbolUse, removed: Removed) -> bool:
    """Does what it is given mean the same to the new function?"""
    if removed.positional is None and not removed.gone:
        return True
    if use.call is None or use.positional is None or use.keywords & {None, *removed.gone}:
        return False
    return removed.positional is None or use.positional <= removed.positional


def _cast(draft: Draft, use: SymbolUse, tensorflow: str, dtype: str) -> None:
    if use.call is None or not draft.can_edit(use.call):
        draft.refuse("the name is used without a call")
        return
    old = OldCall(draft, use.call)
    if given := old.bound("x name="):
        is_named = any(keyword.arg == "x" for keyword in use.call.keywords)
        cast = Argument("dtype" if is_named else "", text=f"{tensorflow}.{dtype}")
        others = [Argument("name", given["name"])] if "name" in given else []
        old.write((f"{tensorflow}.cast", [Argument(old=given["x"]), cast, *others]))
