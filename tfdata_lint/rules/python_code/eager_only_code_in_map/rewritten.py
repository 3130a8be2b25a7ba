"""Operations of TensorFlow for calls of Python that need the value of a tensor."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.elements import inside
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect, Stage
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Fix, guarded

#: By the function of NumPy or `math`, of floats.
_OF_FLOATS = {"max": "reduce_max", "mean": "reduce_mean", "min": "reduce_min", "sum": "reduce_sum"} | {
    name: f"math.{name}" for name in ("abs", "cos", "exp", "log", "sin", "sqrt", "square", "tanh")
}
_STRINGS = {"lower": '{}.strings.lower({}, encoding="utf-8")', "upper": '{}.strings.upper({}, encoding="utf-8")'}

_DETAILS = "the operation of TensorFlow may differ in details: a missing name gives 0 instead of an error"


@guarded
def rewritten(graph: PipelineGraph, stage: Stage, effect: Effect) -> Fix | None:
    """The same by TensorFlow, where that is one operation; nothing where it depends on what is not known."""
    node, draft = effect.node, Draft(graph)
    call = next((call for call in stage.function.calls if call.node is node), None) if stage.function else None
    if not isinstance(node, ast.Call) or call is None or not draft.can_edit(node):
        return None
    given = inside(stage).tensor(call.positional[0]) if len(call.positional) == 1 and not call.keywords else None
    dtype, operation = given.dtype if isinstance(given, Tensor) else "", _OF_FLOATS.get(last_name(node))
    text, place, tf = "", node, draft.tensorflow(node)
    if last_name(node) == "numpy" and isinstance(node.func, ast.Attribute):
        text, place = _of_value(draft, node, node.func.value, tf)
    elif call.name.startswith(("numpy.", "math.")) and operation and dtype.startswith("float"):
        text = f"{tf}.{operation}({draft.syntax.written(node.args[0])})"
    draft.replace(place, text)
    return draft.fix("unsafe", "Use the operation of TensorFlow", _DETAILS) if text else None


def _of_value(draft: Draft, place: ast.Call, tensor: ast.expr, tf: str) -> tuple[str, ast.Call]:
    """What is done with `x.numpy()`, done with `x`: a call of TensorFlow, `.decode().lower()`, `NAMES.index(…)`."""
    text, is_made = draft.syntax.written(tensor), False
    for call in [step for step in reversed(draft.syntax.way(place)[:-1]) if isinstance(step, ast.Call)]:
        match call:
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if value is place and (
                method == "decode" or method in _STRINGS
            ):
                text, is_made = _STRINGS.get(method, "{1}").format(tf, text), is_made or method in _STRINGS
            case ast.Call(func=ast.Attribute(value=names, attr="index"), args=[value]) if value is place:
                return f"{tf}.argmax({text} == {draft.syntax.written(names)})", call
            case _:
                break
        place = call
    parent = draft.syntax.way(place)[-2]
    is_made |= isinstance(parent, ast.Call) and draft.syntax.called(parent.func).startswith("tf.")
    return (text if is_made and not isinstance(parent, ast.Attribute) else ""), place
